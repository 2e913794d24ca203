"""Reading back what `errai.files.writing` wrote, and saying which file is damaged and how.

A saved folder has a manifest, a JSON object that names its format and version, and arrays as .npy files. Arrays
are checked against the manifest before a number is used: their header, their size and, where they are read
as a whole, their checksum.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError

_PIECE = 1 << 24  # bytes read at a time


def read_manifest(path: Path, kind: str, *versions: int) -> dict[str, Any]:
    """The manifest of a saved `kind` ("strategy", "checkpoint") in one of the versions that are understood."""
    folder = path.parent
    if not path.is_file():
        state = f"it has no {path.name}" if folder.is_dir() else "there is no such folder"
        raise ErraiError(
            f"{folder} is not a saved {kind}: {state}; give a folder that a solution was saved to"
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ErraiError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:
        raise ErraiError(f"{path} is damaged: it is not JSON; save the {kind} again") from error
    if not isinstance(content, dict) or content.get("format") != f"errai {kind}":
        raise ErraiError(f"{path} is not the manifest of a saved {kind}; give a folder that holds one")
    if content.get("version") not in versions:
        understood_here = " and ".join(map(str, versions))
        raise ErraiError(
            f"{path} has format version {content.get('version')} and this Errai reads version {understood_here}; "
            "use the Errai that saved it, or solve again"
        )
    return content


@contextmanager
def understood(path: Path) -> Iterator[None]:
    """Turns what is missing or of a wrong type in a manifest into an ErraiError."""
    try:
        yield
    except KeyError as error:
        raise ErraiError(
            f"{path} is damaged: {error.args[0]!r} is missing; it must be saved again"
        ) from error
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise ErraiError(f"{path} is damaged: {error}; it must be saved again") from error


def map_array(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """An .npy file as an array that is read from the disk as it is used.

    It is copy-on-write, and so of the same type to the kernels as an array in memory; the file never changes.
    """
    with _checked(path, dtype, shape) as file:
        if 0 in shape:
            return np.zeros(shape, dtype)
        return np.asarray(np.memmap(path, dtype, mode="c", offset=file.tell(), shape=shape))


def read_array(path: Path, into: NDArray[Any], checksum: int) -> None:
    """Fill an array from an .npy file of its type and size whose numbers have this CRC-32."""
    content = into.reshape(-1).view(np.uint8).data
    found = 0
    with _checked(path, into.dtype, into.shape) as file:
        for start in range(0, len(content), _PIECE):
            piece = content[start : start + _PIECE]
            if file.readinto(piece) != len(piece):  # type: ignore[attr-defined]
                raise ErraiError(f"{path} is damaged: it ends too early")
            found = zlib.crc32(piece, found)
    if found != checksum:
        raise ErraiError(f"{path} is damaged: its checksum is {found:08x} and not {checksum:08x}")


@contextmanager
def _checked(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Iterator[BinaryIO]:
    """An open .npy file at the first of its numbers, after its header and size have been checked."""
    try:
        with path.open("rb") as file:
            try:
                if np.lib.format.read_magic(file) != (1, 0):
                    raise ValueError("its .npy version is not 1.0")
                found_shape, _, found_dtype = np.lib.format.read_array_header_1_0(file)
            except (ValueError, EOFError, UnicodeDecodeError) as error:
                raise ErraiError(f"{path} is damaged: it does not begin like an .npy file") from error
            if (found_dtype, found_shape) != (dtype, shape):
                raise ErraiError(
                    f"{path} is damaged: it holds {_described(found_dtype, found_shape)} "
                    f"and not {_described(dtype, shape)}"
                )
            size = file.tell() + dtype.itemsize * int(np.prod(shape, dtype=np.int64))
            found_size = path.stat().st_size
            if found_size != size:
                raise ErraiError(f"{path} is damaged: it has {found_size:,} bytes and not {size:,}")
            yield file
    except FileNotFoundError as error:
        raise ErraiError(f"{path} is missing; the folder is not complete") from error
    except OSError as error:
        raise ErraiError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error


def _described(dtype: np.dtype[Any], shape: tuple[int, ...]) -> str:
    return f"{' x '.join(f'{size:,}' for size in shape)} numbers of type {dtype}"
