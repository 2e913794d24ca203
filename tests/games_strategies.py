"""Random small limit games for hypothesis, and random strategies to play in them."""

import math
import random
from functools import cache
from itertools import permutations

from hypothesis import strategies as st

from errai.games.definition import MOST_CARDS, GameDefinition
from tests import naive

MOST_RANKS = 5
MOST_HISTORIES = 8_000  # one naive walk stays below about 0.3 s


def histories(game: GameDefinition) -> int:
    """How many nodes the naive tree has, ends included, deals of cards not counted."""
    cards = game.suits * game.ranks
    deals, left = [], cards - 2 * game.hole_cards
    ways = math.comb(cards, game.hole_cards) * math.comb(cards - game.hole_cards, game.hole_cards)
    for count in game.board_cards:
        ways *= math.comb(left, count)
        left -= count
        deals.append(ways)
    return sum(deals[state.round] for state in naive.betting_states(game))


@st.composite
def small_games(draw: st.DrawFn, most_histories: int = MOST_HISTORIES) -> GameDefinition:
    """Limit games of one to three rounds and two to fifteen cards with any blinds and order of play."""
    rounds = draw(st.integers(1, 3), label="rounds")
    hole_cards = draw(st.integers(1, 2), label="hole cards")
    suits = draw(st.integers(1, 3), label="suits")
    board_cards = []
    for round_ in range(rounds):
        in_deck = suits * MOST_RANKS - 2 * hole_cards - sum(board_cards)
        left = min(in_deck, MOST_CARDS - hole_cards - sum(board_cards))
        choices = (1, 2, 0, 3) if round_ else (0, 0, 0, 1)
        board_cards.append(min(left, draw(st.sampled_from(choices), label="board cards")))
    needed = 2 * hole_cards + sum(board_cards)
    ranks = draw(st.integers(max(2, math.ceil(needed / suits)), MOST_RANKS), label="ranks")
    max_raises = draw(st.tuples(*[st.integers(0, 2)] * rounds), label="max raises")
    blinds = draw(st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(any), label="blinds")
    raise_sizes = draw(st.tuples(*[st.integers(1, 6)] * rounds), label="raise sizes")
    first_player = draw(st.tuples(*[st.integers(0, 1)] * rounds), label="first player")

    def game() -> GameDefinition:
        return GameDefinition(
            name="random",
            betting="limit",
            blinds=blinds,
            raise_sizes=raise_sizes,
            first_player=first_player,
            max_raises=max_raises,
            suits=suits,
            ranks=ranks,
            hole_cards=hole_cards,
            board_cards=tuple(board_cards),
            ranking=ranking,
        )

    ranking = "three-card" if hole_cards + sum(board_cards) == 3 and draw(st.booleans()) else "acpc"
    while histories(game()) > most_histories:
        # Smaller until it fits, rather than rejected: fewer cards while the deal allows, then fewer raises.
        if ranks > 2 and suits * (ranks - 1) >= needed and suits * ranks > 6:
            ranks -= 1
        elif suits > 1 and (suits - 1) * ranks >= needed and suits * ranks > 6:
            suits -= 1
        elif any(max_raises):
            last = max(r for r in range(rounds) if max_raises[r])
            max_raises = tuple(count - (r == last) for r, count in enumerate(max_raises))
        else:
            last = max(r for r in range(rounds) if board_cards[r])
            board_cards[last] -= 1
            needed -= 1
            ranking = "acpc"
    return game()


def seeds() -> st.SearchStrategy[int]:
    return st.integers(0, 2**32 - 1)


def random_strategy(game: GameDefinition, seed: int) -> naive.Strategy:
    """The same random probabilities whenever an information set is asked for again.

    Mostly inside the simplex, sometimes with an action that is never taken, sometimes pure. Hands that
    differ only by their suits are played differently.
    """

    @cache
    def strategy(seat: int, hole: naive.Hole, board: naive.Board, betting: str) -> tuple[float, ...]:
        return _probabilities(game, betting, repr((seed, seat, hole, board, betting)))

    return strategy


def symmetric_random_strategy(game: GameDefinition, seed: int) -> naive.Strategy:
    """A random strategy that does not change when suits change their names."""

    @cache
    def strategy(seat: int, hole: naive.Hole, board: naive.Board, betting: str) -> tuple[float, ...]:
        hole, *board = canonical(game, (hole, *board))
        return _probabilities(game, betting, repr((seed, seat, hole, tuple(board), betting)))

    return strategy


def canonical(game: GameDefinition, cards: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The smallest way to write groups of cards under all permutations of the suits."""
    return min(
        tuple(
            tuple(sorted(card - card % game.suits + names[card % game.suits] for card in group))
            for group in cards
        )
        for names in permutations(range(game.suits))
    )


def _probabilities(game: GameDefinition, betting: str, key: str) -> tuple[float, ...]:
    count = len(naive.legal_actions(game, naive.replay(game, betting)))
    generator = random.Random(key)
    kind = generator.random()
    if kind < 0.15:
        weights = [0.0] * count
        weights[generator.randrange(count)] = 1.0
    else:
        weights = [generator.expovariate(1.0) for _ in range(count)]
        if kind < 0.3 and count > 1:
            weights[generator.randrange(count)] = 0.0
    total = sum(weights)
    return tuple(weight / total for weight in weights)
