"""That kernels are compiled is told once, and only when it takes long."""

import subprocess
import sys
import time

import pytest

from errai.kernels import compiling

SLOWLY = """
import errai.kernels.compiling as compiling
compiling.LONG = 0.0
compiling.tell = lambda: print("told", flush=True)
import errai.kernels.cache
from numba import njit
njit(lambda x: x + 1)(1)
njit(lambda x: x + 2)(1)
"""


def waited(watch: compiling.Watch, told: list[int]) -> int:
    until = time.monotonic() + 5
    while not told and time.monotonic() < until:
        time.sleep(0.005)
    watch.end()
    return len(told)


def test_a_short_compilation_is_not_worth_a_word(monkeypatch):
    told: list[int] = []
    monkeypatch.setattr(compiling, "tell", lambda: told.append(1))
    watch = compiling.Watch()
    watch.start()
    watch.end()
    time.sleep(0.01)
    assert told == []


def test_a_long_one_is_told_once_while_it_lasts(monkeypatch):
    told: list[int] = []
    monkeypatch.setattr(compiling, "tell", lambda: told.append(1))
    monkeypatch.setattr(compiling, "LONG", 0.02)
    watch = compiling.Watch()
    watch.start()
    watch.start()  # a kernel that this one calls
    watch.end()
    assert waited(watch, told) == 1
    watch.start()
    time.sleep(0.05)
    watch.end()
    assert told == [1]


def test_many_short_ones_are_long_too(monkeypatch):
    told: list[int] = []
    monkeypatch.setattr(compiling, "tell", lambda: told.append(1))
    monkeypatch.setattr(compiling, "LONG", 0.05)
    watch = compiling.Watch()
    for _ in range(50):
        watch.start()
        time.sleep(0.01)
        watch.end()
    assert told == [1]


@pytest.mark.parametrize("code", [SLOWLY])
def test_numba_is_listened_to(code):
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "told\n"
