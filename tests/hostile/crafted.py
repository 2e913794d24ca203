"""Files that somebody made to do harm: every checksum is right, and what they say is not.

Sizes without end, numbers that no kernel may index by, nesting, paths that lead elsewhere, codes that a terminal
would obey. Each must be refused in one line with exit code 2 that names the file, within little memory.

    python -m tests.hostile.crafted
"""

from __future__ import annotations

import json
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import zstandard

from errai.files import blocks
from errai.files.seal import sealed
from errai.files.writing import write_array
from tests.hostile.child import Child, serve
from tests.hostile.row import Row

ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\r"


class Crafted(NamedTuple):
    """A folder, what is done to it, the file that must be named, and the command that reads it."""

    folders: tuple[str, ...]
    craft: Callable[[Path], None]  # of the first folder
    named: str
    words: tuple[str, ...]


def edited(name: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """A change to a JSON file, whose checksum is made right again."""

    def craft(folder: Path) -> None:
        content = json.loads((folder / name).read_text())
        change(content)
        (folder / name).unlink()
        (folder / name).write_text(json.dumps(sealed(content)))

    return craft


def written(name: str, text: str) -> Callable[[Path], None]:
    """Another text in the place of a file."""

    def craft(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).write_text(text)

    return craft


def spliced(name: str, value: str) -> Callable[[Path], None]:
    """A value that no writer of JSON writes, in the place of the first of a file."""

    def craft(folder: Path) -> None:
        content = json.loads((folder / name).read_text())
        first = json.dumps({**content, "version": "HERE"})
        (folder / name).unlink()
        (folder / name).write_text(first.replace('"HERE"', value))

    return craft


def part(name: str, change: Callable[[Any], Any]) -> Callable[[Path], None]:
    """Other numbers in a part of an abstraction, with the right checksums."""

    def craft(folder: Path) -> None:
        array = change(np.load(folder / name))
        (folder / name).unlink()
        checksum = write_array(folder / name, array)
        described = {"crc32": checksum, "dtype": array.dtype.str, "shape": list(array.shape)}
        edited("abstraction.json", lambda content: content["parts"].update({name: described}))(folder)

    return craft


def filled(value: float, at: int = -1) -> Callable[[Any], Any]:
    """The array with one number changed."""

    def change(array: Any) -> Any:
        array = array.copy()
        array.reshape(-1)[at] = value
        return array

    return change


def array_of(
    name: str, manifest: str, place: Callable[[Any], dict[str, Any]], change: Callable[[Any], Any]
) -> Any:
    """Other numbers in an array whose checksum `place` finds in the manifest's content."""

    def craft(folder: Path) -> None:
        array = change(np.load(folder / name))
        (folder / name).unlink()
        checksum = write_array(folder / name, array)

        def note(content: dict[str, Any]) -> None:
            where = place(content)
            where["crc32" if "crc32" in where else Path(name).name] = checksum

        edited(manifest, note)(folder)

    return craft


def block_file(name: str, make: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    """Other bytes in a file of blocks, and the checksum of its index in the manifest."""

    def craft(folder: Path) -> None:
        content = make((folder / name).read_bytes())
        (folder / name).unlink()
        (folder / name).write_bytes(content)
        checksum = struct.unpack_from("<I", content, 12)[0]
        edited("strategy.json", lambda manifest: manifest["files"].update({name: checksum}))(folder)

    return craft


def with_header(content: bytes, **changes: Any) -> bytes:
    """A file of blocks with another header, whose checksum is right."""
    names = ("magic", "version", "checksum", "count", "start", "kind")
    fields = {**dict(zip(names, blocks._HEADER.unpack_from(content), strict=True)), **changes}
    header = blocks._HEADER.pack(*fields.values())
    return header + struct.pack("<I", zlib.crc32(header)) + content[blocks._HEADER_BYTES :]


def with_index(content: bytes, change: Callable[[Any], None]) -> bytes:
    """A file of blocks with another index, whose checksum is right."""
    start = blocks._HEADER.unpack_from(content)[4]
    index = np.frombuffer(content[start:], blocks._ENTRY).copy()
    change(index)
    return with_header(content[:start] + index.tobytes(), checksum=zlib.crc32(index.tobytes()))


def bomb(content: bytes, shape: tuple[int, int], size: int) -> bytes:
    """A file of blocks whose first block is small and unpacks to `size` bytes."""
    start = blocks._HEADER.unpack_from(content)[4]
    index = np.frombuffer(content[start:], blocks._ENTRY).copy()
    packer = zstandard.ZstdCompressor(level=1).compressobj(size=size)
    zeros = bytes(1 << 22)
    packed = b"".join(
        packer.compress(zeros[: min(len(zeros), size - done)]) for done in range(0, size, len(zeros))
    )
    packed += packer.flush()
    index[0] = (start, len(packed), zlib.crc32(packed), shape)
    body = content[:start] + packed
    return with_header(body + index.tobytes(), checksum=zlib.crc32(index.tobytes()), start=len(body))


def _all(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda content: content.__setitem__(key, value)


QUERY_PACKED = ("query", "packed", "--betting", "rc/", "--board", "2c3d")
EXPLOIT = ("exploit", "trained", "--quiet")
TRAIN = (
    "train", "ten.game", "--abstraction", "buckets", "--samples", "8", "--threads", "1", "--out", "again", "--quiet",
)  # fmt: skip
RESUME = {
    "exact": ("solve", "--resume", "exact", "--iterations", "60", "--out", "again", "--quiet"),
    "cfr": ("solve", "--resume", "cfr", "--iterations", "90", "--out", "again", "--quiet"),
    "trained": (
        "train",
        "--resume",
        "trained",
        "--samples",
        "64",
        "--threads",
        "1",
        "--out",
        "again",
        "--quiet",
    ),
}


def trials() -> dict[str, Crafted]:
    """All of them, by name."""
    found: dict[str, Crafted] = {}
    both = ("buckets", "trained")
    check = ("strategy", "check", "trained")
    for name, change, commands in (
        ("river_cells.npy", filled(60_000), (TRAIN, EXPLOIT, check)),
        ("preflop_cells.npy", filled(60_000), (TRAIN, EXPLOIT, check)),
        ("flop_boards.npy", filled(200), (TRAIN, EXPLOIT, check)),
        ("river_boards.npy", np.zeros_like, (TRAIN, EXPLOIT, check)),
        ("turn_centres.npy", filled(np.nan), (TRAIN, check)),
        ("opponent_clusters.npy", filled(200), (check,)),
    ):
        for words in commands:
            found[f"{name} for {words[0]}"] = Crafted(both, part(name, change), name, words)
    for name, change in {"too large": filled(10**6), "below": filled(-7)}.items():
        found[f"refine {name}"] = Crafted(
            ("perfect",), part("turn_refine.npy", change), "turn_refine.npy",
            (*TRAIN[:3], "perfect", *TRAIN[4:]),
        )  # fmt: skip
    for name, change in {
        "a count of a billion": lambda content: content["rounds"][3].update(count=10**9),
        "a count of words": lambda content: content["rounds"][3].update(count="many"),
        "a type of Python": lambda content: content["parts"]["river_cells.npy"].update(dtype="O"),
        "a shape without end": lambda content: content["parts"]["river_cells.npy"].update(
            shape=[10**12, 10**6]
        ),
        "a shape below nothing": lambda content: content["parts"]["river_cells.npy"].update(shape=[-1, 45]),
        "no rounds": _all("rounds", []),
        "rounds of a number": _all("rounds", 7),
        "a preset of codes": _all("preset", ESCAPE),
    }.items():
        found[f"abstraction.json: {name}"] = Crafted(
            both,
            edited("abstraction.json", change),
            "" if "preset" in name or "shape w" in name else "abstraction.json",
            TRAIN,
        )
    manifests = {
        "exact": ("strategy.json", ("query", "exact")),
        "certified": ("certificate.json", ("verify", "certified/certificate.json")),
        "tour": ("proof.json", ("verify", "tour/proof.json")),
        "buckets": ("abstraction.json", TRAIN),
        "exact/checkpoint": ("checkpoint.json", RESUME["exact"]),
        "cfr/checkpoint": ("checkpoint.json", RESUME["cfr"]),
        "trained/checkpoint": ("checkpoint.json", RESUME["trained"]),
        "trained/response": ("response.json", EXPLOIT),
    }
    for folder, (name, words) in manifests.items():
        top = folder.partition("/")[0]
        where = (top,) if top != "trained" else ("trained", "buckets")
        below = folder.partition("/")[2]
        file = f"{below}/{name}" if below else name
        for what, text in {
            "nested 100,000 deep": "[" * 100_000,
            "nested 500 deep": '{"format": ' + "[" * 500 + "]" * 500 + "}",
            "no text": "\0" * 1000,
            "a list": "[1, 2]",
            "a number": "7",
        }.items():
            found[f"{folder}/{name}: {what}"] = Crafted(where, written(file, text), name, words)
        for value in ("1e999", "-1e999", "NaN", "Infinity", "1" * 5000, '"\\ud800"', "null", "[[]]"):
            found[f"{folder}/{name}: version {value[:12]}"] = Crafted(
                where, spliced(file, value), name, words
            )
    for key, values in {
        "iteration": (-(10**9), 10**18, "x", None, 1.5, True),
        "seconds": (-1, "x", [], 10**400),
        "arrays": ({}, [], 7),
        "settings": ({}, None),
        "history": (7, [[1]], [["x", 1, 1, 1]]),
    }.items():
        for value in values:
            for folder in ("exact", "cfr"):
                craft = edited("checkpoint/checkpoint.json", _all(key, value))
                found[f"{folder}/checkpoint.json: {key} {value!s:.20}"] = Crafted(
                    (folder,), craft, "checkpoint.json", RESUME[folder]
                )
    for key, values in {
        "samples": (-(10**9), 10**18, "x", None),
        "seconds": (-1, "x"),
        "visit": ([], [0.5], [2.0] * 3, "x", [-1.0]),
        "visit_until": (-1, 10**30),
        "stages": (7, [{}], [{"method": "x"}]),
        "looks": (7, [{}]),
        "arrays": ({}, 7),
    }.items():
        for value in values:
            found[f"trained/checkpoint.json: {key} {value!s:.20}"] = Crafted(
                ("trained", "buckets"), edited("checkpoint/checkpoint.json", _all(key, value)), "checkpoint.json",
                RESUME["trained"],
            )  # fmt: skip
    found["trained/checkpoint.json: a billion threads"] = Crafted(
        ("trained", "buckets"),
        edited("checkpoint/checkpoint.json", lambda content: content["plan"].update(threads=10**9)),
        "checkpoint.json",
        tuple(word for word in RESUME["trained"] if word not in ("--threads", "1")),
    )
    for name in (
        "parent",
        "first_child",
        "children",
        "information_set",
        "label",
        "payoff",
        "chance",
        "set_node",
    ):
        found[f"a tree that is none: {name}"] = Crafted(
            ("cfr",),
            array_of(
                f"checkpoint/game-{name}.npy", "checkpoint/checkpoint.json",
                lambda content, name=name: content["game"]["arrays"][name], filled(1_000_000, at=0),
            ),
            "checkpoint.json",
            RESUME["cfr"],
        )  # fmt: skip
    found["a tree of a size without end"] = Crafted(
        ("cfr",),
        edited(
            "checkpoint/checkpoint.json",
            lambda content: content["game"]["arrays"]["parent"].update(size=10**15),
        ),
        "game-parent.npy",
        RESUME["cfr"],
    )
    found["fractions without end"] = Crafted(
        ("cfr",),
        edited("checkpoint/checkpoint.json", lambda content: content["game"].update(unit="1e999999999")),
        "checkpoint.json",
        RESUME["cfr"],
    )
    for name, make in {
        "a block of 4 GB": lambda content: bomb(content, (1, 4_200_000_000), 4_200_000_000),
        "a block that says it is small": lambda content: bomb(content, (1, 6), 1 << 31),
        "an index beyond the file": lambda content: with_index(
            content, lambda index: index["offset"].__setitem__(0, 1 << 62)
        ),
        "a block without end": lambda content: with_index(
            content, lambda index: index["size"].__setitem__(0, (1 << 64) - 1)
        ),
        "another shape": lambda content: with_index(
            content, lambda index: index["shape"].__setitem__(0, (9, 9))
        ),
        "numbers of Python": lambda content: with_header(content, kind=b"|O"),
        "no type": lambda content: with_header(content, kind=b"\xff\xfe<<<"),
        "other numbers": lambda content: with_header(content, kind=b"<f8"),
    }.items():
        found[f"blocks: {name}"] = Crafted(
            ("packed",), block_file("flop.blocks", make), "flop.blocks", ("exploit", "packed", "--quiet")
        )
    found["an order that is none"] = Crafted(
        ("packed",),
        array_of("flop.order.npy", "strategy.json", lambda content: content["files"], filled(4_000_000_000)),
        "flop.order.npy",
        QUERY_PACKED,
    )
    for name, change in {
        "a path up": lambda content: content["files"].update({"../../etc/passwd": 1}),
        "an absolute path": lambda content: content["files"].update({"/etc/passwd": 1}),
        "a path of blocks": lambda content: content["rounds"][1].update(file="../packed/flop.blocks"),
        "buckets elsewhere": lambda content: content["abstraction"].update(folder="/etc"),
        "buckets of codes": lambda content: content["abstraction"].update(folder=ESCAPE),
        "a kind of a list": _all("kind", []),
        "a kind of codes": _all("kind", ESCAPE),
        "files of a list": _all("files", []),
        "rounds of words": _all("rounds", "x"),
        "a game of codes": _all("game", ESCAPE),
    }.items():
        found[f"strategy.json: {name}"] = Crafted(
            ("packed",), edited("strategy.json", change), "" if "codes" in name else "packed", QUERY_PACKED
        )
    holdem = Path("holdem", "strategy.json")
    for name, change in {
        "all of hold'em": lambda content: content["spot"].update(game=json.loads(holdem.read_text())["game"]),
        "a spot of a number": _all("spot", 7),
        "pieces of words": _all("pieces", "x"),
        "no pieces": _all("pieces", []),
        "a precision of words": _all("precision", "x"),
        "about a number": _all("about", 7),
        "a method of numbers": lambda content: content["about"].update(method=7),
        "iterations of words": lambda content: content["about"].update(iterations="x"),
        "an exploitability of words": lambda content: content["about"].update(exploitability_mbb="x"),
        "half an interval": lambda content: content["about"].update(interval=[1]),
    }.items():
        found[f"exact: {name}"] = Crafted(
            ("exact", "holdem"), edited("strategy.json", change), "exact", ("query", "exact")
        )
    for number in (10**15, -5, 0, "x", 1e300):
        found[f"a tournament of {number} chips"] = Crafted(
            ("tour",), edited("strategy.json", lambda content, n=number: content["tournament"].update(chips=n)),
            "tour", ("query", "tour"),
        )  # fmt: skip
    for text in ("1e999999999", "1/0", "9" * 5000, "x", None, 1e300):
        found[f"a stack of {text!s:.12}"] = Crafted(
            ("jam",), edited("strategy.json", lambda content, text=text: content.update(stacks=[text, "10"])),
            "jam", ("query", "jam"),
        )  # fmt: skip
    for text in ("1/0", "1e9", "x", "1/-2", 7, None):
        found[f"a value of {text!s:.12}"] = Crafted(
            ("certified",), edited("certificate.json", _all("value", text)), "certificate.json",
            ("verify", "certified/certificate.json"),
        )  # fmt: skip
    for name, change in {
        "a bound beyond all": lambda content: content["lower"].__setitem__(3, 2**62),
        "a bound beyond 64 bits": lambda content: content["upper"].__setitem__(3, 2**70),
        "a bound of words": lambda content: content["upper"].__setitem__(3, "x"),
        "half a bound": lambda content: content["upper"].__setitem__(3, 0.5),
        "no strategies": _all("strategies", 7),
        "other chips": lambda content: content["tournament"].update(chips=10**12),
    }.items():
        found[f"proof: {name}"] = Crafted(
            ("tour",), edited("proof.json", change), "proof" if "beyond all" in name else "proof.json",
            ("verify", "tour/proof.json"),
        )  # fmt: skip
    for name, boards in {
        "a board of words": {"../x": [0.0, 1]},
        "a time of words": {"0": ["x", 1]},
        "a checksum of words": {"0": [0.0, "x"]},
        "boards of a number": 7,
    }.items():
        found[f"response.json: {name}"] = Crafted(
            ("trained", "buckets"),
            edited("response/response.json", _all("boards", boards)),
            "response.json",
            EXPLOIT,
        )
    return found


def run(scale: float, seed: int) -> list[Row]:
    """Try them all, or at a small scale every so many; a row."""
    names = list(trials())
    step = max(round(1 / scale), 1)
    chosen = names[seed % step :: step]
    with Child("tests.hostile.crafted") as child:
        results = {name: child.ask({"name": name}) for name in chosen}
    failures = [f"{name}: {line}" for name, result in results.items() for line in result["failures"]]
    refused = len(chosen) - sum(bool(result["failures"]) for result in results.values())
    return [
        Row(
            "files with right checksums, made to do harm",
            len(chosen),
            {"refused in one line": refused},
            failures,
        )
    ]


def _trial(question: dict[str, Any], sound: Path, work: Path) -> dict[str, Any]:
    from tests.hostile.child import restore
    from tests.hostile.folders import ask

    crafted = trials()[question["name"]]
    restore(sound, work, crafted.folders)
    crafted.craft(work / crafted.folders[0])
    try:
        answer = ask(crafted.words)
    except BaseException as error:
        return {"failures": [f"{type(error).__name__}: {error}"[:300]]}
    lines = answer.err.splitlines()
    if answer.code != 2 or len(lines) != 1 or not lines[0].startswith("errai: "):
        return {"failures": [f"exit code {answer.code}, {answer.err[:200]!r}, {str(answer.out)[:100]!r}"]}
    if crafted.named not in lines[0]:
        return {"failures": [f"does not name {crafted.named}: {lines[0][:200]!r}"]}
    return {"failures": [] if lines[0].isprintable() else [f"codes for the terminal: {lines[0][:200]!r}"]}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        serve(Path(sys.argv[2]), Path(sys.argv[3]), _trial)
    else:
        for row in run(1.0, 0):
            print(row.what, row.times, row.outcome, *row.failures, sep="\n    ")
