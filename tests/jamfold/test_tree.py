"""Hands as extensive games: the tree says what the game says, and is solved to the last digit."""

import json
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from numba import njit

from errai.cards.notation import hand_class_of, hands
from errai.cards.strength import ACPC, NO_STRENGTH, strengths_into
from errai.errors import ErraiError
from errai.jamfold.equities import BOARDS, CLASSES, HANDS, PAIRS, equities
from errai.jamfold.hand import Hand
from errai.jamfold.kernels.matchups import river_boards
from errai.jamfold.linear_program import Solver, ceiling, guarantee
from errai.jamfold.matrix_game import CALL, GIVE, PASS, big_blinds_hand, small_blinds_hand, terms
from errai.jamfold.tree import KEYWORD, hand_rules, hand_tree, parse_hand_rules, solve_exactly, tree_of_rules
from errai.sequence import GameBuilder, load_certificate, profile_of_table, sequence_form


def hand(small, big, blinds=(1, 2), ante=0):
    chips = [Fraction(number) for number in (small, big, *blinds, ante)]
    return Hand((chips[0], chips[1]), *chips[2:])


ODD = {
    "small blind all in by posting": hand("1/2", 30),
    "big blind all in for less than the small blind": hand(30, "1/3"),
    "big blind all in by posting": hand(30, "3/2"),
    "small blind no richer than the big blind's post": hand("7/4", 30),
}
FULL = {
    "ten big blinds": hand(20, 20),
    "seven big blinds": hand(14, 50),
    "two big blinds": hand(50, 4),
    "antes": hand(20, 25, ante="1/4"),
    "hardly more than the blind": hand("17/8", 40),
}
ALL = {**ODD, **FULL}


def matrix_game_of(hand, big_blind):
    return (big_blinds_hand if big_blind else small_blinds_hand)(hand, float)


def exact_value(solution):
    value = solution.certificate.value
    return Fraction(int(value.p), int(value.q))


def built(hand, big_blind):
    """The same tree node by node, in the order of figure 4."""
    small, big = hand.posted
    build = GameBuilder()
    counts = equities()
    pairs = [(a, b) for a in range(CLASSES) for b in range(CLASSES)]
    deals = build.chance(
        0, [(f"{HANDS[a]}|{HANDS[b]}", Fraction(int(counts.pairs[a, b]), PAIRS)) for a, b in pairs]
    )

    def decide(places, seat, situation, action, folded):
        below = []
        for (a, b), place in zip(pairs, places, strict=True):
            name = HANDS[(a, b)[seat]] + situation
            fold, go_on = build.decision(place, seat, name, ("fold", action))
            build.end(fold, folded)
            below.append(go_on)
        return below

    if big_blind:
        places = decide(deals, 1, "", "call", small)
        places = decide(places, 0, " after a call", "jam", -big)
        places = decide(places, 1, " facing a jam", "call", big)
    else:
        places = decide(deals, 0, "", "jam", -small)
        places = decide(places, 1, "", "call", big)
    for (a, b), place in zip(pairs, places, strict=True):
        more = int(counts.wins[a, b] - counts.wins[b, a])
        build.end(place, hand.effective * Fraction(more, int(counts.pairs[a, b]) * BOARDS))
    return build.build()


@pytest.mark.parametrize("big_blind", [False, True])
def test_it_is_the_tree_of_figure_4(big_blind):
    given = hand(20, 30, ante="1/2")
    tree, expected = hand_tree(given, big_blind), built(given, big_blind)
    for field in ("player", "parent", "first_child", "children", "information_set", "set_player", "set_node"):
        np.testing.assert_array_equal(getattr(tree, field), getattr(expected, field))
    assert tree.set_names == expected.set_names
    for numbers, table in (("label", "labels"), ("chance", "probabilities"), ("payoff", "payoffs")):
        mine, other = getattr(tree, table), getattr(expected, table)
        ours = [mine[code] for code in getattr(tree, numbers)]
        theirs = [other[code] for code in getattr(expected, numbers)]
        if numbers == "payoff":
            ours, theirs = (
                [number for number, end in zip(column, tree.children == 0, strict=True) if end]
                for column in (ours, theirs)
            )
        assert ours == theirs


@pytest.mark.parametrize(
    ("name", "big_blind", "sets"),
    [
        ("small blind all in by posting", False, (0, 0)),
        ("small blind all in by posting", True, (0, 0)),
        ("big blind all in for less than the small blind", False, (0, 0)),
        ("big blind all in for less than the small blind", True, (0, 0)),
        ("big blind all in by posting", False, (169, 0)),
        ("big blind all in by posting", True, (0, 169)),
        ("small blind no richer than the big blind's post", False, (169, 0)),
        ("small blind no richer than the big blind's post", True, (0, 169)),
        ("ten big blinds", False, (169, 169)),
        ("ten big blinds", True, (169, 338)),
    ],
)
def test_nobody_is_asked_who_has_nothing_to_decide(name, big_blind, sets):
    tree = hand_tree(ALL[name], big_blind)
    assert tuple(np.bincount(tree.set_player, minlength=2)) == sets
    assert tree.exact
    tree.require_recall()


