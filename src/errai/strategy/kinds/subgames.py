"""A solution in subgames: its first rounds in memory, the rest in compressed chunks that are read when queried.

    folder/strategy.json        the manifest: the game, how it was divided, how it was found, how exploitable it is
    folder/trunk.npy            the weights of the first rounds
    folder/ranges.npy           the players' ranges, where they are not uniform
    folder/chunks-N/            the subgames as pass N left them (errai.scale.chunk), each with checksums of its own

It may be far larger than memory: a query reads one subgame, a best response all of them, one after the other.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.evaluation import Evaluation, evaluation_of
from errai.engine.kernels.arrays import Weights
from errai.engine.layout import Layout
from errai.errors import ErraiError
from errai.files.manifest import MANIFEST, Saving, saving
from errai.files.pending import located
from errai.files.reading import inside, load_array, require_finite, understood, whole
from errai.files.writing import make_folder
from errai.games.lookup import BettingTree
from errai.games.spot import Spot, pair_weight
from errai.games.spot_json import RANGES, load_spot, spot_to_json
from errai.games.template import Node
from errai.scale.chunk import chunk_path, read_chunk
from errai.scale.codes import grids_for, sizes_of
from errai.scale.crew import LocalCrew
from errai.scale.division import Division, Subgame, divide
from errai.scale.passes import TrunkWalker, evaluate
from errai.scale.stores import SEATS, DiskStore, SubgameStore, last_pass, require_pass
from errai.strategy.info import made_by, measured_text, megabytes
from errai.strategy.kinds.exact import OnLayout
from errai.strategy.limit import Board, LimitStrategy
from errai.strategy.lookup import Place, find_board
from errai.strategy.strategy import Rows, Saved

TRUNK, CHUNKS = "trunk.npy", "chunks"
Weighed = NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class SubgameStrategy(LimitStrategy):
    """Both players' strategies. Probabilities are proportional to weights, in the trunk and in the subgames."""

    kind = "subgames"
    described = "a solution in subgames"
    looks_ahead = 1  # all that follows a decision of the last two rounds is in a few subgames

    division: Division
    trunk: NDArray[np.float32]
    store: SubgameStore
    average: bool  # whether averages are played, or regrets
    passes: int
    saved: Saved | None = field(default=None, repr=False)
    chunks: Path | None = field(default=None, repr=False)
    _read: dict[int, tuple[Layout, Weighed]] = field(default_factory=dict, repr=False)

    precision = np.int16

    @property
    def spot(self) -> Spot:
        return self.division.spot

    @cached_property
    def tree(self) -> BettingTree:
        return BettingTree(self.spot.state, self.division.templates, self.division.contexts)

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        return self.division.isomorphism

    def on_board(self, board: Board) -> Any:
        levels = len(self.division.templates)
        level = levels - self.game.rounds + len(board) - 1
        dealt = board[len(board) - level :]
        border = self.division.level
        if level < border:
            return OnLayout(self.division.trunk, self.trunk, find_board(self.division.trunk, dealt))
        place = find_board(self.division.trunk, dealt[:border])
        return _OnSubgames(self, place, dealt[border:])

    def read(self, subgame: Subgame) -> tuple[Layout, Weighed]:
        """The layout of a subgame and what is played in it; the one that was read last is kept."""
        if subgame.number not in self._read:
            layout = self.division.layout(subgame)
            weights = sizes_of(self.store.reading(subgame, layout, self.average))
            self._read.clear()
            self._read[subgame.number] = layout, weights
        return self._read[subgame.number]

    def boards(self, level: int) -> Iterator[list[int]]:
        for layout in self._layouts(level):
            tree, at = (
                layout.shape.tree,
                level if layout is self.division.trunk else level - self.division.level,
            )
            for cards in tree.cards[tree.levels[at] : tree.levels[at + 1], : tree.public[at]]:
                yield [int(card) for card in cards]

    def board_count(self, level: int) -> int:
        first = 0 if level < self.division.level else self.division.level
        return sum(int(np.diff(layout.shape.tree.levels)[level - first]) for layout in self._layouts(level))

    def _layouts(self, level: int) -> Iterator[Layout]:
        """The layouts that together have every board of a level once."""
        if level < self.division.level:
            yield self.division.trunk
            return
        for subgame in self.division.subgames:
            if subgame.k == 0:
                yield self.division.layout(subgame)

    def evaluate(self, threads: int = 1) -> Evaluation:
        """Value and best responses, subgame by subgame."""
        crew = LocalCrew(self.division, self.store, threads)
        walker = TrunkWalker(self.division, np.float64)
        value, *best = evaluate(walker, crew, Weights(self.trunk), self.average, lambda subgame: None)
        return evaluation_of(self.division.trunk, value, best, pair_weight(self.spot))

    def info(self) -> Rows:
        about = {} if self.saved is None else self.saved.content["about"]
        division = self.division
        rows = [
            ("game", self.game.name),
            ("kind", f"every hand apart, in {len(division.subgames):,} subgames"),
        ]
        if division.flops is not None:
            shown = [self.spot.deck.format_cards(flop) for flop in division.flops]
            more = f" and {len(shown) - 4:,} more" if len(shown) > 4 else ""
            rows.append(("only flops", ", ".join(shown[:4]) + more))
        size = 0 if self.chunks is None else sum(
            file.stat().st_size for file in self.chunks.rglob("*") if file.is_file()
        )  # fmt: skip
        return [
            *rows,
            *made_by(about),
            ("exploitability", measured_text(about)),
            ("size", megabytes(self.trunk.nbytes + size)),
        ]

    def check(self) -> str | None:
        if self.saved is None or self.chunks is None:
            return None
        files = self.saved.check()
        run = self.division.fingerprint()
        for subgame in self.division.subgames:
            for seat in SEATS:
                path = chunk_path(self.chunks, subgame.number, seat)
                require_pass(path, read_chunk(path, run, subgame.number, seat), last_pass(self.passes, seat))
        count = len(SEATS) * len(self.division.subgames)
        return f"the manifest, {files} file{'' if files == 1 else 's'} and {count:,} chunks are as they were saved"

    def save(
        self, folder: Path, about: Mapping[str, Any], beside: Callable[[Saving], None] = lambda new: None
    ) -> None:
        """Save to a folder; chunks that are on the same disk already are linked, not copied."""
        make_folder(folder)
        name = f"{CHUNKS}-{self.passes}"
        before = [path for path in folder.glob(f"{CHUNKS}-*") if path.name != name]
        for subgame in self.division.subgames:
            self.store.save(subgame, self.division.layout(subgame), folder / name, self.passes)
        with saving(folder) as new:
            new.array(TRUNK, self.trunk)
            spot, ranges = spot_to_json(self.spot)
            if ranges is not None:
                new.array(RANGES, ranges)
            beside(new)
            flops = self.division.flops
            new.commit(
                self.kind,
                spot=spot,
                fingerprint=self.division.fingerprint(),
                flops=None if flops is None else [list(flop) for flop in flops],
                isomorphism=self.division.isomorphism,
                average=self.average,
                passes=self.passes,
                chunks=name,
                about=dict(about),
            )
        for old in before:
            shutil.rmtree(old, ignore_errors=True)

    @classmethod
    def open(cls, folder: Path, content: dict[str, Any]) -> SubgameStrategy:
        """The strategy of a folder; its chunks stay on the disk."""
        path = folder / MANIFEST
        with understood(path):
            spot = load_spot(folder, content["spot"], content["files"].get(RANGES))
            division = divide(spot, bool(content["isomorphism"]), read_flops(content["flops"]))
            if content["fingerprint"] != division.fingerprint():
                raise ErraiError(
                    f"{path} was saved with another order of hands and boards; "
                    "use the Errai that saved it, or solve again"
                )
            checksum = whole(content["files"][TRUNK])
            where = located(folder, TRUNK, checksum)
            trunk = load_array(where, np.dtype(np.float32), (division.trunk_numbers,), checksum)
            require_finite(where, trunk)
            average, passes = bool(content["average"]), whole(content["passes"], 2)
            chunks = inside(folder, content["chunks"])
        grids = grids_for(spot.game, division.numbers, with_average=True)
        store = DiskStore(chunks, grids, division.fingerprint(), passes=passes)
        return cls(division, trunk, store, average, passes, Saved(folder, content), chunks)


