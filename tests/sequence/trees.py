"""Small random extensive games, and the obvious slow way to evaluate and to solve them."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from errai.sequence import ExtensiveGame, GameBuilder
from errai.sequence.tree import CHANCE, END
from tests import naive

Tables = tuple[dict[int, list], dict[int, list]]  # of each player: information set -> probabilities


def matching_pennies() -> ExtensiveGame:
    return matrix_game([[1, -1], [-1, 1]], "Matching pennies")


def matrix_game(payoffs: list[list], title: str = "matrix") -> ExtensiveGame:
    """Seat 0 chooses a row, seat 1 a column without seeing it."""
    build = GameBuilder(title, ("rows", "columns"))
    rows = [f"row {row}" for row in range(len(payoffs))]
    columns = [f"column {column}" for column in range(len(payoffs[0]))]
    for row, place in zip(payoffs, build.decision(0, 0, "row", rows), strict=True):
        for payoff, end in zip(row, build.decision(place, 1, "column", columns), strict=True):
            build.end(end, payoff)
    return build.build()


@st.composite
def random_games(draw: st.DrawFn, most_nodes: int = 60, generic: bool = False) -> ExtensiveGame:
    """Games with perfect recall: a set is known by the player's own past and by a signal of one bit."""
    seed = draw(st.integers(0, 2**32 - 1), label="seed")
    return random_game(seed, draw(st.integers(3, most_nodes), label="nodes"), generic)


def random_game(seed: int, most_nodes: int = 60, generic: bool = False) -> ExtensiveGame:
    """The same game for the same seed. Payoffs of `generic` games are floats, so that no two actions tie."""
    dice = random.Random(seed)
    build = GameBuilder(f"random {seed}", ("Ann", "Bob"))
    open_places: list = [(0, ((), ()))]
    while open_places:
        place, pasts = open_places.pop(dice.randrange(len(open_places)))
        kind = dice.choice((0, 0, 1, 1, CHANCE, END)) if build.nodes + len(open_places) < most_nodes else END
        if kind == END:
            payoff = Fraction(dice.randint(-12, 12), dice.choice((1, 1, 2, 3)))
            build.end(place, dice.uniform(-12, 12) if generic else payoff)
        elif kind == CHANCE:
            weights = [dice.randint(0, 3) for _ in range(dice.randint(1, 3))]
            weights[0] += 1
            branches = [(f"b{i}", Fraction(weight, sum(weights))) for i, weight in enumerate(weights)]
            open_places += [(child, pasts) for child in build.chance(place, branches)]
        else:
            signal = dice.randint(0, 1)
            name = f"{kind}:{'.'.join(pasts[kind])}:{signal}"
            actions = [f"a{i}" for i in range(1 + random.Random(name).randint(0, 2))]
            for child, action in zip(build.decision(place, kind, name, actions), actions, strict=True):
                longer = (*pasts[kind], f"{signal}{action}")
                open_places.append((child, (longer, pasts[1]) if kind == 0 else (pasts[0], longer)))
    return build.build()


def children(game: ExtensiveGame, node: int) -> range:
    first = int(game.first_child[node])
    return range(first, first + int(game.children[node]))


def value(game: ExtensiveGame, tables: Tables, node: int = 0):
    """What seat 0 wins below a node, by walking the tree."""
    below = children(game, node)
    if game.player[node] == END:
        return game.payoffs[game.payoff[node]]
    if game.player[node] == CHANCE:
        return sum(game.probabilities[game.chance[child]] * value(game, tables, child) for child in below)
    shares = tables[game.player[node]][int(game.information_set[node])]
    return sum(
        share * value(game, tables, child) for share, child in zip(shares, below, strict=True) if share
    )


def own_sets(game: ExtensiveGame, seat: int) -> list[int]:
    return [which for which in range(game.information_sets) if game.set_player[which] == seat]


def pure_tables(game: ExtensiveGame, seat: int) -> Iterator[dict[int, list]]:
    """Every pure strategy, unreduced."""
    sets = own_sets(game, seat)
    for choices in product(*(range(int(game.set_actions[which])) for which in sets)):
        yield {
            which: [Fraction(int(action == choice)) for action in range(int(game.set_actions[which]))]
            for which, choice in zip(sets, choices, strict=True)
        }


def best_response_value(game: ExtensiveGame, seat: int, other: dict[int, list]):
    """What the best of all pure strategies of a seat wins."""
    sign = 1 - 2 * seat
    return max(
        sign * value(game, (mine, other) if seat == 0 else (other, mine)) for mine in pure_tables(game, seat)
    )


def random_tables(game: ExtensiveGame, seed: int) -> Tables:
    """Fractions that add up to 1, some of them 0."""
    dice = random.Random(seed)
    tables: Tables = ({}, {})
    for which in range(game.information_sets):
        weights = [dice.randint(0, 4) for _ in range(int(game.set_actions[which]))]
        weights[dice.randrange(len(weights))] += 1
        tables[game.set_player[which]][which] = [Fraction(weight, sum(weights)) for weight in weights]
    return tables


def named(game: ExtensiveGame, tables: Tables) -> tuple[dict, dict]:
    """The same tables by the names of information sets and actions."""
    out: tuple[dict, dict] = ({}, {})
    for seat in (0, 1):
        for which, shares in tables[seat].items():
            out[seat][game.set_names[which]] = dict(zip(game.actions(which), shares, strict=True))
    return out


def cfr(game: ExtensiveGame, rule: str, iterations: int) -> Tables:
    """The average strategy of textbook CFR with alternating updates, node by node."""
    accumulate, matched, average, sharpness = naive.RULES[rule]
    sets = range(game.information_sets)
    counts = [int(game.set_actions[which]) for which in sets]
    strategy = [[1 / count] * count for count in counts]
    regret, total = ([[0.0] * count for count in counts] for _ in range(2))

    def walk(node: int, seat: int, reach: float, others: float) -> float:
        below = children(game, node)
        if game.player[node] == END:
            return (1 - 2 * seat) * float(game.payoffs[game.payoff[node]])
        if game.player[node] == CHANCE:
            chances = [float(game.probabilities[game.chance[child]]) for child in below]
            return sum(
                chance * walk(child, seat, reach, others * chance)
                for chance, child in zip(chances, below, strict=True)
            )
        which = int(game.information_set[node])
        shares = strategy[which]
        if game.player[node] != seat:
            return sum(
                share * walk(child, seat, reach, others * share)
                for share, child in zip(shares, below, strict=True)
            )
        values = [
            walk(child, seat, reach * share, others) for share, child in zip(shares, below, strict=True)
        ]
        expected = sum(share * worth for share, worth in zip(shares, values, strict=True))
        for action, worth in enumerate(values):
            new_regret[which][action] += others * (worth - expected)
        new_total[which] = [reach * share for share in shares]  # the same at every node of the set
        return expected

    for t in range(1, iterations + 1):
        for seat in (0, 1):
            new_regret, new_total = ([[0.0] * count for count in counts] for _ in range(2))
            walk(0, seat, 1.0, 1.0)
            for which in own_sets(game, seat):
                weights = []
                for action, r in enumerate(new_regret[which]):
                    regret[which][action] = accumulate(regret[which][action], r, t, iterations)
                    gained = new_total[which][action]
                    total[which][action] = average(total[which][action], gained, t, iterations)
                    weights.append(matched(regret[which][action], r, t, iterations))
                strategy[which] = naive.played(weights, sharpness)
    tables: Tables = ({}, {})
    for which in sets:
        tables[game.set_player[which]][which] = naive._normalised(total[which])
    return tables
