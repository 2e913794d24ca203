"""A folder of buckets: what is in it, how it is opened, checked, and used without its large tables.

`abstraction.json` is the manifest: the game, the preset, the seed, and every part with its type, shape and CRC-32.
A part is an .npy file: the boards of a round, its cells [B, N], the rule that they came from (`flop_centres.npy`),
`refine` for perfect recall, and the clusters of opponents. While it is being made there are also the strengths of the
last round.

A folder without tables (errai.abstraction.packing) has the rules, from which the cells of any one board are found in
milliseconds, and the small tables of the rounds where that would take longer, packed.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction, RoundBuckets
from errai.abstraction.features import Hands, hands_of, spread_on
from errai.abstraction.grouping import Cells, Features, Rule
from errai.abstraction.packed import PackedTable
from errai.abstraction.presets import Preset, known_before, parse_preset
from errai.cards.canonical import CanonicalBoards, canonical_boards
from errai.cards.counting import canonical_deals
from errai.errors import ErraiError
from errai.files.reading import map_array, read_array, read_manifest, understood
from errai.files.writing import replacing_file, write_array, write_json
from errai.games.definition import GameDefinition, parse_game

MANIFEST = "abstraction.json"
KIND = "abstraction"
VERSION = 1
CLUSTERS_FILE = "opponent_clusters.npy"
STRENGTHS_FILE = "last_strengths.npy"


def round_name(game: GameDefinition, round_: int) -> str:
    """preflop, flop, turn, river; round_1 and so on in other games."""
    return ("preflop", "flop", "turn", "river")[round_] if game.rounds == 4 else f"round_{round_ + 1}"


def file_of(game: GameDefinition, round_: int, what: str) -> str:
    return f"{round_name(game, round_)}_{what}.npy"


def boards_of(of: Hands, dealt: tuple[int, ...]) -> int:
    """How many canonical boards there are after these deals."""
    return canonical_deals(of.deck.ranks, of.deck.suits, dealt)


class Parts:
    """The parts of a folder that are done."""

    def __init__(self, folder: Path, content: dict[str, Any]) -> None:
        self.folder, self.content = folder, content

    def __contains__(self, name: str) -> bool:
        return name in self.content["parts"]

    @property
    def manifest(self) -> Path:
        return self.folder / MANIFEST

    def _shape(self, name: str) -> tuple[np.dtype[Any], tuple[int, ...], int]:
        with understood(self.manifest):
            part = self.content["parts"][name]
            return np.dtype(part["dtype"]), tuple(int(n) for n in part["shape"]), int(part["crc32"])

    def map(self, name: str) -> NDArray[Any]:
        """A part, read from the disk as it is used."""
        dtype, shape, _ = self._shape(name)
        return map_array(self.folder / name, dtype, shape)

    def check(self, name: str) -> None:
        """Refuse a part whose checksum is not the manifest's."""
        dtype, shape, checksum = self._shape(name)
        read_array(self.folder / name, np.empty(shape, dtype), checksum)

    def add(self, name: str, array: NDArray[Any], **about: object) -> NDArray[Any]:
        """Write a part, then the manifest that names it; returns the part as it is on the disk."""
        with replacing_file(self.folder / name) as new:
            checksum = write_array(new, array)
        self.content["parts"][name] = {
            "crc32": checksum,
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            **about,
        }
        self.save()
        return self.map(name)

    def drop(self, name: str) -> None:
        """Remove a part that is no longer needed."""
        if name in self:
            del self.content["parts"][name]
            self.save()
        (self.folder / name).unlink(missing_ok=True)

    def finish(self, rounds: list[dict[str, Any]]) -> None:
        """All is there, and what only the making needed goes."""
        self.content["rounds"] = rounds
        self.content["finished"] = True
        self.save()
        self.drop(STRENGTHS_FILE)

    def save(self) -> None:
        with replacing_file(self.manifest) as new:
            write_json(new, self.content)

    def sound(self, name: str) -> bool:
        """Whether a part is there in its full size."""
        if name in self:
            with contextlib.suppress(ErraiError):
                self.map(name)
                return True
        return False


def open_parts(folder: Path) -> Parts:
    return Parts(folder, read_manifest(folder / MANIFEST, KIND, VERSION))


