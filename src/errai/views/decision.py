"""A decision of all hands as people see it: who, where and after what; the 169 classes; and all of them together.

A class of the grid is the mean of its combinations, each weighted as often as the player gets here with it. A class
that hardly ever gets here is no advice, so it is hidden unless all are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import GRID, hand_class_of
from errai.cards.ranges import format_range
from errai.errors import ErraiError
from errai.formatting import ORDER
from errai.strategy.query import LEAST_SHARE, Query, weighted_mean
from errai.views.seats import history, pot_text

LEAST_REACH = 0.005  # a class that is played to a decision less often than this is hidden
CLASSES = [name for row in GRID for name in row]
DIGITS = 4  # of a weight in a written range
LEAST_WEIGHT = 1e-4  # of the largest: what weighs less is left out of a written range


@dataclass(frozen=True)
class GridView:
    """What a grid of hands shows."""

    title: str  # what has happened, with the board
    place: str  # who is to act, the betting in letters, the pot
    seat: str
    names: dict[str, str]  # action letter -> its name here: check, bet, fold, call, raise
    shares: dict[
        str, dict[str, float]
    ]  # class in the range -> action letter -> how often, in the order of the grid
    reach: dict[
        str, float
    ]  # class -> how often the player gets here with it, hands of the largest weight always
    overall: dict[str, float]  # action letter -> how often; empty where the player never gets here
    combos: tuple[float, float]  # that get here, of those in the range

    @property
    def never(self) -> bool:
        """Whether no class gets here often enough to be shown."""
        return all(reach < LEAST_REACH for reach in self.reach.values())

    def hidden(self, everything: bool = False) -> set[str]:
        """The classes that are not shown; none where everything is wanted, or where nothing else would be left."""
        return set() if everything or self.never else self.rare

    @property
    def rare(self) -> set[str]:
        """The classes that hardly ever get here."""
        return {name for name, reach in self.reach.items() if reach < LEAST_REACH}

    def notes(self, everything: bool = False, how: str = "") -> list[str]:
        """How many combinations get here, and what is hidden; `how` says how to see it."""
        reached, held = self.combos
        notes = []
        if reached < held:
            percent = f"{100 * reached / held:.1f}%"
            notes.append(f"the {self.seat} gets here with {reached:,.1f} of {held:,.0f} combos ({percent})")
        few = f"less than {100 * LEAST_REACH:g}% of the time"
        rare = _counted(len(self.rare))
        if self.never:
            notes.append(f"no hand gets here {few.replace('less than', 'even')}: this is no advice")
        elif self.rare and everything:
            named = np.isin(hand_class_of(), [CLASSES.index(name) for name in self.rare])
            hands = format_range(named.astype(np.float64)).replace(",", ", ")
            notes.append(f"faded: {rare} {few}: {hands}")
        elif self.rare:
            notes.append(f"not shown: {rare} {few}{how}")
        return notes


def grid_view(found: Query) -> GridView:
    """What a grid shows of a decision of hold'em."""
    held = found.held / max(found.held.max(), LEAST_SHARE)
    own = held * found.reach
    letters = {action: action[0] for action in found.names}
    shares, reach = {}, {}
    for name, combos in combos_of(held):
        weights = own[combos] if own[combos].any() else held[combos]
        mean = weighted_mean(found.decision.probabilities[combos], weights)
        shares[name] = dict(zip(letters.values(), mean, strict=True))
        reach[name] = fsum(own[combos]) / int(combos.sum())
    by_name = found.overall()
    overall = {letters[action]: by_name[name] for action, name in found.names.items()} if by_name else {}
    title, place = headings(found)
    return GridView(
        title=title,
        place=place,
        seat=found.seat,
        names={letters[action]: name for action, name in found.names.items()},
        shares=shares,
        reach=reach,
        overall={letter: overall[letter] for letter in ORDER if letter in overall},
        combos=(fsum(found.held * found.reach), fsum(found.held)),
    )


def headings(found: Query) -> tuple[str, str]:
    """What has happened; and who is to act, with the betting in letters and the pot."""
    happened = history(found.state, found.strategy.seats) or "no betting yet"
    pot = pot_text(found.state.pot, found.pot_blinds)
    betting = f"betting {found.betting}, " if found.betting else ""
    return f"{found.strategy.title}: {happened}", f"{found.seat} to act, {betting}{pot}"


def range_text(found: Query, player: int) -> str:
    """The range of a player as the strategy gets here, as text: weights of four digits, as parse_range takes them."""
    weights = found.range_of(player)
    most = float(weights.max())
    if most <= 0:
        raise ErraiError(
            f"the {found.strategy.seats[player]} never gets here with any hand: its range is empty"
        )
    known = np.array([float(f"{weight:.{DIGITS}g}") for weight in weights / max(most, 1.0)])
    return format_range(np.where(known >= LEAST_WEIGHT * known.max(), known, 0.0), found.state.cards)


def combos_of(held: NDArray[np.float64]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """The classes of the grid that a range [N] has, each with its combinations [N] of positive weight."""
    of_class = hand_class_of()
    for index, name in enumerate(CLASSES):
        combos = (of_class == index) & (held > 0)
        if combos.any():
            yield name, combos


def class_values(found: Query) -> dict[str, float]:
    """Class of the grid -> chips that its combinations win as the strategy plays on; nan where that is not known."""
    assert found.decision.values is not None
    chances = found.decision.probabilities
    played = np.where(chances > 0, chances * found.decision.values, 0.0).sum(axis=1)
    cells = {}
    for name, combos in combos_of(found.held):
        own = (found.held * found.reach)[combos]
        weights = np.where(np.isnan(played[combos]), 0.0, own if own.any() else found.held[combos])
        cells[name] = weighted_mean(played[combos, None], weights)[0] if weights.any() else float("nan")
    return cells


def _counted(classes: int) -> str:
    """1 hand class that gets here, 2 hand classes that get here."""
    return "1 hand class that gets here" if classes == 1 else f"{classes} hand classes that get here"
