"""A folder of buckets: what is in it, how it is opened, checked, and used without its large tables.

`abstraction.json` is the manifest: the game, the preset, the seed, every part with its type, shape and CRC-32, what
the finished abstraction is known by, and a checksum of all that. A part is an .npy file: the boards of a round, its
cells [B, N], the rule that they came from (`flop_centres.npy`), `refine` for perfect recall, and the clusters of
opponents. While it is being made there are also the strengths of the last round.

A part is mapped, and checked when it is first used: its checksum, and that its numbers are within the sizes of the
game (errai.abstraction.soundness). A query reads only the tables of its own round, and of a large one only the
megabytes that it needs (errai.files.pieces).

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

from errai.abstraction import soundness
from errai.abstraction.abstraction import Abstraction, RoundBuckets
from errai.abstraction.features import Hands, hands_of, spread_on
from errai.abstraction.grouping import Cells, Features, Rule, cells_of_rule
from errai.abstraction.packed import PackedTable
from errai.abstraction.presets import Preset, known_before, parse_preset
from errai.cards.canonical import CanonicalBoards, canonical_boards
from errai.cards.counting import canonical_deals
from errai.errors import ErraiError
from errai.files.pieces import PIECE, Pieces, piece_checksums
from errai.files.reading import checked_array, inside, map_array, read_manifest, understood, whole
from errai.files.seal import sealed
from errai.files.writing import replacing_file, write_array, write_json
from errai.games.definition import GameDefinition, parse_game

MANIFEST = "abstraction.json"
KIND = "abstraction"
VERSION = 2  # version 1 has no checksum of itself
CLUSTERS_FILE = "opponent_clusters.npy"
STRENGTHS_FILE = "last_strengths.npy"
MOST_COUNT = 1 << 31  # buckets of a round: the largest lossless one of hold'em has 123 million


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
        self._opened: dict[str, NDArray[Any]] = {}
        self._in_pieces: dict[str, tuple[NDArray[Any], Pieces]] = {}

    def __contains__(self, name: str) -> bool:
        with understood(self.manifest):
            return name in dict(self.content["parts"])

    @property
    def manifest(self) -> Path:
        return self.folder / MANIFEST

    @cached_property
    def plan(self) -> tuple[GameDefinition, Preset, Hands]:
        """The game, what was asked for and the game's hands."""
        with understood(self.manifest):
            game = parse_game(self.content["game"], name=str(self.content["game_name"]))
            preset = parse_preset(self.content["preset"])
            if len(preset.rounds) != game.rounds:
                raise ValueError(f"{game.name} has {game.rounds} rounds")
            return game, Preset(str(self.content["name"]), preset.rounds), hands_of(game)

    def map(self, name: str) -> NDArray[Any]:
        """A part, read from the disk as it is used. The first time it is checked as a whole."""
        if name not in self._opened:
            array = checked_array(*self._described(name))
            self._require_sound(name, array)
            self._opened[name] = array
        return self._opened[name]

    def row(self, round_: int, board: int) -> NDArray[Any]:
        """[N] the cells on one board. Of a large table only the pieces are checked in which they lie."""
        game, _, of = self.plan
        name, N = file_of(game, round_, "cells"), len(of.cards)
        if name in self._opened or "pieces" not in self.content["parts"][name]:
            return np.asarray(self.map(name)[board])
        path, dtype, shape, _ = self._described(name)
        if name not in self._in_pieces:
            table = map_array(path, dtype, shape)
            with understood(self.manifest):
                checksums = [whole(checksum) for checksum in self.content["parts"][name]["pieces"]]
            soundness.require(path, shape[1:] == (N,) and board < shape[0], f"it is not of {N:,} hands")
            self._in_pieces[name] = table, Pieces(path, table, checksums)
        table, pieces = self._in_pieces[name]
        pieces.require(board * N, (board + 1) * N)
        soundness.require_cells(path, table[board : board + 1], 1, N, self.cell_count(round_))
        return np.asarray(table[board])

    def require_there(self, name: str) -> None:
        """Refuse a part that is missing or has not its size; its numbers are not read."""
        path, dtype, shape, _ = self._described(name)
        map_array(path, dtype, shape)

    def _described(self, name: str) -> tuple[Path, np.dtype[Any], tuple[int, ...], int]:
        """The path, type, shape and checksum of a part."""
        with understood(self.manifest):
            part = self.content["parts"][name]
            dtype, shape = soundness.TYPES[part["dtype"]], tuple(whole(size) for size in part["shape"])
            return inside(self.folder, name), dtype, shape, whole(part["crc32"])

    def _require_sound(self, name: str, array: NDArray[Any]) -> None:
        """Refuse a part with numbers that no part of this game has."""
        game, preset, of = self.plan
        path, N = self.folder / name, len(of.cards)
        for round_, plan in enumerate(preset.rounds):
            dealt = plan.dealt(game.board_sizes, round_)
            boards, public = boards_of(of, dealt), game.board_sizes[round_]
            if name == file_of(game, round_, "boards"):
                soundness.require_boards(path, array, boards, public, of.deck.size)
            elif name == file_of(game, round_, "cells"):
                soundness.require_cells(path, array, boards, N, self.cell_count(round_))
            elif name == file_of(game, round_, "centres"):
                soundness.require_rule(path, array, plan, public == of.last)
            elif name == file_of(game, round_, "refine"):
                cells = self._known_cells(round_)
                before = self.bucket_count(round_ - 1) if round_ else 0
                soundness.require_refine(path, array, before, cells, self._saved_count(round_))
        if name == CLUSTERS_FILE:
            soundness.require_clusters(path, array, N)
        elif name == STRENGTHS_FILE:
            soundness.require_strengths(path, array, boards_of(of, (of.last,) if of.last else ()), N)

    def cell_count(self, round_: int) -> int:
        """How many cells the table of a round may have."""
        known = self._known_cells(round_)
        if known is not None:
            return known
        refine = file_of(self.plan[0], round_, "refine")
        if refine in self:
            return self.map(refine).shape[1]
        if (saved := self._saved_count(round_)) is None:
            raise ErraiError(f"{self.manifest} is damaged: the rule of a table is missing; make it again")
        return saved

    def _known_cells(self, round_: int) -> int | None:
        """How many cells a round has by its rule, where that is here."""
        game, preset, of = self.plan
        plan, public = preset.rounds[round_], game.board_sizes[round_]
        if plan.method == "lossless":
            return canonical_deals(game.ranks, game.suits, (*((public,) if public else ()), of.hole_cards))
        rule = file_of(game, round_, "centres")
        return cells_of_rule(plan, self.map(rule)) if rule in self else None

    def bucket_count(self, round_: int) -> int:
        """How many buckets a round has: as the manifest says, or while it is being made, by its parts."""
        if (saved := self._saved_count(round_)) is not None:
            return saved
        refine = file_of(self.plan[0], round_, "refine")
        return int(self.map(refine).max()) + 1 if refine in self else self.cell_count(round_)

    def _saved_count(self, round_: int) -> int | None:
        with understood(self.manifest):
            rounds = self.content["rounds"]
            return whole(rounds[round_]["count"], 1, MOST_COUNT) if rounds else None

    def add(self, name: str, array: NDArray[Any], **about: object) -> NDArray[Any]:
        """Write a part, then the manifest that names it; returns the part as it is on the disk."""
        with replacing_file(self.folder / name) as new:
            checksum = write_array(new, array)
        self.content["parts"][name] = {
            "crc32": checksum,
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            **({"pieces": piece_checksums(np.ascontiguousarray(array))} if array.nbytes > PIECE else {}),
            **about,
        }
        self._forget(name)
        self.save()
        return self.map(name)

    def drop(self, name: str) -> None:
        """Remove a part that is no longer needed."""
        if name in self:
            del self.content["parts"][name]
            self._forget(name)
            self.save()
        (self.folder / name).unlink(missing_ok=True)

    def _forget(self, name: str) -> None:
        self._opened.pop(name, None)
        self._in_pieces.pop(name, None)

    def finish(self, rounds: list[dict[str, Any]]) -> None:
        """All is there, and what only the making needed goes."""
        self.content["rounds"] = rounds
        self.content["finished"] = True
        self.content.pop("fingerprint", None)
        self.content["fingerprint"] = abstraction_of(_described(self)).fingerprint
        self.save()
        self.drop(STRENGTHS_FILE)

    def save(self) -> None:
        self.content["version"] = VERSION
        with replacing_file(self.manifest) as new:
            write_json(new, sealed(self.content))

    def sound(self, name: str) -> bool:
        """Whether a part is there, and as it was saved."""
        if name in self:
            with contextlib.suppress(ErraiError):
                self.map(name)
                return True
        return False


