"""Stacks without bound: the player who jams aces and folds everything else (section 4 of the paper).

Blinds are 1 and 2. Against a jam that can only be aces any other hand loses a share of the stack on average, so with
deep stacks the other player calls with aces alone, and then both win nothing on average. Player 1 has aces in 1225 of
270,725 pairs of hands, and in 1 of these so has the other player.

- The small blind loses 1 with every other hand, and wins the big blind's 2 when nobody calls the aces: in all

      -1 (1 - 1225/270725) + 2 (1225 - 1)/270725  =  -1 + 3673/270725

- The big blind loses 2 with every other hand. The jam answers a bet, for which the small blind has put in 2, so
  aces that nobody calls win 2 as well: in all

      -2 (1 - 1225/270725) + 2 (1225 - 1)/270725  =  -2 + 4898/270725

The paper prints -2 + 3674/270725 for the big blind: the same sum with a win of 1 in the place of 2. It lets the small
blind lose no more than the blind against aces, and yet make every other hand fold by calling. Both at once would take
seeing the big blind's cards. Without seeing them the small blind calls with every hand: to fold would cost 1 against
all hands, to call and fold to a jam costs 2 against aces and wins 2 from the rest. So the printed bound is true but
not the best of this strategy, and the value of the game for the small blind is at most 2 - 4898/270725.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from errai.jamfold.equities import BOARDS, CLASSES, PAIRS, class_number, equities
from errai.jamfold.hand import Chips

SMALL_BLIND, BIG_BLIND = Chips(1), Chips(2)


@dataclass(frozen=True)
class AcesOnly:
    """How good it is to jam aces and fold the rest. Stacks are those of both players, in chips."""

    guarantee: Chips  # against any answer, with stacks of `holds_from` and more
    holds_from: Chips
    optimal_from: Chips  # the least stacks, above `holds_from`, with which no jam/fold strategy is better


def aces_only(big_blind: bool = False) -> AcesOnly:
    """Aces and nothing else from the small blind, or from the big blind in G''."""
    counts, aces = equities(), class_number("AA")
    pairs, ahead = counts.pairs.tolist(), (counts.wins - counts.losses).tolist()
    folded = -BIG_BLIND if big_blind else -SMALL_BLIND
    stolen = BIG_BLIND

    guarantee, holds_from, optimal_from = Chips(0), BIG_BLIND, BIG_BLIND
    for other in range(CLASSES):
        dealt, jammed = (
            sum(pairs[other]),
            pairs[aces][other],
        )  # pairs with this class, and those with aces against it
        passed = folded * (dealt - jammed) + stolen * jammed
        options = [passed, SMALL_BLIND * dealt] if big_blind else [passed]
        if other == aces:
            options.append(folded * (dealt - jammed))  # call: aces win nothing from aces
        else:
            # To call costs the other player more than to pass as soon as the stacks reach this size.
            holds_from = max(holds_from, stolen * jammed * BOARDS / ahead[aces][other])
            # Against who passes with all but aces, a jam of this class is then no better than a fold.
            steals = (stolen - folded) * (dealt - jammed) - folded * jammed
            optimal_from = max(optimal_from, steals * BOARDS / ahead[aces][other])
        guarantee += Fraction(min(options), PAIRS)
    return AcesOnly(guarantee, holds_from, max(optimal_from, holds_from))