def test_sets_and_actions_have_their_names():
    tree = hand_tree(hand(20, 20))
    assert tree.players == ("small blind", "big blind")
    assert tree.set_names == HANDS + HANDS
    assert (tree.actions(0), tree.actions(169)) == (("fold", "jam"), ("fold", "call"))
    tree = hand_tree(hand(20, 20), big_blind=True)
    assert tree.players == ("big blind", "small blind")
    assert tree.path(int(tree.set_node[338 + 1])) == ("AA|AKs", "call", "jam")
    assert [tree.set_names[which] for which in (1, 170, 339)] == [
        "AKs",
        "AKs after a call",
        "AKs facing a jam",
    ]


@pytest.mark.parametrize("big_blind", [False, True])
@pytest.mark.parametrize("name", ALL)
def test_any_two_strategies_win_what_the_element_says(name, big_blind):
    game = matrix_game_of(ALL[name], big_blind)
    random = np.random.default_rng(20070514)
    jam = random.random(CLASSES) if game.folded is not None else np.ones(CLASSES)
    give = random.random(CLASSES) if game.given is not None else np.zeros(CLASSES)
    call = random.random(CLASSES) if game.stolen is not None else np.ones(CLASSES)
    form = sequence_form(hand_tree(ALL[name], big_blind))

    def table(seat, situation, action, shares):
        names = form.game.set_names
        own = {names[which] for which in np.flatnonzero(form.game.set_player == seat)}
        rows = zip(HANDS, shares, strict=True)
        return {
            hand + situation: {"fold": 1 - share, action: share}
            for hand, share in rows
            if hand + situation in own
        }

    if big_blind:
        own = table(0, " after a call", "jam", jam)
        others = {**table(1, "", "call", 1 - give), **table(1, " facing a jam", "call", call)}
    else:
        own, others = table(0, "", "jam", jam), table(1, "", "call", call)
    evaluation = profile_of_table(form, (own, others)).evaluate()
    low, high = evaluation.bounds
    answer = {PASS: (1 - give) * (1 - call), CALL: (1 - give) * call, GIVE: give}
    assert low == pytest.approx(guarantee(terms(game), jam), abs=1e-12)
    assert high == pytest.approx(ceiling(game, answer), abs=1e-12)


@pytest.mark.parametrize("big_blind", [False, True])
@pytest.mark.parametrize("name", ALL)
def test_the_exact_value_is_that_of_the_linear_program(name, big_blind):
    solution = solve_exactly(ALL[name], big_blind)
    found = Solver()(matrix_game_of(ALL[name], big_blind))
    assert solution.value[0] == pytest.approx(found.guarantee, abs=1e-12)
    assert solution.value[0] == pytest.approx(found.ceiling, abs=1e-12)
    assert float(exact_value(solution)) == solution.value[0]


def test_a_showdown_that_nobody_can_avoid_is_fair():
    for big_blind in (False, True):
        assert exact_value(solve_exactly(hand("1/2", 30), big_blind)) == 0


def test_the_hand_of_theorem_1_to_the_last_digit():
    given = hand(4000, 4000, blinds=(300, 600))
    assert exact_value(solve_exactly(given)) == Fraction(20067167961791602, 1377656254477503)
    assert exact_value(solve_exactly(given, big_blind=True)) == Fraction(-80238488878, 1158908751)


@pytest.mark.parametrize("big_blind", [False, True])
def test_a_certificate_keeps_the_rules_and_proves_the_value(big_blind, tmp_path):
    given = hand(20, "61/3", ante="1/8")
    solution = solve_exactly(given, big_blind)
    solution.save(tmp_path)
    content = json.loads((tmp_path / "certificate.json").read_text())
    assert content["game"] == {"rules": hand_rules(given, big_blind)}
    proof = load_certificate(tmp_path, makers={KEYWORD: tree_of_rules})
    proof.verify()
    assert proof.value == solution.certificate.value
    with pytest.raises(ErraiError, match="does not hold"):
        load_certificate(tmp_path, hand_tree(hand(20, 20, ante="1/4"), big_blind)).verify()


