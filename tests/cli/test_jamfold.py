"""`errai jamfold`: one hand and charts, as a user meets them."""

import json

import pytest

from errai.cards.notation import GRID
from errai.jamfold.equities import HANDS, equities
from tests.cli.command import errai

PAPER = ["--stacks", 4000, 4000, "--sb", 300, "--bb", 600]
SHORT_CHART = ["--chart", "--from", 2, "--to", "2.5", "--step", "0.1"]


def asked(capsys, *arguments):
    """The JSON object of a command."""
    finished = errai(capsys, "jamfold", *arguments, "--json", "--quiet")
    assert (finished.code, finished.err) == (0, "")
    return json.loads(finished.out)


def test_json_of_a_hand(capsys):
    content = asked(capsys, "--stack", 10)
    assert content["value"] == pytest.approx(-0.0453707525928, abs=1e-12)
    assert content["value_of"] == "small blind"
    assert list(content["jam"]) == list(content["call"]) == list(HANDS)
    assert content["jam"]["43s"] == pytest.approx(0.7107477, abs=1e-6)
    assert content["mixed"] == {
        "jam": {"43s": content["jam"]["43s"]},
        "call": {"Q6s": content["call"]["Q6s"]},
    }
    assert content["unit"] == "big blinds"
    assert content["files"] == []


def test_chips_and_big_blinds_are_the_same_hand(capsys):
    chips = asked(capsys, "--stacks", 6000, 8000, "--sb", 300, "--bb", 600, "--ante", 75)
    blinds = asked(capsys, "--stack", 10, "--ante", "1/8")
    assert chips["value"] == pytest.approx(600 * blinds["value"], abs=1e-9)
    assert (chips["unit"], chips["effective"], chips["ante"]) == ("chips", 6000, 75)


def test_the_big_blind(capsys):
    content = asked(capsys, "--stack", 10, "--big-blind")
    assert content["value"] == pytest.approx(-0.2191750046, abs=1e-10)
    assert (content["seat"], content["value_of"]) == ("big", "big blind")
    assert content["limp"]["AA"] == 1
    shown = errai(capsys, "jamfold", "--stack", 10, "--big-blind", "--quiet").out
    assert "big blinds for the big blind" in shown
    assert "calls the blind with every hand but 32s, 32o 30.1%" in shown


def test_what_people_see_fits_a_terminal(capsys):
    finished = errai(capsys, "jamfold", "--stack", 10, "--quiet")
    assert (finished.code, finished.err) == (0, "")
    lines = finished.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in finished.out
    assert lines[0] == "10 big blinds each"
    for text in (
        "-0.045371 big blinds for the small blind",
        "proven between -0.04537075260 and -0.04537075259",
        "jams 58.3% of hands",
        "mixed: 43s 71.1%",
        "calls the jam with 37.4% of hands",
        "mixed: Q6s 40.3%",
    ):
        assert text in finished.out
    tops = [place for place, line in enumerate(lines) if line.split() == GRID[0]]
    assert len(tops) == 2
    fours = GRID.index(next(row for row in GRID if "43s" in row))
    assert lines[tops[0] + 2 * fours + 1].split()[GRID[fours].index("43s")] == "71"


@pytest.mark.parametrize(
    ("arguments", "said", "grids"),
    [
        (
            ["--stack", "0.4"],
            ["small blind      has nothing to decide", "big blind        has nothing to decide"],
            0,
        ),
        (
            ["--stack", 1],
            ["small blind      jams 100.0%", "big blind        has nothing to decide: all that"],
            1,
        ),
        (
            ["--stack", 1, "--big-blind"],
            ["big blind        has nothing to decide: a showdown", "small blind      calls with 100.0%"],
            1,
        ),
        (["--stacks", 20, "0.5", "--sb", 1, "--bb", 2], ["small blind      has nothing to decide"], 0),
    ],
)
def test_odd_stacks_say_who_has_nothing_to_decide(arguments, said, grids, capsys):
    finished = errai(capsys, "jamfold", *arguments, "--quiet")
    assert finished.code == 0
    for text in said:
        assert text in finished.out
    assert finished.out.count("AKo ") == grids
    assert "+0.000000" in finished.out


def test_theorem_1_is_proven(capsys):
    content = asked(capsys, *PAPER, "--prove")
    assert content["proof"]["must_mix"] == ["86o"]
    assert content["proof"]["undecided"] == []
    assert len(content["proof"]["must_jam"]) + len(content["proof"]["must_fold"]) == 168
    shown = errai(capsys, "jamfold", *PAPER, "--prove", "--quiet").out
    assert max(map(len, shown.splitlines())) <= 80
    assert "must mix         86o\n" in shown
    assert "must jam         22+, A2s+, K2s+" in shown
    assert f"exactly          {content['proof']['value']}\n" in shown


