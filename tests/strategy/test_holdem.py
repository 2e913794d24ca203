"""The strategy that comes with the package: small, sound, measured, and before the flop like Cepheus's.

Bowling, Burch, Johanson and Tammelin ("Heads-up limit hold'em poker is solved") say of an equilibrium that the dealer
hardly ever limps, that he rarely caps, and that the big blind plays more hands than people do.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import errai
from errai.files.seal import sealed
from errai.strategy.shipped import folder_of

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def holdem():
    return errai.load("holdem")


def test_it_is_small_and_needs_nothing_else(holdem):
    folder = folder_of("holdem")
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) <= 20 * MEGABYTE
    assert holdem.tables.is_relative_to(folder)
    holdem.check()


def test_its_manifests_have_checksums_of_themselves():
    folder = folder_of("holdem")
    for path in (folder / "strategy.json", folder / "abstraction" / "abstraction.json"):
        content = json.loads(path.read_text())
        assert sealed(content) == content


def test_it_says_how_it_was_made_and_how_good_it_is(holdem):
    assert "errai train" in holdem.about["command"]
    assert not any(Path(word).is_absolute() for word in holdem.about["command"].split())
    assert 0 < holdem.content["exploitability"]["exploitability_mbb"] < 135  # Hyperborean in 2010


def test_it_has_an_answer_in_every_round(holdem):
    for betting, board in (("rc/r", "Ks7h2d"), ("rc/rc/", "Ks7h2d 5c"), ("rc/rc/cc/r", "Ks7h2d 5c 3h")):
        found = holdem.probabilities("AhQd", betting, board)
        assert sum(found.values()) == pytest.approx(1)


def actions(holdem, betting):
    """Action -> [N] its probability."""
    decision = holdem.decision(betting)
    return dict(zip(decision.actions, decision.probabilities.T, strict=True))


def test_the_dealer_raises_or_folds_and_hardly_ever_limps(holdem):
    first = actions(holdem, "")
    assert first["c"].mean() < 0.02
    assert first["c"].max() < 0.1
    assert first["r"].mean() > 0.6


def test_the_dealer_rarely_caps(holdem):
    assert actions(holdem, "rr")["r"].mean() < 0.05


def test_the_big_blind_folds_few_hands_to_a_raise_and_none_of_the_better_ones(holdem):
    facing = actions(holdem, "r")
    assert facing["f"].mean() < 0.2
    # Hands of a pair, an ace, or two cards of a suit that are not both low.
    from errai.cards.notation import hands

    cards = hands(52, 2).astype(int)
    rank, suit = cards // 4, cards % 4
    pair, ace = rank[:, 0] == rank[:, 1], (rank == 12).any(axis=1)
    good = pair | ace | ((suit[:, 0] == suit[:, 1]) & (rank.max(axis=1) >= 7))
    assert facing["f"][good].max() < 0.02
    assert np.flatnonzero(facing["f"] > 0.5).size > 0
