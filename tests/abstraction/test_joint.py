"""Pairs of buckets, against going through all pairs of hands."""

from itertools import permutations, product

import numpy as np
import pytest

from errai.abstraction.build import build
from errai.abstraction.features import hands_of
from errai.abstraction.joint import joint_buckets
from errai.abstraction.kernels.pairs import add_ahead, add_pairs
from errai.cards.strength import strengths
from errai.errors import ErraiError
from tests.abstraction.games import little_holdem

GAME = little_holdem(ranks=4)
OF = hands_of(GAME)


@pytest.fixture(scope="module")
def groups(tmp_path_factory):
    return build(GAME, "ehs:3/ehs:3/ehs:4/ehs:3", tmp_path_factory.mktemp("groups"), threads=1)


def naive_pairs(label, strength, labels):
    pairs, ahead = np.zeros((labels, labels)), np.zeros((labels, labels))
    for h, g in permutations(np.flatnonzero(label >= 0), 2):
        if not set(OF.cards[h]) & set(OF.cards[g]):
            pairs[label[h], label[g]] += 1
            ahead[label[h], label[g]] += np.sign(int(strength[h]) - int(strength[g]))
    return pairs, ahead


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_labels_are_those_of_all_disjoint_hands(seed):
    random = np.random.default_rng(seed)
    board = random.choice(OF.deck.size, 5, replace=False).astype(np.uint8)
    live = OF.live(board[None])[0]
    label = np.where(live, random.integers(0, 4, len(live)), -1)
    strength = strengths(OF.cards, board, OF.deck, OF.ranking)
    pairs, ahead = np.zeros((4, 4)), np.zeros((4, 4))
    order = np.flatnonzero(live)[np.argsort(strength[live], kind="stable")]
    add_pairs(label, OF.pairs, OF.deck.size, 2.0, pairs)
    add_ahead(label, strength, order, OF.pairs, OF.deck.size, 2.0, ahead)
    wanted, won = naive_pairs(label, strength, 4)
    np.testing.assert_array_equal(pairs, 2 * wanted)
    np.testing.assert_array_equal(ahead, 2 * won)


def test_a_network_is_chance(groups):
    network = joint_buckets(groups, first=1, runouts=2)
    assert network.first.sum() == pytest.approx(1)
    np.testing.assert_allclose(network.first, network.first.T, atol=1e-12)
    for step in network.steps:
        totals = step.sum(axis=(2, 3))
        assert set(np.round(totals.reshape(-1), 9)) <= {0.0, 1.0}
    np.testing.assert_allclose(network.share, -network.share.T, atol=1e-12)
    assert np.abs(network.share).max() <= 1


def test_the_stronger_bucket_is_ahead(groups):
    """On the last round buckets are strengths; across boards the stronger one wins more."""
    share = joint_buckets(groups, first=1, runouts=4).share
    assert (share[1:, :-1][np.tril_indices(2)] > 0).all()


def test_one_seed_gives_one_network(groups):
    one, same, other = (joint_buckets(groups, first=1, runouts=1, seed=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one.share, same.share)
    assert (one.share != other.share).any()


def test_buckets_that_refine_have_the_network_of_their_cells(tmp_path):
    forgets, refines = (
        build(GAME, f"ehs:3/potential:3/potential:3{recall}/potential:3{recall}", tmp_path / f"of{recall}")
        for recall in ("", ":perfect")
    )
    assert forgets.counts != refines.counts
    one, other = (joint_buckets(groups, first=1, runouts=1) for groups in (forgets, refines))
    np.testing.assert_array_equal(one.first, other.first)
    for before, after in zip(one.steps, other.steps, strict=True):
        np.testing.assert_array_equal(before, after)


def test_merged_buckets_are_those_of_a_coarser_count(groups):
    """Buckets merged after they were counted, and labels merged before: the same pairs."""
    network = joint_buckets(groups, first=2, runouts=1)
    into = (np.array([0, 0, 1, 1]), np.array([0, 1, 1]))
    merged = network.merged(into)
    joint = network.first[:, :, None, None] * network.steps[0]
    for a, b, c, d in product(range(2), repeat=4):
        old = np.ix_(into[0] == a, into[0] == b, into[1] == c, into[1] == d)
        assert merged.first[a, b] * merged.steps[0][a, b, c, d] == pytest.approx(joint[old].sum())
    met = joint.sum(axis=(0, 1))
    weak, strong = np.array([0]), np.array([1, 2])
    pairs = met[np.ix_(weak, strong)]
    share = (pairs * network.share[np.ix_(weak, strong)]).sum() / pairs.sum()
    assert merged.share[0, 1] == pytest.approx(share)
    assert merged.share[1, 0] == pytest.approx(-share)


def test_rounds_that_are_not_there_are_refused(groups):
    with pytest.raises(ErraiError, match="no rounds"):
        joint_buckets(groups, first=2, last=4)
