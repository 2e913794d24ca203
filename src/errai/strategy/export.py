"""A small strategy as a table, for spreadsheets, notebooks and other programs.

One row is one information set: who acts, his hand, the board, the betting of the whole hand so far, and the
probability of each action. All real hands are listed. Of boards that differ only in the names of the suits one
is listed, the one that the solution holds; rename the suits of board and hand together to read another.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from errai.cards.notation import hands
from errai.errors import ErraiError
from errai.games.betting import betting_actions, format_betting
from errai.strategy.strategy import Strategy
from errai.writing import replacing_file, write_json

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


def rows(strategy: Strategy) -> Iterator[Row]:
    """All information sets, level by level and board by board."""
    spot, tree = strategy.spot, strategy.layout.shape.tree
    deck, so_far = spot.deck, betting_actions(spot.game, spot.betting)
    names = [deck.format_cards(cards) for cards in hands(deck.size, spot.game.hole_cards)]
    for level, (template, bettings) in enumerate(zip(_templates(strategy), _bettings(strategy), strict=True)):
        for board in range(int(tree.levels[level]), int(tree.levels[level + 1])):
            dealt = [int(card) for card in tree.cards[board, : tree.public[level]]]
            shown = deck.format_cards(dealt)
            for betting in bettings:
                for node in template:
                    actions = betting + node
                    decision = strategy.decision(actions, [dealt[int(tree.public[0]) :]])
                    text = format_betting(spot.game, so_far + actions)
                    for hand in np.flatnonzero(~np.isnan(decision.probabilities[:, 0])):
                        shares = map(float, decision.probabilities[hand])
                        chances = dict(zip(decision.actions, shares, strict=True))
                        yield Row(decision.player, names[hand], shown, text, chances)


def row_count(strategy: Strategy) -> int:
    """How many rows there are, without making them."""
    spot, shape = strategy.spot, strategy.layout.shape
    live = [_live_hands(spot.deck.size, int(count), spot.game.hole_cards) for count in shape.tree.public]
    boards = np.diff(shape.tree.levels)
    return sum(
        len(template.nodes) * K * int(B) * H
        for template, K, B, H in zip(shape.templates, shape.contexts, boards, live, strict=True)
    )


def export_csv(strategy: Strategy, path: Path) -> None:
    """Columns seat, hand, board, betting, fold, call, raise; empty where an action is not allowed."""
    _require_small(strategy)
    with replacing_file(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["seat", "hand", "board", "betting", *ACTIONS.values()])
        for row in rows(strategy):
            shares = [row.probabilities.get(action, "") for action in ACTIONS]
            writer.writerow([row.seat, row.hand, row.board, row.betting, *shares])


def export_json(strategy: Strategy, path: Path) -> None:
    """One object: the game, and by information set (`seat:betting:hand|board`) action -> probability."""
    _require_small(strategy)
    table = {row.key: row.probabilities for row in rows(strategy)}
    with replacing_file(path) as new:
        write_json(new, {"game": strategy.spot.game.name, "information_sets": table})


def _require_small(strategy: Strategy) -> None:
    count = row_count(strategy)
    if count > MOST_ROWS:
        raise ErraiError(
            f"{strategy.spot.game.name} has {count:,} information sets; a table has at most {MOST_ROWS:,}: "
            "ask for single decisions instead"
        )


def _templates(strategy: Strategy) -> list[list[str]]:
    """By level, the betting within the round that leads to each node."""
    return [[node.betting for node in template.nodes] for template in strategy.layout.shape.templates]


def _bettings(strategy: Strategy) -> list[list[str]]:
    """By level and context, the actions since the root that lead there: context = leaf * K + context before."""
    levels = [[""]]
    for template in strategy.layout.shape.templates[:-1]:
        levels.append([before + leaf.betting for leaf in template.leaves for before in levels[-1]])
    return levels


def _live_hands(deck_size: int, dealt: int, hole_cards: int) -> int:
    left = deck_size - dealt
    return left if hole_cards == 1 else left * (left - 1) // 2
