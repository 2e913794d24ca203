"""kill -9 of workers of a cluster, of all of them at once, and of the driver, again and again, at random moments.

    python -m tests.scale.cluster_kills --times 50

The driver is a command as users start it, with a Ray of its own. Workers that are killed must be replaced;
a driver that is killed is resumed at once, while what it left behind may still be ending. What comes out has the bits
of threads on a disk that were left alone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from errai.engine.checkpoint import has_checkpoint
from errai.scale.status import STATUS
from tests.hostile.row import Row
from tests.scale.kills import Case, found, passes, told, work

CASE = Case("rhode-island", None, 200)
EARLY = 0.1  # of the drivers that are killed while they start
VICTIMS = ("a worker",) * 5 + ("all workers",) * 2 + ("the driver",) * 3


def driver(folder: Path, workers: int) -> subprocess.Popen[bytes]:
    """The command of a user: begin, or resume."""
    begun = has_checkpoint(folder)
    what = ["--resume", folder] if begun else [CASE.name, "--scratch", folder, "--method", CASE.method]
    limit = [] if begun else ["--iterations", CASE.iterations]
    command = [sys.executable, "-m", "errai", "solve", *what, *limit, "--cluster", f"local:{workers}"]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def workers_of(folder: Path, since: float) -> list[int]:
    """Process numbers of the workers, as the status says, if it has been written since."""
    path = folder / STATUS
    with suppress(OSError, ValueError, KeyError):
        status = json.loads(path.read_text())
        if path.stat().st_mtime >= since:
            return [worker["pid"] for worker in status["workers"] if worker["pid"]]
    return []


def disturbed(
    folder: Path, process: subprocess.Popen[bytes], generator: random.Random, left: int
) -> Counter[str]:
    """Kill whom chance chooses until the driver has ended or is killed; returns who was."""
    began, outcome = time.time(), Counter[str]()
    if generator.random() >= EARLY:
        while process.poll() is None and not workers_of(folder, began):
            time.sleep(0.1)
    while sum(outcome.values()) < left:
        with suppress(subprocess.TimeoutExpired):
            process.wait(generator.uniform(0.2, 4))
            break
        victim = generator.choice(VICTIMS)
        if victim == "the driver":
            process.kill()
            outcome[victim] += 1
            break
        pids = workers_of(folder, began)
        chosen = pids if victim == "all workers" else pids[:1] and [generator.choice(pids)]
        for pid in chosen:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if chosen:
            outcome[victim] += 1
    return outcome


def killed(times: int, seed: int, workers: int) -> Row:
    """Kill so often, and compare what comes out."""
    generator, outcome, failures = random.Random(seed), Counter[str](), list[str]()
    what = f"{CASE.name} on {workers} workers: killed at random moments"
    with tempfile.TemporaryDirectory(prefix="errai-cluster-") as name:
        work(CASE, Path(name, "threads"))
        known = found(CASE, Path(name, "threads"))
        left, before = times, 0
        folder = Path(name, "killed")
        while left and not failures:
            process = driver(folder, workers)
            victims = disturbed(folder, process, generator, left)
            said = process.communicate()[1].decode(errors="replace").strip()
            outcome.update({f"killed {victim}": count for victim, count in victims.items()})
            left -= sum(victims.values())
            now = passes(folder)
            print(f"{times - left} kills; {now} passes; {dict(victims)}", file=sys.stderr, flush=True)
            if now < before:
                failures.append(f"{what}: {before} passes before a kill and {now} after it")
            before = now
            if process.returncode == 0:
                held = found(CASE, folder)
                other = [name for name in known if held[name] != known[name]]
                if other:
                    failures.append(f"{what}: other bits than threads find in {', '.join(other)}")
                    if "history" in other:
                        failures.append(f"{held['history']!r} instead of {known['history']!r}")
                outcome["finished with the same bits"] += not failures
                shutil.rmtree(folder)
                before = 0
            elif process.returncode != -signal.SIGKILL:
                failures.append(f"{what}: it ended with {process.returncode}: {said[-500:]}")
            elif not has_checkpoint(folder):
                shutil.rmtree(folder, ignore_errors=True)  # nothing was committed: a user begins again
    return Row(what, times - left, dict(outcome), failures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    return told(killed(given.times, given.seed, given.workers))


if __name__ == "__main__":
    sys.exit(main())
