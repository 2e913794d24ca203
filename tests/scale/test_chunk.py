"""A chunk gives back what was put in, and whatever is wrong with its file is found."""

import struct
import tracemalloc
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import zstandard

from errai.errors import ErraiError
from errai.scale import chunk as chunks
from errai.scale.chunk import (
    AVERAGE,
    REGRET,
    SECTIONS,
    START,
    VALUES,
    Chunk,
    Form,
    announce_chunk,
    chunk_path,
    compressed,
    draft_chunk,
    place_chunk,
    read_chunk,
    write_chunk,
)
from errai.scale.kernels.packing import SPARE

RUN, SUBGAME, SEAT = 0x89ABCDEF, 1234, 1
LENGTHS = (17, 40, 5, 0, 33, 9, 12)


@pytest.fixture
def chunk(tmp_path):
    generator = np.random.default_rng(1)
    sections = tuple(generator.bytes(length) for length in LENGTHS)
    path = chunk_path(tmp_path, SUBGAME, SEAT)
    return Chunk(path, RUN, SUBGAME, SEAT, 7, (Form(True, True), Form(False, True)), sections)


@pytest.fixture
def path(chunk):
    write_chunk(chunk)
    return chunk.path


def read(path, wanted=range(SECTIONS)):
    return read_chunk(path, RUN, SUBGAME, SEAT, wanted)


def contents(chunk):
    return tuple(bytes(section) for section in chunk.sections)


def section_at(place):
    """The section that a byte of a file is in; None for the header."""
    ends = START + np.cumsum(LENGTHS)
    return None if place < START else int(np.searchsorted(ends, place, side="right"))


@pytest.mark.parametrize("durable", [True, False])
def test_a_chunk_is_read_as_it_was_written(chunk, durable):
    write_chunk(chunk, durable)
    found = read(chunk.path)
    assert contents(found) == contents(chunk)
    assert replace(found, sections=()) == replace(chunk, sections=())
    assert found.size == chunk.size == chunk.path.stat().st_size


def test_where_there_is_no_chunk_there_is_none(tmp_path):
    assert read(chunk_path(tmp_path, SUBGAME, SEAT)) is None


def test_a_thousand_subgames_to_a_folder():
    paths = {chunk_path(Path("c"), subgame, seat) for subgame in range(0, 5000, 7) for seat in (0, 1)}
    assert len(paths) == 2 * len(range(0, 5000, 7))
    assert {path.parent.name for path in paths} == {"0000", "0001", "0002", "0003", "0004"}
    assert chunk_path(Path("c"), 12_345_678, 0) == Path("c/12345/678.0")


@pytest.mark.parametrize(
    "wanted", [range(REGRET, AVERAGE), range(AVERAGE, VALUES), range(VALUES, SECTIONS), ()]
)
def test_only_the_wanted_sections_are_read(path, chunk, wanted):
    found = read(path, wanted)
    for number, section in enumerate(contents(chunk)):
        assert bytes(found.sections[number]) == (section if number in wanted else b"")


def test_kernels_may_read_a_little_behind_a_section(path):
    for section in read(path).sections:
        assert section.base.size >= len(section) + SPARE


