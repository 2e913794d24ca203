"""The one interface of whatever plays: queried by the state of a hand, it answers with a decision.

    strategy = errai.load("out/leduc")                              of any kind
    strategy.decision(state)                                        all hands at a state of errai.games.state
    strategy.decision("cr")                                         the same, with the betting written out
    strategy.decision("cr/", "3d", values=True).values              expected chips of every action for every hand
    strategy.probabilities("4c", "cr")                              {"f": .., "c": .., "r": ..}

A kind of strategy is a subclass in a file of its own (errai.strategy.kinds). Besides decisions it offers what it can:
`info`, `check`, `export`, `evaluate`, `verify`; what it cannot do is an ErraiError of one line.
"""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import Deck, hand_count, hand_index, hands
from errai.engine.evaluation import Evaluation
from errai.errors import ErraiError
from errai.files.manifest import MANIFEST, check_open_file
from errai.files.pending import located
from errai.files.reading import compare, open_file, understood
from errai.games.definition import GameDefinition
from errai.games.lookup import hand_cards
from errai.games.state import Cards, HandState, parse_state

Rows = list[tuple[str, str]]  # labels and what they say


def live_hands(game: GameDefinition, cards: Iterable[int]) -> NDArray[np.bool_]:
    """[N] the hands that hold none of these public cards."""
    holes = hands(game.deck_size, game.hole_cards)
    return np.asarray(~np.isin(holes, np.array(list(cards), holes.dtype)).any(axis=1), np.bool_)


@dataclass(frozen=True)
class Decision:
    """One decision for all hands: N hands in the order of `errai.cards.notation.hands`.

    `values[h, a]` is what the player to act wins in the whole hand, in chips, on average: holding h, taking action a
    now and playing the strategy from then on, against the opponent's hands as the strategy brings them here. It is
    net of all that was put in, so folding is worth minus what the player has spent. It is nan where the opponent can
    hold nothing.
    """

    player: int
    actions: tuple[str, ...]  # "f", "c" and "r"; in no-limit games "r300"
    probabilities: NDArray[np.float64]  # [N, actions], nan for hands that cannot be held here
    values: NDArray[np.float64] | None = None  # [N, actions] chips; None when they were not wanted


@dataclass(frozen=True, eq=False)
class Saved:
    """Where a strategy was read from. Its files stay open, so that they are its own even when others replace them."""

    folder: Path
    content: dict[str, Any]  # of the manifest, in the present version
    _open: dict[str, BinaryIO] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name, checksum in self._files().items():
            with suppress(OSError):  # what is missing is found when it is read
                self._open[name] = open_file(located(self.folder, name, checksum))

    def check(self) -> int:
        """Read every file that the manifest names; returns how many. The first that is damaged is an ErraiError."""
        files = self._files()
        for name, checksum in files.items():
            check_open_file(self.folder / name, self._file(name), checksum)
        return len(files)

    def read(self, name: str) -> bytes:
        """All of a file that the manifest names, checked."""
        file, checksum = self._file(name), self._files()[name]
        file.seek(0)
        content = file.read()
        compare(self.folder / name, zlib.crc32(content), checksum)
        return content

    def _file(self, name: str) -> BinaryIO:
        if name not in self._open:
            raise ErraiError(f"{self.folder / name} is missing; the folder is not complete")
        return self._open[name]

    def _files(self) -> dict[str, int]:
        with understood(self.folder / MANIFEST):
            return {str(name): int(checksum) for name, checksum in self.content["files"].items()}


