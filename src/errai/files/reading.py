"""Reading back what `errai.files.writing` wrote, and saying which file is damaged and how.

A saved folder has a manifest, a JSON object that names its format and version, and arrays as .npy files. No byte is
trusted before it is checked, because a file may be damaged, or made by somebody who means harm:

    a manifest      has a checksum of itself (errai.files.seal); it is read by the one reader of JSON below
    an .npy file    begins as it was written, for the type and shape that are expected; nothing in its header is run
    its numbers     have the checksum that the manifest says

What is wrong is always an ErraiError of one line that names the file. Memory is taken only for what is on the disk.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.files.seal import require_seal

MOST_BYTES = 1 << 30  # of a JSON file
DEEPEST = 32  # objects and lists of JSON within each other
MOST_DIGITS = 4000  # of a fraction's numerator or denominator

_PIECE = 1 << 24  # bytes read at a time
_FIRST = 1 << 16  # bytes that are looked at before the rest is read
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,200}")
_FRACTION = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}(/[0-9]{{1,{MOST_DIGITS}}})?")
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][a-z][0-9])', 'fortran_order': False, "
    rb"'shape': \((|[0-9]{1,18},|[0-9]{1,18}(?:, [0-9]{1,18})+)\), \} *\n"
)
_TYPES = {
    np.dtype(name).str: np.dtype(name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"
    )
}  # fmt: skip


def read_json(path: Path, what: str = "file") -> dict[str, Any]:
    """The object of a JSON file: finite numbers, real text, not too deep. Whatever else it is, is an ErraiError."""
    content = parse_json(read_bytes(path), path, what)
    if not isinstance(content, dict):
        raise ErraiError(f"{path} is damaged: it is not a JSON object; save the {what} again")
    return content


def parse_json(written: bytes, path: Path, what: str = "file") -> Any:
    """What a text of JSON says; `path` is where it came from."""
    try:
        text = written.decode("utf-8")
        content = json.loads(text, parse_float=_finite, parse_constant=_refused)
        if _SURROGATE.search(text):
            json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ErraiError(f"{path} is damaged: it has half a character; save the {what} again") from error
    except (ValueError, RecursionError) as error:
        raise ErraiError(f"{path} is damaged: it is not JSON; save the {what} again") from error
    if _too_deep(content):
        raise ErraiError(f"{path} is damaged: it is nested too deeply; save the {what} again")
    return content


def read_manifest(path: Path, kind: str, *versions: int, unsealed: tuple[int, ...] = ()) -> dict[str, Any]:
    """The manifest of a saved `kind` ("strategy", "checkpoint") in one of the versions that are understood.

    It has its checksum, unless it is of one of the `unsealed` versions, which had none.
    """
    folder = path.parent
    if not path.is_file():
        state = f"it has no {path.name}" if folder.is_dir() else "there is no such folder"
        raise ErraiError(
            f"{folder} is not a saved {kind}: {state}; give a folder that a solution was saved to"
        )
    content = parse_json(read_bytes(path), path, kind)
    if not isinstance(content, dict) or content.get("format") != f"errai {kind}":
        raise ErraiError(f"{path} is not the manifest of a saved {kind}; give a folder that holds one")
    version = content.get("version")
    if type(version) is not int or version not in versions:
        understood_here = " and ".join(map(str, versions))
        raise ErraiError(
            f"{path} has format version {version!a} and this Errai reads version {understood_here}; "
            "use the Errai that saved it, or solve again"
        )
    if version not in unsealed or "crc32" in content:
        require_seal(path, content)
    return content


@contextmanager
def understood(path: Path) -> Iterator[None]:
    """Turns what is missing or of a wrong type or size in a file into an ErraiError."""
    try:
        yield
    except KeyError as error:
        raise ErraiError(
            f"{path} is damaged: {error.args[0]!r} is missing; it must be saved again"
        ) from error
    except (
        TypeError,
        ValueError,
        AttributeError,
        IndexError,
        ArithmeticError,
        RecursionError,
        StopIteration,
    ) as error:
        raise ErraiError(f"{path} is damaged: {error}; it must be saved again") from error


def whole(number: object, least: int = 0, most: int = (1 << 62) - 1) -> int:
    """A whole number of a manifest within bounds; else a ValueError, for `understood`."""
    if type(number) is not int or not least <= number <= most:
        raise ValueError(f"{_shown(number)} is no whole number from {least} to {most}")
    return number


def finite(number: object, least: float = -math.inf) -> float:
    """A number of a manifest; else a ValueError, for `understood`."""
    if type(number) not in (int, float) or not least <= (found := float(number)) < math.inf:  # type: ignore[arg-type]
        raise ValueError(f"{_shown(number)} is no number")
    return found


def fraction(written: object) -> Fraction:
    """A fraction as it is written, 7 or -2/3, of a bounded length; else a ValueError, for `understood`."""
    if type(written) is int and abs(written).bit_length() <= 3 * MOST_DIGITS:
        return Fraction(written)
    if type(written) is not str or not _FRACTION.fullmatch(written):
        raise ValueError(f"{_shown(written)} is no fraction")
    return Fraction(written)


def inside(folder: Path, name: object) -> Path:
    """The path of a file that a manifest names: a plain name, of a file in the folder itself."""
    if type(name) is not str or not _PLAIN_NAME.fullmatch(name):
        raise ErraiError(
            f"{folder} is damaged: its manifest names {_shown(name)}, which is no name of a file in it"
        )
    return folder / name


def map_array(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """An .npy file as an array that is read from the disk as it is used; its numbers are still to be checked.

    It is copy-on-write, and so of the same type to the kernels as an array in memory; the file never changes.
    """
    with _checked(path, dtype, shape) as file:
        if 0 in shape:
            return np.zeros(shape, dtype)
        return np.asarray(np.memmap(path, dtype, mode="c", offset=file.tell(), shape=shape))


def checked_array(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...], checksum: int) -> NDArray[Any]:
    """`map_array` of a file all of whose numbers have been read and have this CRC-32."""
    array = map_array(path, dtype, shape)
    compare(path, array_checksum(array), checksum)
    return array


def load_array(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...], checksum: int) -> NDArray[Any]:
    """The numbers of an .npy file of this type and shape, in memory, whose CRC-32 this is."""
    with _checked(path, dtype, shape):
        pass  # memory is taken only for what is there
    array = np.empty(shape, dtype)
    read_array(path, array, checksum)
    return array


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
    compare(path, found, checksum)


def require_finite(path: Path, array: NDArray[Any]) -> None:
    """Refuse the array of a file in which something is not a number."""
    flat = array.reshape(-1)
    if array.dtype.kind == "f" and not all(
        np.isfinite(flat[start : start + _PIECE]).all() for start in range(0, len(flat), _PIECE)
    ):
        raise ErraiError(f"{path} is damaged: it has what is not a number")


def array_checksum(array: NDArray[Any]) -> int:
    """The CRC-32 of the numbers of a contiguous array."""
    return zlib.crc32(array.reshape(-1).view(np.uint8).data)


def compare(path: Path, found: int, wanted: int) -> None:
    """Refuse a file whose checksum is not what it should be."""
    if found != wanted:
        raise ErraiError(f"{path} is damaged: its checksum is {found:08x} and not {wanted:08x}")


def open_file(path: Path) -> BinaryIO:
    """A file to read. A pipe or a device of that name, which might never end, is an OSError."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise OSError(errno.EINVAL, "It is not a file")
    return os.fdopen(number, "rb")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turns what goes wrong while `path` is read into an ErraiError."""
    try:
        yield
    except FileNotFoundError as error:
        raise ErraiError(f"{path} is missing; the folder is not complete") from error
    except OSError as error:
        raise ErraiError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error


@contextmanager
def _checked(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> Iterator[BinaryIO]:
    """An open .npy file at the first of its numbers, after its header and size have been checked."""
    with reading(path), open_file(path) as file:
        found = npy_header(path, file)
        if found != (dtype, shape):
            raise ErraiError(
                f"{path} is damaged: it holds {_described(*found)} and not {_described(dtype, shape)}"
            )
        yield file


def npy_header(path: Path, file: BinaryIO) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """The type and shape of an .npy file as `write_array` writes them, compared with its size."""
    begins = file.read(len(_MAGIC) + 2)
    length = int.from_bytes(begins[len(_MAGIC) :], "little")
    match = _HEADER.fullmatch(file.read(length))
    aligned = (len(begins) + length) % 64 == 0
    dtype = _TYPES.get(match[1].decode()) if match else None
    if begins[: len(_MAGIC)] != _MAGIC or match is None or dtype is None or not aligned:
        raise ErraiError(f"{path} is damaged: it does not begin like an .npy file")
    shape = tuple(int(size) for size in match[2].replace(b",", b" ").split())
    size = len(begins) + length + dtype.itemsize * math.prod(shape)
    found = os.fstat(file.fileno()).st_size
    if found != size:
        raise ErraiError(f"{path} is damaged: it has {found:,} bytes and not {size:,}")
    return dtype, shape


def read_bytes(path: Path) -> bytes:
    """All of a file of text; a wrong path (a disk image, a device) costs little."""
    with reading(path), open_file(path) as file:
        content = file.read(_FIRST)
        if b"\0" not in content:
            content += file.read(MOST_BYTES)
    if len(content) > MOST_BYTES:
        raise ErraiError(f"{path} is too large: it has more than {MOST_BYTES:,} bytes")
    return content


def _too_deep(content: Any) -> bool:
    level = [content]
    for _ in range(DEEPEST):
        values = [
            item.values() if type(item) is dict else item for item in level if type(item) in (dict, list)
        ]
        level = [item for some in values for item in some if type(item) in (dict, list)]
        if not level:
            return False
    return True


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is too large")
    return number


def _refused(word: str) -> float:
    raise ValueError(f"{word} is not a number of JSON")


def _shown(content: object) -> str:
    text = ascii(content) if not isinstance(content, int) or content.bit_length() < 200 else "a huge number"
    return text if len(text) <= 40 else text[:37] + "..."


def _described(dtype: np.dtype[Any], shape: tuple[int, ...]) -> str:
    return f"{' x '.join(f'{size:,}' for size in shape)} numbers of type {dtype}"