def test_a_new_chunk_takes_the_place_of_the_old_one(path, chunk):
    newer = replace(chunk, passes=9, sections=tuple(section + b"more" for section in chunk.sections))
    write_chunk(newer)
    assert read(path).passes == 9
    assert contents(read(path)) == contents(newer)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_failure_on_the_way_leaves_the_old_chunk(path, chunk, monkeypatch):
    before = path.read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(chunks.os, "fsync", full)
    with pytest.raises(
        ErraiError, match=r"^cannot write .*234.1: no space left on device; free some space[^\n]*$"
    ):
        write_chunk(replace(chunk, passes=9))
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_draft_is_nothing_until_it_is_placed(path, chunk):
    before, newer = path.read_bytes(), replace(chunk, passes=9)
    draft = draft_chunk(newer)
    assert path.read_bytes() == before
    place_chunk(draft)
    assert read(path).passes == 9
    assert draft.size == path.stat().st_size
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_a_draft_that_does_not_fit_is_removed(path, chunk, monkeypatch):
    before = path.read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(chunks.zlib, "crc32", full)  # between opening the file and writing to it
    with pytest.raises(ErraiError, match="no space left on device"):
        draft_chunk(chunk)
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_sections_go_where_they_are_told(path, chunk):
    rooms = {number: np.full(99, 255, np.uint8) for number in range(SECTIONS)}
    found = read_chunk(path, RUN, SUBGAME, SEAT, range(SECTIONS), lambda number, size: rooms[number][:size])
    assert contents(found) == contents(chunk)
    for number, section in enumerate(contents(chunk)):
        assert rooms[number].tobytes() == section + b"\xff" * (99 - len(section))


@pytest.mark.parametrize("damage", [lambda text: text, lambda text: text[:50], lambda text: b""])
def test_what_is_announced_need_not_be_right(path, damage, monkeypatch):
    told = []
    monkeypatch.setattr(chunks.os, "posix_fadvise", lambda *given: told.append(given[1:3]), raising=False)
    path.write_bytes(damage(path.read_bytes()))
    announce_chunk(path, range(AVERAGE, VALUES))
    announce_chunk(path.with_name("nothing"), range(AVERAGE, VALUES))
    complete = path.stat().st_size == START + sum(LENGTHS)
    assert told == [(START + sum(LENGTHS[:AVERAGE]), sum(LENGTHS[AVERAGE:VALUES]))][: int(complete)]


# Damage


@pytest.mark.parametrize("flip", [1, 0x80, 0xFF])
def test_every_flipped_byte_is_found_when_its_section_is_read(path, flip):
    content = path.read_bytes()
    assert len(content) == START + sum(LENGTHS)
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= flip
        path.write_bytes(damaged)
        section = section_at(place)
        with pytest.raises(ErraiError, match=r"^[^\n]*234\.1 is[^\n]*$"):
            read(path, range(SECTIONS) if section is None else [section])
        if section is None:
            with pytest.raises(ErraiError, match=r"234\.1 is damaged: its header"):
                read(path, [])
        else:
            others = [number for number in range(SECTIONS) if number != section]
            assert contents(read(path, others))[section] == b""


def test_every_file_that_was_cut_is_refused(path):
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(ErraiError, match=r"^[^\n]*234\.1 is damaged[^\n]*$"):
            read(path, [])


@pytest.mark.parametrize("content", [b"", bytes(START), bytes(1000), b"\x89PNG" * 100], ids=len)
def test_another_file_is_no_chunk(path, content):
    path.write_bytes(content)
    with pytest.raises(ErraiError, match=r"^[^\n]*234\.1 is[^\n]*$"):
        read(path)


def test_a_chunk_that_grew_is_refused(path):
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(ErraiError, match=r"234\.1 is damaged: it has \d+ bytes and not \d+"):
        read(path)


@pytest.mark.parametrize(
    "other", [(RUN + 1, SUBGAME, SEAT), (RUN, SUBGAME + 1, SEAT), (RUN, SUBGAME, 1 - SEAT)]
)
def test_a_chunk_of_another_run_subgame_or_seat_is_refused(path, other):
    with pytest.raises(ErraiError, match=r"234\.1 is a chunk of another run, subgame or seat"):
        read_chunk(path, *other)


def test_a_folder_in_the_place_of_a_chunk_is_refused(tmp_path):
    path = chunk_path(tmp_path, SUBGAME, SEAT)
    path.mkdir(parents=True)
    with pytest.raises(ErraiError, match=r"^cannot read [^\n]*234\.1[^\n]*$"):
        read(path)


# Headers that were made up, with a checksum that is right


