"""A strategy on buckets of hands, for games too large to be solved hand by hand.

    folder/strategy.json     the manifest: game, abstraction, how it was made, how exploitable it is, checksums
    folder/preflop.blocks    and so on, a file for each round: the probabilities, in 255ths (errai.strategy.quantised)
    folder/abstraction/      which hand is in which bucket; or another folder, which the manifest names; with all
                             tables or without (errai.abstraction.packing), as small as the strategy itself

A round is a table [K, A, buckets]: contexts, rows of actions as in the round's template, buckets. A block of its
file is one decision in one context, [actions - 1, buckets], so that a query reads one small block; the last action
has what the others leave. More than 65,536 buckets are cut into pieces, of which only those that a board needs are
read. The buckets of a round may be in another order, in which neighbours are alike and pack well; then a file
river.order.npy says where each of them is.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.files.blocks import BlockFile
from errai.files.manifest import MANIFEST, saving, update_manifest
from errai.files.pending import located, steadily
from errai.files.reading import load_array, understood, whole
from errai.games.definition import GameDefinition, parse_game
from errai.games.lookup import BettingTree, betting_tree
from errai.games.spot import Spot, whole_game
from errai.games.template import Node
from errai.strategy.info import made_by, measured_text
from errai.strategy.limit import Board, LimitStrategy
from errai.strategy.quantised import UNITS, with_last, without_last
from errai.strategy.strategy import Rows, Saved

if TYPE_CHECKING:
    from errai.abstraction.abstraction import Abstraction

TABLES = "abstraction"
ROUNDS = ("preflop", "flop", "turn", "river")
ABOUT = ("algorithm", "iterations", "seconds", "command", "strategy")  # what must be known of a strategy
PIECE = 1 << 16  # buckets of a block
BLOCKS_KEPT = 256  # in memory, of those read last: all below a decision on the turn
BOARDS_KEPT = (
    16  # with the buckets of their hands: the way to a decision asks for each of its boards several times
)

Probabilities = Callable[[int], NDArray[np.uint8]]  # context -> [A, buckets], already quantised


class BucketStrategy(LimitStrategy):
    """Both players' strategies on buckets. Nothing but the manifest and the indices of the files is in memory."""

    kind = "buckets"
    described = "a strategy on buckets"
    looks_ahead = 1

    def __init__(self, folder: Path, content: dict[str, Any], abstraction: Abstraction | None = None) -> None:
        self.folder, self.content = folder, content
        self.saved = Saved(folder, content)
        path = folder / MANIFEST
        with understood(path):
            self._game = parse_game(content["game"], name=content["name"])
            self.about: dict[str, Any] = dict(content["about"])
            self.counts: tuple[int, ...] = tuple(whole(n, 1) for n in content["abstraction"]["counts"])
            self.tables = tables_at(folder, content["abstraction"]["folder"])
            self._tree = betting_tree(self._game)
            if not len(self.counts) == len(content["rounds"]) == self._game.rounds:
                raise ValueError(f"{self._game.name} has {self._game.rounds} rounds")
            self.files: tuple[BlockFile, ...] = tuple(
                BlockFile(located(folder, of["file"], content["files"][of["file"]]))
                for of in content["rounds"]
            )
            for round_, (file, of) in enumerate(zip(self.files, content["rounds"], strict=True)):
                wanted = (
                    self.tree.contexts[round_] * len(self.tree.templates[round_].nodes) * self._pieces(round_)
                )
                if file.checksum != whole(content["files"][of["file"]]):
                    raise ErraiError(f"{file.path} is not the file of this strategy that {path} speaks of")
                file.require(np.uint8, wanted)
            self._places = tuple(self._place(*each) for each in enumerate(content["rounds"]))
        self._read = lru_cache(BLOCKS_KEPT)(self._decision)
        self._buckets_on = lru_cache(BOARDS_KEPT)(self.buckets)
        if abstraction is not None:
            self.abstraction = self._checked(abstraction)

    def _place(self, round_: int, of: dict[str, Any]) -> NDArray[np.uint32] | None:
        """[buckets] where each bucket of a round is, unless they are in order."""
        if "order" not in of:
            return None
        checksum, count = whole(self.content["files"][of["order"]]), self.counts[round_]
        path = located(self.folder, of["order"], checksum)
        place: NDArray[np.uint32] = load_array(path, np.dtype(np.uint32), (count,), checksum)
        if not np.array_equal(np.sort(place), np.arange(count)):
            raise ErraiError(f"{path} is damaged: it does not give every bucket a place of its own")
        return place

    def _decision(self, round_: int, context: int, node: Node, piece: int) -> NDArray[np.uint8]:
        """[actions, buckets of a piece] the probabilities of one decision, in 255ths."""
        file, block = self.files[round_], self._block(round_, context, node, piece)
        columns = min(PIECE, self.counts[round_] - piece * PIECE)
        rows = file.read(block, (len(node.actions) - 1, columns))
        if int(rows.sum(axis=0, dtype=np.int64).max(initial=0)) > UNITS:
            raise ErraiError(f"{file.path} is damaged in block {block:,}: its probabilities exceed 1")
        return with_last(rows)

    @property
    def game(self) -> GameDefinition:
        return self._game

    @property
    def tree(self) -> BettingTree:
        return self._tree

    @cached_property
    def abstraction(self) -> Abstraction:
        """Which hand is in which bucket."""
        from errai.abstraction.saved import load_abstraction

        return self._checked(load_abstraction(self.tables))

    @cached_property
    def _spot(self) -> Spot:
        return whole_game(self.game)

    @property
    def spot(self) -> Spot:
        return self._spot

    @property
    def bucket_decisions(self) -> int:
        """Decisions in all contexts, times buckets: the information sets of the game on buckets."""
        return sum(
            K * len(template.nodes) * count
            for K, template, count in zip(self.tree.contexts, self.tree.templates, self.counts, strict=True)
        )

    @property
    def bytes(self) -> int:
        """What the probabilities take on the disk."""
        return sum(file.bytes for file in self.files)

    @property
    def fingerprint(self) -> str:
        """What tells a strategy from any other."""
        parts = [file.checksum for file in self.files]
        parts.append(int(self.content["abstraction"]["crc32"]))
        return f"{zlib.crc32(np.array(parts, np.int64).tobytes()):08x}"

    def on_board(self, board: Board) -> _OnBoard:
        return _OnBoard(self, len(board) - 1, self._buckets_on(board))

    def buckets(self, cards: tuple[tuple[int, ...], ...]) -> NDArray[np.int64]:
        """[N] the bucket of every hand on the board of the last of these rounds, -1 where the board blocks it.

        Of the earlier rounds only those are looked at that the bucket refines.
        """
        from errai.abstraction.abstraction import buckets_on

        rounds = self.abstraction.rounds
        last = len(cards) - 1
        first = last
        while rounds[first].refine is not None:
            first -= 1
        begun = tuple(card for dealt in cards[: first + 1] for card in dealt)
        return buckets_on(rounds[first : last + 1], (begun, *cards[first + 1 :]), self.abstraction.deck)[-1]

    def prepare(self) -> None:
        """Query one board of each round, so that no later query waits for compiled code to be loaded.

        That takes half a second once in a process, and only where the abstraction comes without its tables.
        """
        cards = range(self.game.deck_size)
        for round_ in range(self.game.rounds):
            ends = [sum(self.game.board_cards[:r]) for r in range(round_ + 2)]
            self.buckets(tuple(tuple(cards[low:high]) for low, high in pairwise(ends)))

    def context_rows(self, round_: int, context: int) -> NDArray[np.uint8]:
        """[A, buckets] all probabilities of a round in one context, in 255ths."""
        template, count = self.tree.templates[round_], self.counts[round_]
        rows = np.empty((template.rows, count), np.uint8)
        for node in template.nodes:
            for piece in range(self._pieces(round_)):
                part = self._decision(round_, context, node, piece)
                columns = slice(piece * PIECE, piece * PIECE + part.shape[1])
                rows[node.row : node.row + len(node.actions), columns] = part
        place = self._places[round_]
        return rows if place is None else rows[:, place]

    def info(self) -> Rows:
        content = self.content
        with understood(self.folder / MANIFEST):
            about, abstraction = content["about"], content["abstraction"]
            counts = " / ".join(f"{count:,}" for count in self.counts)
            sizes = " + ".join(f"{file.bytes / 1e6:,.1f}" for file in self.files)
            levels = about.get("levels", UNITS)
            return [
                ("game", self.game.name),
                ("kind", f"{about['strategy']} strategy on buckets of hands, in {levels}ths"),
                ("buckets", f"{abstraction['name']}: {counts}"),
                *made_by(about),
                ("command", str(about["command"])),
                ("exploitability", measured_text(content["exploitability"])),
                ("size", f"{self.bytes / 1e6:,.1f} MB = {sizes} by round"),
            ]

    def check(self) -> str:
        """Check every block and every table of the buckets."""
        from errai.abstraction.saved import verify_abstraction

        for file in self.files:  # the rest was checked when it was opened
            for block in range(len(file)):
                file.check(block)
        parts = len(verify_abstraction(self.tables)) if self.tables.exists() else 0
        _ = self.abstraction  # which must be the one that the manifest speaks of
        blocks = sum(map(len, self.files))
        tables = f", and so are the {parts} parts of the buckets" if parts else ""
        return f"all {blocks:,} blocks are as they were saved{tables}"

    def probabilities_of(
        self, round_: int, context: int, node: Node, buckets: NDArray[np.int64]
    ) -> NDArray[np.uint8]:
        """[actions, hands] of one decision for the buckets [hands], in 255ths."""
        place = self._places[round_]
        columns = buckets if place is None else place[buckets].astype(np.int64)
        if self._pieces(round_) == 1:
            return self._read(round_, context, node, 0).take(columns, axis=1)
        rows = np.empty((len(node.actions), len(buckets)), np.uint8)
        pieces = columns // PIECE
        for piece in range(self._pieces(round_)):
            here = pieces == piece
            if here.any():
                block = self._read(round_, context, node, piece)
                rows[:, here] = block[:, columns[here] - piece * PIECE]
        return rows

    @classmethod
    def open(
        cls, folder: Path, content: dict[str, Any], abstraction: Abstraction | None = None
    ) -> BucketStrategy:
        """The strategy of a folder. If its abstraction is missing or damaged, the query that needs it says so."""
        opened = cls(folder, content, abstraction)
        with suppress(ErraiError):
            opened.abstraction.open()
        return opened

    @staticmethod
    def upgraded(content: dict[str, Any]) -> dict[str, Any]:
        """A manifest of version 2 as one of the present version."""
        files, rounds = {}, []
        for of in content["rounds"]:
            files[of["file"]] = int(of["crc32"])
            changes = {}
            if "order" in of:
                changes["order"] = of["order"]["file"]
                files[of["order"]["file"]] = int(of["order"]["crc32"])
            rounds.append({**{key: value for key, value in of.items() if key != "crc32"}, **changes})
        return {**content, "files": files, "rounds": rounds}

    def _pieces(self, round_: int) -> int:
        return -(-self.counts[round_] // PIECE)

    def _block(self, round_: int, context: int, node: Node, piece: int) -> int:
        nodes = self.tree.templates[round_].nodes
        if not 0 <= context < self.tree.contexts[round_]:
            raise ErraiError(
                f"round {round_ + 1} has {self.tree.contexts[round_]} contexts; there is no {context}"
            )
        return (context * len(nodes) + nodes.index(node)) * self._pieces(round_) + piece

    def _checked(self, abstraction: Abstraction) -> Abstraction:
        known = self.content["abstraction"]
        if (
            abstraction.game != self.game
            or abstraction.counts != self.counts
            or abstraction.fingerprint != known["crc32"]
        ):
            raise ErraiError(
                f"the strategy in {self.folder} was made for other buckets, {known['name']}; "
                f"{self.tables} or the abstraction given is not what it was"
            )
        return abstraction


class _OnBoard:
    """The probabilities of one board, found by the buckets of its hands."""

    def __init__(self, strategy: BucketStrategy, round_: int, buckets: NDArray[np.int64]) -> None:
        self._strategy, self._round, self._bucket = strategy, round_, buckets

    @property
    def live(self) -> NDArray[np.bool_]:
        return self._bucket >= 0

    def weights(self, nodes: Sequence[Node], contexts: Sequence[int]) -> NDArray[Any]:
        live = np.flatnonzero(self.live)
        buckets = self._bucket[live]
        rows = sum(len(node.actions) for node in nodes)
        of_live = np.empty((rows, len(live), len(contexts)), np.uint8)
        for k, context in enumerate(contexts):
            first = 0
            for node in nodes:
                last = first + len(node.actions)
                of_live[first:last, :, k] = self._strategy.probabilities_of(
                    self._round, context, node, buckets
                )
                first = last
        found = np.zeros((rows, len(self._bucket), len(contexts)), np.float32)
        found[:, live] = of_live
        return found


def save_buckets(
    folder: Path,
    game: GameDefinition,
    abstraction: Abstraction,
    rounds: Sequence[Probabilities],
    about: Mapping[str, Any],
    tables: Path | None = None,
    orders: Sequence[NDArray[np.int64] | None] | None = None,
) -> None:
    """Write a strategy. For each round, `rounds` gives the quantised probabilities of one context after the other.

    `orders` are the buckets of every round in the order in which they are written, or None as they are.

    `about` says how it was made: algorithm, iterations, seconds, command, strategy ("average" or "current"), and what
    else there is to say. The tables of the abstraction are not written; they are in `tables`, or will be in
    folder/abstraction.
    """
    if missing := [key for key in ABOUT if key not in about]:
        raise ErraiError(f"a strategy is saved with how it was made; {', '.join(missing)} is missing")
    tree = betting_tree(game)
    if len(rounds) != game.rounds or len(abstraction.counts) != game.rounds or abstraction.game != game:
        raise ErraiError(
            f"a strategy of {game.name} has {game.rounds} rounds, and buckets of this game for each"
        )
    described: list[dict[str, Any]] = []
    with saving(folder) as new:
        for round_, (rows, order) in enumerate(zip(rounds, orders or [None] * len(rounds), strict=True)):
            name, count = f"{ROUNDS[round_]}.blocks", abstraction.counts[round_]
            size = new.blocks(name, _blocks(tree, round_, count, rows, order))
            of: dict[str, Any] = {"file": name, "buckets": count, "contexts": tree.contexts[round_]}
            if order is not None:
                of["order"] = f"{ROUNDS[round_]}.order.npy"
                new.array(of["order"], np.argsort(order).astype(np.uint32))
            described.append({**of, "bytes": size})
        new.commit(
            BucketStrategy.kind,
            name=game.name,
            game=game.text(),
            abstraction={
                "name": abstraction.name,
                "folder": TABLES if tables is None else Path(os.path.relpath(tables, folder)).as_posix(),
                "counts": list(abstraction.counts),
                "crc32": abstraction.fingerprint,
            },
            about=dict(about),
            exploitability=None,
            rounds=described,
        )


def tables_at(folder: Path, written: object) -> Path:
    """The folder of the buckets that a manifest names, on the way from its own folder."""
    if type(written) is not str or not written.isprintable() or Path(written).is_absolute():
        raise ErraiError(f"{folder} is damaged: its manifest names {written!a}, which is no folder beside it")
    return folder / written


def open_buckets(folder: Path | str, abstraction: Abstraction | None = None) -> BucketStrategy:
    """The strategy on buckets of a folder, with its own abstraction or the one given."""
    from errai.strategy.files import manifest_of

    def read() -> BucketStrategy:
        content = manifest_of(Path(folder))
        if content["kind"] != BucketStrategy.kind:
            raise ErraiError(
                f"{folder} does not hold a strategy on buckets: its kind is {content['kind']!a}; give a folder that "
                "errai train saved"
            )
        return BucketStrategy.open(Path(folder), content, abstraction)

    return steadily(lambda: Path(folder) / MANIFEST, read)


def record_exploitability(folder: Path | str, figures: Mapping[str, Any]) -> None:
    """Write into a saved strategy what was measured: exploitability_mbb, and how that was found."""
    update_manifest(Path(folder), exploitability=dict(figures))


def _blocks(
    tree: BettingTree, round_: int, count: int, rows: Probabilities, order: NDArray[np.int64] | None
) -> Iterator[NDArray[np.uint8]]:
    template = tree.templates[round_]
    for context in range(tree.contexts[round_]):
        table = rows(context)
        if table.shape != (template.rows, count) or table.dtype != np.uint8:
            raise ErraiError(
                f"context {context} of round {round_ + 1} is {table.dtype} {table.shape}; "
                f"it must be uint8 ({template.rows}, {count})"
            )
        table = table if order is None else table[:, order]
        for node in template.nodes:
            for start in range(0, count, PIECE):
                yield without_last(table[node.row : node.row + len(node.actions), start : start + PIECE])