def test_an_exact_value_with_its_certificate(tmp_path, capsys):
    content = asked(capsys, "--stack", 10, "--exact", "--out", tmp_path / "ten")
    over, under = map(int, content["exact_value"].split("/"))
    assert over / under == pytest.approx(content["value"], abs=1e-14)
    assert {path.name for path in (tmp_path / "ten").iterdir()} == {
        "certificate.json", "hand.csv", "hand.png", "result.json", "strategy.json",
    }  # fmt: skip
    assert len(content["files"]) == 4
    saved = json.loads((tmp_path / "ten" / "result.json").read_text())
    assert saved["exact_value"] == content["exact_value"]
    verified = errai(capsys, "verify", tmp_path / "ten")
    assert verified.code == 0
    assert content["exact_value"] in verified.out
    assert "certificate      not saved" in errai(capsys, "jamfold", "--stack", 10, "--exact", "--quiet").out


def test_json_of_a_chart(capsys):
    content = asked(capsys, *SHORT_CHART)
    assert content["jam"]["AA"] == [[2, 2.5]]
    assert content["jam"]["63s"] == [[2, 2.38]]
    assert content["call"]["AA"] == [[2, 2.5]]
    assert (content["from"], content["to"], content["step"]) == (2, 2.5, 0.1)


def test_a_chart_for_people(tmp_path, capsys):
    finished = errai(capsys, "jamfold", *SHORT_CHART, "--out", tmp_path, "--quiet")
    assert finished.code == 0
    lines = finished.out.splitlines()
    assert max(len(line) for line in lines if str(tmp_path) not in line) <= 80
    assert lines[0] == "The small blind jams up to this stack, in big blinds"
    assert lines[3].split() == ["2.5+"] * 13
    assert "The big blind calls up to this stack" in finished.out
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"strategy.json", "chart.csv", "chart.png", "result.json"}


def test_a_table_and_a_picture(tmp_path, capsys):
    table, picture = tmp_path / "a" / "hand.csv", tmp_path / "b" / "hand.svg"
    finished = errai(capsys, "jamfold", "--stack", 5, "--csv", table, "--plot", picture, "--quiet")
    assert finished.code == 0
    assert table.read_text().startswith("hand,combos,jam,call,ev_fold,ev_jam,")
    assert picture.read_text().startswith("<?xml")
    assert str(table) in finished.out
    assert str(picture) in finished.out


def test_progress_goes_to_standard_error(monkeypatch, capsys):
    monkeypatch.setattr("errai.cli.progress.PLAIN_INTERVAL", 0.0)
    finished = errai(capsys, "jamfold", *SHORT_CHART, "--json")
    assert json.loads(finished.out)
    assert "solving stacks: 100%" in finished.err


@pytest.mark.parametrize("equal", [True, False])
def test_equities_are_rebuilt_and_compared(equal, monkeypatch, capsys):
    wins = equities().wins.copy()
    wins[3, 4] += not equal
    monkeypatch.setattr("errai.jamfold.equities.compute_wins", lambda progress: wins)
    finished = errai(capsys, "jamfold", "--rebuild-equities", "--quiet")
    if equal:
        assert finished.code == 0
        assert "equal to the one that came with Errai" in finished.out
    else:
        assert finished.code == 2
        assert "the counts differ" in finished.err


