"""Tiers of players: skill without luck."""

import json

import numpy as np
import pytest

import errai
from errai.errors import ErraiError
from errai.play.reading import read_logs
from errai.play.tiers import parted_hands, tiers_of
from tests.cli.command import errai as command

GAME = errai.load_game("leduc")
PLAYERS = ["always-fold", "random", "always-raise", "always-call", "pot-odds"]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Players of different skill against one who calls."""
    folder = tmp_path_factory.mktemp("tiers")
    for number, player in enumerate(PLAYERS):
        for again in range(2):
            path = folder / f"{player}-{again}.log"
            errai.match(player, "always-call", game="leduc", hands=400, seed=10 * number + again, log=path)
            text = path.read_text().replace("always-call-2", "Cepheus")
            text = text.replace("always-call", "Cepheus") if player != "always-call" else text
            path.write_text(
                text.replace("always-call-1", f"p{number}-{again}").replace(player, f"p{number}-{again}")
            )
    return sorted(folder.glob("*.log"))


def test_pairs_go_to_both_halves_in_turn():
    rank, test = parted_hands(list(range(10)))
    assert rank == [0, 1, 6, 7, 8, 9]
    assert test == [2, 3, 4, 5]


def test_tiers_are_in_order_of_skill(logs):
    study = tiers_of(read_logs(logs, GAME).hands, "Cepheus", least=300, tiers=5)
    assert study.against == "Cepheus"
    assert study.hands == 4_000
    assert [len(tier.players) for tier in study.tiers] == [2] * 5
    assert sum(tier.hands for tier in study.tiers) == 2_000
    ranks = [tier.rank_mbb for tier in study.tiers]
    assert ranks == sorted(ranks)
    # The two who always fold lose their ante in every hand that they do not win.
    assert set(study.tiers[0].players) <= {"p0-0", "p0-1", "p1-0", "p1-1", "p2-0", "p2-1"}
    low, high = study.tiers[0].test, study.tiers[-1].test
    assert low.mean_mbb < high.mean_mbb


def test_luck_alone_makes_no_tiers():
    """Equal players: Rank tells them apart, Test does not."""

    class Hand:
        def __init__(self, name, seat, won):
            self.players = (name, "x") if seat == 0 else ("x", name)
            self.state = type("State", (), {"game": GAME})()
            self.won = (won, -won) if seat == 0 else (-won, won)

    chance = np.random.default_rng(5)
    hands = [Hand(f"player {p}", n % 2, int(chance.normal(0, 10))) for p in range(50) for n in range(200)]
    study = tiers_of(hands, "x", least=100)
    assert study.tiers[-1].rank_mbb - study.tiers[0].rank_mbb > 500
    for tier in study.tiers:
        assert abs(tier.test.mean_mbb) < 2 * tier.test.ci95_mbb


def test_the_command(capsys, logs, tmp_path):
    picture = tmp_path / "tiers.png"
    shown = command(
        capsys, "tiers", *logs, "--game", "leduc", "--least", 100, "--against", "Cepheus", "--plot", picture
    )
    assert shown.code == 0, shown.err
    assert "4,000 hands against Cepheus" in shown.out
    assert picture.stat().st_size > 1000
    told = json.loads(command(capsys, "tiers", *logs, "--game", "leduc", "--least", 100, "--json").out)
    assert len(told["tiers"]) == 5
    shown = command(capsys, "tiers", *logs, "--game", "leduc", "--least", 1000)
    assert shown.code == 2
    assert "0 players with 1000 hands or more cannot be cut into 5 tiers" in shown.err


def test_bad_numbers_are_refused(logs):
    hands = read_logs(logs, GAME).hands
    with pytest.raises(ErraiError, match="tiers must be 1 or more"):
        tiers_of(hands, "Cepheus", tiers=0)
    with pytest.raises(ErraiError, match="nobody met Bob"):
        tiers_of(hands, "Bob")
    with pytest.raises(ErraiError, match="no hands"):
        tiers_of([])
