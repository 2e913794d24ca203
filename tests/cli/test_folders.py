"""Folders that cannot be written to: in use by another run, or on a disk that is full at the end."""

import json
import os

from errai.errors import ErraiError
from errai.runs.run import Run
from tests.cli.command import errai


def test_a_result_that_cannot_be_saved_is_printed(tmp_path, capsys, monkeypatch):
    def fail(*anything):
        raise ErraiError("no room")

    monkeypatch.setattr("errai.strategy.kinds.exact.ExactStrategy.save", fail)
    done = errai(capsys, "solve", "kuhn", "--iterations", 20, "--out", tmp_path / "kuhn", "--json", "--quiet")
    assert done.code == 2
    assert json.loads(done.out)["iterations"] == 20
    assert json.loads(done.out)["out"] is None
    assert done.err == "errai: warning: the strategy was not saved: no room\n"


def test_a_folder_in_use_is_refused(tmp_path, capsys):
    with Run(tmp_path):
        refused = errai(capsys, "solve", "kuhn", "--out", tmp_path, "--overwrite", "--quiet")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        f"errai: {tmp_path} is in use by process {os.getpid()}; "
        "wait until that has ended, or choose another folder\n"
    )
