"""A strategy on buckets of hands, for games too large to be solved hand by hand.

    folder/strategy.json     what it is: game, abstraction, how it was made, how good it was measured to be, checksums
    folder/preflop.blocks    and so on, a file for each round: the probabilities, in 255ths (errai.strategy.quantised)
    folder/abstraction/      which hand is in which bucket; or another folder, which the manifest names; with all
                             tables or without (errai.abstraction.packing), as small as the strategy itself

A round is a table [K, A, buckets]: contexts, rows of actions as in the round's template, buckets. A block of its
file is one decision in one context, [actions - 1, buckets], so that a question reads one small block; the last action
has what the others leave. More than 65,536 buckets are cut into pieces, of which only those that a board needs are
read. The buckets of a round may be in another order, in which neighbours are alike and pack well; then a file
river.order.npy says where each of them is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.files.blocks import BlockFile, stream_blocks
from errai.files.reading import read_array, read_manifest, understood
from errai.files.writing import make_folder, replacing_file, write_array, write_json
from errai.games.definition import GameDefinition, parse_game
from errai.games.lookup import BettingTree, Board, betting_tree, board_by_round, find_decision
from errai.games.spot import Spot, whole_game
from errai.games.template import Node
from errai.strategy.quantised import UNITS, with_last, without_last
from errai.strategy.strategy import Decision, probabilities_of

if TYPE_CHECKING:
    from errai.abstraction.abstraction import Abstraction

VERSION, KIND = 2, "buckets"
MANIFEST, TABLES = "strategy.json", "abstraction"
ROUNDS = ("preflop", "flop", "turn", "river")
ABOUT = ("algorithm", "iterations", "seconds", "command", "strategy")  # what must be known of a strategy
PIECE = 1 << 16  # buckets of a block

Rows = Callable[[int], NDArray[np.uint8]]  # context -> [A, buckets], already quantised


class Blueprint:
    """Both players' strategies on buckets. Nothing but the manifest and the indices of the files is in memory."""

    def __init__(self, folder: Path, content: dict[str, Any], abstraction: Abstraction | None = None) -> None:
        self.folder, self.content = folder, content
        path = folder / MANIFEST
        with understood(path):
            self.game: GameDefinition = parse_game(content["game"], name=content["name"])
            self.about: dict[str, Any] = dict(content["about"])
            self.counts: tuple[int, ...] = tuple(int(count) for count in content["abstraction"]["counts"])
            self.tables: Path = folder / content["abstraction"]["folder"]
            self.tree: BettingTree = betting_tree(self.game)
            if not len(self.counts) == len(content["rounds"]) == self.game.rounds:
                raise ValueError(f"{self.game.name} has {self.game.rounds} rounds")
            self.files: tuple[BlockFile, ...] = tuple(
                BlockFile(folder / of["file"]) for of in content["rounds"]
            )
            for round_, (file, of) in enumerate(zip(self.files, content["rounds"], strict=True)):
                wanted = (
                    self.tree.contexts[round_] * len(self.tree.templates[round_].nodes) * self._pieces(round_)
                )
                if file.checksum != int(of["crc32"]) or len(file) != wanted:
                    raise ErraiError(f"{file.path} is not the file of this strategy that {path} speaks of")
            self._places = tuple(self._place(of) for of in content["rounds"])
        if abstraction is not None:
            self.abstraction = self._checked(abstraction)

    def _place(self, of: dict[str, Any]) -> NDArray[np.uint32] | None:
        """[buckets] where each bucket of a round is, unless they are in order."""
        if "order" not in of:
            return None
        place = np.empty(int(of["buckets"]), np.uint32)
        read_array(self.folder / of["order"]["file"], place, int(of["order"]["crc32"]))
        return place

    @cached_property
    def abstraction(self) -> Abstraction:
        """Which hand is in which bucket."""
        from errai.abstraction.saved import load_abstraction

        return self._checked(load_abstraction(self.tables))

    @cached_property
    def spot(self) -> Spot:
        """Where the strategy begins: at the first card."""
        return whole_game(self.game)

    @property
    def information_sets(self) -> int:
        """Decisions in all contexts, times buckets."""
        return sum(
            K * len(template.nodes) * count
            for K, template, count in zip(self.tree.contexts, self.tree.templates, self.counts, strict=True)
        )

    @property
    def bytes(self) -> int:
        """What the probabilities take on the disk."""
        return sum(file.bytes for file in self.files)

    def decision(self, betting: str = "", board: Board = ()) -> Decision:
        """All hands at the decision after `betting`; `board` is the public cards, by round or as a text."""
        point = find_decision(self.tree, betting)
        sizes = self.game.board_cards[: point.level + 1]
        cards = board_by_round(self.spot.deck, sizes, board)
        buckets = self.buckets(cards)
        live = buckets >= 0
        shares = np.full((len(buckets), len(point.node.actions)), np.nan)
        rows = self._probabilities(point.level, point.context, point.node, buckets[live])
        shares[live] = rows.T / UNITS
        return Decision(point.node.player, point.node.actions, shares)

    def probabilities(
        self, hand: Sequence[int] | str, betting: str = "", board: Board = ()
    ) -> dict[str, float]:
        """Action -> probability for one hand."""
        return probabilities_of(self, hand, betting, board)

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
        """Ask about one board of each round, so that no later question waits for compiled code to be loaded.

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
                part = with_last(self.files[round_].read(self._block(round_, context, node, piece)))
                columns = slice(piece * PIECE, piece * PIECE + part.shape[1])
                rows[node.row : node.row + len(node.actions), columns] = part
        place = self._places[round_]
        return rows if place is None else rows[:, place]

    def verify(self, tell: Callable[[int, int], None] = lambda done, of: None) -> int:
        """Check every block; returns how many there are. The first that is damaged is an ErraiError that names it."""
        total = sum(map(len, self.files))
        done = 0
        for file in self.files:
            for block in range(len(file)):
                file.check(block)
                done += 1
                tell(done, total)
        return total

    def _probabilities(
        self, round_: int, context: int, node: Node, buckets: NDArray[np.int64]
    ) -> NDArray[np.uint8]:
        """[actions, hands] of one decision for the buckets [hands]."""
        rows = np.empty((len(node.actions), len(buckets)), np.uint8)
        place = self._places[round_]
        columns = buckets if place is None else place[buckets].astype(np.int64)
        pieces = columns // PIECE
        for piece in sorted(set(pieces.tolist())):
            here = pieces == piece
            block = self.files[round_].read(self._block(round_, context, node, piece))
            rows[:, here] = with_last(block[:, columns[here] - piece * PIECE])
        return rows

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


def save_blueprint(
    folder: Path,
    game: GameDefinition,
    abstraction: Abstraction,
    rounds: Sequence[Rows],
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
    make_folder(folder)
    written = []
    with ExitStack() as files:
        # The manifest takes its place last, when everything it speaks of is there.
        manifest = files.enter_context(replacing_file(folder / MANIFEST))
        for round_, (rows, order) in enumerate(zip(rounds, orders or [None] * len(rounds), strict=True)):
            name, count = f"{ROUNDS[round_]}.blocks", abstraction.counts[round_]
            new = files.enter_context(replacing_file(folder / name))
            checksum = stream_blocks(new, _blocks(tree, round_, count, rows, order))
            of = {"file": name, "buckets": count, "contexts": tree.contexts[round_], "crc32": checksum}
            if order is not None:
                where = f"{ROUNDS[round_]}.order.npy"
                place = np.argsort(order).astype(np.uint32)
                checksum = write_array(files.enter_context(replacing_file(folder / where)), place)
                of["order"] = {"file": where, "crc32": checksum}
            written.append({**of, "bytes": new.stat().st_size})
        buckets = TABLES if tables is None else Path(os.path.relpath(tables, folder)).as_posix()
        content = {
            "format": "errai strategy",
            "version": VERSION,
            "kind": KIND,
            "name": game.name,
            "game": game.text(),
            "abstraction": {
                "name": abstraction.name,
                "folder": buckets,
                "counts": list(abstraction.counts),
                "crc32": abstraction.fingerprint,
            },
            "about": dict(about),
            "exploitability": None,
            "rounds": written,
        }
        write_json(manifest, content)


def open_blueprint(folder: Path | str, abstraction: Abstraction | None = None) -> Blueprint:
    """The strategy of a folder, with its own abstraction or the one given.

    If its abstraction is missing or damaged, the first question that needs it says so.
    """
    path = Path(folder) / MANIFEST
    content = read_manifest(path, "strategy", VERSION)
    if content.get("kind") != KIND:
        raise ErraiError(f"{path} is not of a strategy on buckets: its kind is {content.get('kind')!a}")
    opened = Blueprint(Path(folder), content, abstraction)
    with suppress(ErraiError):
        opened.abstraction.open()
    return opened


def measured(folder: Path | str, figures: Mapping[str, Any]) -> None:
    """Write into a saved strategy how good it was measured to be: exploitability_mbb, and how that was found."""
    path = Path(folder) / MANIFEST
    content = read_manifest(path, "strategy", VERSION)
    with replacing_file(path) as new:
        write_json(new, {**content, "exploitability": dict(figures)})


def described(folder: Path | str, about: Mapping[str, Any]) -> None:
    """Write into a saved strategy, again, how it was made."""
    path = Path(folder) / MANIFEST
    content = read_manifest(path, "strategy", VERSION)
    with replacing_file(path) as new:
        write_json(new, {**content, "about": dict(about)})


def _blocks(
    tree: BettingTree, round_: int, count: int, rows: Rows, order: NDArray[np.int64] | None
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
