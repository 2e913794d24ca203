"""No-limit games for the tests."""

from dataclasses import replace

from errai.games.catalogue import load_game
from errai.games.definition import UNLIMITED_RAISES, GameDefinition

# The ACPC's heads-up no-limit game: 200 big blinds, seat 1 is the button.
DEEP = replace(
    load_game("holdem"),
    name="nolimit",
    betting="nolimit",
    blinds=(100, 50),
    raise_sizes=(),
    max_raises=(UNLIMITED_RAISES,) * 4,
    stacks=(20000, 20000),
)

# Three big blinds, and the flop is the last round: every betting can be listed.
SHORT = replace(
    load_game("holdem-2-1"),
    name="nolimit-short",
    betting="nolimit",
    blinds=(2, 1),
    raise_sizes=(),
    max_raises=(UNLIMITED_RAISES,) * 2,
    stacks=(6, 6),
)


def with_stacks(game: GameDefinition, *stacks: int) -> GameDefinition:
    """The same no-limit game with other stacks."""
    return replace(game, stacks=stacks)
