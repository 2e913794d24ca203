"""The value of a strategy against its worst answer, and of an answer against its best strategy, by plain loops."""

from random import Random

import numpy as np
import pytest

from errai.jamfold.equities import BOARDS, CLASSES, PAIRS, equities
from errai.jamfold.linear_program import ceiling, guarantee
from errai.jamfold.matrix_game import CALL, GIVE, PASS, MatrixGame, terms

SHAPES = {
    "small blind": (True, True, False),
    "big blind": (True, True, True),
    "nobody folds to a jam": (True, False, False),
    "forced to jam": (False, False, False),
    "forced to jam after a call": (False, False, True),
}  # whether there is a fold, a steal and a gift


def random_matrix_game(shape: str, random: Random) -> MatrixGame[float]:
    """Payoffs of no particular order: not chips, but what follows them may be worth anything."""
    folded, stolen, given = SHAPES[shape]
    lost, tied, won = sorted(random.uniform(-1, 1) for _ in range(3))
    return MatrixGame(
        won=won,
        lost=lost,
        tied=tied,
        folded=random.uniform(lost, won) if folded else None,
        stolen=random.uniform(lost, won) if stolen else None,
        given=random.uniform(lost, won) if given else None,
    )


def naive_deals():
    """(class a, class b, probability of the pair, shares of wins, losses and ties)."""
    table = equities()
    wins, ties, pairs = table.wins.tolist(), table.ties.tolist(), table.pairs.tolist()
    for a in range(CLASSES):
        for b in range(CLASSES):
            deals = pairs[a][b] * BOARDS
            if deals:
                won, tied = wins[a][b] / deals, ties[a][b] / deals
                yield a, b, pairs[a][b] / PAIRS, (won, 1 - won - tied, tied)


def naive_options(game):
    names = [PASS] if game.stolen is not None else []
    return [*names, CALL, *([GIVE] if game.given is not None else [])]


def naive_payoff(game, jams, option, shares):
    """What player 1 wins in one deal by one action of each."""
    if option == GIVE:
        return game.given
    if not jams:
        return game.folded
    if option == PASS:
        return game.stolen
    return shares[0] * game.won + shares[1] * game.lost + shares[2] * game.tied


def naive_guarantee(game, jam):
    options = naive_options(game)
    total = [[0.0] * len(options) for _ in range(CLASSES)]
    for a, b, chance, shares in naive_deals():
        for place, option in enumerate(options):
            value = jam[a] * naive_payoff(game, True, option, shares)
            if jam[a] < 1:
                value += (1 - jam[a]) * naive_payoff(game, False, option, shares)
            total[b][place] += chance * value
    return sum(map(min, total))


def naive_ceiling(game, answer):
    actions = (True,) if game.folded is None else (True, False)
    total = [[0.0] * len(actions) for _ in range(CLASSES)]
    for a, b, chance, shares in naive_deals():
        for place, jams in enumerate(actions):
            for option, often in answer.items():
                total[a][place] += chance * often[b] * naive_payoff(game, jams, option, shares)
    return sum(map(max, total))


@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_strategy_guarantees(shape):
    random = Random(f"guarantee {shape}")
    game = random_matrix_game(shape, random)
    jam = [random.random() for _ in range(CLASSES)] if game.folded is not None else [1.0] * CLASSES
    assert guarantee(terms(game), np.array(jam)) == pytest.approx(naive_guarantee(game, jam), abs=1e-13)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_most_that_wins_against_an_answer(shape):
    random = Random(f"ceiling {shape}")
    game = random_matrix_game(shape, random)
    weights = {option: np.array([random.random() for _ in range(CLASSES)]) for option in naive_options(game)}
    total = sum(weights.values())
    answer = {option: weight / total for option, weight in weights.items()}
    assert ceiling(game, answer) == pytest.approx(naive_ceiling(game, answer), abs=1e-13)


def test_options_are_those_of_the_shape():
    random = Random(1)
    assert random_matrix_game("small blind", random).options == (PASS, CALL)
    assert random_matrix_game("big blind", random).options == (PASS, CALL, GIVE)
    assert random_matrix_game("nobody folds to a jam", random).options == (CALL,)
