"""One writer in a folder at a time, and a lock that dies with its process."""

import os
import signal
import subprocess
import sys

import pytest

from errai.errors import ErraiError
from errai.runs.claim import NAME, Claim

HOLD = """
import sys
from pathlib import Path
from errai.runs.claim import Claim

claim = Claim(Path(sys.argv[1]))
print("claimed", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that has claimed the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "claimed\n"
    yield process
    process.kill()
    process.communicate()


def test_a_folder_is_claimed_once(tmp_path):
    first = Claim(tmp_path)
    with pytest.raises(ErraiError, match=rf"is in use by process {os.getpid()}; wait until that has ended"):
        Claim(tmp_path)
    first.release()
    Claim(tmp_path).release()
    assert not list(tmp_path.iterdir())


def test_another_process_is_named(holder, tmp_path):
    with pytest.raises(ErraiError, match=rf"^{tmp_path} is in use by process {holder.pid}; [^\n]*$"):
        Claim(tmp_path)


def test_a_killed_process_holds_nothing(holder, tmp_path):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert (tmp_path / NAME).exists()
    Claim(tmp_path).release()
    assert not (tmp_path / NAME).exists()


def test_releasing_twice_takes_nothing_from_others(tmp_path):
    first = Claim(tmp_path)
    first.release()
    second = Claim(tmp_path)
    first.release()
    with pytest.raises(ErraiError, match="in use"):
        Claim(tmp_path)
    second.release()
