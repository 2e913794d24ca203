"""`errai abstract`, `train`, `exploit` and `query`, one after the other, as a user types them."""

import json
import os
import shlex
import shutil
import signal
from pathlib import Path

import pytest

from errai.api.solving import load
from errai.blueprint.training import BoardMeasurement, Plan, TrainingProgress
from errai.cli.train import parse_time
from errai.errors import ErraiError
from errai.strategy.shipped import shipped
from tests.blueprint.games import TEXT
from tests.cli.command import errai


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a game, its buckets and a strategy on them; commands run in it."""
    folder = tmp_path_factory.mktemp("commands")
    (folder / "ten.game").write_text(TEXT)
    before = Path.cwd()
    os.chdir(folder)
    from errai.cli.main import run

    preset = "lossless/lossless/ehs2:40/ehs2:40"
    assert (
        run(["abstract", preset, "--game", "ten.game", "--out", "buckets", "--threads", "1", "--quiet"]) == 0
    )
    assert run([*TRAIN, "--samples", "300", "--out", "bp", "--quiet"]) == 0
    yield folder
    os.chdir(before)


TRAIN = ["train", "ten.game", "--abstraction", "buckets", "--threads", "1"]


def test_training_says_what_it_did(place, capsys):
    done = errai(capsys, *TRAIN, "--samples", 200, "--method", "linear", "--out", "said")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "game             ten"
    assert lines[1] == "buckets          lossless/lossless/ehs2:40/ehs2:40: 25 / 640 / 38 / 11"
    assert lines[2].startswith("method           linear: regrets and average weigh")
    assert lines[3].startswith("samples          200 in ")
    assert lines[4:6] == ["strategy         average, in said", "next             errai exploit said"]
    assert lines[-1].split()[-2] == "200"
    assert done.err.startswith("memory: ")
    assert "200 of 200 samples" in done.err
    assert "measuring" in done.err
    assert "mbb/g on 2c2d 3c3d" in done.err
    assert not Path("said/convergence.png").exists()


def test_training_as_json_and_the_picture(place, capsys, monkeypatch):
    monkeypatch.setattr("errai.blueprint.training.FIRST_MEASUREMENT", 1e-6)
    done = errai(capsys, *TRAIN, "--samples", 100, "--seed", 4, "--out", "json", "--json", "--quiet")
    assert (done.code, done.err) == (0, "")
    content = json.loads(done.out)
    assert (content["samples"], content["finished"], content["buckets"]) == (100, True, [25, 640, 38, 11])
    assert content["looks"][-1]["samples"] == 100
    assert len(content["looks"]) >= 2
    assert Path("json/convergence.png").stat().st_size > 1000
    about = json.loads(Path("json/strategy.json").read_text())["about"]
    assert (about["algorithm"], about["iterations"], about["seed"], about["threads"]) == (
        "cfr+-br",
        100,
        4,
        1,
    )
    assert about["looks"] == content["looks"]
    # The command that is written down trains the same strategy again.
    command = shlex.split(about["command"].replace("--out json", "--out again"))
    assert errai(capsys, *command[1:], "--quiet").code == 0
    for round_ in ("preflop", "flop", "turn", "river"):
        assert Path(f"json/{round_}.blocks").read_bytes() == Path(f"again/{round_}.blocks").read_bytes()


def test_a_stopped_training_goes_on_to_the_same_strategy(place, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "errai.cli.progress.Terminal.should_stop", lambda self: asked.append(self) or len(asked) > 4
    )
    stopped = errai(capsys, *TRAIN, "--samples", 300, "--out", "stopped")
    assert stopped.code == 130
    assert stopped.err.splitlines()[-1] == "  errai train --resume stopped"
    monkeypatch.undo()
    # What it has learned can be queried, though it has not been measured.
    asked = json.loads(errai(capsys, "query", "stopped", "--betting", "r", "--hand", "6c6d", "--json").out)
    assert sum(asked["hands"]["6d6c"].values()) == pytest.approx(1)
    os.chdir("stopped")  # the buckets are found from anywhere
    done = errai(capsys, "train", "--resume", ".", "--json", "--quiet")
    os.chdir("..")
    assert json.loads(done.out)["samples"] == 300
    for round_ in ("preflop", "flop", "turn", "river"):
        assert Path(f"bp/{round_}.blocks").read_bytes() == Path(f"stopped/{round_}.blocks").read_bytes()
    more = errai(capsys, "train", "ten.game", "--resume", "stopped", "--samples", 50, "--json", "--quiet")
    assert json.loads(more.out)["samples"] == 350


def test_the_method_may_change_on_the_way(place, capsys):
    def same(one, other):
        names = ("preflop", "flop", "turn", "river")
        return all(
            Path(f"{one}/{n}.blocks").read_bytes() == Path(f"{other}/{n}.blocks").read_bytes() for n in names
        )

    assert errai(capsys, *TRAIN, "--samples", 100, "--out", "first", "--quiet").code == 0
    more = ["ten.game", "--resume", "first", "--method", "linear-br2", "--samples", 30, "--quiet"]
    assert errai(capsys, "train", *more).code == 0
    about = json.loads(Path("first/strategy.json").read_text())["about"]
    assert about["algorithm"] == "cfr+-br, then linear-br2"
    for command in about["command"].replace("first", "second").split(" && "):
        assert errai(capsys, *shlex.split(command)[1:], "--quiet").code == 0
    assert same("first", "second")
    assert not same("first", "bp")


def test_the_buckets_may_change_on_the_way(place, capsys):
    coarser = ["abstract", "lossless/lossless/ehs2:10/ehs2:5", "--game", "ten.game", "--out", "coarser"]
    assert errai(capsys, *coarser, "--threads", "1", "--quiet").code == 0
    begin = ["ten.game", "--abstraction", "coarser", "--threads", "1", "--samples", 60, "--out", "few"]
    assert errai(capsys, "train", *begin, "--quiet").code == 0
    more = ["--resume", "few", "--abstraction", "buckets", "--samples", 30, "--out", "fine", "--quiet"]
    assert errai(capsys, "train", "ten.game", *more).code == 0
    content = json.loads(Path("fine/strategy.json").read_text())
    assert content["abstraction"]["counts"] == load("bp").content["abstraction"]["counts"]
    assert content["about"]["algorithm"] == "cfr+-br"
    # The method may change with them.
    assert errai(capsys, "train", "ten.game", *more, "--method", "cfr-br", "--out", "finer").code == 0
    about = json.loads(Path("finer/strategy.json").read_text())["about"]
    assert about["algorithm"] == "cfr+-br, then cfr-br"
    assert about["command"].count(" && ") == 1
    assert Path("finer/river.blocks").read_bytes() != Path("fine/river.blocks").read_bytes()
    for folder in ("fine", "finer"):
        command = json.loads(Path(folder, "strategy.json").read_text())["about"]["command"]
        for part in command.replace(f"--out {folder}", "--out again").split(" && "):
            words = shlex.split(part.replace(f"--resume {folder}", "--resume again"))
            replaced = [] if "--resume" in words else ["--overwrite"]
            assert errai(capsys, *words[1:], *replaced, "--quiet").code == 0
        for name in ("preflop", "flop", "turn", "river"):
            assert Path(f"again/{name}.blocks").read_bytes() == Path(folder, f"{name}.blocks").read_bytes()


def test_a_training_is_saved_before_it_is_measured(place, capsys, monkeypatch):
    def killed(self, *anything):
        raise KeyboardInterrupt

    monkeypatch.setattr("errai.blueprint.training.Training.measure", killed)
    assert errai(capsys, *TRAIN, "--samples", 60, "--out", "killed", "--quiet").code == 130
    monkeypatch.undo()
    assert load("killed").about["iterations"] == 60
    done = json.loads(errai(capsys, "train", "--resume", "killed", "--json", "--quiet").out)
    assert (done["samples"], done["finished"]) == (60, True)
    assert [one["samples"] for one in done["looks"]] == [60]
    # What was measured later is in the strategy and in the checkpoint.
    assert load("killed").about["looks"] == done["looks"]
    again = json.loads(errai(capsys, "train", "--resume", "killed", "--json", "--quiet").out)
    assert again["looks"] == done["looks"]


def test_a_training_does_not_replace_other_work(place, capsys):
    refused = errai(capsys, *TRAIN, "--samples", 60, "--out", "bp", "--quiet")
    assert refused.code == 2
    assert (
        "bp already holds a strategy; resume it, choose another folder, or replace it with --overwrite"
        in (refused.err)
    )
    assert errai(capsys, *TRAIN, "--samples", 60, "--out", "over", "--quiet").code == 0
    replaced = errai(capsys, *TRAIN, "--samples", 80, "--out", "over", "--overwrite", "--json", "--quiet")
    assert json.loads(replaced.out)["samples"] == 80
    assert load("over").about["iterations"] == 80


def test_a_goal_that_was_reached_before_is_said_to_be(place, capsys):
    assert errai(capsys, *TRAIN, "--samples", 60, "--out", "reached", "--quiet").code == 0
    done = errai(capsys, "train", "--resume", "reached")
    assert done.code == 0
    assert "nothing to do: 60 samples and " in done.err


def test_limits_given_to_resume_are_for_that_run(place, capsys):
    assert errai(capsys, *TRAIN, "--samples", 60, "--out", "short", "--quiet").code == 0
    before = json.loads(Path("short/checkpoint/checkpoint.json").read_text())
    resumed = errai(capsys, "train", "--resume", "short", "--time", "0.3s", "--json", "--quiet")
    done = json.loads(resumed.out)
    assert done["samples"] > 60
    assert before["seconds"] + 0.3 <= done["seconds"]
    more = json.loads(errai(capsys, "train", "--resume", "short", "--samples", 10, "--json", "--quiet").out)
    assert more["samples"] == done["samples"] + 10


def test_exact_and_estimated_exploitability(place, capsys):
    sampled = errai(capsys, "exploit", "bp", "--flops", 8, "--threads", 1)
    assert sampled.code == 0
    assert "estimated; 95% interval" in sampled.out
    assert "8 of 25; " in sampled.out
    assert sampled.err.startswith("estimate: ")
    assert "of memory, about" in sampled.err
    exact = json.loads(errai(capsys, "exploit", "bp", "--threads", 1, "--json", "--quiet").out)
    assert exact.keys() >= {
        "exploitability_mbb",
        "best_response",
        "exact",
        "interval",
        "lower_mbb",
        "flops",
        "core_hours",
        "seconds",
        "bounds",
    }
    assert (exact["exact"], exact["interval"], exact["flops"]) == (True, None, 25)
    assert exact["exploitability_mbb"] == pytest.approx(50 * sum(exact["best_response"]))
    assert exact["bounds"] == [-exact["best_response"][1], exact["best_response"][0]]
    text = errai(capsys, "exploit", "bp", "--quiet").out
    assert "mbb/g, exact\n" in text
    assert "boards           25 of 25; " in text
    # An estimate does not take the place of the exact figure.
    estimate = json.loads(errai(capsys, "exploit", "bp", "--flops", 4, "--json", "--quiet").out)
    assert len(estimate["interval"]) == 2
    info = json.loads(errai(capsys, "strategy", "info", "bp", "--json").out)
    assert info["exploitability"]["exploitability_mbb"] == exact["exploitability_mbb"]


def test_a_stopped_best_response_goes_on(place, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "errai.cli.progress.Terminal.should_stop", lambda self: asked.append(self) or len(asked) > 40
    )
    command = ["exploit", "uniform", "--game", "ten.game", "--threads", 1, "--quiet"]
    stopped = errai(capsys, *command, "--work", "kept")
    assert stopped.code == 130
    assert stopped.err.splitlines()[-1] == "  errai exploit uniform --game ten.game --work kept"
    kept = len(list(Path("kept").glob("*.npy")))
    assert 0 < kept < 25
    asked.clear()
    stopped = errai(capsys, *command)
    assert (stopped.code, stopped.err.count("\n")) == (130, 1)
    assert "nothing was kept" in stopped.err
    monkeypatch.undo()
    done = errai(capsys, *shlex.split("exploit uniform --game ten.game --work kept --json"))
    assert json.loads(done.out)["flops"] == 25


def test_simple_strategies_and_exact_solutions(place, capsys):
    text = errai(capsys, "exploit", "always-fold").out
    assert "exploitability   750.0 mbb/g, exact\n" in text
    assert "boards           0 of 1,755; nothing to walk\n" in text
    assert errai(capsys, "solve", "leduc", "--iterations", 20, "--out", "leduc", "--quiet").code == 0
    found = json.loads(errai(capsys, "exploit", "leduc", "--json").out)
    result = json.loads(Path("leduc/result.json").read_text())
    assert found["best_response"] == pytest.approx(result["best_response"])
    assert "exact\n" in errai(capsys, "exploit", "leduc").out


@pytest.fixture(scope="module")
def packed(place):
    """A copy that has all that it needs."""
    from errai.cli.main import run

    assert run(["strategy", "pack", "bp", "--out", "packed/ten", "--levels", "255", "--json"]) == 0
    return Path("packed/ten")


ASK = ["--betting", "cc/cc/cc/r", "--board", "2c4d5c6d", "--json"]


def test_a_packed_copy_says_the_same(packed, capsys):
    files = {file.name for file in packed.rglob("*")}
    assert "strategy.json" in files
    assert not files & {"river_cells.npy", "checkpoint", "response"}
    asked = [json.loads(errai(capsys, "query", of, *ASK).out) for of in ("bp", packed)]
    assert asked[0] == asked[1]
    assert "in 255ths\n" in errai(capsys, "strategy", "info", packed).out


def test_a_packed_copy_is_measured_with_its_tables_made_again(packed, capsys):
    exact = json.loads(errai(capsys, "exploit", "bp", "--json", "--quiet").out)
    done = errai(capsys, "exploit", packed, "--json")
    assert json.loads(done.out)["best_response"] == exact["best_response"]
    made = (packed / "response/abstraction/river_cells.npy").stat().st_mtime_ns
    assert errai(capsys, "exploit", packed).code == 0
    assert (packed / "response/abstraction/river_cells.npy").stat().st_mtime_ns == made
    info = json.loads(errai(capsys, "strategy", "info", packed, "--json").out)
    assert info["exploitability"]["best_response"] == exact["best_response"]


def test_fewer_levels_are_coarser_and_smaller(packed, capsys):
    done = errai(capsys, "strategy", "pack", "bp", "--out", "coarse", "--levels", 3)
    assert done.code == 0
    assert "MB in coarse, probabilities in 3ths" in done.out
    assert Path("coarse/flop.blocks").stat().st_size < (packed / "flop.blocks").stat().st_size
    hands = json.loads(errai(capsys, "query", "coarse", *ASK).out)["hands"]
    assert {round(3 * share, 6) for chances in hands.values() for share in chances.values()} <= {0, 1, 2, 3}
    info = json.loads(errai(capsys, "strategy", "info", "coarse", "--json").out)
    assert info["exploitability"] is None
    assert info["about"]["packed_by"] == "errai strategy pack bp --levels 3 --out coarse"


def test_what_comes_with_the_package_is_known_by_name_and_left_as_it_is(
    packed, capsys, monkeypatch, tmp_path
):
    home = tmp_path / "strategies"
    shutil.copytree(packed, home / "ten", ignore=shutil.ignore_patterns("response"))
    monkeypatch.setattr("errai.strategy.shipped._HOME", home)
    before = {file: file.stat().st_mtime_ns for file in home.rglob("*")}
    assert shipped() == ("ten",)
    asked = [json.loads(errai(capsys, "query", of, *ASK).out) for of in ("bp", "ten")]
    assert asked[0] == asked[1]
    assert load("ten").counts == (25, 640, 38, 11)
    assert errai(capsys, "exploit", "ten", "--flops", 4, "--quiet").code == 0
    assert Path("out/ten/response/response.json").is_file()
    assert {file: file.stat().st_mtime_ns for file in home.rglob("*")} == before
    wrong = errai(capsys, "exploit", "nobody")
    assert "the strategies with a name are ten, always-fold" in wrong.err


def test_a_trained_strategy_can_be_asked(place, capsys):
    one = json.loads(errai(capsys, "query", "bp", "--betting", "r", "--hand", "6c6d", "--json").out)
    assert sum(one["hands"]["6d6c"].values()) == pytest.approx(1)
    every = json.loads(errai(capsys, "query", "bp", "--betting", "cc/r", "--board", "2c4d", "--json").out)
    assert len(every["hands"]) == 28


WRONG = [
    (["train"], "give a game and --abstraction DIR, or --resume DIR"),
    (["train", "ten.game", "--out", "x"], "make them with errai abstract"),
    (["train", "holdem", "--out", "x"], "training holdem needs buckets"),
    (["train", "holdem", "--abstraction", "buckets", "--out", "x"], "buckets is for ten and not for holdem"),
    ([*TRAIN], "give a folder for the strategy with --out DIR"),
    ([*TRAIN, "--out", "x", "--time", "soon"], "--time 'soon' is not a time; write 90s, 60m, 2h or seconds"),
    ([*TRAIN, "--out", "x", "--time", "-5m"], "--time must be above 0"),
    ([*TRAIN, "--out", "x", "--samples", "0"], "samples must be above 0"),
    ([*TRAIN, "--out", "x", "--method", "magic"], "unknown way to train 'magic'"),
    ([*TRAIN, "--out", "x", "--strategy", "best"], "unknown strategy 'best'"),
    ([*TRAIN, "--out", "x", "--seed", "-1"], "--seed must be 0 or more"),
    (["train", "ten.game", "--abstraction", "bp", "--out", "x"], "bp is not a saved abstraction"),
    (
        ["train", "--resume", "nowhere"],
        "there is no training to resume in nowhere: there is no such folder",
    ),
    (["train", "--resume", "bp", "--method", "cfr"], "a training by cfr+-br cannot change to cfr"),
    (["train", "--resume", "bp", "--method", "magic"], "unknown way to train 'magic'"),
    (["train", "--resume", "bp", "--seed", "4"], "--seed comes from the checkpoint"),
    (["train", "holdem", "--resume", "bp"], "bp is for ten and not for holdem"),
    (["exploit", "bp", "--flops", "7"], "--flops must be an even number, 2 or more, not 7"),
    (["exploit", "bp", "--threads", "0"], "--threads must be 1 or more"),
    (["exploit", "bp", "--seed", "-1"], "--seed must be 0 or more"),
    (["exploit", "bp", "--game", "leduc"], "bp knows its game"),
    (
        ["exploit", "nowhere"],
        "nowhere is not a saved strategy: there is no such folder; the strategies with a name",
    ),
    (["strategy", "pack", "bp", "--out", "bp"], "bp is the strategy itself; choose another folder"),
    (["strategy", "pack", "bp", "--out", "x", "--levels", "7"], "7 levels do not divide 255: choose 255, 85"),
    (["strategy", "pack", "nowhere", "--out", "x"], "nowhere"),
    (["strategy", "pack", "bp", "--out", "buckets"], "buckets holds something else"),
    (["exploit", "buckets"], "buckets is not a saved strategy"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), WRONG, ids=lambda case: " ".join(case) if isinstance(case, list) else ""
)
def test_a_wrong_argument_costs_one_line(place, capsys, arguments, message):
    done = errai(capsys, *arguments, "--quiet")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
    assert not Path("x").exists()


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("60m", 3600), ("2h", 7200), ("45", 45), ("1.5H", 5400)]
)
def test_times(text, seconds):
    assert parse_time(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "1d", "nan", "inf", "0"])
def test_what_is_no_time(text):
    with pytest.raises(ErraiError, match="--time"):
        parse_time(text)


def test_progress_in_words():
    progress = TrainingProgress(
        "measuring",
        samples=12300,
        seconds=300.0,
        plan=Plan("linear", seconds=3600),
        pace=41.0,
        measurements=(BoardMeasurement(1000, 30.0, 181.23),),
        boards="Ks7s2s 8h8d3s",
    )
    assert str(progress) == (
        "12,300 samples   41.00/s   5:00 of 1:00:00   about 55:00 left   181.2 mbb/g on Ks7s2s 8h8d3s   measuring"
    )
    progress = TrainingProgress(samples=50, seconds=5.0, plan=Plan("linear", samples=100), pace=10.0)
    assert str(progress) == "50 of 100 samples   10.00/s   5.00 s   about 5 s left"


def test_ctrl_c_in_a_process(place):
    from tests.cli.command import process

    command = process(*TRAIN, "--time", "10m", "--out", "process")
    for line in command.stderr:
        if "samples" in line and "preparing" not in line:
            command.send_signal(signal.SIGINT)
            break
    _, told = command.communicate()
    assert command.returncode == 130
    assert told.splitlines()[-1] == "  errai train --resume process"
