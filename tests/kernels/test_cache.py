"""Compiled kernels on the disk: who shares them, and when they go."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from errai.kernels import cache

COUNTS = """
import numpy as np
from errai.abstraction.kernels.axes import covariance, eigenvectors
eigenvectors(np.eye(2))
covariance(np.zeros((1, 2), np.float32), np.empty(2, np.float32))
print(*(sum(of.stats.cache_misses.values()) for of in (covariance, eigenvectors)))
"""
TARGET = ("x86_64", "znver4", "+avx2")


def start(folder, cpu):
    """A process that prints how many kernels it compiled."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    environment.pop("NUMBA_CPU_NAME", None)
    environment |= {"NUMBA_CPU_NAME": cpu} if cpu else {}
    return subprocess.Popen(
        [sys.executable, "-c", COUNTS], env=environment, stdout=subprocess.PIPE, text=True
    )


def compiled(process):
    printed, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return printed.split()


def test_two_kinds_of_machines_share_a_folder_and_compile_once_each(tmp_path):
    at_once = [start(tmp_path, cpu) for cpu in ("generic", "")]
    assert [compiled(process) for process in at_once] == [["1", "1"]] * 2
    again = [start(tmp_path, cpu) for cpu in ("generic", "")]
    assert [compiled(process) for process in again] == [["0", "0"]] * 2
    assert not list(tmp_path.rglob("*.new"))


def test_where_nothing_can_be_written_kernels_are_compiled_at_every_start(tmp_path):
    (tmp_path / "file").touch()
    assert compiled(start(tmp_path / "file", "")) == ["1", "1"]


SORTING = """
import errai.kernels.cache
import numpy as np
from numba import njit

@njit(cache=True)
def smallest(keys):
    keys.sort()
    return keys[0]
"""
RANKING = SORTING.replace("keys.sort()", "order = np.argsort(keys)").replace("keys[0]", "keys[order[0]]")


def test_kernels_that_were_compiled_apart_call_their_own_functions(tmp_path):
    (tmp_path / "sorting.py").write_text(SORTING)
    (tmp_path / "ranking.py").write_text(RANKING)
    for modules in ("sorting", "ranking", "sorting, ranking"):
        calls = ", ".join(
            f"{name.strip()}.smallest(np.arange(60)[::-1].copy())" for name in modules.split(",")
        )
        process = subprocess.Popen(
            [sys.executable, "-c", f"import numpy as np, {modules}; print({calls})"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(cache._HOUSE.parent)},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert set(compiled(process)) == {"0"}, modules


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_place", lambda: tmp_path)
    return tmp_path


def folder(digest, target=TARGET):
    return cache._folder.__wrapped__(cache._HOUSE / "engine" / "kernels", digest, target)


def test_other_sources_and_other_cpus_have_other_folders(place):
    found = {
        folder("one"),
        folder("two"),
        folder("one", ("x86_64", "generic", "")),
        folder("one", (*TARGET[:2], "")),
    }
    assert len(found) == 4
    assert all(one.is_dir() and one.name.startswith("errai.engine.kernels-") for one in found)


def test_a_change_of_any_source_that_is_called_is_noticed(tmp_path):
    own, called = tmp_path / "own", tmp_path / "called"
    for package in (own, called):
        package.mkdir()
        (package / "kernel.py").write_text("one")
    digests = []
    for text in ("one", "two", "one"):
        (called / "kernel.py").write_text(text)
        cache.discard_stale(own, called)
        digests.append(cache._digests.pop(own))
    assert digests[0] == digests[2] != digests[1]


def test_folders_of_old_sources_go_but_not_those_in_use(place):
    other = folder("other", (*TARGET[:2], ""))
    made = [folder(f"{age:03}") for age in range(10)]
    for age, one in enumerate(made):
        (one / "kernel.nbc").touch()
        os.utime(one, (time.time() - age * 0.6 * 86_400,) * 2)
    own = folder("own")
    assert sorted(made[0].parent.iterdir()) == [*made[: cache.KEPT], own]
    assert other.is_dir()


def test_what_was_used_within_a_day_stays(place):
    made = [folder(f"{number:03}") for number in range(10)]
    assert sorted(made[0].parent.iterdir()) == made


def test_an_installation_that_cannot_be_written_uses_the_users_folder(tmp_path, monkeypatch):
    (tmp_path / "__pycache__").touch()  # a file, where a folder cannot be made
    monkeypatch.setattr(cache, "_HOUSE", tmp_path)
    monkeypatch.setattr(cache.config, "CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert cache._place.__wrapped__() == tmp_path / "home" / "errai" / "kernels"


def test_a_damaged_file_is_compiled_anew_without_a_word(tmp_path):
    assert compiled(start(tmp_path, "")) == ["1", "1"]
    files = sorted(tmp_path.rglob("*.nbc"))
    assert len(files) >= 2
    for harm in (
        lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: cache._digest(b"cos\nsystem\n.") + b"cos\nsystem\n.",  # sound, and no kernel
    ):
        for path in files:
            path.write_bytes(harm(path.read_bytes()))
        assert compiled(start(tmp_path, "")) == ["1", "1"]
        assert compiled(start(tmp_path, "")) == ["0", "0"]
