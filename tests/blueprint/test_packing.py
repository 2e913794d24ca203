"""From weights to bytes, to files and back."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.blueprint import compact
from errai.blueprint.compact import coarser, sharing
from errai.blueprint.own_reach import own_reach
from errai.blueprint.packing import context_rows, load_layout, save_on_layout, to_bytes
from errai.errors import ErraiError
from errai.games.lookup import betting_tree, find_decision, find_state
from errai.strategy.kinds.buckets import open_buckets
from errai.strategy.quantised import quantised, quantised_round
from tests.blueprint.games import GAME, exact_layout, few_layout, random_weights

HOW = {"algorithm": "random", "iterations": 1, "seconds": 1.0, "command": "none", "strategy": "average"}


@given(seed=st.integers(0, 1 << 30), power=st.sampled_from([1, 4, 20]), threads=st.sampled_from([1, 3]))
@settings(max_examples=15, deadline=None)
def test_the_kernel_quantises_as_numpy_does(seed, power, threads):
    made = few_layout()
    generator = np.random.default_rng(seed)
    weights = (generator.normal(size=len(random_weights(made))) ** power * 100).astype(np.float32)
    found = to_bytes(made, weights, threads)
    for round_, template in enumerate(made.templates):
        for context in range(made.contexts[round_] * (made.lines if round_ else 1)):
            wanted = quantised_round(template, context_rows(made, weights, round_, context))
            np.testing.assert_array_equal(context_rows(made, found, round_, context), wanted)


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("made", [exact_layout, few_layout], ids=["lossless", "seven buckets"])
def test_a_saved_strategy_comes_back(made, in_order, tmp_path):
    shares = to_bytes(made(), random_weights(made()), 2)
    random = np.random.default_rng(1)
    orders = None if in_order else [None, *map(random.permutation, made().abstraction.counts[1:])]
    save_on_layout(tmp_path, made(), shares, HOW, None, orders)
    opened = open_buckets(tmp_path, made().abstraction)
    again, found = load_layout(opened)
    assert again.contexts == made().contexts
    np.testing.assert_array_equal(found[: made().numbers], shares[: made().numbers])
    # What is asked at a decision is what was put in.
    for round_ in range(4):
        for context in (0, opened.tree.contexts[round_] - 1):
            rows = context_rows(made(), shares, round_, context)
            np.testing.assert_array_equal(opened.context_rows(round_, context), rows)


def test_a_damaged_order_of_the_buckets_is_named(tmp_path):
    made = few_layout()
    orders = [None, *map(np.random.default_rng(2).permutation, made.abstraction.counts[1:])]
    save_on_layout(tmp_path, made, to_bytes(made, random_weights(made)), HOW, None, orders)
    path = tmp_path / "river.order.npy"
    content = bytearray(path.read_bytes())
    content[-4] ^= 1
    path.write_bytes(content)
    with pytest.raises(ErraiError, match=r"river\.order\.npy is damaged"):
        open_buckets(tmp_path, made.abstraction)
    path.unlink()
    with pytest.raises(ErraiError, match=r"river\.order\.npy"):
        open_buckets(tmp_path, made.abstraction)


def random_decision(tree, round_, random):
    """Some decision of a round."""
    while True:
        betting = ""
        while True:
            try:
                point = find_decision(tree, betting)
            except ErraiError:
                break  # the hand is over
            if point.level == round_ and random.random() < 0.4:
                return point
            betting = point.state.act(random.choice(list(point.node.actions))).betting


def naive_reach(made, shares, tree, point):
    """The player's own choices on the way, hand by bucket in a round, and the mean of each round."""
    reach = 1.0
    by_round = {}
    state = tree.state
    for action in point.state.actions:
        before = find_state(tree, state)
        state = state.act(action)
        rows = context_rows(made, shares, before.level, before.context)
        if before.node.player == point.node.player:
            chosen = rows[before.node.row + before.node.actions.index(action)] / 255
            by_round[before.level] = by_round.get(before.level, 1.0) * chosen
    for chosen in by_round.values():
        reach *= chosen.mean()
    return reach


@pytest.mark.parametrize("round_", range(4))
def test_own_reach_is_the_product_of_own_choices(round_):
    made, tree, random = few_layout(), betting_tree(GAME), np.random.default_rng(round_)
    shares = to_bytes(made, random_weights(made))
    found = own_reach(made, shares)[round_]
    for _ in range(20):
        point = random_decision(tree, round_, random)
        line, chunk, lane = made.place(round_, point.context)
        context = chunk * int(made.betting.chunk[round_]) + lane
        node = tree.templates[round_].nodes.index(point.node)
        wanted = naive_reach(made, shares, tree, point)
        assert found[line, context, node] == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("in_order", [False, True])
def test_what_is_hardly_ever_reached_is_coarser(in_order, monkeypatch):
    monkeypatch.setattr(compact, "LEAST_ROWS", 3)
    made = few_layout()
    weights = random_weights(made) ** 4  # far from even, so that some decisions are rare
    shares = to_bytes(made, weights)
    counts = made.abstraction.counts
    random = np.random.default_rng(5)
    orders = [random.permutation(count) if in_order else None for count in counts]
    fine, found = to_bytes(made, shares, 1, 15), coarser(made, shares, 15, orders)
    kinds = set()
    for round_, reached in enumerate(own_reach(made, shares)):
        K = int(made.betting.chunk[round_])
        for (line, context, number), reach in np.ndenumerate(reached):
            node = made.templates[round_].nodes[number]
            at = (line, context // K, slice(None), slice(node.row, node.row + len(node.actions)), context % K)
            before, after = made.view(shares, round_)[at], made.view(found, round_)[at]
            wanted = before if round_ == 0 else made.view(fine, round_)[at]
            if round_ and reach < 0.03:
                many = sharing(reach, counts[round_]) if in_order else 1
                order = np.arange(counts[round_]) if orders[round_] is None else orders[round_]
                wanted = np.empty_like(before)
                for start in range(0, len(order), many):
                    some = order[start : start + many]
                    wanted[some] = quantised(before[some].sum(axis=0, dtype=float)[:, None], 5)[:, 0]
                kinds.add(many)
            np.testing.assert_array_equal(after, wanted)
    assert kinds == ({2} if in_order else {1})
    np.testing.assert_array_equal(coarser(made, shares, 255, [None] * 4), shares)
