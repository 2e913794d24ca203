"""An exact solution: the weights of every hand on every board, as the engine keeps them.

    folder/strategy.json    the manifest: the game, the spot, the precision, how it was found, how exploitable it is
    folder/strategy.npy     its weights as they are, in the order of the layout
    folder/ranges.npy       the players' ranges, where they are not uniform

Weights are mapped, not read: a strategy of many gigabytes opens at once, and a query reads the pages of its
decision only. Each megabyte is compared with its checksum when it is first used (errai.files.pieces). Weights keep
their type, so a loaded strategy is worth exactly what the saved one was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.cards.suits import TRIVIAL_GROUP
from errai.engine.evaluation import Evaluation, Evaluator
from errai.engine.fingerprint import fingerprint
from errai.engine.layout import Layout, counted_sizes, layout
from errai.engine.store import PRECISIONS, Numbers
from errai.errors import ErraiError
from errai.files.manifest import MANIFEST, Saving, saving
from errai.files.pending import located
from errai.files.pieces import Pieces, piece_checksums
from errai.files.reading import array_checksum, compare, map_array, reading, understood, whole
from errai.files.writing import make_folder, require_room
from errai.games.lookup import BettingTree
from errai.games.spot import Spot
from errai.games.spot_json import RANGES, load_spot, spot_to_json
from errai.games.state import HandState
from errai.games.template import Node
from errai.strategy.info import made_by, measured_text, megabytes
from errai.strategy.limit import Board, LimitStrategy
from errai.strategy.lookup import Place, classes_of, find_board, tree_of
from errai.strategy.strategy import Rows, Saved

WEIGHTS = "strategy.npy"
_MANIFEST_BYTES = 1 << 20
_SMALL = 1 << 26  # bytes of weights; for more, their order is worked out only if they are there


@dataclass(frozen=True, eq=False)
class ExactStrategy(LimitStrategy):
    """Both players' strategies. `weights` lie as the layout says; probabilities are proportional to them."""

    kind = "exact"
    described = "an exact solution"

    layout: Layout
    weights: Numbers  # of a saved one still to be checked: see `require_sound`
    saved: Saved | None = field(default=None, repr=False)
    pieces: Pieces | None = field(default=None, repr=False)

    @property
    def spot(self) -> Spot:
        return self.layout.spot

    @cached_property
    def tree(self) -> BettingTree:
        return tree_of(self.layout)

    @property
    def precision(self) -> np.dtype[Any]:  # type: ignore[override]
        return self.weights.dtype

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        return int(self.layout.shape.tree.group[0]) != TRIVIAL_GROUP

    def on_board(self, board: Board) -> OnLayout:
        level = self.layout.levels - self.game.rounds + len(board) - 1
        place = find_board(self.layout, board[len(board) - level :])
        first, last = self.layout.boards.offset[place.board : place.board + 2]
        self.require_sound(int(first), int(last))
        return OnLayout(self.layout, self.weights, place)

    def require_sound(self, first: int = 0, last: int | None = None) -> None:
        """Refuse weights that are not as they were saved: these, or with none given all of them."""
        if self.pieces is not None:
            self.pieces.require(first, last)

    def whole(self, state: HandState) -> tuple[Layout, Numbers] | None:
        if state.actions != self.spot.state.actions or not self.layout.shape.templates[0].nodes:
            return None
        self.require_sound()
        return self.layout, self.weights

    def boards(self, level: int) -> Iterator[list[int]]:
        tree = self.layout.shape.tree
        for cards in tree.cards[tree.levels[level] : tree.levels[level + 1], : tree.public[level]]:
            yield [int(card) for card in cards]

    def board_count(self, level: int) -> int:
        return int(np.diff(self.layout.shape.tree.levels)[level])

    def evaluate(self, threads: int = 1) -> Evaluation:
        """Value and best responses of this strategy."""
        self.require_sound()
        evaluator = Evaluator(self.layout, threads)
        try:
            return evaluator.evaluate(self.weights)
        finally:
            evaluator.close()

    def info(self) -> Rows:
        about = {} if self.saved is None else self.saved.content["about"]
        rows = [
            ("game", self.game.name),
            ("kind", f"exact: every hand apart, weights of type {self.weights.dtype.name}"),
        ]
        if not self.spot.whole_game:
            board = self.spot.deck.format_cards(self.spot.cards, " ")
            rows.append(("begins at", f"{board or 'no board'}, betting {self.spot.betting or 'none'}"))
        return [
            *rows,
            *made_by(about),
            ("exploitability", measured_text(about)),
            ("size", megabytes(self.weights.nbytes)),
        ]

    def check(self) -> str | None:
        if self.saved is not None and WEIGHTS not in self.saved.content["files"]:
            return "the weights have their size; no checksum was saved with them"
        return super().check()

    def save(
        self, folder: Path, about: Mapping[str, Any], beside: Callable[[Saving], None] = lambda new: None
    ) -> None:
        """Write it to a folder; `about` says how it was found and how exploitable it is.

        `beside` writes what is to be saved along with it.
        """
        make_folder(folder)
        require_room(folder, int(self.weights.nbytes) + _MANIFEST_BYTES)
        with saving(folder) as new:
            new.array(WEIGHTS, self.weights)
            spot, ranges = spot_to_json(self.spot)
            if ranges is not None:
                new.array(RANGES, ranges)
            beside(new)
            new.commit(
                self.kind,
                spot=spot,
                precision=self.weights.dtype.name,
                isomorphism=self.symmetric,
                layout=fingerprint(self.layout),
                pieces=piece_checksums(np.ascontiguousarray(self.weights)),
                about=dict(about),
            )

    @classmethod
    def open(cls, folder: Path, content: dict[str, Any]) -> ExactStrategy:
        """The strategy of a folder, its weights mapped from the disk."""
        path = folder / MANIFEST
        with understood(path):
            spot = load_spot(folder, content["spot"], content["files"].get(RANGES))
            dtype = np.dtype(PRECISIONS[content["precision"]])
            checksum = content["files"].get(WEIGHTS)
            where = located(folder, WEIGHTS, checksum)
            with reading(where):
                size = where.stat().st_size
            if not spot.cards and counted_sizes(spot)[0] * dtype.itemsize > max(size, _SMALL):
                raise ErraiError(f"{where} is damaged: it is too short for {spot.game.name}")
            places = layout(spot, isomorphism=bool(content["isomorphism"]))
            if content["layout"] != fingerprint(places):
                raise ErraiError(
                    f"{path} was saved with another order of hands and boards; "
                    "use the Errai that saved it, or solve again"
                )
        weights = map_array(where, dtype, (places.shape.numbers,))
        with understood(path):
            if "pieces" in content:
                pieces = Pieces(where, weights, [whole(crc) for crc in content["pieces"]])
                return cls(places, weights, Saved(folder, content), pieces)
            if checksum is not None:
                compare(where, array_checksum(weights), checksum)
        return cls(places, weights, Saved(folder, content))

    @staticmethod
    def upgraded(content: dict[str, Any]) -> dict[str, Any]:
        """A manifest of version 1 as one of the present version."""
        checksums = {WEIGHTS: content.get("weights_crc32"), RANGES: content.get("ranges_crc32")}
        files = {name: int(checksum) for name, checksum in checksums.items() if checksum is not None}
        rest = {key: content[key] for key in ("spot", "precision", "isomorphism", "layout", "about")}
        return {"kind": ExactStrategy.kind, "files": files, **rest}


class OnLayout:
    """The weights of one board, found by the classes of its hands."""

    def __init__(self, layout: Layout, weights: Numbers, place: Place) -> None:
        level = int(layout.boards.level[place.board])
        self._class = classes_of(layout, place)
        self._chunk = int(layout.betting.chunk[level])
        H, K = int(layout.shape.classes[place.board]), layout.shape.contexts[level]
        numbers = weights[layout.boards.offset[place.board] : layout.boards.offset[place.board + 1]]
        self._numbers = numbers.reshape(K // self._chunk, -1, H, self._chunk)

    @property
    def live(self) -> NDArray[np.bool_]:
        return self._class >= 0

    def weights(self, nodes: Sequence[Node], contexts: Sequence[int]) -> NDArray[Any]:
        row = np.concatenate([node.row + np.arange(len(node.actions)) for node in nodes])
        context = np.array(contexts)
        chunk, lane = context // self._chunk, context % self._chunk
        of_hand = np.maximum(self._class, 0)
        return np.asarray(self._numbers[chunk, row[:, None, None], of_hand[:, None], lane])
