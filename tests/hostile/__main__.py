"""All of it, and the table of docs/reliability.md.

    python -m tests.hostile [PART ...] [--scale 1.0] [--seed 1] [--write docs/reliability.md]

Parts run side by side, one for each core, in processes of their own.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import platform
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import tests.hostile
from tests.hostile.row import Row

BEGIN, END = "<!-- the table of python -m tests.hostile -->", "<!-- end of the table -->"
LONGEST = ("kills", "disk", "fuzz")  # these begin first


def parts() -> list[str]:
    """The modules of this package that have a `run`, those that take longest first."""
    found = []
    for module in pkgutil.iter_modules(tests.hostile.__path__):
        if module.name.startswith(("_", "test_")):
            continue
        if hasattr(importlib.import_module(f"tests.hostile.{module.name}"), "run"):
            found.append(module.name)
    return sorted(found, key=lambda name: (name not in LONGEST, name))


def one(name: str, scale: float, seed: int) -> list[Row]:
    """A part in this process, in a folder of its own."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="errai-hostile-") as folder:
        os.chdir(folder)
        try:
            rows: list[Row] = importlib.import_module(f"tests.hostile.{name}").run(scale, seed)
        finally:
            os.chdir(here)
    return rows


def apart(name: str, scale: float, seed: int) -> list[Row]:
    """The same in a process of its own; if that dies, it is a failure."""
    began = time.monotonic()
    command = [
        sys.executable,
        "-m",
        "tests.hostile",
        name,
        "--json",
        "--scale",
        str(scale),
        "--seed",
        str(seed),
    ]
    finished = subprocess.run(command, capture_output=True, text=True, errors="replace")
    try:
        rows = [Row(**row) for row in json.loads(finished.stdout)]
    except ValueError:
        last = (finished.stderr or finished.stdout).strip().splitlines()[-1:] or [""]
        rows = [Row(name, 0, {}, [f"ended with {finished.returncode}: {last[0]}"])]
    seconds = time.monotonic() - began
    print(f"{name}: {sum(row.times for row in rows):,} trials in {seconds:.0f} s", flush=True)
    for row in rows:
        for failure in row.failures:
            print(f"  {row.what}: {failure}", flush=True)
    return rows


def table(rows: list[Row]) -> str:
    """As Markdown."""
    lines = ["| what was done | times | how it ended | failures |", "|---|---:|---|---:|"]
    for row in rows:
        ended = ", ".join(f"{name} {count:,}" for name, count in row.outcome.items())
        lines.append(f"| {row.what} | {row.times:,} | {ended} | {len(row.failures)} |")
    return "\n".join(lines)


def write(path: Path, text: str) -> None:
    """Between the two marks of a page."""
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=tests.hostile.__doc__)
    parser.add_argument("part", nargs="*", help=f"some parts only: {', '.join(parts())}")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one part in this process, its rows as JSON")
    parser.add_argument("--write", type=Path, help="a page to put the table into")
    options = parser.parse_args()
    if unknown := set(options.part) - set(parts()):
        parser.error(f"no such part: {', '.join(unknown)}; choose from {', '.join(parts())}")
    if options.json:
        rows = one(options.part[0], options.scale, options.seed)
        print(json.dumps([asdict(row) for row in rows]))
        return 0
    began = time.monotonic()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        names = options.part or parts()
        found = pool.map(lambda name: apart(name, options.scale, options.seed), names)
        rows = [row for of in found for row in of]
    minutes = (time.monotonic() - began) / 60
    text = table(rows)
    print(f"\n{text}")
    trials, failures = sum(row.times for row in rows), sum(len(row.failures) for row in rows)
    if options.write:
        machine = f"{os.cpu_count()} cores ({platform.machine()})"
        write(
            options.write,
            f"{text}\n\n{trials:,} trials, seed {options.seed}, {minutes:.0f} minutes on {machine}.",
        )
    print(f"\n{trials:,} trials in {minutes:.1f} minutes, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
