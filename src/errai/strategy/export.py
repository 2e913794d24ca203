"""A small strategy as a table, for spreadsheets, notebooks and other programs.

One row is one information set: who acts, his hand, the board, the betting of the whole hand so far, and the
probability of each action. All real hands are listed. Of boards that differ only in the names of the suits one
is listed, the one that the solution holds; rename the suits of board and hand together to read another. A strategy
on buckets is listed hand by hand all the same.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from errai.cards.canonical import canonical_boards
from errai.cards.counting import canonical_deals
from errai.cards.notation import hand_count, hands
from errai.errors import ErraiError
from errai.files.writing import replacing_file, write_json
from errai.games.lookup import BettingTree, bettings_of
from errai.strategy.blueprint import Blueprint
from errai.strategy.lookup import tree_of
from errai.strategy.strategy import Strategy

MOST_ROWS = 200_000
ACTIONS = {"f": "fold", "c": "call", "r": "raise"}  # call or check, raise or bet


class Row(NamedTuple):
    """One information set."""

    seat: int
    hand: str
    board: str
    betting: str  # of the whole hand, "cr/"
    probabilities: dict[str, float]  # of the actions among f, c and r that are allowed

    @property
    def key(self) -> str:
        """`seat:betting:hand|board`, as in the messages of the ACPC dealer."""
        return f"{self.seat}:{self.betting}:{self.hand}|{self.board}"


def rows(strategy: Strategy | Blueprint) -> Iterator[Row]:
    """All information sets, level by level and board by board."""
    spot, tree = strategy.spot, _tree(strategy)
    deck = spot.deck
    names = [deck.format_cards(cards) for cards in hands(deck.size, spot.game.hole_cards)]
    for level, (template, bettings) in enumerate(zip(tree.templates, bettings_of(tree), strict=True)):
        for dealt in _boards(strategy, level) if template.nodes else ():
            shown = deck.format_cards(dealt)
            for betting in bettings:
                for node in template.nodes:
                    actions = betting + node.betting
                    decision = strategy.decision(actions, [dealt[len(spot.cards) :]])
                    text = spot.state.betting + actions
                    for hand in np.flatnonzero(~np.isnan(decision.probabilities[:, 0])):
                        shares = map(float, decision.probabilities[hand])
                        chances = dict(zip(decision.actions, shares, strict=True))
                        yield Row(decision.player, names[hand], shown, text, chances)


def row_count(strategy: Strategy | Blueprint) -> int:
    """How many rows there are, without making them."""
    game, tree = strategy.spot.game, _tree(strategy)
    if isinstance(strategy, Blueprint):
        public = list(game.board_sizes)
        deals = [[cards for cards in game.board_cards[: r + 1] if cards] for r in range(game.rounds)]
        boards = [canonical_deals(game.ranks, game.suits, dealt) for dealt in deals]
    else:
        public = [int(count) for count in strategy.layout.shape.tree.public]
        boards = [int(count) for count in np.diff(strategy.layout.shape.tree.levels)]
    return sum(
        len(template.nodes) * K * B * hand_count(game.deck_size - dealt, game.hole_cards)
        for template, K, B, dealt in zip(tree.templates, tree.contexts, boards, public, strict=True)
    )


def export_csv(strategy: Strategy | Blueprint, path: Path) -> None:
    """Columns seat, hand, board, betting, fold, call, raise; empty where an action is not allowed."""
    _require_small(strategy)
    with replacing_file(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["seat", "hand", "board", "betting", *ACTIONS.values()])
        for row in rows(strategy):
            shares = [row.probabilities.get(action, "") for action in ACTIONS]
            writer.writerow([row.seat, row.hand, row.board, row.betting, *shares])


def export_json(strategy: Strategy | Blueprint, path: Path) -> None:
    """One object: the game, and by information set (`seat:betting:hand|board`) action -> probability."""
    _require_small(strategy)
    table = {row.key: row.probabilities for row in rows(strategy)}
    with replacing_file(path) as new:
        write_json(new, {"game": strategy.spot.game.name, "information_sets": table})


def _require_small(strategy: Strategy | Blueprint) -> None:
    count = row_count(strategy)
    if count > MOST_ROWS:
        raise ErraiError(
            f"{strategy.spot.game.name} has {count:,} information sets; a table has at most {MOST_ROWS:,}: "
            "ask for single decisions instead"
        )


def _tree(strategy: Strategy | Blueprint) -> BettingTree:
    return strategy.tree if isinstance(strategy, Blueprint) else tree_of(strategy.layout)


def _boards(strategy: Strategy | Blueprint, level: int) -> Iterator[list[int]]:
    """All public cards of each board of a level, one of each class."""
    if isinstance(strategy, Blueprint):
        game = strategy.game
        dealt = tuple(cards for cards in game.board_cards[: level + 1] if cards)
        found = canonical_boards(strategy.spot.deck, game.hole_cards, dealt).cards
    else:
        tree = strategy.layout.shape.tree
        found = tree.cards[tree.levels[level] : tree.levels[level + 1], : tree.public[level]]
    for cards in found:
        yield [int(card) for card in cards]
