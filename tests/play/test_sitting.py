"""A person at the table."""

import io

import pytest

import errai
from errai.games.state import from_log_line
from tests.cli.command import errai as command


@pytest.fixture
def leduc(tmp_path):
    errai.solve("leduc", iterations=30, out=tmp_path / "leduc")
    return tmp_path / "leduc"


def played(capsys, monkeypatch, keys, *arguments):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{key}\n" for key in keys)))
    return command(capsys, "play", *arguments)


def test_hands_are_played_scored_and_written(capsys, monkeypatch, tmp_path, leduc):
    log = tmp_path / "me.log"
    done = played(
        capsys, monkeypatch, ["c"] * 60, "--strategy", leduc, "--hands", 4, "--seed", 5, "--log", log
    )
    assert done.code == 0, done.err
    *states, last = log.read_text().splitlines()
    game = errai.load_game("leduc")
    hands = [from_log_line(game, line) for line in states]
    assert [hand.players for hand in hands] == [("you", "leduc"), ("leduc", "you")] * 2
    won = sum(hand.state.payoff()[number % 2] for number, hand in enumerate(hands))
    assert last == f"SCORE:{won}|{-won}:you|leduc"
    assert f"you: {won / 2:+.4g} bb in 4 hands" in done.out
    assert "without luck" in done.out  # AIVAT, as the strategy can be looked up
    assert "seed 5" in done.out


def test_what_the_strategy_would_do_and_what_a_decision_costs(capsys, monkeypatch, leduc):
    done = played(
        capsys,
        monkeypatch,
        ["?", "zebra", "", "r9", "r", *["c"] * 9, "q"],
        "--strategy",
        leduc,
        "--seed",
        2,
        "--coach",
    )
    assert done.code == 0, done.err
    assert "  the strategy: " in done.out
    assert "'zebra' is none of them" in done.out
    assert "round 1: you bet, the strategy: " in done.out or "round 1: you raise, the strategy: " in done.out
    assert "the best" in done.out or "costs" in done.out


def test_whoever_leaves_at_once_has_played_nothing(capsys, monkeypatch, leduc):
    done = played(capsys, monkeypatch, ["q"], "--strategy", leduc)
    assert done.code == 0
    assert "no hand was played" in done.out
    done = played(capsys, monkeypatch, [], "--strategy", leduc)
    assert "no hand was played" in done.out


def test_a_bad_argument_costs_one_line(capsys, monkeypatch, leduc):
    done = played(capsys, monkeypatch, [], "--strategy", leduc, "--hands", 0)
    assert (done.code, done.out) == (2, "")
    assert done.err == "errai: --hands must be 1 or more, not 0\n"
    done = played(capsys, monkeypatch, [], "--strategy", "win-rate")
    assert done.code == 2
    assert "cannot be played against here" in done.err


def test_the_hands_of_a_sitting_are_told_on_request(capsys, monkeypatch, leduc):
    keys = ["h", *["c"] * 12, "h", "q"]
    done = played(capsys, monkeypatch, keys, "--strategy", leduc, "--seed", 2)
    assert done.code == 0, done.err
    early, late = done.out.split("h hands   q quit > ")[1], done.out.split("h hands   q quit > ")[14]
    assert early.count("  hand ") == 1
    assert late.count("  hand ") > 2
    assert "you win" in late or "you lose" in late or "the pot is split" in late
