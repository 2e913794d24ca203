"""A heads-up no-limit hand before the cards: who has how much, who must post what, and what a jam plays for.

Each player posts an ante and a blind, as far as the stack goes. What one player puts in beyond the other's
stack is returned, so nobody can lose more than the shorter stack, the *effective* one. Odd stacks leave less to
decide:

- a small blind who is all in by posting, or who faces a big blind that is all in for no more than the small blind
  has posted, has nothing to decide: there is a showdown;
- a big blind who is all in by posting, or who has already posted the small blind's whole stack, cannot fold to a jam.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from errai.errors import ErraiError

Chips = Fraction


@dataclass(frozen=True)
class Hand:
    """Stacks are those before posting, of the small blind and of the big blind."""

    stacks: tuple[Chips, Chips]
    small_blind: Chips
    big_blind: Chips
    ante: Chips = Fraction(0)

    def __post_init__(self) -> None:
        for name, seat in (("small", 0), ("big", 1)):
            if self.stacks[seat] <= 0:
                raise ErraiError(
                    f"the stack of the {name} blind must be more than 0, not {shown(self.stacks[seat])}"
                )
        if self.small_blind <= 0:
            raise ErraiError(f"the small blind must be more than 0, not {shown(self.small_blind)}")
        if self.big_blind < self.small_blind:
            raise ErraiError(
                f"the big blind of {shown(self.big_blind)} must not be smaller than the small blind of "
                f"{shown(self.small_blind)}"
            )
        if self.ante < 0:
            raise ErraiError(f"the ante must be 0 or more, not {shown(self.ante)}")

    @property
    def posted(self) -> tuple[Chips, Chips]:
        """What each has put in before the cards."""
        return (
            min(self.stacks[0], self.ante + self.small_blind),
            min(self.stacks[1], self.ante + self.big_blind),
        )

    @property
    def effective(self) -> Chips:
        """What a showdown is played for."""
        return min(self.stacks)

    @property
    def small_blind_decides(self) -> bool:
        """Whether the small blind may still fold."""
        small, big = self.posted
        return small < self.stacks[0] and (small < big or big < self.stacks[1])

    @property
    def big_blind_decides(self) -> bool:
        """Whether the big blind may still fold to a jam, or jam after a call."""
        return self.small_blind_decides and self.posted[1] < self.effective


def shown(chips: Chips) -> str:
    """An amount as people write it, also one that no float can hold."""
    return f"{float(chips):.10g}" if abs(chips) < 10**300 else "a number of more than 300 digits"
