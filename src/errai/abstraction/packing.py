"""A whole abstraction in two megabytes, to be sent along with a strategy, and its tables made again from it.

What is kept are the rules of the rounds (the centres of k-means), from which `cells_on` finds the cells of a board in
milliseconds where at most one card is to come, and the tables of the other rounds, packed. What is left out is made
again, bit by bit, by the code that made it first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from errai.abstraction.abstraction import Abstraction
from errai.abstraction.build import begin, make_tables
from errai.abstraction.packed import write_packed
from errai.abstraction.saved import (
    CLUSTERS_FILE,
    MANIFEST,
    Description,
    Parts,
    file_of,
    load_abstraction,
    load_description,
)
from errai.errors import ErraiError
from errai.files.reading import understood
from errai.files.writing import make_folder, replacing_folder
from errai.runs.monitor import SILENT, Monitor
from errai.runs.run import Run


def pack_abstraction(folder: Path | str, out: Path | str) -> None:
    """Write to another folder what of a finished abstraction is needed to ask a strategy: no large tables.

    It takes the place of a packed abstraction, but of nothing else.
    """
    abstraction, source = load_abstraction(folder), load_description(folder)
    if not abstraction.has_tables:
        raise ErraiError(f"{folder} has no tables to pack; it is packed already")
    out = Path(out)
    if (
        out.is_dir()
        and any(out.iterdir())
        and not ((out / MANIFEST).is_file() and load_description(out).packed)
    ):
        raise ErraiError(f"{out} holds something else; choose another folder")
    with replacing_folder(out) as new:
        packed: dict[str, Any] = {"fingerprint": abstraction.fingerprint, "tables": {}}
        parts = Parts(new, {**source.parts.content, "parts": {}, "packed": packed})
        for round_, buckets in enumerate(abstraction.rounds):
            cells, boards, centres, refine = (
                file_of(source.game, round_, what) for what in ("cells", "boards", "centres", "refine")
            )
            with understood(source.parts.manifest):
                known = source.parts.content["parts"][cells]
                about = {key: known[key] for key in ("crc32", "dtype", "shape")}
            if _slow(source, round_):
                path = (new / cells).with_suffix(".blocks")
                steps = source.preset.rounds[round_].method == "lossless"
                checksum = write_packed(path, buckets.cells, buckets.boards, source.of, steps)
                about["file"] = {"name": path.name, "crc32": checksum, "steps": steps}
                parts.add(boards, buckets.boards.cards)
            else:
                parts.add(centres, source.parts.map(centres))
            if refine in source.parts:
                parts.add(refine, source.parts.map(refine))
            packed["tables"][cells] = about
        if CLUSTERS_FILE in source.parts:
            parts.add(CLUSTERS_FILE, source.parts.map(CLUSTERS_FILE))
        parts.save()


def _slow(source: Description, round_: int) -> bool:
    """Whether the cells of one board cannot be found in milliseconds without a table."""
    method, public = source.preset.rounds[round_].method, source.game.board_sizes[round_]
    most_to_come = 0 if method == "potential" else 1
    return method == "lossless" or public == 0 or source.of.last - public > most_to_come


def restore_tables(
    folder: Path | str,
    out: Path | str,
    threads: int = 2,
    monitor: Monitor = SILENT,
    run: Run | None = None,
) -> Abstraction:
    """Make the tables of a packed abstraction again, in another folder; a run that was cut off is resumed.

    To measure a strategy needs them. They are checked to be what they were. Parts in the making are saved by the
    schedule of the `run`.
    """
    source = load_description(folder)
    if not source.packed:
        raise ErraiError(f"{folder} has all its tables")
    parts = begin(source.game, source.preset, make_folder(Path(out)), source.seed)
    with understood(source.parts.manifest):
        rounds, names = source.parts.content["rounds"], list(source.parts.content["parts"])
    parts.content["rounds"] = rounds  # whose sizes the parts are compared with
    for name in names:
        if not parts.sound(name):
            parts.add(name, source.parts.map(name))
    for round_ in range(source.game.rounds):
        name = file_of(source.game, round_, "cells")
        if not parts.sound(name) and (packed := source.packed_table(round_)) is not None:
            parts.add(name, packed.table())
    make_tables(source.game, source.preset, parts, source.seed, threads, monitor, run)
    for name, about in source.packed.items():
        if parts.content["parts"][name]["crc32"] != about["crc32"]:
            raise ErraiError(
                f"{parts.folder / name} is not the table that {folder} was packed from: "
                "restore it with the Errai that made it"
            )
    parts.finish(rounds)
    return load_abstraction(out)
