"""A file of blocks gives back what was put in, block by block, and says which block is damaged."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from errai.errors import ErraiError
from errai.files import blocks
from errai.files.blocks import BlockFile, write_blocks

TABLES = st.integers(0, 3).flatmap(
    lambda rows: st.integers(0, 40).flatmap(lambda columns: arrays(np.uint8, (rows, columns)))
)


@pytest.fixture
def path(tmp_path):
    generator = np.random.default_rng(1)
    path = tmp_path / "some.blocks"
    write_blocks(path, (generator.integers(0, 4, (2, 500), np.uint8) for _ in range(20)))
    return path


@settings(deadline=None)
@given(st.lists(TABLES, max_size=8))
def test_every_block_is_read_back_in_any_order(tmp_path_factory, tables):
    path = tmp_path_factory.mktemp("blocks") / "x.blocks"
    write_blocks(path, tables)
    file = BlockFile(path)
    assert len(file) == len(tables)
    for block in reversed(range(len(tables))):
        assert file.shape(block) == tables[block].shape
        np.testing.assert_array_equal(file.read(block), tables[block])


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int32", "float32", "float64"])
def test_blocks_keep_the_type_of_their_numbers(tmp_path, dtype):
    table = (np.arange(12).reshape(3, 4) * 0.75).astype(dtype)
    write_blocks(tmp_path / "x", [table], dtype)
    found = BlockFile(tmp_path / "x").read(0)
    assert found.dtype == table.dtype
    np.testing.assert_array_equal(found, table)


def test_blocks_that_repeat_themselves_take_little_room(tmp_path):
    write_blocks(tmp_path / "x", (np.zeros((3, 100_000), np.uint8) for _ in range(4)))
    assert (tmp_path / "x").stat().st_size < 2_000


def test_only_a_few_blocks_wait_to_be_written(tmp_path):
    path = tmp_path / "x"
    generator = np.random.default_rng(3)
    table = generator.integers(0, 256, (1, 1 << 14), np.uint8)

    def tables():
        for number in range(40):
            if number > 2 * blocks._AHEAD:
                assert path.stat().st_size > (number - 2 * blocks._AHEAD) * table.size
            yield table

    blocks.stream_blocks(path, tables())
    assert len(BlockFile(path)) == 40


def test_a_block_may_change_once_it_was_given(tmp_path):
    table = np.empty((2, 500), np.uint8)

    def tables():
        for number in range(20):
            table[:] = number
            yield table

    write_blocks(tmp_path / "x", tables())
    file = BlockFile(tmp_path / "x")
    assert [int(file.read(block).max()) for block in range(20)] == list(range(20))


def test_what_is_sound_but_not_compressed_is_refused(tmp_path, monkeypatch):
    table = np.arange(20, dtype=np.uint8).reshape(2, 10)
    monkeypatch.setattr(blocks, "_compressed", lambda content, level: b"not Zstandard at all")
    write_blocks(tmp_path / "x", [table])
    with pytest.raises(ErraiError, match="is not understood in block 0 of 1"):
        BlockFile(tmp_path / "x").read(0)
    monkeypatch.undo()
    monkeypatch.setattr(blocks, "_compressed", lambda content, level: blocks.zstandard.compress(content[1:]))
    write_blocks(tmp_path / "x", [table])
    with pytest.raises(ErraiError, match="damaged in block 0 of 1: its size is wrong"):
        BlockFile(tmp_path / "x").read(0)


def test_a_failure_on_the_way_leaves_the_old_file(path):
    before = path.read_bytes()

    def tables():
        yield np.zeros((1, 10), np.uint8)
        raise OSError(28, "No space left on device")

    with pytest.raises(ErraiError, match=r"cannot write .*some.blocks: no space left on device"):
        write_blocks(path, tables())
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["some.blocks"]


def test_a_block_of_another_type_is_refused(tmp_path):
    with pytest.raises(ErraiError, match="a block of float32"):
        write_blocks(tmp_path / "x", [np.zeros((1, 2), np.float32)])


def test_a_damaged_block_is_named_and_the_others_are_read(path):
    content = bytearray(path.read_bytes())
    file = BlockFile(path)
    content[int(file._index[7]["offset"]) + 40] ^= 4
    path.write_bytes(content)
    damaged = BlockFile(path)
    with pytest.raises(
        ErraiError, match=r"some.blocks is damaged in block 7 of 20: its checksum is \w{8} and not"
    ):
        damaged.read(7)
    assert damaged.read(6).shape == damaged.read(8).shape == (2, 500)


DAMAGES = {
    "cut in the index": (lambda content: content[:-1], "is damaged: it has"),
    "cut in the blocks": (lambda content: content[:500], "is damaged: it has 500 bytes and not"),
    "cut in the header": (lambda content: content[:20], "the checksum of its header is wrong"),
    "empty": (lambda content: b"", "is no block file of Errai"),
    "longer": (lambda content: content + b"x", "is damaged: it has"),
    "another file": (lambda content: b"\x89PNG" + content, "is no block file of Errai"),
    "never finished": (lambda content: bytes(44) + content[44:], "or was never finished"),
    "header": (lambda content: content[:20] + b"\xff" + content[21:], "the checksum of its header is wrong"),
    "index": (
        lambda content: content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
        "checksum of its index",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_says_how_in_one_line(path, damage):
    harm, message = DAMAGES[damage]
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(ErraiError, match=r"^[^\n]*some.blocks[^\n]*$") as caught:
        BlockFile(path)
    assert message in str(caught.value)


def test_a_later_version_is_not_read(path, monkeypatch):
    monkeypatch.setattr(blocks, "VERSION", 2)
    with pytest.raises(ErraiError, match="has format version 1 and this Errai reads version 2"):
        BlockFile(path)


def test_what_is_not_there_is_said_to_be_missing(path):
    with pytest.raises(ErraiError, match="nowhere is missing"):
        BlockFile(path.parent / "nowhere")
    for block in (-1, 20):
        with pytest.raises(ErraiError, match=f"has no block {block}: it has 20 blocks"):
            BlockFile(path).read(block)