def read_flops(flops: object) -> tuple[tuple[int, ...], ...] | None:
    """Flops of a manifest; else a ValueError, for `understood`."""
    if flops is None:
        return None
    if not isinstance(flops, list) or not flops:
        raise ValueError("its flops are no list")
    return tuple(tuple(whole(card, 0, 51) for card in flop) for flop in flops)


class _OnSubgames:
    """The weights of one board, whose contexts may be in several subgames."""

    def __init__(self, strategy: SubgameStrategy, border: Place, dealt: Sequence[Sequence[int]]) -> None:
        self._strategy, self._border, self._dealt = strategy, border, dealt
        self._subgames = [
            subgame for subgame in strategy.division.subgames if subgame.first <= border.board < subgame.last
        ]

    @cached_property
    def live(self) -> NDArray[np.bool_]:
        return self._on(self._subgames[0]).live

    def weights(self, nodes: Sequence[Node], contexts: Sequence[int]) -> NDArray[Any]:
        above = self._strategy.division.contexts[self._strategy.division.level]
        wanted = np.array(contexts)
        found: NDArray[Any] | None = None
        for subgame in self._subgames:
            inside_it = (wanted % above >= subgame.k) & (wanted % above < subgame.k + subgame.K)
            if not inside_it.any():
                continue
            local = wanted[inside_it] // above * subgame.K + wanted[inside_it] % above - subgame.k
            part = self._on(subgame).weights(nodes, local.tolist())
            if found is None:
                found = np.zeros((*part.shape[:2], len(wanted)), part.dtype)
            found[:, :, inside_it] = part
        assert found is not None
        return found

    def _on(self, subgame: Subgame) -> OnLayout:
        layout, weights = self._strategy.read(subgame)
        root = self._border.board - subgame.first
        place = find_board(layout, self._dealt, Place(root, self._border.cards))
        return OnLayout(layout, weights, place)
