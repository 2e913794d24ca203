"""One bit flipped, a page zeroed, a file cut, lengthened or swapped: in every file of every kind of folder.

After each damage all commands that read the folder are run. Each of them must either fail with exit code 2 and one
line that names the damaged file, or print what it printed before, to the last digit: no signal, no traceback, no
figure that is silently wrong.

Trials run in a child process, because what is looked for could kill it. If it dies, the trial is named and another
child goes on.

    python -m tests.hostile.flips [SCALE]
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.hostile.child import Child, restore, serve
from tests.hostile.row import Row

TRIALS = 560  # at scale 1
HARMS = ("flip",) * 14 + ("cut", "lengthen", "zero", "swap", "empty", "flip at the beginning")

_known: dict[str, Any] = {}  # command -> what it says of an undamaged folder


def run(scale: float, seed: int) -> list[Row]:
    """Damage files and see what the commands say; a row for each kind of folder."""
    with Child("tests.hostile.flips") as child:
        trials = _trials(child.sound, max(round(TRIALS * scale), 1), seed)
        return _rows([(trial, child.ask(trial)) for trial in trials])


def _trials(sound: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """What is damaged and how: every file of every folder in turn, as often as the count allows."""
    from tests.hostile.folders import KINDS

    dice = random.Random(seed)
    files = [
        (kind.name, str(path.relative_to(sound / kind.folders[0])))
        for kind in KINDS
        for path in sorted((sound / kind.folders[0]).rglob("*"))
        if path.is_file() and path.suffix != ".png" and path.name != ".lock"
    ]
    chosen: list[tuple[str, str]] = []
    while len(chosen) < count:
        dice.shuffle(files)
        chosen += files
    trials = []
    for kind, file in chosen[:count]:
        other = dice.choice([name for owner, name in files if owner == kind and name != file] or [file])
        trials.append(
            {"kind": kind, "file": file, "harm": dice.choice(HARMS), "at": dice.random(), "other": other}
        )
    return trials


def _rows(results: list[tuple[dict[str, Any], dict[str, Any]]]) -> list[Row]:
    rows = []
    for kind in dict.fromkeys(trial["kind"] for trial, _ in results):
        own = [(trial, result) for trial, result in results if trial["kind"] == kind]
        outcome = Counter(result["outcome"] for _, result in own)
        failures = [
            f"{kind}: {trial['harm']} in {trial['file']} at {trial['at']:.4f}: {line}"
            for trial, result in own
            for line in result["failures"]
        ]
        rows.append(Row(f"damaged files: {kind}", len(own), dict(outcome), failures))
    return rows


def _trial(trial: dict[str, Any], sound: Path, work: Path) -> dict[str, Any]:
    """Do one damage for each of the commands that read the folder, and judge what they say."""
    from tests.hostile.folders import KINDS, ask

    kind = next(kind for kind in KINDS if kind.name == trial["kind"])
    path = work / kind.folders[0] / trial["file"]
    must = re.search(kind.checked, trial["file"])
    outcome, failures = "no effect", []
    for reader in kind.readers:
        if not re.search(reader.files, trial["file"]):
            continue
        restore(sound, work, kind.folders)
        if reader.name not in _known:
            _known[reader.name] = ask(reader.words)
            assert _known[reader.name].code == 0, _known[reader.name]
            restore(sound, work, kind.folders)
        changed = _damage(path, trial)
        try:
            answer = ask(reader.words)
        except BaseException as error:
            failures.append(f"{reader.name}: {type(error).__name__}: {error}"[:300])
            continue
        names = [Path(trial["file"]).name] + [Path(trial["other"]).name] * (trial["harm"] == "swap")
        if complaint := _judged(answer, _known[reader.name], names):
            failures.append(f"{reader.name}: {complaint}")
        if answer.code:
            outcome = "named in one line"
        elif must and changed and reader.words[:2] == ("strategy", "check"):
            failures.append(f"{reader.name}: did not find it")
    return {"outcome": outcome, "failures": failures}


def _judged(answer: Any, wanted: Any, names: list[str]) -> str:
    """What must not happen, in words; nothing if all is as it should be."""
    if answer.code == 0:
        return "" if answer.out == wanted.out else f"another output: {str(answer.out)[:200]!r}"
    if answer.code != 2:
        return f"exit code {answer.code}"
    lines = answer.err.splitlines()
    if len(lines) != 1 or not lines[0].startswith("errai: "):
        return f"not one line: {answer.err[:200]!r}"
    return "" if any(name in lines[0] for name in names) else f"does not name it: {lines[0][:200]!r}"


def _damage(path: Path, trial: dict[str, Any]) -> bool:
    """Do it; whether anything has changed."""
    before = path.read_bytes()
    content, harm = bytearray(before), trial["harm"]
    at = min(int(trial["at"] * len(content)), len(content) - 1)
    if harm == "swap":
        other = path.parents[len(Path(trial["file"]).parts) - 1] / trial["other"]
        content[:] = other.read_bytes()
        _replace(other, before)
    elif harm == "cut":
        del content[at:]
    elif harm == "lengthen":
        content += bytes([at % 256]) * (1 + at % 5000)
    elif harm == "zero":
        content[at - at % 4096 : at - at % 4096 + 4096] = bytes(
            len(content[at - at % 4096 : at - at % 4096 + 4096])
        )
    elif harm == "empty":
        content.clear()
    else:
        at = min(at, int(trial["at"] * 128)) if harm == "flip at the beginning" else at
        content[at] ^= 1 << int(trial["at"] * 1e6) % 8
    _replace(path, bytes(content))
    return bytes(content) != before


def _replace(path: Path, content: bytes) -> None:
    path.unlink()
    path.write_bytes(content)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        serve(Path(sys.argv[2]), Path(sys.argv[3]), _trial)
    else:
        for row in run(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0, 0):
            print(f"{row.what:<45}{row.times:>6}  {row.outcome}")
            for failure in row.failures:
                print("   ", failure)
