"""A process that does trials one after the other, because what is looked for could kill it.

If it dies, the trial is named and a new child goes on. It works on copies of small folders of every kind
(tests.hostile.folders), which are built once in a process, and may take only so much memory.
"""

from __future__ import annotations

import atexit
import faulthandler
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

PATIENCE = 300.0  # seconds for one trial
MEMORY = 3 << 30  # bytes that a child may take beyond what it has
LINKED = 1 << 16  # bytes; larger files are not copied: a damaged one takes the place of a link

Trial = Callable[[dict[str, Any], Path, Path], dict[str, Any]]  # question, sound folders, working copies


@cache
def sound_folders() -> Path:
    """The folders, undamaged; they go when this process ends."""
    place = Path(tempfile.mkdtemp(prefix="errai-sound-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    words = [sys.executable, "-m", "tests.hostile.folders"]
    subprocess.run(words, cwd=place, env=_environment(), check=True)
    return place


def _environment() -> dict[str, str]:
    paths = [*filter(None, sys.path), str(Path(__file__).parents[2])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, paths))}


class Child:
    """Answers questions by a module that calls `serve`."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Child:
        self.sound = sound_folders()
        self._place = tempfile.TemporaryDirectory(prefix="errai-hostile-")
        self._work = Path(self._place.name, "work")
        shutil.copytree(self.sound, self._work)
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        self._place.cleanup()

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """What came of a trial."""
        if self._process is None:
            words = [sys.executable, "-m", self._module, "--child", str(self.sound), str(self._work)]
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment()
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        if line := process.stdout.readline():
            result: dict[str, Any] = json.loads(line)
            return result
        self._process = None
        return {"outcome": "died", "failures": [f"the process died with exit code {process.wait()}"]}


def serve(sound: Path, work: Path, trial: Trial) -> None:
    """The child: a question on every line of standard input, its answer on a line of standard output."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        os.chdir(work)
        _limit()
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        answer = trial(json.loads(line), sound, work)
        faulthandler.cancel_dump_traceback_later()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def restore(sound: Path, work: Path, folders: tuple[str, ...]) -> None:
    """The working copies as they were."""
    for name in folders:
        shutil.rmtree(work / name, ignore_errors=True)
        shutil.copytree(sound / name, work / name, copy_function=_copy)


def _copy(source: str, target: str) -> None:
    (os.link if os.path.getsize(source) > LINKED else shutil.copy)(source, target)


def _limit() -> None:
    """Leave this process MEMORY more than it has now."""
    has = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (has + MEMORY, hard))