@dataclass(frozen=True, eq=False)
class Description:
    """An abstraction without its tables of cells: the rules that they came from."""

    game: GameDefinition
    preset: Preset
    seed: int
    of: Hands
    parts: Parts

    @cached_property
    def cluster(self) -> NDArray[np.uint8] | None:
        return self.parts.map(CLUSTERS_FILE) if CLUSTERS_FILE in self.parts else None

    @cached_property
    def _cells(self) -> dict[int, Cells]:
        return {}

    @cached_property
    def _boards(self) -> dict[int, CanonicalBoards]:
        return {}

    def dealt(self, round_: int) -> tuple[int, ...]:
        return self.preset.rounds[round_].dealt(self.game.board_sizes, round_)

    def boards(self, round_: int) -> CanonicalBoards:
        """The boards of a round, whose cards are read if they were kept."""
        if round_ not in self._boards:
            name, dealt = file_of(self.game, round_, "boards"), self.dealt(round_)
            known = self.parts.map(name) if name in self.parts else None
            if known is not None and known.shape != (boards_of(self.of, dealt), sum(dealt)):
                raise ErraiError(f"{self.parts.folder / name} is not of this game")
            self._boards[round_] = canonical_boards(self.of.deck, self.of.hole_cards, dealt, known)
        return self._boards[round_]

    @cached_property
    def packed(self) -> dict[str, Any]:
        """Of a folder without tables, by their names, what the tables were and where the packed ones are."""
        with understood(self.parts.manifest):
            return dict(self.parts.content["packed"]["tables"]) if "packed" in self.parts.content else {}

    @cached_property
    def _packed_tables(self) -> dict[int, PackedTable]:
        return {}

    def packed_table(self, round_: int) -> PackedTable | None:
        """The packed table of a round, if it has one."""
        name = file_of(self.game, round_, "cells")
        if round_ not in self._packed_tables and "file" in self.packed.get(name, ()):
            with understood(self.parts.manifest):
                of = self.packed[name]["file"]
                path = self.parts.folder / of["name"]
                self._packed_tables[round_] = PackedTable(
                    path, int(of["crc32"]), self.boards(round_), self.of, bool(of["steps"])
                )
        return self._packed_tables.get(round_)

    def rule(self, round_: int) -> Rule:
        return self.parts.map(file_of(self.game, round_, "centres"))

    def cells(self, round_: int) -> Cells:
        if round_ not in self._cells:
            plan = self.preset.rounds[round_]

            def spread(boards: NDArray[np.uint8]) -> Any:
                return spread_on(boards[0], self.of)

            known = known_before(self.game.board_sizes, round_)
            self._cells[round_] = Cells(
                Features(plan, self.of, spread, self.cluster, known), self.rule(round_)
            )
        return self._cells[round_]


def load_description(folder: Path | str) -> Description:
    """What is needed to find the cells of a board without the tables."""
    parts = open_parts(Path(folder))
    with understood(parts.manifest):
        game = parse_game(parts.content["game"], name=parts.content["game_name"])
        preset = parse_preset(parts.content["preset"])
        preset = Preset(parts.content["name"], preset.rounds)
        return Description(game, preset, int(parts.content["seed"]), hands_of(game), parts)


def cells_on(description: Description, round_: int, cards: tuple[int, ...]) -> NDArray[np.int64]:
    """[N] the cell of every hand on a board, 0 where it is blocked, found without the table of the round.

    It equals what the table says. Before the first public card, and in a lossless round, the table is small and read;
    so is a packed one.
    """
    game, of = description.game, description.of
    if not 0 <= round_ < game.rounds or len(cards) != game.board_sizes[round_]:
        raise ErraiError(f"{len(cards)} public cards are not those of the {round_name(game, round_)}")
    board = np.array(cards, np.uint8)
    live = of.live(board[None])[0]
    if (packed := description.packed_table(round_)) is not None:
        return np.where(live, packed.on(tuple(cards)).astype(np.int64), 0)
    if len(cards) == 0 or description.preset.rounds[round_].method == "lossless":
        boards = description.boards(round_)
        number, move = boards.find(tuple(cards))
        row = description.parts.map(file_of(game, round_, "cells"))[number]
        return np.where(live, row[boards.hand_moves[move]].astype(np.int64), 0)
    N = len(of.cards)
    first = np.where(live, np.arange(N), -1).astype(np.int32)[None]
    return description.cells(round_).on(board[None], first)[0]


def load_abstraction(folder: Path | str) -> Abstraction:
    """The abstraction of a folder; its tables are read from the disk as they are used."""
    described = load_description(folder)
    parts, game = described.parts, described.game
    if not parts.content.get("finished"):
        raise ErraiError(f"{folder} is not finished: run the command that began it again, and it goes on")
    rounds = []
    with understood(parts.manifest):
        for round_, about in enumerate(parts.content["rounds"]):
            name, refine = file_of(game, round_, "cells"), file_of(game, round_, "refine")
            cells = None if name in described.packed else parts.map(name)
            described.packed_table(round_)  # opened, and so found to be there
            shape = tuple(described.packed[name]["shape"]) if cells is None else cells.shape
            if shape != (boards_of(described.of, described.dealt(round_)), len(described.of.cards)):
                raise ErraiError(
                    f"{parts.manifest} is damaged: the {round_name(game, round_)} is not of this game"
                )
            rounds.append(
                RoundBuckets(
                    int(about["count"]),
                    described.boards(round_),
                    cells,
                    parts.map(refine) if refine in parts else None,
                    partial(cells_on, described, round_),
                )
            )
        known_as = int(parts.content["packed"]["fingerprint"]) if described.packed else None
    return Abstraction(game, described.preset.name, tuple(rounds), known_as)


def verify_abstraction(folder: Path | str) -> dict[str, int]:
    """The CRC-32 of every part, each checked; the first that is damaged is an ErraiError that names it."""
    described = load_description(folder)
    parts = described.parts
    with understood(parts.manifest):
        names = list(parts.content["parts"])
    for name in names:
        parts.check(name)
    for round_ in range(described.game.rounds):
        if (packed := described.packed_table(round_)) is not None:
            packed.check()
    return {name: int(parts.content["parts"][name]["crc32"]) for name in names}
