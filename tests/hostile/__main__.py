"""All of it, and the table of docs/reliability.md.

python -m tests.hostile [PART ...] [--scale 1.0] [--seed 1] [--write docs/reliability.md]
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import platform
import sys
import tempfile
import time
from pathlib import Path

import tests.hostile
from tests.hostile.row import Row

BEGIN, END = "<!-- the table of python -m tests.hostile -->", "<!-- end of the table -->"


def parts() -> list[str]:
    """The modules of this package that have a `run`."""
    found = []
    for module in pkgutil.iter_modules(tests.hostile.__path__):
        if module.name.startswith(("_", "test_")):
            continue
        if hasattr(importlib.import_module(f"tests.hostile.{module.name}"), "run"):
            found.append(module.name)
    return found


def table(rows: list[Row]) -> str:
    """As Markdown."""
    lines = ["| what was done | times | how it ended | must not happen |", "|---|---:|---|---:|"]
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
    parser.add_argument("part", nargs="*", choices=[[], *parts()], help="some parts only")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, help="a page to put the table into")
    options = parser.parse_args()
    rows: list[Row] = []
    began = time.monotonic()
    here = Path.cwd()
    for name in options.part or parts():
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="errai-hostile-") as folder:
            os.chdir(folder)
            try:
                found = importlib.import_module(f"tests.hostile.{name}").run(options.scale, options.seed)
            finally:
                os.chdir(here)
        rows += found
        print(
            f"{name}: {sum(row.times for row in found):,} trials in {time.monotonic() - start:.0f} s",
            flush=True,
        )
        for row in found:
            for failure in row.failures:
                print(f"  {row.what}: {failure}", flush=True)
    minutes = (time.monotonic() - began) / 60
    text = table(rows)
    print(f"\n{text}")
    if options.write:
        machine = f"{os.cpu_count()} cores ({platform.machine()})"
        note = f"`make test-hostile`, seed {options.seed}, {minutes:.0f} minutes on {machine}."
        write(options.write, f"{text}\n\n{note}")
    failures = sum(len(row.failures) for row in rows)
    print(f"\n{sum(row.times for row in rows):,} trials in {minutes:.1f} minutes, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
