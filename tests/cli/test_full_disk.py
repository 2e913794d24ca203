"""A disk that is full at the end: the result is printed, and the exit code says that it is not saved."""

import json

from errai.errors import ErraiError
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
