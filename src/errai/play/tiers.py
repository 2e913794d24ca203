"""How strong the players of many matches are, without taking luck for skill: the study of people who met Cepheus.

Every player's hands are parted in two. In each block of four that follow each other one pair, a hand in each seat,
goes to Rank and the other to Test. Players are sorted by what they won in Rank, which shows skill and luck, and cut
into tiers of equally many; what a tier won in Test shows its skill alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from errai.errors import ErraiError
from errai.play.reading import FoundHand, in_all
from errai.play.score import Estimate, Tally

LEAST = 500  # hands of a player who counts, as in the study
TIERS = 5


@dataclass(frozen=True)
class Tier:
    """Players who were about as good in Rank, the weakest tier first."""

    players: tuple[str, ...]  # the weakest first
    hands: int  # of Test
    rank_mbb: float  # what they won in Rank, luck included
    test: Estimate  # what they won in Test


@dataclass(frozen=True)
class Study:
    """What the hands of many players against one show."""

    against: str
    hands: int  # all of them
    overall: Estimate  # what everybody won, however few hands they played
    left_out: int  # players with too few hands
    tiers: tuple[Tier, ...]


def tiers_of(
    hands: Sequence[FoundHand], against: str | None = None, least: int = LEAST, tiers: int = TIERS
) -> Study:
    """Tiers of the players who met one opponent, each with `least` hands or more."""
    if tiers < 1:
        raise ErraiError(f"tiers must be 1 or more, not {tiers}", parameter="tiers")
    if least < 4:
        raise ErraiError(
            f"least must be 4 or more, one hand in each seat for Rank and Test, not {least}",
            parameter="least",
        )
    everywhere = in_all(hands)
    if against is None and len(everywhere) != 1:
        raise ErraiError(
            "against: say whom the players met; nobody alone is in all hands", parameter="against"
        )
    opponent = against or everywhere.pop()
    unit = hands[0].state.game.unit
    won: dict[str, list[int]] = {}
    everybody = Tally()
    for hand in hands:
        if opponent not in hand.players or len(set(hand.players)) < 2:
            continue
        seat = 1 - hand.players.index(opponent)
        won.setdefault(hand.players[seat], []).append(hand.won[seat])
    if not won:
        raise ErraiError(f"nobody met {opponent} in these hands", parameter="against")
    for chips in won.values():
        everybody.add(np.array(chips, np.int64))
    parted = {name: parted_hands(chips) for name, chips in won.items() if len(chips) >= least}
    if len(parted) < tiers:
        raise ErraiError(
            f"{len(parted)} players with {least} hands or more cannot be cut into {tiers} tiers; count players with "
            "fewer hands, or ask for fewer tiers",
            parameter="least",
        )
    order = sorted(parted, key=lambda name: (float(np.mean(parted[name][0])), name))
    found = [_tier(names.tolist(), parted, unit) for names in np.array_split(np.array(order, object), tiers)]
    hands_met = sum(map(len, won.values()))
    return Study(opponent, hands_met, everybody.estimate(unit), len(won) - len(parted), tuple(found))


def parted_hands(chips: Sequence[int]) -> tuple[list[int], list[int]]:
    """(Rank, Test) of a player's hands in the order played: pairs in turn, exchanged from block to block."""
    rank: list[int] = []
    test: list[int] = []
    for number, won in enumerate(chips):
        block, pair = number // 4, number % 4 // 2
        (rank if pair == block % 2 else test).append(won)
    return rank, test


def _tier(names: list[str], parted: dict[str, tuple[list[int], list[int]]], unit: float) -> Tier:
    ranked, tested = Tally(), Tally()
    for name in names:
        rank, test = parted[name]
        ranked.add(np.array(rank, np.int64))
        tested.add(np.array(test, np.int64))
    return Tier(tuple(names), tested.samples, ranked.estimate(unit).mean_mbb, tested.estimate(unit))