@pytest.mark.parametrize("big_blind", [False, True])
@pytest.mark.parametrize("name", ALL)
def test_rules_are_read_as_they_were_written(name, big_blind):
    assert parse_hand_rules(hand_rules(ALL[name], big_blind)) == (ALL[name], big_blind)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("JAMFOLD", "GAMEDEF"),
        ("stacks = 20 20", "stacks = 20"),
        ("stacks = 20 20", "stacks = 20 1/0"),
        ("stacks = 20 20\n", ""),
        ("blinds = 1 2", "blinds = one two"),
        ("seat = small blind", "seat = button"),
    ],
)
def test_other_rules_are_refused(wrong, right):
    text = hand_rules(hand(20, 20))
    assert wrong in text
    with pytest.raises(ErraiError, match="not the rules of a jam/fold hand"):
        parse_hand_rules(text.replace(wrong, right))
    with pytest.raises(ErraiError, match="must be more than 0"):
        parse_hand_rules(text.replace("stacks = 20 20", "stacks = 0 20"))


# The 1326 hands without classes


@njit(cache=True)
def _count_ahead(boards, stands_for, holes, ahead):
    """Adds to ahead[h, k], k < h, the boards on which hand h beats k, less those on which it loses."""
    strength = np.empty((len(boards), len(holes)), np.int32)
    for board in range(len(boards)):
        strengths_into(holes, boards[board], 4, 13, ACPC, strength[board])
    for h in range(len(holes)):
        row = ahead[h]
        for board in range(len(boards)):
            mine, others = strength[board, h], strength[board]
            if mine == NO_STRENGTH:
                continue
            weight = np.int32(stands_for[board])
            for k in range(h):
                better = np.int32(mine > others[k]) - np.int32(mine < others[k])
                row[k] += weight * better * np.int32(others[k] != NO_STRENGTH)


def hands_ahead():
    """([1326, 1326] boards on which a hand beats another less those on which it loses, whether they are disjoint).

    One board of each class of suit-isomorphic ones is played; the mean over the permutations of suits is that
    over all boards.
    """
    boards, stands_for = river_boards()
    holes = hands(52, 2)
    half = np.zeros((len(holes), len(holes)), np.int32)
    for first in range(0, len(boards), 500):
        piece = slice(first, first + 500)
        _count_ahead(boards[piece], stands_for[piece], holes, half)
    one_way = half.astype(np.int64) - half.T
    number = np.zeros((52, 52), np.int64)
    number[holes[:, 0], holes[:, 1]] = number[holes[:, 1], holes[:, 0]] = np.arange(len(holes))
    total = np.zeros_like(one_way)
    suits = list(permutations(range(4)))
    for order in suits:
        moved = holes // 4 * 4 + np.array(order)[holes % 4]
        place = number[moved[:, 0], moved[:, 1]]
        total += one_way[np.ix_(place, place)]
    apart = (holes[:, None, :, None] != holes[None, :, None, :]).all(axis=(2, 3))
    assert not (total % len(suits)).any()
    return total // len(suits) * apart, apart


@pytest.mark.slow
def test_the_classes_lose_nothing_against_1326_hands():
    ahead, apart = hands_ahead()
    H = len(apart)
    member = np.zeros((H, CLASSES), np.int64)
    member[np.arange(H), hand_class_of()] = 1
    np.testing.assert_array_equal(member.T @ ahead @ member, equities().wins - equities().losses)

    # What a jam of ten big blinds wins more than a fold, passed and called, times 1326 to be of the size of a chip.
    passed = 3.0 * apart * (H / PAIRS)
    called = passed / 3 + 20.0 * ahead * (H / (PAIRS * BOARDS))
    jam, call = _solved(passed, called)
    guaranteed = np.minimum(jam @ passed, jam @ called).sum() / H - 1
    conceded = np.maximum(passed @ (1 - call) + called @ call, 0).sum() / H - 1
    value = solve_exactly(hand(20, 20)).value[0]
    assert guaranteed == pytest.approx(value, abs=1e-9)
    assert conceded == pytest.approx(value, abs=1e-9)


def _solved(passed, called):
    """Strategies of both players: errai.jamfold.linear_program with a variable for each hand."""
    import highspy

    H = len(passed)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    none = np.zeros(0, np.int32)
    for gain in passed.sum(axis=1):
        solver.addCol(-gain, 0.0, 1.0, 0, none, none.astype(float))
    for _ in range(H):
        solver.addCol(1.0, 0.0, highspy.kHighsInf, 0, none, none.astype(float))
    for b, change in enumerate((called - passed).T):
        met = np.flatnonzero(change)
        columns, numbers = np.append(met, H + b).astype(np.int32), np.append(change[met], 1.0)
        solver.addRow(0.0, highspy.kHighsInf, len(columns), columns, numbers)
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    found = solver.getSolution()
    return np.clip(found.col_value[:H], 0, 1), np.clip(found.row_dual, 0, 1)
