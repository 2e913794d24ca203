"""Memory is estimated before it is taken, and what cannot fit is refused in one line."""

import pytest

from errai.engine import memory
from errai.engine.memory import Choice, estimate_game, format_bytes, refuse_if_too_large
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.spot import spot, whole_game

MILLION = (1_000_000, 1000, 10, 0)  # numbers, hand classes, boards, workspaces


@pytest.fixture
def ten_megabytes(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10_000_000)


def test_the_full_game_is_refused_before_its_boards_are_dealt():
    with pytest.raises(
        ErraiError, match=r"holdem needs 287 TB .*; errai query holdem .* errai train .* errai endgame"
    ):
        prepare(whole_game(load_game("holdem")), Settings(iterations=1))


def test_a_preflop_spot_of_the_full_game_is_refused_too():
    with pytest.raises(ErraiError, match=r"holdem needs .* TB of memory"):
        prepare(spot(load_game("holdem"), "", "r"), Settings(iterations=1))


def test_what_fits_is_estimated():
    assert refuse_if_too_large("game", *MILLION, Choice("int16", average=False)).total < 10_000_000


@pytest.mark.parametrize(
    ("available", "advice"),
    [
        (6_000_000, 'with strategy="current" it needs 4.0 MB'),
        (3_000_000, 'with precision="int16" strategy="current" it needs 2.1 MB'),
        (1_000_000, "errai abstract and errai train"),
    ],
)
def test_the_advice_names_what_would_fit(monkeypatch, available, advice):
    monkeypatch.setattr(memory, "available_memory", lambda: available)
    with pytest.raises(ErraiError, match=advice):
        refuse_if_too_large("game", *MILLION, Choice())


def test_prediction_needs_floats_and_is_not_advised_int16(ten_megabytes):
    with pytest.raises(ErraiError, match="errai abstract and errai train"):
        refuse_if_too_large("game", *MILLION, Choice(prediction=True))


def test_the_estimate_by_counting_is_the_estimate_of_the_layout():
    for name in ("kuhn", "leduc", "rhode-island", "holdem-2-1"):
        game = load_game(name)
        solver = prepare(whole_game(game), Settings(iterations=1))
        assert solver.memory.store == estimate_game(game).store
        assert solver.memory.store == sum(array.nbytes for array in solver.store.arrays().values())


def test_a_16_bit_store_takes_about_what_was_estimated():
    solver = prepare(whole_game(load_game("rhode-island")), Settings(iterations=1, precision="int16"))
    real = sum(array.nbytes for array in solver.store.arrays().values())
    assert real == pytest.approx(solver.memory.store, rel=0.02)


def test_more_threads_than_boards_or_cores_are_not_used():
    from errai.engine.walker import useful_threads

    built = prepare(whole_game(load_game("rhode-island")), Settings(iterations=1)).layout
    assert useful_threads(built, 2) == 2
    assert useful_threads(built, 10**9) <= 325
    small = prepare(whole_game(load_game("leduc")), Settings(iterations=1)).layout
    assert useful_threads(small, 8) == 1


def test_bytes_are_written_as_people_say_them():
    assert [format_bytes(size) for size in (12, 1500, 340_000_000, 1.94e9, 287e12)] == [
        "12 B", "1.5 kB", "340 MB", "1.9 GB", "287 TB",
    ]  # fmt: skip
