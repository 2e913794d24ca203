"""AIVAT and what it learns from, hand by hand against the formula written out over all pairs of hands."""

from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise

import numpy as np
import pytest

import errai
from errai.abstraction.abstraction import lossless
from errai.cards.notation import Deck, hands
from errai.cards.strength import strengths
from errai.games.definition import parse_game
from errai.games.lookup import find_state
from errai.play.agent import StrategyAgent
from errai.play.aivat import Estimator
from errai.play.batch import Dealt, play_batch
from errai.play.dealing import Dealer
from errai.play.kernels.learning import learn
from errai.play.public import read, seated, working
from errai.play.values import learn_values

GAME = parse_game(
    """GAMEDEF
    limit
    numPlayers = 2
    numRounds = 2
    blind = 1 1
    raiseSize = 2 4
    firstPlayer = 1 1
    maxRaises = 1 1
    numSuits = 2
    numRanks = 4
    numHoleCards = 2
    numBoardCards = 0 2
    END GAMEDEF""",
    name="two cards, then two",
)  # deals of more cards than one, to hands of two
DECK, BUCKETS = Deck(GAME.ranks, GAME.suits), lossless(GAME)
HANDS = [tuple(map(int, hand)) for hand in hands(GAME.deck_size, 2)]
PLAYED = 12


@cache
def agent():
    return StrategyAgent("solved", errai.solve(GAME, iterations=15).strategy).batch()


@cache
def guess():
    return learn_values(agent(), hands=200, bins=4)


@cache
def played():
    dealt = Dealt(GAME, np.arange(PLAYED), Dealer(GAME, 3).deal(PLAYED))
    return play_batch((agent(), agent()), dealt, np.arange(PLAYED) % 2, 3)


@cache
def shares(betting, board):
    """[N, actions] at a decision."""
    state = errai.parse_state(GAME, betting, list(board))
    return agent().strategy.shares(find_state(agent().strategy.tree, state), state.board)


@cache
def bucket_of(board):
    """[N] on the board of a round."""
    return BUCKETS.buckets(((), board) if board else ((),))[-1]


@cache
def ranks(board):
    return strengths(np.array(HANDS, np.uint8), list(board), DECK).tolist()


def split_betting(betting):
    """(round, betting of the rounds before, of this one)"""
    rounds = betting.split("/")
    return len(rounds) - 1, rounds[:-1], rounds[-1]


def place(betting):
    """(round, state, context) of a betting: a decision, or a round that has ended."""
    tree, (round_, before, now) = agent().strategy.tree, split_betting(betting)
    context = [leaf.betting for leaf in tree.templates[0].leaves].index(before[0]) if round_ else 0
    template = tree.templates[round_]
    nodes = [node.betting for node in template.nodes]
    leaves = [leaf.betting for leaf in template.leaves]
    state = nodes.index(now) if now in nodes else len(nodes) + leaves.index(now)
    return round_, state, context


def guessed(pairs, betting, board, values):
    """sum w u"""
    round_, state, context = place(betting)
    worth = [values.of(round_, state, context, seat)[np.maximum(bucket_of(board), 0)] for seat in (0, 1)]
    return sum(w * 0.5 * (worth[0][a] - worth[1][b]) for (a, b), w in pairs.items())


def ending(pairs, betting, board):
    """sum w x chips of seat 0 where the hand is over."""
    tree, (round_, before, now) = agent().strategy.tree, split_betting(betting)
    stake = 0  # what is lost in the first round counts the blinds
    if round_:
        stake = next(leaf.amount for leaf in tree.templates[0].leaves if leaf.betting == before[0])
    template = tree.templates[round_]
    for fold in template.folds:
        if fold.betting == now:
            won = stake + fold.amount
            return (won if fold.loser == 1 else -won) * sum(pairs.values())
    amount = stake + next(leaf.amount for leaf in template.leaves if leaf.betting == now)
    rank = ranks(board)
    return sum(w * amount * np.sign(rank[a] - rank[b]) for (a, b), w in pairs.items())


def blocked(pairs, board):
    return {(a, b): w for (a, b), w in pairs.items() if not {*HANDS[a], *HANDS[b]} & set(board)}


def walk(number, known):
    """(pairs of hands with their weights, betting, board, action) of every step of a hand; the last has no action."""
    hand = played()
    cards, betting = hand.dealt.cards[number], hand.bettings()[number]
    held = hand.dealt.hands[number]
    board = tuple(int(card) for card in cards[4:])
    ranges = [range(len(HANDS)) if known[seat] else [int(held[seat])] for seat in (0, 1)]
    pairs = {(a, b): 1.0 for a in ranges[0] for b in ranges[1] if not set(HANDS[a]) & set(HANDS[b])}
    seen, public, steps = "", (), []
    for mark in betting:
        if mark == "/":
            steps.append((pairs, seen, public, mark))
            public = board
            pairs, seen = blocked(pairs, board), seen + mark
            continue
        state = errai.parse_state(GAME, seen, list(public))
        steps.append((pairs, seen, public, mark))
        if known[state.player]:
            taken = shares(seen, public)[:, state.legal().index(mark)]
            pairs = {pair: w * taken[pair[state.player]] for pair, w in pairs.items()}
            pairs = {pair: w for pair, w in pairs.items() if w > 0}
        seen += mark
    return [*steps, (pairs, seen, public, None)]