WRONG = [
    ([], "give --stack BB, --stacks SB BB or --chart"),
    (["--stack", 0], "the stack of the small blind must be more than 0, not 0"),
    (["--stack", -5], "the stack of the small blind must be more than 0, not -5"),
    (["--stack", "ten"], "--stack: 'ten' is not a number; write 3, 0.5 or 1/3"),
    (["--stack", "1e9"], "at most 10,000 big blinds"),
    (["--stack", 10, "--stacks", 1, 2], "--stacks makes no sense with --stack"),
    (["--stack", 10, "--bb", 2], "--bb makes no sense with --stack"),
    (["--stack", 10, "--ante", -1], "the ante must be 0 or more, not -1"),
    (["--stack", 10, "--ante", "x"], "--ante: 'x' is not a number"),
    (["--stacks", 10], "--stacks"),
    (["--stacks", 10, 20], "--sb is missing: --stacks needs --sb and --bb"),
    (["--stacks", 10, 20, "--sb", 1], "--bb is missing"),
    (["--stacks", 10, -20, "--sb", 1, "--bb", 2], "the stack of the big blind must be more than 0"),
    (
        ["--stacks", 10, 20, "--sb", 3, "--bb", 2],
        "the big blind of 2 must not be smaller than the small blind of 3",
    ),
    (["--stacks", 10, 20, "--sb", 0, "--bb", 2], "the small blind must be more than 0"),
    (["--stack", 10, "--from", 2], "--from makes no sense without --chart"),
    (["--chart", "--from", 5, "--to", 4], "from 5 to 4 big blinds"),
    (["--chart", "--step", 0], "the step of a chart must be 0.01 big blinds or more"),
    (["--chart", "--to", "x"], "--to: 'x' is not a number"),
    (["--chart", "--stack", 10], "--stack makes no sense with --chart"),
    (["--chart", "--big-blind"], "--big-blind makes no sense with --chart"),
    (["--chart", "--prove"], "--prove makes no sense with --chart"),
    (["--rebuild-equities", "--stack", 5], "--stack makes no sense with --rebuild-equities"),
    (["--stack", 10, "--csv", "hand.txt"], "--csv hand.txt: the name of a table must end in .csv"),
    (["--stack", 10, "--plot", "hand.bmp"], "hand.bmp is no picture file"),
    (["--stack", 10, "--sback", 2], "no such option: --sback"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=lambda case: " ".join(map(str, case)))
@pytest.mark.parametrize("mode", [[], ["--json"]], ids=["text", "json"])
def test_a_wrong_argument_costs_one_line(arguments, message, mode, capsys):
    finished = errai(capsys, "jamfold", *arguments, *mode)
    assert finished.code == 2
    assert finished.out == ""
    assert finished.err.startswith("errai: ")
    assert finished.err.count("\n") == 1
    assert message in finished.err


def test_a_file_in_place_of_the_out_folder_is_refused(tmp_path, capsys):
    (tmp_path / "taken").write_text("mine")
    finished = errai(capsys, "jamfold", "--stack", 5, "--out", tmp_path / "taken", "--quiet")
    assert finished.code == 2
    assert "cannot write" in finished.err
    assert (tmp_path / "taken").read_text() == "mine"


# Single hands


def test_a_hand_is_all_its_combos(capsys):
    shown = errai(capsys, "jamfold", "--stack", "10", "--hand", "43s, AhKd", "--quiet").out
    assert "AKo              1 of 12 combos, all played alike" in shown
    assert "43s              all 4 combos" in shown
    assert "first to act: jam 71.1%, fold 28.9%" in shown
    assert "worth in big blinds: fold -0.5000, jam -0.5000" in shown
    assert "facing the jam: always fold" in shown
    assert "to act, pot" not in shown  # no grids


def test_a_hand_in_json_has_its_values(capsys):
    found = json.loads(errai(capsys, "jamfold", "--stack", "10", "--hand", "A5s", "--json").out)
    assert list(found["hands"]) == ["A5s"]
    assert found["hands"]["A5s"]["combos"] == 4
    assert found["hands"]["A5s"]["ev"] == found["ev"]["A5s"]
    assert found["hands"]["A5s"]["answer_ev"] == found["answer_ev"]["A5s"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stack", "10", "--hand", "AKx"], "--hand: range item 'AKx'"),
        (["--stack", "10", "--hand", ""], "--hand: the range is empty"),
        (["--chart", "--hand", "AA"], "--hand makes no sense with --chart"),
        (["--stack", "10", "--ante", "20"], "--ante must be less than the stack of 10, not 20"),
        (["--stack", "10", "--ante", "10"], "--ante must be less than the stack of 10, not 10"),
        (["--chart", "--ante", "3"], "--ante must be less than the chart's shortest stack of 1, not 3"),
        (["--stack", "1e-400"], "--stack must be from 0.000001 to 1,000,000,000,000"),
        (["--stack", "1e400000000"], "--stack: 1e400000000 is too large or too small a number"),
        (["--stacks", "1e300", "1e300", "--sb", "1", "--bb", "2"], "--stacks must be from"),
        (["--stack", "\u0661\u0660"], "is not a number; write 3, 0.5 or 1/3"),
    ],
)
def test_amounts_and_hands_that_make_no_sense_cost_one_line(arguments, words, capsys):
    finished = errai(capsys, "jamfold", *arguments)
    assert (finished.code, finished.out, finished.err.count("\n")) == (2, "", 1)
    assert words in finished.err


def test_the_folder_of_a_chart_is_checked_and_not_replaced_by_accident(tmp_path, capsys):
    arguments = ("jamfold", "--chart", "--from", "1", "--to", "1.2", "--out", tmp_path / "chart", "--quiet")
    assert errai(capsys, *arguments).code == 0
    again = errai(capsys, *arguments)
    assert again.code == 2
    assert "already holds a strategy" in again.err
    assert errai(capsys, *arguments, "--overwrite").code == 0
    assert "push/fold chart" in errai(capsys, "strategy", "info", tmp_path / "chart").out
    table = tmp_path / "chart" / "chart.csv"
    table.write_text(table.read_text().replace("AKs,1.2", "AKs,1.1"))
    damaged = errai(capsys, "strategy", "check", tmp_path / "chart")
    assert damaged.code == 2
    assert "chart.csv" in damaged.err
