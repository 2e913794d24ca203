"""`errai tournament` and `errai verify` on its proof, as a user meets them."""

import json

import pytest

from errai.files.seal import sealed
from tests.cli.command import errai

SMALL = ["tournament", "--chips", 1600, "--sb", 100, "--bb", 200, "--step", 100]


def test_json_has_bounds_by_stack(capsys):
    finished = errai(capsys, *SMALL, "--compare", "--json", "--quiet")
    assert finished.code == 0
    content = json.loads(finished.out)
    assert content["stacks"] == list(range(0, 1700, 100))
    for seat in ("small_blind", "big_blind"):
        lower, upper = content[seat]["lower"], content[seat]["upper"]
        assert len(lower) == len(upper) == 17
        assert all(low <= high for low, high in zip(lower, upper, strict=True))
        assert (lower[0], lower[-1], upper[0], upper[-1]) == (0, 1, 0, 1)
    assert max(content["gap"]) == content["largest_gap"]
    assert set(content["compared"]) == {"always jam", "hand for hand"}


def test_files_and_the_proof(tmp_path, capsys):
    finished = errai(capsys, *SMALL, "--exact", "--out", tmp_path, "--format", "svg", "--quiet")
    assert finished.code == 0
    assert "1600 chips, blinds 100 and 200, step 100" in finished.out
    assert {path.name for path in tmp_path.iterdir()} == {
        "bounds.csv", "strategies.csv", "strategies.npy", "strategy.json", "result.json", "proof.json",
        *(f"figure-{number}.svg" for number in (1, 2, 3, 6, 8)),
    }  # fmt: skip
    verified = errai(capsys, "verify", tmp_path)
    assert verified.code == 0
    assert "holds: Everett's conditions are true in all 30 hands" in verified.out
    assert json.loads(errai(capsys, "verify", tmp_path / "proof.json", "--json").out)["holds"] is True
    content = json.loads((tmp_path / "proof.json").read_text())
    content["upper"][3] -= 10**9
    (tmp_path / "proof.json").write_text(json.dumps(sealed(content)))
    refused = errai(capsys, "verify", tmp_path)
    assert refused.code == 2
    assert "proof.json is damaged: its checksum is" in refused.err
    refused = errai(capsys, "verify", tmp_path / "proof.json")
    assert refused.code == 2
    assert "the upper bounds are not proven" in refused.err


def test_output_fits_80_columns(capsys):
    printed = errai(capsys, *SMALL, "--compare", "--quiet").out
    assert max(map(len, printed.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--chips", "8010", "--sb", "300", "--bb", "600", "--step", "50"],
            "8010 is no multiple of the step of 50",
        ),
        (["--chips", "8000", "--sb", "600", "--bb", "300"], "must not be smaller than the small blind"),
        (["--chips", "8000", "--sb", "0", "--bb", "300"], "the small blind must be more than 0"),
        (["--chips", "-1", "--sb", "1", "--bb", "2"], "--chips must be at least"),
        (["--chips", "8000", "--sb", "300"], "missing option '--bb'"),
        (
            ["--chips", "8000", "--sb", "300", "--bb", "600", "--format", "gif"],
            "--format must be png, svg or pdf",
        ),
        (
            ["--chips", "8000", "--sb", "300", "--bb", "600", "--exact"],
            "--out: exact saves a proof: give a folder for it",
        ),
        (["--chips", "8000", "--sb", "300", "--bb", "600", "--chart", "none.csv"], "none.csv"),
    ],
)
def test_a_wrong_argument_costs_one_line(arguments, words, capsys):
    finished = errai(capsys, "tournament", *arguments)
    assert finished.code == 2
    assert finished.out == ""
    assert finished.err.count("\n") == 1
    assert words in finished.err


def test_ctrl_c_says_that_nothing_was_saved(monkeypatch, capsys):
    monkeypatch.setattr("errai.cli.progress.Terminal.should_stop", lambda self: True)
    stopped = errai(capsys, *SMALL, "--quiet")
    assert stopped.code == 130
    assert stopped.err == "errai: stopped before the tournament was solved; nothing was saved\n"
