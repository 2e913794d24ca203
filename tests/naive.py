"""The slow, obvious reference: limit poker as a plain game tree of Python objects.

Every fast kernel is compared with the functions of this file, so nothing here is shared with them:
the rules of betting, the ranking of hands, the deal and the CFR family are all written a second time,
one history at a time, with recursion, dictionaries and lists.

A strategy is any callable `strategy(seat, hole, board, betting)` that returns one probability for each
action of `legal_actions`, in the order fold, call, raise. `hole` is a sorted tuple of cards, `board` has
one sorted tuple for every round that was begun (empty where a round deals no public card), `betting` is
the ACPC string such as "crc/r", with a "/" at the end of every round but the last.
A card is `rank * suits + suit`.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from errai.games.definition import GameDefinition

Hole = tuple[int, ...]
Board = tuple[tuple[int, ...], ...]
Key = tuple[int, Hole, Board, str]  # seat, hole, board, betting
Strategy = Callable[[int, Hole, Board, str], Sequence[float]]
Weights = tuple[Mapping[Hole, float], Mapping[Hole, float]]  # by seat


# Betting


class Betting(NamedTuple):
    history: str
    round: int
    player: int
    spent: tuple[int, int]
    raises: int  # in this round; blinds do not count
    acted: int  # players who have acted since the last raise, the raiser included
    folded: int | None = None
    over: bool = False


def begin(game: GameDefinition) -> Betting:
    return Betting("", 0, game.first_player[0], (game.blinds[0], game.blinds[1]), raises=0, acted=0)


def legal_actions(game: GameDefinition, state: Betting) -> str:
    if state.over:
        return ""
    faces_a_bet = state.spent[state.player] < max(state.spent)
    may_raise = state.raises < game.max_raises[state.round]
    return ("f" if faces_a_bet else "") + "c" + ("r" if may_raise else "")


def act(game: GameDefinition, state: Betting, action: str) -> Betting:
    if action not in legal_actions(game, state) or len(action) != 1:
        raise ValueError(f"{action!r} is not legal after {state.history!r}")
    player, other = state.player, 1 - state.player
    history = state.history + action
    if action == "f":
        return state._replace(history=history, folded=player, over=True)

    stake = max(state.spent) + (game.raise_sizes[state.round] if action == "r" else 0)
    spent = (stake, state.spent[1]) if player == 0 else (state.spent[0], stake)
    if action == "r":
        return Betting(history, state.round, other, spent, state.raises + 1, acted=1)
    if state.acted == 0:
        return Betting(history, state.round, other, spent, state.raises, acted=1)
    if state.round + 1 == len(game.board_cards):
        return Betting(history, state.round, other, spent, state.raises, acted=2, over=True)
    return Betting(history + "/", state.round + 1, game.first_player[state.round + 1], spent, 0, acted=0)


def replay(game: GameDefinition, betting: str) -> Betting:
    """The state after a betting string such as "crc/r"."""
    state = begin(game)
    for action in betting.replace("/", ""):
        state = act(game, state, action)
    if state.history != betting:
        raise ValueError(f"{betting!r} should be written {state.history!r}")
    return state


def betting_states(game: GameDefinition, start: Betting | None = None) -> Iterator[Betting]:
    """Every state of the betting, finished hands included, parents before children."""
    state = begin(game) if start is None else start
    yield state
    for action in legal_actions(game, state):
        yield from betting_states(game, act(game, state, action))


# Hands

FIVE_CARD_CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "trips",
    "straight",
    "flush",
    "full house",
    "quads",
    "straight flush",
)
THREE_CARD_CATEGORIES = ("high card", "pair", "flush", "straight", "trips", "straight flush")
OF_A_KIND = {
    (1,): "high card",
    (2,): "pair",
    (2, 2): "two pair",
    (3,): "trips",
    (3, 2): "full house",
    (4,): "quads",
}


@lru_cache(maxsize=200_000)
def strength(game: GameDefinition, cards: tuple[int, ...]) -> tuple:
    """How good a hand is at the showdown: the greater tuple wins, equal tuples split.

    The ACPC ranking takes the best five cards, the three-card ranking the best three; a hand of fewer
    cards has no straight and no flush and is compared by its pairs, trips and high cards alone.
    """
    size = {"acpc": 5, "three-card": 3}[game.ranking]
    return max(_strength(game, chosen, size) for chosen in combinations(cards, min(size, len(cards))))


def _strength(game: GameDefinition, cards: tuple[int, ...], size: int) -> tuple:
    counts = Counter(card // game.suits for card in cards)
    by_count = sorted(((count, rank) for rank, count in counts.items()), reverse=True)
    kickers = tuple(rank for _, rank in by_count)
    repeats = tuple(count for count, _ in by_count if count > 1)
    category = OF_A_KIND[repeats or (1,)]

    if len(cards) == size:
        top = _straight(game, set(counts), size)
        flush = len({card % game.suits for card in cards}) == 1
        if top is not None:
            category = "straight flush" if flush else "straight"
            kickers = (top,)
        elif flush:
            category = "flush"
    categories = FIVE_CARD_CATEGORIES if size == 5 else THREE_CARD_CATEGORIES
    return categories.index(category), kickers


def _straight(game: GameDefinition, ranks: set[int], size: int) -> int | None:
    """The top rank of a straight; the ace counts below the deuce in a full deck of thirteen ranks."""
    if len(ranks) == size and max(ranks) - min(ranks) == size - 1:
        return max(ranks)
    if game.ranks == 13 and ranks == {12, *range(size - 1)}:
        return size - 2
    return None


def payoff(game: GameDefinition, holes: tuple[Hole, Hole], board: Board, state: Betting) -> float:
    """Net chips that seat 0 wins when the hand is over."""
    if state.folded is not None:
        return float(-state.spent[0] if state.folded == 0 else state.spent[1])
    public = tuple(card for cards in board for card in cards)
    first, second = (strength(game, tuple(sorted(hole + public))) for hole in holes)
    return float((first > second) * state.spent[1] - (first < second) * state.spent[0])


# The tree


class Spot(NamedTuple):
    """Where play starts: the betting so far and the boards dealt so far.

    If the board of the current round is not given, it is dealt.
    """

    board: Board = ()
    betting: str = ""


BEGINNING = Spot()


@dataclass(eq=False)
class InformationSet:
    seat: int
    hole: Hole
    board: Board
    betting: str
    actions: str
    # For CFR
    strategy: list[float] = field(default_factory=list)
    regret: list[float] = field(default_factory=list)
    total: list[float] = field(default_factory=list)
    new_regret: list[float] = field(default_factory=list)
    new_total: list[float] = field(default_factory=list)

    @property
    def key(self) -> Key:
        return self.seat, self.hole, self.board, self.betting


@dataclass(eq=False)
class Terminal:
    payoff: float  # of seat 0


@dataclass(eq=False)
class Chance:
    children: list[tuple[float, "Node"]]


@dataclass(eq=False)
class Decision:
    information_set: InformationSet
    children: list["Node"]


Node = Terminal | Chance | Decision


class Tree(NamedTuple):
    root: Chance
    information_sets: dict[Key, InformationSet]


def tree(game: GameDefinition, weights: Weights | None = None, start: Spot = BEGINNING) -> Tree:
    """All histories of a game, from the deal of both hands to every end.

    Hands are dealt uniformly, or in proportion to the product of the two seats' weights over all pairs of
    hands that share no card; a hand missing from `weights` is never dealt.
    """
    if game.betting != "limit":
        raise ValueError("the reference plays limit games only")
    sets: dict[Key, InformationSet] = {}

    def grow(holes: tuple[Hole, Hole], board: Board, state: Betting) -> Node:
        if state.over:
            return Terminal(payoff(game, holes, board, state))
        if len(board) == state.round:
            seen = {*holes[0], *holes[1], *(card for cards in board for card in cards)}
            left = [card for card in range(game.suits * game.ranks) if card not in seen]
            deals = list(combinations(left, game.board_cards[state.round]))
            return Chance([(1 / len(deals), grow(holes, (*board, deal), state)) for deal in deals])
        key = (state.player, holes[state.player], board, state.history)
        if key not in sets:
            sets[key] = InformationSet(*key, legal_actions(game, state))
        actions = sets[key].actions
        return Decision(sets[key], [grow(holes, board, act(game, state, action)) for action in actions])

    state = replay(game, start.betting)
    board = tuple(tuple(sorted(cards)) for cards in start.board)
    seen = {card for cards in board for card in cards}
    left = [card for card in range(game.suits * game.ranks) if card not in seen]
    deals: dict[tuple[Hole, Hole], float] = {}
    for first in combinations(left, game.hole_cards):
        for second in combinations(left, game.hole_cards):
            if set(first).isdisjoint(second):
                weight = 1.0 if weights is None else weights[0].get(first, 0) * weights[1].get(second, 0)
                if weight > 0:
                    deals[first, second] = weight
    total = sum(deals.values())
    root = Chance([(weight / total, grow(holes, board, state)) for holes, weight in deals.items()])
    return Tree(root, sets)


def information_sets(game: GameDefinition) -> list[Key]:
    """Every (seat, hole, board, betting) at which a seat may have to act, in a fixed order."""
    return sorted(tree(game).information_sets)


# Values


def value(
    game: GameDefinition, strategy: Strategy, weights: Weights | None = None, start: Spot = BEGINNING
) -> float:
    """Chips per hand that seat 0 wins when both seats follow the strategy."""
    policy = _once_per_information_set(strategy)

    def expect(node: Node) -> float:
        match node:
            case Terminal():
                return node.payoff
            case Chance():
                return sum(chance * expect(child) for chance, child in node.children)
            case Decision():
                probabilities = policy(node.information_set)
                return sum(p * expect(child) for p, child in zip(probabilities, node.children, strict=True))

    return expect(tree(game, weights, start).root)


def best_response(
    game: GameDefinition,
    strategy: Strategy,
    seat: int,
    weights: Weights | None = None,
    start: Spot = BEGINNING,
) -> float:
    """Chips per hand that `seat` wins with the best answer to the other seat's strategy.

    In each of its information sets the seat takes the one action that is best on average over the
    histories it cannot tell apart, each as likely as chance and the opponent make it.
    """
    policy = _once_per_information_set(strategy)
    histories: dict[InformationSet, list[tuple[Decision, float]]] = defaultdict(list)

    def collect(node: Node, reach: float) -> None:
        match node:
            case Chance():
                for chance, child in node.children:
                    collect(child, reach * chance)
            case Decision() if node.information_set.seat == seat:
                histories[node.information_set].append((node, reach))
                for child in node.children:
                    collect(child, reach)
            case Decision():
                for p, child in zip(policy(node.information_set), node.children, strict=True):
                    collect(child, reach * p)

    @cache
    def best_action(information_set: InformationSet) -> int:
        def worth(action: int) -> float:
            return sum(reach * expect(node.children[action]) for node, reach in histories[information_set])

        return max(range(len(information_set.actions)), key=worth)

    @cache
    def expect(node: Node) -> float:
        match node:
            case Terminal():
                return node.payoff if seat == 0 else -node.payoff
            case Chance():
                return sum(chance * expect(child) for chance, child in node.children)
            case Decision() if node.information_set.seat == seat:
                return expect(node.children[best_action(node.information_set)])
            case Decision():
                probabilities = policy(node.information_set)
                return sum(p * expect(child) for p, child in zip(probabilities, node.children, strict=True))

    root = tree(game, weights, start).root
    collect(root, 1.0)
    return expect(root)


def exploitability(
    game: GameDefinition, strategy: Strategy, weights: Weights | None = None, start: Spot = BEGINNING
) -> float:
    """Half of NashConv: what a best response wins per hand on average over both seats."""
    return sum(best_response(game, strategy, seat, weights, start) for seat in (0, 1)) / 2


def action_values(
    game: GameDefinition, strategy: Strategy, weights: Weights | None = None, start: Spot = BEGINNING
) -> dict[Key, list[float]]:
    """For every information set and action, what its seat wins on average by taking it and then playing the strategy.

    The histories of an information set are as likely as chance and the opponent make them; where they never lead
    there it is nan.
    """
    policy = _once_per_information_set(strategy)
    sums: dict[Key, list[float]] = {}
    totals: dict[Key, float] = defaultdict(float)

    def visit(node: Node, chance: float, reach: tuple[float, float]) -> float:
        """The value of a history for seat 0."""
        match node:
            case Terminal():
                return node.payoff
            case Chance():
                return sum(p * visit(child, chance * p, reach) for p, child in node.children)
            case Decision():
                at = node.information_set
                probabilities = policy(at)
                values = []
                for p, child in zip(probabilities, node.children, strict=True):
                    after = (reach[0] * p, reach[1]) if at.seat == 0 else (reach[0], reach[1] * p)
                    values.append(visit(child, chance, after))
                others = chance * reach[1 - at.seat]
                row = sums.setdefault(at.key, [0.0] * len(values))
                for action, v in enumerate(values):
                    row[action] += others * (v if at.seat == 0 else -v)
                totals[at.key] += others
                return sum(p * v for p, v in zip(probabilities, values, strict=True))

    visit(tree(game, weights, start).root, 1.0, (1.0, 1.0))
    return {key: [v / totals[key] if totals[key] > 0 else math.nan for v in row] for key, row in sums.items()}


def _once_per_information_set(strategy: Strategy) -> Callable[[InformationSet], list[float]]:
    """Asks the strategy once for each information set and checks the answer."""

    @cache
    def policy(information_set: InformationSet) -> list[float]:
        probabilities = [float(p) for p in strategy(*information_set.key)]
        assert len(probabilities) == len(information_set.actions), information_set
        assert min(probabilities) >= 0, information_set
        assert abs(sum(probabilities) - 1) < 1e-9, information_set
        return probabilities

    return policy


# Strategies


def from_table(table: Mapping[Key, Sequence[float]]) -> Strategy:
    return lambda seat, hole, board, betting: table[seat, hole, board, betting]


def uniform(game: GameDefinition) -> Strategy:
    """Every legal action equally often."""

    def strategy(seat: int, hole: Hole, board: Board, betting: str) -> list[float]:
        count = len(legal_actions(game, replay(game, betting)))
        return [1 / count] * count

    return strategy


def always(game: GameDefinition, preference: str) -> Strategy:
    """The first legal action of `preference`: "fc" folds to any bet, "rc" raises while it may."""

    def strategy(seat: int, hole: Hole, board: Board, betting: str) -> list[float]:
        actions = legal_actions(game, replay(game, betting))
        wanted = next(action for action in preference if action in actions)
        return [float(action == wanted) for action in actions]

    return strategy


# The CFR family: regret r of iteration t, accumulated regret R, total of the average strategy S


class Rule(NamedTuple):
    """How one member of the family turns the regrets of an iteration into the next strategy.

    All take the numbers of one action. The average strategy is S normalised.
    """

    accumulate: Callable[[float, float, int, int], float]  # R, r, t, n -> the new R
    matched: Callable[[float, float, int, int], float]  # new R, r, t, n -> what regret matching sees next
    average: Callable[[float, float, int, int], float]  # S, s, t, n -> the new S
    sharpness: float = (
        1.0  # q: what regret matching would play as p is played as p (1 + (q - 1) p), normalised
    )


def _discount(t: int, power: float, constant: float = 1.0) -> float:
    """(t-1)^power / ((t-1)^power + constant); nothing has been accumulated yet when t = 1."""
    return 0.0 if t == 1 else (t - 1) ** power / ((t - 1) ** power + constant)


def _eased(R, r, t):
    """DCFR whose discount of positive regrets is stronger in the first 250 iterations."""
    if R > 0:
        return R * _discount(t, 1.5, 1 + min(1, (250 / t) ** 2)) + r
    return R * (0.5 if t > 1 else 0.0) + r


def _discounted(R: float, r: float, t: int, alpha: float, beta: float) -> float:
    return R * _discount(t, alpha if R > 0 else beta) + r


def _positive(R: float, r: float, t: int, n: int) -> float:
    return max(R, 0.0)


RULES = {
    "cfr": Rule(
        accumulate=lambda R, r, t, n: R + r,
        matched=_positive,
        average=lambda S, s, t, n: S + s,
    ),
    "cfr+": Rule(
        accumulate=lambda R, r, t, n: max(R + r, 0.0),
        matched=_positive,
        average=lambda S, s, t, n: S + t * s,
    ),
    "linear": Rule(
        accumulate=lambda R, r, t, n: R + t * r,
        matched=_positive,
        average=lambda S, s, t, n: S + t * s,
    ),
    "dcfr": Rule(
        accumulate=lambda R, r, t, n: _discounted(R, r, t, 1.5, 0.0),
        matched=_positive,
        average=lambda S, s, t, n: S * ((t - 1) / t) ** 2 + s,
    ),
    "dcfr+": Rule(
        accumulate=lambda R, r, t, n: max(R * _discount(t, 1.5, 1.5) + r, 0.0),
        matched=_positive,
        average=lambda S, s, t, n: S * ((t - 1) / t) ** 4 + s,
    ),
    "sdcfr": Rule(
        accumulate=lambda R, r, t, n: _eased(R, r, t),
        matched=_positive,
        average=lambda S, s, t, n: S + t**3 * s,
        sharpness=3.0,
    ),
    "sdcfr+": Rule(
        accumulate=lambda R, r, t, n: max(_eased(R, r, t), 0.0),
        matched=_positive,
        average=lambda S, s, t, n: S + t**3 * s,
        sharpness=3.0,
    ),
    "pcfr+": Rule(
        accumulate=lambda R, r, t, n: max(R + r, 0.0),
        matched=lambda R, r, t, n: max(R + r, 0.0),
        average=lambda S, s, t, n: S + t**2 * s,
    ),
    "pdcfr+": Rule(
        accumulate=lambda R, r, t, n: max(R * _discount(t, 2.3) + r, 0.0),
        matched=lambda R, r, t, n: max(R * _discount(t + 1, 2.3) + r, 0.0),
        average=lambda S, s, t, n: S + t**5 * s,
    ),
    "hs-dcfr": Rule(
        accumulate=lambda R, r, t, n: _discounted(R, r, t, 1 + 3 * t / n, -1 - 2 * t / n),
        matched=_positive,
        average=lambda S, s, t, n: S * ((t - 1) / t) ** (30 - 5 * t / n) + s,
    ),
}


def cfr(
    game: GameDefinition,
    rule: str,
    iterations: int,
    weights: Weights | None = None,
    start: Spot = BEGINNING,
    delay: int = 0,
) -> tuple[Strategy, Strategy]:
    """The average and the current strategy after so many iterations with alternating updates.

    Iteration t walks the tree for seat 0, adds the strategy it used to its average, updates its regrets
    and strategy, then does the same for seat 1 against seat 0's new strategy. With a `delay` (CFR+ only)
    iteration t has weight max(t - delay, 0) in the average.
    """
    accumulate, matched, average, sharpness = RULES[rule]
    if delay:
        assert rule == "cfr+"
        average = lambda S, s, t, n: S + max(t - delay, 0) * s  # noqa: E731
    root, sets = tree(game, weights, start)
    for each in sets.values():
        count = len(each.actions)
        each.strategy = [1 / count] * count
        each.regret, each.total = [0.0] * count, [0.0] * count

    for t in range(1, iterations + 1):
        for seat in (0, 1):
            own = [each for each in sets.values() if each.seat == seat]
            for each in own:
                each.new_regret, each.new_total = [0.0] * len(each.actions), [0.0] * len(each.actions)
            _walk(root, seat, 1.0, 1.0)
            for each in own:
                for action, r in enumerate(each.new_regret):
                    each.regret[action] = accumulate(each.regret[action], r, t, iterations)
                    each.total[action] = average(each.total[action], each.new_total[action], t, iterations)
                    each.strategy[action] = matched(each.regret[action], r, t, iterations)
                each.strategy = played(each.strategy, sharpness)

    return (
        from_table({key: _normalised(each.total) for key, each in sets.items()}),
        from_table({key: each.strategy for key, each in sets.items()}),
    )


def played(weights: list[float], sharpness: float) -> list[float]:
    """Regret matching on positive weights, sharpened unless the sharpness is 1."""
    matching = _normalised(weights)
    return matching if sharpness == 1 else _normalised([p * (1 + (sharpness - 1) * p) for p in matching])


def _walk(node: Node, seat: int, reach: float, others: float) -> float:
    """The value of a history for `seat`; adds its share to the new regrets and totals on the way.

    `reach` is the probability that the seat's own actions lead here, `others` that of chance and the
    opponent.
    """
    if isinstance(node, Terminal):
        return node.payoff if seat == 0 else -node.payoff
    if isinstance(node, Chance):
        return sum(chance * _walk(child, seat, reach, others * chance) for chance, child in node.children)
    at = node.information_set
    played = list(zip(at.strategy, node.children, strict=True))
    if at.seat != seat:
        return sum(p * _walk(child, seat, reach, others * p) for p, child in played)
    values = [_walk(child, seat, reach * p, others) for p, child in played]
    expected = sum(p * v for p, v in zip(at.strategy, values, strict=True))
    for action, v in enumerate(values):
        at.new_regret[action] += others * (v - expected)
        at.new_total[action] += reach * at.strategy[action]
    return expected


def _normalised(numbers: list[float]) -> list[float]:
    total = sum(numbers)
    if total > 0:
        return [number / total for number in numbers]
    return [1 / len(numbers)] * len(numbers)
