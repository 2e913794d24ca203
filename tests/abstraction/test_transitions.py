"""How hands move from bucket to bucket, against counting every deal one by one."""

from itertools import combinations

import numpy as np
import pytest

from errai.abstraction.abstraction import buckets_on
from errai.abstraction.build import build
from errai.abstraction.presets import parse_preset
from errai.abstraction.transitions import shares, transitions
from errai.cards.notation import hands
from errai.errors import ErraiError
from tests.abstraction.games import little_holdem

GAME = little_holdem(ranks=3, suits=3, board="0 2 1")
GROUPS = (0.2, 0.4, 0.5, 0.6, 0.8)
PRESET = "/".join(["ehs:" + ",".join(map(str, GROUPS))] * 3)


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    return build(GAME, PRESET, tmp_path_factory.mktemp("groups"), threads=1)


def counted(groups):
    """Deals by bucket, and by buckets of two rounds, over all boards in the order dealt."""
    deck = groups.deck
    holes = hands(deck.size, 2)
    rounds = [np.zeros(count) for count in groups.counts]
    joint = [np.zeros(pair) for pair in zip(groups.counts, groups.counts[1:], strict=False)]
    for hole in range(len(holes)):
        left = sorted(set(range(deck.size)) - set(holes[hole].tolist()))
        for flop in combinations(left, 2):
            for turn in sorted(set(left) - set(flop)):
                path = [int(of[hole]) for of in buckets_on(groups.rounds, ((), flop, (turn,)), deck)]
                for round_, bucket in enumerate(path):
                    rounds[round_][bucket] += 1
                for round_ in range(2):
                    joint[round_][path[round_], path[round_ + 1]] += 1
    return rounds, joint


def test_every_deal_counts_once(groups):
    rounds, joint = counted(groups)
    for found, deals in zip(shares(groups), rounds, strict=True):
        np.testing.assert_allclose(found, deals / deals.sum(), atol=1e-12)
    for found, deals in zip(transitions(groups), joint, strict=True):
        total = deals.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(found, np.divide(deals, total, where=total > 0, out=np.zeros_like(deals)))


def test_a_hand_is_in_the_group_of_the_nearest_strength(groups):
    from errai.abstraction.features import hands_of, strengths_on

    boards = groups.rounds[2].boards.cards[:20]
    strength = strengths_on(boards, hands_of(GAME)) / 65535
    nearest = np.abs(strength[:, :, None] - np.float32(GROUPS)).argmin(axis=2)
    live = hands_of(GAME).live(boards)
    assert (groups.rounds[2].cells[:20][live] == nearest[live]).all()


def test_buckets_that_remember_have_no_transitions(tmp_path):
    made = build(GAME, "ehs:2/ehs:2:perfect/ehs:2:perfect", tmp_path, threads=1)
    with pytest.raises(ErraiError, match="forget"):
        transitions(made)


@pytest.mark.parametrize(
    "text", ["ehs:0.5,0.2", "ehs:0.5,1.2", "ehs:0.5,", "ehs:0.5,x", "ehs:0.5:percentile", "emd:0.5"]
)
def test_strengths_that_are_no_groups_are_refused(text):
    with pytest.raises(ErraiError):
        parse_preset(f"{text}/ehs:3/ehs:3")


def test_groups_are_written_as_they_are_read():
    assert parse_preset("bildman").rounds[2].text == "ehs:0.2,0.4,0.5,0.6,0.7,0.8"
    assert parse_preset(PRESET).rounds[0].centres == GROUPS