def open_parts(folder: Path) -> Parts:
    content = read_manifest(folder / MANIFEST, KIND, 1, VERSION, unsealed=(1,))
    return Parts(folder, content)


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
                path, checksum = inside(self.parts.folder, of["name"]), whole(of["crc32"])
                cells = self.parts.cell_count(round_)
                self._packed_tables[round_] = PackedTable(
                    path, checksum, self.boards(round_), self.of, bool(of["steps"]), cells
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
    return _described(open_parts(Path(folder)))


def _described(parts: Parts) -> Description:
    game, preset, of = parts.plan
    with understood(parts.manifest):
        return Description(game, preset, whole(parts.content["seed"]), of, parts)


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
    """The abstraction of a folder; its tables are read from the disk, and checked, as they are used."""
    described = load_description(folder)
    if not described.parts.content.get("finished"):
        raise ErraiError(f"{folder} is not finished: run the command that began it again, and it goes on")
    return abstraction_of(described)


def abstraction_of(described: Description) -> Abstraction:
    """The abstraction that a description and its tables make."""
    parts, game = described.parts, described.game
    rounds = []
    with understood(parts.manifest):
        if len(parts.content["rounds"]) != game.rounds:
            raise ValueError(f"{game.name} has {game.rounds} rounds")
        for round_ in range(game.rounds):
            name, refine = file_of(game, round_, "cells"), file_of(game, round_, "refine")
            count = parts.bucket_count(round_)
            if name not in described.packed:
                parts.require_there(name)
            if refine not in parts and parts.cell_count(round_) != count:
                raise ValueError(f"the {round_name(game, round_)} has {parts.cell_count(round_):,} buckets")
            described.packed_table(round_)  # opened, and so found to be there
            rounds.append(
                RoundBuckets(
                    count,
                    described.boards(round_),
                    None,
                    parts.map(refine) if refine in parts else None,
                    partial(cells_on, described, round_),
                    None if name in described.packed else partial(parts.map, name),
                    None if name in described.packed else partial(parts.row, round_),
                )
            )
        packed = parts.content["packed"] if described.packed else parts.content
        known_as = whole(packed["fingerprint"]) if "fingerprint" in packed else None
    return Abstraction(game, described.preset.name, tuple(rounds), known_as)


def verify_abstraction(folder: Path | str) -> dict[str, int]:
    """The CRC-32 of every part, each checked; the first that is damaged is an ErraiError that names it."""
    described = load_description(folder)
    parts = described.parts
    with understood(parts.manifest):
        names = list(parts.content["parts"])
    for name in names:
        parts.map(name)
    for round_ in range(described.game.rounds):
        if (packed := described.packed_table(round_)) is not None:
            packed.check()
    abstraction_of(described)
    return {name: int(parts.content["parts"][name]["crc32"]) for name in names}