def naive_aivat(number, known, values):
    """(AIVAT, ranges) of a hand, by its formula."""
    steps = walk(number, known)
    found = 0.0
    if not all(known):
        anything = {
            (a, b): 1.0 for a in range(len(HANDS)) for b in range(len(HANDS)) if not {*HANDS[a]} & {*HANDS[b]}
        }
        found = guessed(anything, "", (), values) / sum(anything.values())
        found -= guessed(steps[0][0], "", (), values) / sum(steps[0][0].values())

    def worth(pairs, betting, board):
        try:
            return guessed(pairs, betting, board, values)
        except ValueError:
            return ending(pairs, betting, board)

    for (pairs, betting, board, mark), (after, then, new_board, _) in pairwise(steps):
        weight = sum(pairs.values())
        if mark == "/":
            boards = list(combinations(range(GAME.deck_size), 2))
            all_of_them = [blocked(pairs, some) for some in boards]
            total = sum(
                guessed(left, then, some, values) for left, some in zip(all_of_them, boards, strict=True)
            )
            expected = total / sum(sum(left.values()) for left in all_of_them)
            found += expected - guessed(after, then, new_board, values) / sum(after.values())
            continue
        state = errai.parse_state(GAME, betting, list(board))
        if not known[state.player]:
            continue
        expected = 0.0
        for column, action in enumerate(state.legal()):
            taken = shares(betting, board)[:, column]
            tried = {pair: w * taken[pair[state.player]] for pair, w in pairs.items()}
            tried = {pair: w for pair, w in tried.items() if w > 0}
            expected += after_action(tried, betting + action, board, worth)
        found += expected / weight - after_action(after, then, board, worth) / sum(after.values())
    pairs, betting, board, _ = steps[-1]
    plain = ending(pairs, betting, board) / sum(pairs.values())
    return plain + found, plain


def after_action(pairs, betting, board, worth):
    round_, _, now = split_betting(betting)
    template = agent().strategy.tree.templates[round_]
    over = any(fold.betting == now for fold in template.folds)
    over |= round_ == 1 and any(leaf.betting == now for leaf in template.leaves)
    return ending(pairs, betting, board) if over else worth(pairs, betting, board)


@pytest.mark.parametrize("known", [(True, True), (True, False), (False, True)])
def test_every_hand_has_the_estimate_of_the_formula(known):
    hand, values = played(), guess()
    agents = tuple(agent() if one else None for one in known)
    found = Estimator(GAME, agents, (values, values)).of(replace(hand, first=np.zeros(PLAYED, np.int64)))
    for number in range(PLAYED):
        aivat, plain = naive_aivat(number, known, values)
        assert found.ranges[number] == pytest.approx(plain, abs=1e-9)
        assert found.aivat[number] == pytest.approx(aivat, abs=1e-6)


def test_a_hand_teaches_what_all_pairs_of_both_ranges_would_have_won():
    hand, values = played(), guess()
    read((agent(),), hand)
    kernel = seated(GAME, (agent(), agent()), agent(), values)
    total, count = np.zeros((2, len(values.value)))
    learn(
        kernel, False, hand.dealt.boards, hand.round, hand.fold, hand.ending, hand.context, working(GAME), total,
        count,
    )  # fmt: skip
    expected, met = defaultdict(float), defaultdict(float)
    for number in range(PLAYED):
        steps = walk(number, (True, True))
        pairs, betting, board, _ = steps[-1]
        weight = sum(pairs.values())
        states = [(step[1], step[2]) for step in steps if step[3] != "/"]
        states += [(step[1], step[2]) for step in steps if step[3] == "/"]
        for at, public in states:
            try:
                round_, state, context = place(at)
            except ValueError:
                continue  # a fold is no state of its own
            for pair, w in pairs.items():
                won = ending({pair: w}, betting, board) / weight
                for seat, sign in ((0, 1), (1, -1)):
                    bucket = bucket_of(public)[pair[seat]]
                    bin_ = values.bin_of[values.first_bin[round_] + bucket]
                    at_ = int(values.first[round_])
                    at_ += ((state * values.contexts[round_] + context) * 2 + seat) * values.bins + int(bin_)
                    expected[at_] += sign * won
                    met[at_] += w / weight
    for sums, naive in ((total, expected), (count, met)):
        assert {int(at) for at in np.flatnonzero(sums)} <= set(naive)
        assert sums[list(naive)] == pytest.approx(list(naive.values()), abs=1e-9)


def test_chances_are_those_against_all_hands():
    hand, values = played(), guess()
    kernel = seated(GAME, (agent(), agent()), agent(), values)
    won, met = np.zeros((2, len(values.bin_of)))
    ends = (hand.round, hand.fold, hand.ending, hand.context)
    learn(kernel, True, hand.dealt.boards[:1], *(end[:1] for end in ends), working(GAME), won, met)
    board = tuple(int(card) for card in hand.dealt.boards[0])
    rank = ranks(board)
    share, seen = defaultdict(float), defaultdict(int)
    for a, own in enumerate(HANDS):
        if set(own) & set(board):
            continue
        others = [b for b, other in enumerate(HANDS) if not {*own, *board} & set(other)]
        chance = np.mean([0.5 + 0.5 * np.sign(rank[a] - rank[b]) for b in others])
        for round_, public in enumerate(((), board)):
            place_ = int(values.first_bin[round_] + bucket_of(public)[a])
            share[place_] += chance
            seen[place_] += 1
    assert won[list(share)] == pytest.approx(list(share.values()), abs=1e-12)
    assert met[list(seen)] == pytest.approx(list(seen.values()))
    assert met.sum() == sum(seen.values())