def made_up(path, **changes):
    """The file with another header, sealed as if it were sound."""
    head = chunks._HEAD.unpack(path.read_bytes()[: chunks._HEAD.size])
    names = ("magic", "version", "seat", "subgame", "run", "flags", "passes")
    known = dict(zip(names, head, strict=False)) | {"lengths": list(head[7:14]), "checksums": list(head[14:])}
    known |= changes
    packed = chunks._HEAD.pack(*(known[name] for name in names), *known["lengths"], *known["checksums"])
    path.write_bytes(packed + struct.pack("<I", zlib.crc32(packed)) + path.read_bytes()[START:])


def test_made_up_as_it_was_it_is_sound(path, chunk):
    made_up(path)
    assert contents(read(path)) == contents(chunk)


@pytest.mark.parametrize(
    "lengths",
    [
        [2**63, 0, 0, 0, 0, 0, 0],
        [2**64 - 1] * 7,
        [2**40, 2**40, 0, 0, 0, 0, 0],
        [2**64 - 1, 118, 0, 0, 0, 0, 0],  # which would be right if lengths were counted modulo 2^64
        [0, 0, 0, 0, 0, 0, 0],
        [sum(LENGTHS) + 1, 0, 0, 0, 0, 0, 0],
    ],
)
def test_absurd_lengths_are_refused_without_taking_memory(path, lengths):
    made_up(path, lengths=lengths)
    tracemalloc.start()
    try:
        with pytest.raises(ErraiError, match=r"234\.1 is damaged: it has"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_length_that_no_section_has_is_refused_even_if_the_file_is_as_long(path):
    length = (1 << 34) + 1
    with path.open("r+b") as file:
        file.truncate(START + length)  # a file of holes
    made_up_in_place(path, [length, 0, 0, 0, 0, 0, 0])
    with pytest.raises(ErraiError, match=r"234\.1 is damaged"):
        read(path)


def made_up_in_place(path, lengths):
    with path.open("r+b") as file:
        head = list(chunks._HEAD.unpack(file.read(chunks._HEAD.size)))
        head[7:14] = lengths
        packed = chunks._HEAD.pack(*head)
        file.seek(0)
        file.write(packed + struct.pack("<I", zlib.crc32(packed)))


@pytest.mark.parametrize("changes", [{"magic": b"ERRAICHX"}, {"version": 99}])
def test_another_version_is_not_read(path, changes):
    made_up(path, **changes)
    with pytest.raises(ErraiError, match=r"234\.1 is no chunk of this version of Errai"):
        read(path)


# Sections that are compressed


def with_section(chunk, section):
    return replace(chunk, sections=(section, *chunk.sections[1:]))


def test_a_compressed_section_comes_back(chunk):
    array = np.arange(100, dtype=np.float32)
    found = with_section(chunk, compressed(array)).unpacked(0, 400)
    assert (found.view(np.float32) == array).all()


@pytest.mark.parametrize("size", [0, 399, 401])
def test_a_section_of_another_size_is_refused(chunk, size):
    with pytest.raises(ErraiError, match=r"^[^\n]*234\.1 is damaged: [^\n]*$"):
        with_section(chunk, compressed(np.arange(100, dtype=np.float32))).unpacked(0, size)


@pytest.mark.parametrize("section", [b"", b"not Zstandard at all", zstandard.compress(bytes(400))[:-3]])
def test_a_section_that_is_not_compressed_is_refused(chunk, section):
    with pytest.raises(ErraiError, match=r"^[^\n]*234\.1 is damaged: [^\n]*$"):
        with_section(chunk, section).unpacked(0, 400)


def test_a_frame_that_promises_terabytes_is_refused_without_taking_memory(chunk):
    """What a frame of Zstandard says of its size is what would be allocated for it."""
    frame = bytes.fromhex("28b52ffde0") + struct.pack("<Q", 1 << 44) + bytes.fromhex("010000")
    assert zstandard.frame_content_size(frame) == 1 << 44
    tracemalloc.start()
    try:
        with pytest.raises(ErraiError, match=r"234\.1 is damaged"):
            with_section(chunk, frame).unpacked(0, 400)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
