"""Whatever bytes a file has, a reader gives what was written or an error of one line that names it."""

import json
import math
import os
import zlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from errai.errors import ErraiError
from errai.files.blocks import BlockFile, write_blocks
from errai.files.pieces import PIECE, Pieces, piece_checksums
from errai.files.reading import (
    MOST_DIGITS,
    checked_array,
    finite,
    fraction,
    inside,
    load_array,
    map_array,
    parse_json,
    read_array,
    read_json,
    read_manifest,
    understood,
    whole,
)
from errai.files.seal import sealed
from errai.files.writing import write_array
from errai.sequence.efg import parse_efg

TYPES = st.sampled_from([np.uint8, np.uint16, np.uint32, np.int16, np.int32, np.float32, np.float64])
ARRAYS = TYPES.flatmap(lambda kind: arrays(kind, array_shapes(max_dims=2, min_side=0, max_side=6)))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)
quickly = settings(deadline=None, max_examples=200)


def harmed(content: bytes, where: int, how: int) -> bytes:
    """The content with a bit flipped, cut or lengthened."""
    at = where % max(len(content), 1)
    if how == 8:
        return content[:at]
    if how == 9:
        return content + bytes([where % 256])
    return content[:at] + bytes([content[at] ^ 1 << how]) + content[at + 1 :] if content else b""


def told(read) -> tuple[object, str]:
    """What a reader gives, or what it complains of."""
    try:
        return read(), ""
    except ErraiError as error:
        return None, str(error)


HARMS = st.tuples(st.integers(0, 10**6), st.integers(0, 9))


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("reading") / "some.file"


@quickly
@given(ARRAYS)
def test_arrays_are_read_back(path, array):
    checksum = write_array(path, array)
    for found in (
        map_array(path, array.dtype, array.shape),
        checked_array(path, array.dtype, array.shape, checksum),
        load_array(path, array.dtype, array.shape, checksum),
    ):
        assert found.dtype == array.dtype
        assert found.tobytes() == array.tobytes()
        assert found.shape == array.shape


@quickly
@given(ARRAYS, HARMS)
def test_a_harmed_array_is_refused_by_name(path, array, harm):
    checksum = write_array(path, array)
    content = path.read_bytes()
    path.write_bytes(harmed(content, *harm))
    for read in (
        lambda: checked_array(path, array.dtype, array.shape, checksum),
        lambda: load_array(path, array.dtype, array.shape, checksum),
        lambda: read_array(path, np.empty(array.shape, array.dtype), checksum),
    ):
        with pytest.raises(ErraiError, match=r"^[^\n]*some\.file is damaged[^\n]*$"):
            read()


@quickly
@given(st.binary(max_size=300), st.sampled_from([b"", b"\x93NUMPY\x01\x00\x76\x00", b"\x93NUMPY\x01\x00"]))
def test_any_bytes_are_no_array(path, content, begins):
    path.write_bytes(begins + content)
    with pytest.raises(ErraiError):
        load_array(path, np.dtype(np.float64), (3,), 0)


def test_no_memory_is_taken_for_what_is_not_there(path):
    write_array(path, np.zeros(3))
    with pytest.raises(ErraiError, match="it holds 3 numbers of type float64 and not"):
        load_array(path, np.dtype(np.float64), (10**15, 10**3), 0)
    header = path.read_bytes()[:128].replace(b"(3,), }" + b" " * 11, b"(100000000000000,), }"[:18])
    path.write_bytes(header)
    with pytest.raises(ErraiError, match="is damaged"):
        load_array(path, np.dtype(np.float64), (10**14,), 0)


@quickly
@given(OBJECTS)
def test_objects_are_read_back(path, content):
    path.write_text(json.dumps(content), encoding="utf-8")
    assert read_json(path) == content


@quickly
@given(st.binary(max_size=200))
def test_any_bytes_are_json_or_an_error(path, content):
    path.write_bytes(content)
    found, complaint = told(lambda: read_json(path))
    assert isinstance(found, dict) or "some.file" in complaint


@pytest.mark.parametrize(
    "text",
    [
        "NaN", "Infinity", "-Infinity", "1e999", "-1e999", '{"a": 1e400}', '{"a": NaN}', "1" * 5000, '"\\ud800"',
        '{"\\udfff": 1}', "[" * 100_000, '{"a":' * 100_000, "[" * 60 + "]" * 60, "{", "", "\ufeff{}", "{} {}",
    ],
)  # fmt: skip
def test_what_no_writer_writes_is_refused(path, text):
    with pytest.raises(ErraiError, match=r"some\.file is damaged"):
        parse_json(text.encode(), path)


@quickly
@given(OBJECTS, HARMS)
def test_a_harmed_manifest_is_what_it_was_or_refused(path, rest, harm):
    content = sealed({**rest, "format": "errai thing", "version": 1})
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    assert read_manifest(path, "thing", 1) == content
    path.write_bytes(harmed(path.read_bytes(), *harm))
    found, complaint = told(lambda: read_manifest(path, "thing", 1))
    assert found == content or "some.file" in complaint


