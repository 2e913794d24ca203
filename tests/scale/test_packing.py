"""Codes of a seat in few bits, and back, against packing by hand."""

from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.engine.kernels.arrays import Weights
from errai.engine.layout import layout
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.spot import spot
from errai.scale.chunk import AVERAGE, PAYLOAD, REGRET, SCALES, WIDTHS, Chunk, Form
from errai.scale.codes import Room, grids_for, new_weights, packed, sizes_of, unpack_into
from errai.scale.kernels.packing import SPARE, pack, pair_up, sizes, take_apart, unpack
from tests.engine.weights import rows_at
from tests.scale import naive_packing
from tests.scale.games import THREE_ROUNDS, TWO_CARDS, spot_of

few = settings(max_examples=30, deadline=None, derandomize=True)
LAYOUTS = {name: layout(spot_of(name)) for name in ("leduc", "three rounds", "two cards", "turn endgame")}
LAYOUTS["river"] = layout(spot(load_game("holdem"), "Ks7h2d5c9h", "cc/cc/cc"))  # 1,081 hands: three segments
WIDE = [0, 1, 3, 7, 90, 127, 1000, 32767]  # the largest codes of a board, from few bits to many
TYPES = {"roots": np.int8, "fixed point": np.int16}
ROOTS = Form(signed=False, roots=True)


@st.composite
def codes(draw, signed, dtype):
    """A layout with codes on all its boards; some boards have none but zeros."""
    built = LAYOUTS[draw(st.sampled_from(list(LAYOUTS)))]
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    found = np.zeros(int(built.boards.offset[-1]), dtype)
    for board in range(len(built.boards.level)):
        part = found[built.boards.offset[board] : built.boards.offset[board + 1]]
        most = min(int(generator.choice(WIDE)), np.iinfo(dtype).max)
        part[:] = generator.random(part.size) ** 3 * (most + 1)
        if signed:
            part *= generator.choice(np.array([-1, 1], dtype), part.size)
    scales = generator.random(int(built.boards.block[-1])).astype(np.float32)
    return built, found, scales


def rows_of(built, seat, codes):
    """The rows of a seat in the order of the store, and how many contexts they have."""
    rows = []
    for board, level in enumerate(built.boards.level):
        H, chunk = int(built.shape.classes[board]), int(built.betting.chunk[level])
        for context in range(0, int(built.betting.contexts[level]), chunk):
            for node in built.shape.templates[level].nodes:
                if node.player == seat:
                    for first in rows_at(built, board, context, node)[0]:
                        row = [int(code) for code in codes[first : first + H * chunk]]
                        rows.append((row, chunk))
    return rows


def packed_by_kernel(built, seat, codes, scales, signed):
    count, blocks, pieces = sizes(built.betting, built.boards, seat, codes.itemsize)
    widths = np.full(blocks, 99, np.uint8)
    payload = np.full(8 * blocks + SPARE, 99, np.uint8)
    kept = np.empty(pieces, np.float32)
    used = pack(built.betting, built.boards, seat, codes, scales, signed, widths, payload, kept)
    return count, widths, payload[:used], kept


@pytest.mark.parametrize("dtype", TYPES.values(), ids=TYPES)
@pytest.mark.parametrize("signed", [False, True])
@few
@given(data=st.data())
def test_codes_are_packed_as_by_hand(signed, dtype, data):
    built, found, scales = data.draw(codes(signed, dtype))
    total = 0
    for seat in (0, 1):
        rows = rows_of(built, seat, found)
        count, widths, payload, _ = packed_by_kernel(built, seat, found, scales, signed)
        expected, bytes_ = naive_packing.packed(rows, signed, found.itemsize)
        assert list(widths) == expected
        assert payload.tobytes() == bytes_
        assert len(payload) == sum(expected)
        assert count == sum(len(row) for row, _ in rows)
        total += count
    assert total == len(found)


@pytest.mark.parametrize("dtype", TYPES.values(), ids=TYPES)
@pytest.mark.parametrize("signed", [False, True])
@few
@given(data=st.data())
def test_what_was_packed_comes_back(signed, dtype, data):
    built, found, scales = data.draw(codes(signed, dtype))
    again, scales_again = np.full_like(found, -77), np.full_like(scales, np.nan)
    for seat in (0, 1):
        _, widths, payload, kept = packed_by_kernel(built, seat, found, scales, signed)
        spare = np.concatenate([payload, np.full(SPARE, 255, np.uint8)])[: len(payload)]
        unpack(built.betting, built.boards, seat, again, scales_again, signed, widths, spare, kept)
    assert (again == found).all()
    assert (scales_again == scales).all()