class Strategy(ABC):
    """What both players do in every state of a hand."""

    kind: ClassVar[str]  # as the manifest says it
    described: ClassVar[str]  # in messages: "an exact solution"
    units: ClassVar[tuple[str, str]] = ("chips", "mbb/g")  # of values and of their thousandths
    saved: Saved | None = None

    @property
    @abstractmethod
    def game(self) -> GameDefinition:
        """The rules that it plays by."""

    @property
    def title(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def big_blind(self) -> float:
        """Chips of one big blind, for milli-big-blinds."""
        return self.game.unit

    @property
    def seats(self) -> tuple[str, str]:
        """The names of the seats: by their blinds, where these differ."""
        return self.game.seat_names

    def decision(
        self, state: HandState | str = "", board: Cards = (), *, values: bool = False, threads: int = 1
    ) -> Decision:
        """All hands at a state, or where betting and board lead; with `values` what every action is worth."""
        return self.decide(self.state(state, board), values=values, threads=threads)

    @abstractmethod
    def decide(self, state: HandState, *, values: bool = False, threads: int = 1) -> Decision:
        """All hands at a state, which has a decision of this strategy."""

    def state(self, betting: HandState | str = "", board: Cards = ()) -> HandState:
        """The state of a decision: as it is given, or where betting and board lead from the strategy's beginning."""
        if isinstance(betting, HandState):
            state = betting
            if state.game != self.game:
                raise ErraiError(
                    f"the state is one of {state.game.name}, and the strategy plays {self.game.name}"
                )
        else:
            state = parse_state(self.game, betting, board)
        return decidable(state)

    def probabilities(
        self, hand: Sequence[int] | str, state: HandState | str = "", board: Cards = ()
    ) -> dict[str, float]:
        """Action -> probability for one hand."""
        where = self.state(state, board)
        number, decision = self.hand_number(hand, where), self.decide(where)
        return dict(zip(decision.actions, map(float, decision.probabilities[number]), strict=True))

    def hand_number(self, hand: Sequence[int] | str, state: HandState) -> int:
        """The number of a hand that can be held at a state."""
        deck = Deck(self.game.ranks, self.game.suits)
        return hand_index(hand_cards(self.game, deck, hand, state.cards))

    def range_of(self, player: int) -> NDArray[np.float64]:
        """[N] how likely a player is to hold each hand where the strategy begins."""
        return np.ones(hand_count(self.game.deck_size, self.game.hole_cards))

    def beginning(self) -> tuple[str, str]:
        """The betting and the board of the whole hand where the strategy begins."""
        return "", ""

    def reach(self, state: HandState, player: int) -> NDArray[np.float64]:
        """[N] how often each hand of a player plays so as to get to a state, given that the others let it.

            reach[h] = the product of the player's own probabilities on the way

        Neither the opponent's choices nor the cards count, nor the range where the strategy begins. It is 0 for hands
        that cannot be held.
        """
        before = parse_state(self.game, self.beginning()[0])
        reach = live_hands(self.game, state.cards).astype(np.float64)
        for action in state.actions[len(before.actions) :]:
            if before.player == player:
                known = state.cards[: self.game.board_sizes[before.round]]
                reach *= self.share_of(before.on_board(known), action)
            before = before.act(action)
        return reach

    def share_of(self, state: HandState, action: str) -> NDArray[np.float64]:
        """[N] how often each hand takes an action; 0 for an action that the strategy does not know."""
        decision = self.decide(state)
        letters = [known[0] for known in decision.actions]
        if action[0] not in letters:
            return np.zeros(len(decision.probabilities))
        return np.nan_to_num(decision.probabilities[:, letters.index(action[0])])

    def ranges(
        self, state: HandState | str = "", board: Cards = ()
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """[N] by seat: both ranges as the strategy gets to a state, where it begins times `reach`."""
        where = self.state(state, board)
        return self.range_of(0) * self.reach(where, 0), self.range_of(1) * self.reach(where, 1)

    def with_stacks(self, stacks: tuple[int, int]) -> Strategy:
        """The same strategy for other stacks, of the small and the big blind, where it is made for all of them."""
        raise self.cannot("be queried for other stacks")

    def information_set(self, name: str) -> tuple[int, dict[str, float]]:
        """(player, action -> probability) of an information set by its name."""
        raise self.cannot("be queried by the name of an information set")

    def info(self) -> Rows:
        """What it is, how it was made and how exploitable it is, as labels and texts."""
        return [("game", self.game.name), ("kind", self.described)]

    def check(self) -> str | None:
        """Read all files and compare their checksums; says what was checked, None where nothing was saved."""
        if self.saved is None:
            return None
        count = self.saved.check()
        return f"the manifest and {count} file{'' if count == 1 else 's'} are as they were saved"

    def export(self, path: Path) -> int:
        """Write its probabilities as a table, .csv or .json; returns how many rows there are."""
        raise self.cannot("be written as a table")

    def evaluate(self, threads: int = 1) -> Evaluation:
        """Its value and the best responses to it, computed in memory."""
        raise self.cannot("be measured by a best response")

    def cannot(self, what: str) -> ErraiError:
        """What this kind of strategy does not offer, as an error to raise."""
        return ErraiError(f"{self.described} cannot {what}")


def decidable(state: HandState) -> HandState:
    """The state, if somebody is to act and all public cards are known."""
    if state.over:
        raise ErraiError(f"betting {state.betting!a} ends the hand; there is no decision after it")
    if state.awaits_cards:
        wanted, known = state.game.board_sizes[state.round], len(state.cards)
        raise ErraiError(f"this decision needs {wanted} board card{'' if wanted == 1 else 's'}, not {known}")
    return state
