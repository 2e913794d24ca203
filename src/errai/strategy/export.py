"""A small strategy as a table, for spreadsheets, notebooks and other programs.

One row is a hand at a decision: the seat that acts, its hand, the board, the betting of the whole hand so far, and
the probability of each action. All real hands are listed, so there are more rows than information sets, which count
hands that differ only by a renaming of suits once (errai.games.sizes). Of boards that differ only in the names of
the suits one is listed, the one that the solution holds; rename the suits of board and hand together to read another.
A strategy on buckets is listed hand by hand all the same.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from errai.cards.notation import hand_count, hands
from errai.errors import ErraiError
from errai.files.writing import replacing_file, write_json
from errai.games.lookup import bettings_of
from errai.games.state import parse_state
from errai.strategy.limit import LimitStrategy

MOST_ROWS = 200_000
ACTIONS = {"f": "fold", "c": "call", "r": "raise"}  # call or check, raise or bet


class Row(NamedTuple):
    """One hand at one decision."""

    seat: int
    hand: str
    board: str
    betting: str  # of the whole hand, "cr/"
    probabilities: dict[str, float]  # of the actions among f, c and r that are allowed

    @property
    def key(self) -> str:
        """`seat:betting:hand|board`, as in the messages of the ACPC dealer."""
        return f"{self.seat}:{self.betting}:{self.hand}|{self.board}"


def rows(strategy: LimitStrategy) -> Iterator[Row]:
    """All hands at all decisions, level by level and board by board."""
    spot, tree = strategy.spot, strategy.tree
    deck, so_far = spot.deck, spot.state.betting
    names = [deck.format_cards(cards) for cards in hands(deck.size, spot.game.hole_cards)]
    for level, (template, bettings) in enumerate(zip(tree.templates, bettings_of(tree), strict=True)):
        for dealt in strategy.boards(level) if template.nodes else ():
            shown = deck.format_cards(dealt)
            for betting in bettings:
                for node in template.nodes:
                    text = so_far + betting + node.betting
                    decision = strategy.decision(parse_state(spot.game, text, dealt))
                    for hand in np.flatnonzero(~np.isnan(decision.probabilities[:, 0])):
                        shares = map(float, decision.probabilities[hand])
                        chances = dict(zip(decision.actions, shares, strict=True))
                        yield Row(decision.player, names[hand], shown, text, chances)


def row_count(strategy: LimitStrategy) -> int:
    """How many rows there are at most, without making them: hands that are in no range are left out of a table."""
    game, tree = strategy.game, strategy.tree
    count = 0
    for level, (template, K) in enumerate(zip(tree.templates, tree.contexts, strict=True)):
        if template.nodes:
            left = game.deck_size - game.board_sizes[template.round]
            hands_left = hand_count(left, game.hole_cards)
            count += len(template.nodes) * K * strategy.board_count(level) * hands_left
    return count


def export_table(strategy: LimitStrategy, path: Path) -> int:
    """A .csv or .json file of all rows; returns how many there are."""
    return (export_csv if path.suffix.lower() == ".csv" else export_json)(strategy, path)


def export_csv(strategy: LimitStrategy, path: Path) -> int:
    """Columns seat, hand, board, betting, fold, call, raise; empty where an action is not allowed."""
    _require_small(strategy)
    with replacing_file(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["seat", "hand", "board", "betting", *ACTIONS.values()])
        count = 0
        for row in rows(strategy):
            shares = [row.probabilities.get(action, "") for action in ACTIONS]
            writer.writerow([row.seat, row.hand, row.board, row.betting, *shares])
            count += 1
    return count


def export_json(strategy: LimitStrategy, path: Path) -> int:
    """One object: the game, and by hand and decision (`seat:betting:hand|board`) action -> probability."""
    _require_small(strategy)
    table = {row.key: row.probabilities for row in rows(strategy)}
    with replacing_file(path) as new:
        write_json(new, {"game": strategy.game.name, "information_sets": table})
    return len(table)


def _require_small(strategy: LimitStrategy) -> None:
    count = row_count(strategy)
    if count > MOST_ROWS:
        raise ErraiError(
            f"{strategy.game.name} is a table of {count:,} rows, one for each hand at each decision on each board; "
            f"at most {MOST_ROWS:,} are written: export single decisions instead, by betting and board"
        )