@pytest.mark.parametrize("dtype", TYPES.values(), ids=TYPES)
@pytest.mark.parametrize("signed", [False, True])
@few
@given(data=st.data())
def test_codes_of_the_other_seat_are_left_alone(signed, dtype, data):
    built, found, scales = data.draw(codes(signed, dtype))
    mine = np.zeros(len(found), np.bool_)
    for board, level in enumerate(built.boards.level):
        for context in range(int(built.betting.contexts[level])):
            for node in built.shape.templates[level].nodes:
                first, stride = rows_at(built, board, context, node)
                for place in range(int(built.shape.classes[board])):
                    mine[first + place * stride] = node.player == 0
    again = np.full_like(found, -77)
    _, widths, payload, kept = packed_by_kernel(built, 0, found, scales, signed)
    spare = np.concatenate([payload, np.zeros(SPARE, np.uint8)])[: len(payload)]
    unpack(built.betting, built.boards, 0, again, scales.copy(), signed, widths, spare, kept)
    assert (again[mine] == found[mine]).all()
    assert (again[~mine] == -77).all()


@few
@given(st.lists(st.integers(0, 8), max_size=50))
def test_widths_are_written_in_pairs(widths):
    wide = np.array(widths, np.uint8)
    pairs, again = np.full((len(widths) + 1) // 2, 255, np.uint8), np.full(len(widths), 255, np.uint8)
    pair_up(wide, pairs)
    assert pairs.tobytes() == naive_packing.paired(widths)
    assert take_apart(pairs, again) == sum(widths)
    assert (again == wide).all()


@pytest.mark.parametrize("written", [9, 12, 15])
@pytest.mark.parametrize(("blocks", "place"), [(1, 0), (2, 0), (2, 1), (7, 3), (7, 6)])
def test_a_width_that_means_nothing_is_noticed(written, blocks, place):
    pairs = np.zeros((blocks + 1) // 2, np.uint8)
    pairs[place // 2] = written << 4 * (place % 2)
    assert take_apart(pairs, np.zeros(blocks, np.uint8)) == -1


def test_every_width_of_a_row_of_any_length():
    """One row after the other on a board of so many hands, with numbers of just so many bits."""
    built = LAYOUTS["two cards"]
    for dtype, bits in [(np.int16, bits) for bits in range(16)] + [(np.int8, bits) for bits in range(8)]:
        for signed in (False, True):
            most = (1 << bits) - 1 if not signed else (1 << bits >> 1) - 1
            for negative in {False, signed}:
                found = np.zeros(int(built.boards.offset[-1]), dtype)
                first = int(built.boards.offset[1])
                found[:first] = -most if negative else most
                expected, bytes_ = naive_packing.packed(rows_of(built, 0, found), signed, found.itemsize)
                _, widths, payload, _ = packed_by_kernel(
                    built, 0, found, np.zeros(int(built.boards.block[-1]), np.float32), signed
                )
                assert list(widths) == expected
                assert payload.tobytes() == bytes_


# Sections of a chunk


def random_weights(built, game, seed=1):
    generator = np.random.default_rng(seed)
    weights = new_weights(built, grids_for(game, 10**9, True))
    for codes_, scales in ((weights.regret, weights.regret_scale), (weights.average, weights.average_scale)):
        codes_[:] = generator.integers(0, 128, codes_.size)
        scales[:] = generator.random(scales.size)
    return weights


def chunk_of(built, weights, seat=0):
    regrets, _ = packed(built, seat, weights.regret, weights.regret_scale, ROOTS, Room())
    averages, _ = packed(built, 1 - seat, weights.average, weights.average_scale, ROOTS, Room())
    sections = [
        np.frombuffer(bytes(section) + bytes(SPARE), np.uint8)[: len(section)]
        for section in (*regrets, *averages)
    ]
    return Chunk(Path("some.chunk"), 1, 2, seat, 3, (ROOTS, ROOTS), (*sections, b""))


def put_together(built, chunk, weights, room=None):
    for first, seat in ((REGRET, chunk.seat), (AVERAGE, 1 - chunk.seat)):
        unpack_into(built, seat, chunk, first, weights, room or Room())


@pytest.mark.parametrize("game", [THREE_ROUNDS, TWO_CARDS])
def test_regrets_of_a_seat_and_the_average_of_the_other_come_back(game):
    built = LAYOUTS[game.name]
    weights = random_weights(built, game)
    again = random_weights(built, game, seed=2)
    for seat in (0, 1):
        put_together(built, chunk_of(built, weights, seat), again)
    for mine, theirs in zip(weights[:5], again[:5], strict=True):
        assert (mine is None and theirs is None) or mine.tobytes() == theirs.tobytes()


def test_where_there_is_no_chunk_all_is_zero():
    built = LAYOUTS["leduc"]
    weights = random_weights(built, spot_of("leduc").game)
    room = Room()
    put_together(built, chunk_of(built, weights), weights, room)
    for seat in (0, 1):
        unpack_into(built, seat, None, REGRET, weights, room)
        unpack_into(built, seat, None, AVERAGE, weights, room)
    assert not any(array.any() for array in (weights.regret, weights.average))
    assert not any(array.any() for array in (weights.regret_scale, weights.average_scale))


def compressed(array):
    return zstandard.compress(array.tobytes())


def with_section(chunk, number, section):
    sections = [*chunk.sections]
    sections[number] = section
    return Chunk(chunk.path, chunk.run, chunk.subgame, chunk.seat, chunk.passes, chunk.forms, tuple(sections))


def blocks_and_pieces(built, seat):
    _, blocks, pieces = sizes(built.betting, built.boards, seat, 1)
    return int(blocks), int(pieces)


LIES = {
    "wider than the payload": lambda blocks, pieces: (WIDTHS, np.full((blocks + 1) // 2, 0xCC, np.uint8)),
    "narrower than the payload": lambda blocks, pieces: (WIDTHS, np.zeros((blocks + 1) // 2, np.uint8)),
    "widths that mean nothing": lambda blocks, pieces: (WIDTHS, np.full((blocks + 1) // 2, 0xFF, np.uint8)),
    "too few widths": lambda blocks, pieces: (WIDTHS, np.zeros((blocks + 1) // 2 - 1, np.uint8)),
    "too many widths": lambda blocks, pieces: (WIDTHS, np.zeros((blocks + 1) // 2 + 1, np.uint8)),
    "too few scales": lambda blocks, pieces: (SCALES, np.zeros(pieces - 1, np.float32)),
    "too many scales": lambda blocks, pieces: (SCALES, np.zeros(pieces + 1, np.float32)),
    "a scale that is no number": lambda blocks, pieces: (SCALES, np.full(pieces, np.nan, np.float32)),
    "an infinite scale": lambda blocks, pieces: (SCALES, np.full(pieces, np.inf, np.float32)),
}


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("first", [REGRET, AVERAGE])
def test_sections_that_do_not_belong_together_are_refused(lie, first):
    built = LAYOUTS["leduc"]
    weights = random_weights(built, spot_of("leduc").game)
    chunk = chunk_of(built, weights)
    number, told = LIES[lie](*blocks_and_pieces(built, chunk.seat if first == REGRET else 1 - chunk.seat))
    with pytest.raises(ErraiError, match=r"^some.chunk is damaged: [^\n]*$"):
        put_together(built, with_section(chunk, first + number, compressed(told)), weights)


@pytest.mark.parametrize("section", [b"", b"not Zstandard at all", zstandard.compress(b"x" * 100)[:-2]])
def test_what_was_never_compressed_is_refused(section):
    built = LAYOUTS["leduc"]
    weights = random_weights(built, spot_of("leduc").game)
    chunk = with_section(chunk_of(built, weights), REGRET + SCALES, section)
    with pytest.raises(ErraiError, match=r"^some.chunk is damaged: [^\n]*$"):
        put_together(built, chunk, weights)


def test_a_payload_that_was_cut_is_refused():
    built = LAYOUTS["leduc"]
    weights = random_weights(built, spot_of("leduc").game)
    chunk = chunk_of(built, weights)
    shorter = chunk.sections[REGRET + PAYLOAD][:-1]
    with pytest.raises(ErraiError, match="its sections do not belong together"):
        put_together(built, with_section(chunk, REGRET + PAYLOAD, shorter), weights)


@pytest.mark.parametrize("signed", [False, True])
def test_codes_of_another_type_are_refused(signed):
    built, game = LAYOUTS["leduc"], spot_of("leduc").game
    chunk = chunk_of(built, random_weights(built, game))
    form = Form(signed, roots=False)
    other = Chunk(
        chunk.path, chunk.run, chunk.subgame, chunk.seat, chunk.passes, (form, form), chunk.sections
    )
    with pytest.raises(ErraiError, match="its codes are not those of this game"):
        put_together(built, other, random_weights(built, game))


def test_roots_stand_for_their_squares():
    assert sizes_of(np.array([-127, -2, 0, 3, 127], np.int8)).tolist() == [-16129, -4, 0, 9, 16129]
    assert sizes_of(np.array([-32766, 0, 7], np.int16)).tolist() == [-32766, 0, 7]


def test_weights_without_an_average_take_half():
    built, game = LAYOUTS["leduc"], spot_of("leduc").game
    both, one = (new_weights(built, grids_for(game, 10**9, average)) for average in (True, False))
    assert isinstance(one, Weights)
    assert one.average is None
    assert one.average_scale is None
    assert both.average.size == one.regret.size == built.shape.numbers
