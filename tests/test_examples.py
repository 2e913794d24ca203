"""The examples run as they are printed, and what they print is right."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def printed(name: str) -> str:
    done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def numbers(text: str, pattern: str) -> list[float]:
    return [float(found) for found in re.findall(pattern + r" +(-?[\d.]+)", text)]


def test_every_example_is_run_here():
    assert {path.name for path in EXAMPLES.glob("*.py")} == {
        "solve_game.py",
        "custom_game.py",
        "river_spot.py",
        "exact_value.py",
        "gambit_file.py",
        "jam_or_fold.py",
        "train_on_buckets.py",
        "larger_than_memory.py",
    }


def test_larger_than_memory():
    text = printed("larger_than_memory.py")
    begun, resumed = numbers(text, "iterations")
    assert resumed <= 1 < begun
    assert sum(numbers(text, "into: [fcr]")) == pytest.approx(1, abs=0.002)


def test_solve_game():
    text = printed("solve_game.py")
    assert numbers(text, "exploitability")[0] <= 0.5
    (low,), (high,) = numbers(text, "between"), numbers(text, "and")
    assert low < -0.0856 < high
    assert sum(numbers(text, "into: [fcr]")) == pytest.approx(1, abs=2e-3)


def test_custom_game():
    text = printed("custom_game.py")
    after_100, after_1000 = numbers(text, "iterations")
    assert 0 < after_1000 < after_100 / 5
    assert "seat,hand,board,betting,fold,call,raise" in text


def test_river_spot():
    text = printed("river_spot.py")
    assert numbers(text, "exploitability")[0] <= 0.5
    assert "pot of 60 chips" in text
    for check, bet in zip(numbers(text, "check"), numbers(text, "bet"), strict=True):
        assert check + bet == pytest.approx(1, abs=0.011)
    assert re.search(r"9h9d +check 0.0\d +bet", text), "the nuts are bet for value"


def test_exact_value():
    text = printed("exact_value.py")
    assert "worth exactly -1/4 to Ann" in text
    assert "Ann, losing card: bet 1/6, check 5/6" in text
    assert "Bob, facing a bet: call 1/2, fold 1/2" in text
    assert text.endswith("the certificate holds\n")


def test_gambit_file():
    text = printed("gambit_file.py")
    assert numbers(text, "linear program") == pytest.approx([-0.085606424078], abs=1e-9)
    assert numbers(text, "engine ") == pytest.approx([-0.085606424078], abs=1e-4)
    assert text.endswith("hold the value: True\n")


def test_jam_or_fold():
    text = printed("jam_or_fold.py")
    assert "wins -0.045371 a hand" in text
    assert "43s is jammed 71.1% of the time" in text
    for low, high in zip(numbers(text, "between"), numbers(text, "and"), strict=True):
        assert 0.48 < low < high < 0.52


def test_train_on_buckets():
    text = printed("train_on_buckets.py")
    early, late = numbers(text, "samples:")
    assert 0 < late < early / 2