def test_an_older_version_needs_no_seal_but_one_that_is_there_must_hold(path):
    content = {"format": "errai thing", "version": 1, "number": 5}
    path.write_text(json.dumps(content))
    assert read_manifest(path, "thing", 1, 2, unsealed=(1,)) == content
    path.write_text(json.dumps({**content, "version": 2}))
    with pytest.raises(ErraiError, match="'crc32' is missing"):
        read_manifest(path, "thing", 1, 2, unsealed=(1,))
    path.write_text(json.dumps({**sealed({**content, "version": 3}), "version": 1}))
    with pytest.raises(ErraiError, match="its checksum is"):
        read_manifest(path, "thing", 1, 3, unsealed=(1,))


@quickly
@given(
    st.lists(arrays(np.uint8, st.tuples(st.integers(0, 3), st.integers(0, 30))), min_size=1, max_size=4),
    HARMS,
)
def test_harmed_blocks_are_what_they_were_or_refused(path, tables, harm):
    path.unlink(missing_ok=True)
    write_blocks(path, tables)
    path.write_bytes(harmed(path.read_bytes(), *harm))
    _, complaint = told(lambda: [BlockFile(path).read(block) for block in range(len(tables))])
    assert "some.file" in complaint


@quickly
@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_no_blocks(path, content, begins):
    path.write_bytes((b"ERRAIBLK\x01\0\0\0" if begins else b"") + content)
    with pytest.raises(ErraiError, match=r"some\.file"):
        BlockFile(path)


@quickly
@given(st.text(max_size=40) | st.integers() | st.floats() | st.none())
def test_numbers_of_a_manifest_are_read_or_refused(path, given_):
    for read in (whole, finite, fraction):
        with pytest.raises(ErraiError) if not _reads(read, given_) else understood(path), understood(path):
            read(given_)


def _reads(read, given_) -> bool:
    try:
        read(given_)
    except (ValueError, ArithmeticError):
        return False
    return True


def test_fractions_are_bounded():
    assert fraction("-2/3") == Fraction(-2, 3)
    assert fraction(7) == 7
    for text in ("1e999999999", "1/0", "0.5", "9" * (MOST_DIGITS + 1), "1/-2", "", 0.5, True, None, "١"):
        with pytest.raises((ValueError, ZeroDivisionError)):
            fraction(text)


@pytest.mark.parametrize(
    "name", ["..", "../x", "/etc/passwd", "a/b", "a\\b", "", ".", ".hidden", "a\0b", "a\x1b", 7, None]
)
def test_only_plain_names_are_followed(tmp_path, name):
    with pytest.raises(ErraiError, match="which is no name of a file in it") as caught:
        inside(tmp_path, name)
    assert str(caught.value).isprintable()
    assert inside(tmp_path, "flop.order.npy") == tmp_path / "flop.order.npy"


@pytest.mark.parametrize(
    "error", [KeyError("x"), TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError, RecursionError,
              StopIteration, AttributeError, UnicodeDecodeError("utf-8", b"x", 0, 1, "no")],
)  # fmt: skip
def test_whatever_is_not_understood_names_the_file(path, error):
    with pytest.raises(ErraiError, match=r"some\.file is damaged"), understood(path):
        raise error


def test_pieces_are_checked_when_they_are_used(path):
    numbers = np.arange(3 * PIECE // 8 + 5, dtype=np.float64)
    checksums = piece_checksums(numbers)
    assert len(checksums) == 4
    assert zlib.crc32(numbers.tobytes()[:PIECE]) == checksums[0]
    harmed_ = numbers.copy()
    harmed_[2 * PIECE // 8 + 1] = math.pi
    pieces = Pieces(path, harmed_, checksums)
    pieces.require(0, 2 * PIECE // 8)
    pieces.require(3 * PIECE // 8, len(numbers))
    with pytest.raises(ErraiError, match=r"some\.file is damaged in piece 2 of 4"):
        pieces.require(2 * PIECE // 8 - 1, 2 * PIECE // 8 + 1)
    with pytest.raises(ErraiError, match=r"some\.file is damaged in piece 2 of 4"):
        pieces.require()
    with pytest.raises(ErraiError, match="has not the 3 pieces"):
        Pieces(path, numbers, checksums[:3])


EFG = 'EFG 2 R "x" { "a" "b" }\np "" 1 1 "s" { "l" "r" } 0\nt "" 1 "o" { 1 -1 }\nt "" 2 "o" { 1/2 -1/2 }\n'


@quickly
@given(HARMS)
def test_a_harmed_game_is_a_game_or_an_error(harm):
    text = harmed(EFG.encode(), *harm).decode("latin-1")
    found, complaint = told(lambda: parse_efg(text, "some.efg"))
    assert found is not None or (complaint.startswith("some.efg") and "\n" not in complaint)


@quickly
@given(st.text(st.sampled_from('EFG2R"xs{}pt 10/-.e\\\n'), max_size=80))
def test_any_text_is_a_game_or_an_error(text):
    found, complaint = told(lambda: parse_efg('EFG 2 R "x" { "a" "b" }\n' + text, "some.efg"))
    assert found is not None or "some.efg" in complaint


def test_a_pipe_in_the_place_of_a_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "some.file")
    path = tmp_path / "some.file"
    for read in (
        lambda: read_json(path),
        lambda: load_array(path, np.dtype(np.uint8), (3,), 0),
        lambda: BlockFile(path),
    ):
        with pytest.raises(ErraiError, match=r"cannot read .*some\.file: it is not a file"):
            read()
    with pytest.raises(ErraiError, match="not a file"):
        read_json(tmp_path)
