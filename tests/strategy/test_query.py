"""`errai query` and `errai strategy` answer from the files of exact solutions and of strategies on buckets."""

import csv
import json

import numpy as np
import pytest
import typer

import errai
from errai.abstraction.abstraction import Abstraction, RoundBuckets
from errai.cards.canonical import canonical_boards
from errai.cards.notation import FULL_DECK
from errai.cli import query
from errai.cli import strategy as strategy_commands
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.lookup import betting_tree
from errai.strategy.kinds import buckets as bucket_files
from errai.strategy.kinds.buckets import record_exploitability, save_buckets
from errai.strategy.quantised import quantised_round

HOW = {
    "algorithm": "random",
    "iterations": 1200,
    "seconds": 75.0,
    "command": "errai train holdem",
    "strategy": "average",
}
app = typer.Typer(rich_markup_mode=None)
app.command()(query.query)
app.add_typer(strategy_commands.app)


@pytest.fixture
def run(capsys):
    def call(*arguments: object) -> str:
        capsys.readouterr()
        app(args=[str(argument) for argument in arguments], standalone_mode=False)
        return capsys.readouterr().out

    return call


@pytest.fixture(scope="module")
def leduc(tmp_path_factory):
    folder = tmp_path_factory.mktemp("leduc")
    errai.solve("leduc", iterations=50, threads=1, out=folder, checkpoint_every=None)
    return folder


@pytest.fixture(scope="module")
def river(tmp_path_factory):
    folder = tmp_path_factory.mktemp("river")
    errai.endgame(
        "Ks7h2d5c9h",
        "rc/rc/rc",
        "AA,KQs,87s",
        "QQ,A5s",
        iterations=20,
        threads=1,
        out=folder,
        checkpoint_every=None,
    )
    return folder


def first_rounds() -> Abstraction:
    """Hold'em in five buckets a round, for the first two rounds; nobody here asks about the others."""
    game = load_game("holdem")
    rounds = []
    for dealt in ((), (3,), (3,), (3,)):
        boards = canonical_boards(FULL_DECK, 2, dealt)
        cells = np.random.default_rng(1).integers(0, 5, (len(boards.cards), 1326), np.uint16)
        smallest = boards.hand_moves.min(axis=0)
        rounds.append(RoundBuckets(5, boards, cells if dealt else cells[:, smallest]))
    return Abstraction(game, "five", tuple(rounds))


@pytest.fixture(scope="module")
def holdem(tmp_path_factory):
    folder, buckets = tmp_path_factory.mktemp("holdem"), first_rounds()
    generator = np.random.default_rng(2)

    def rows_of(template):
        return lambda context: quantised_round(template, generator.random((template.rows, 5)))

    templates = betting_tree(buckets.game).templates
    save_buckets(folder, buckets.game, buckets, [rows_of(template) for template in templates], HOW)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bucket_files.BucketStrategy, "abstraction", buckets)
        yield folder


def test_one_hand_of_an_exact_solution(leduc, run):
    wanted = errai.load(leduc).probabilities("4c", "cr")
    found = json.loads(run("query", leduc, "--betting", "cr", "--hand", "4c", "--json"))
    assert found["hands"] == {"4c": dict(zip(["fold", "call", "raise"], wanted.values(), strict=True))}
    assert (found["player"], found["betting"], found["board"], found["pot"]) == (0, "cr", "", 4)
    assert found["actions"] == ["fold", "call", "raise"]
    text = run("query", leduc, "--betting", "cr", "--hand", "4c")
    assert f"fold {100 * wanted['f']:.1f}%" in text
    assert text.startswith("leduc: seat 0 checks, seat 1 bets\nseat 0 to act, betting cr, pot 4 chips\n")


def test_all_hands_of_an_exact_solution_but_those_on_the_board(leduc, run):
    found = json.loads(run("query", leduc, "--betting", "cc/r", "--board", "3d", "--json"))
    assert sorted(found["hands"]) == ["2c", "2d", "3c", "4c", "4d"]
    assert sum(found["hands"]["3c"].values()) == pytest.approx(1)


def test_a_solved_spot_is_asked_with_the_whole_hand(river, run):
    root = json.loads(run("query", river, "--json"))
    assert (root["betting"], root["board"]) == ("rc/rc/rc", "Ks 7h 2d 5c 9h")
    assert root["actions"] == ["check", "bet"]
    # Two combinations of KQs and 87s each lose a card to the board.
    assert len(root["hands"]) == 6 + 3 + 3
    after = json.loads(run("query", river, "--betting", "rc/rc/rc/r", "--board", "2d7hKs 5c 9h", "--json"))
    assert after["actions"] == ["fold", "call", "raise"]
    assert len(after["hands"]) == 6 + 3
    wanted = errai.load(river).probabilities("QsQh", "r")
    assert list(after["hands"]["QsQh"].values()) == list(wanted.values())


def test_a_blueprint_shows_a_grid(holdem, run, tmp_path):
    text = run("query", holdem, "--betting", "crc/r", "--board", "Ks7h2d")
    lines = text.splitlines()
    assert lines[:5] == [
        "holdem: button limps, big blind raises, button calls;",
        "flop Ks 7h 2d: big blind bets",
        "button to act, betting crc/r, pot 50 chips = 5 bb",
        "raise / call in percent; the rest is fold",
        "",
    ]
    assert lines[5].startswith("AA    AKs")
    assert lines[32].startswith("overall          raise ")
    assert lines[33].startswith("the button gets here with ")
    run("query", holdem, "--betting", "r", "--plot", tmp_path / "grid.png")
    assert (tmp_path / "grid.png").stat().st_size > 1000


def test_a_blueprint_and_its_hands_agree(holdem, run):
    every = json.loads(run("query", holdem, "--betting", "crc/r", "--board", "Ks7h2d", "--json"))["hands"]
    assert len(every) == 49 * 48 // 2
    one = json.loads(
        run("query", holdem, "--betting", "crc/r", "--board", "Ks7h2d", "--hand", "QdAh", "--json")
    )
    assert one["hands"] == {"AhQd": every["AhQd"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--betting", "crrrrr"], "'r' (raise) is not allowed; allowed: f (fold), c (call)"),
        (["--betting", "rc", "--board", "Ks7h"], "which has 3 board cards, but the board 'Ks 7h' has 2"),
        (["--betting", "rc"], "round 2, which has 3 board cards"),
        (["--betting", "rf"], "ends the hand"),
        (["--betting", "rc", "--board", "Ks7h2d", "--hand", "KsQd"], "KsQd holds Ks, which is on the board"),
        (["--hand", "Ks"], "a hand of holdem has 2 cards, not 1"),
    ],
)
def test_a_wrong_question_costs_one_line(holdem, run, arguments, message):
    with pytest.raises(ErraiError, match=r"^[^\n]*$") as caught:
        run("query", holdem, *arguments)
    assert message in str(caught.value)


def test_other_wrong_questions(leduc, river, run, tmp_path):
    with pytest.raises(ErraiError, match="begins after the betting 'rc/rc/rc' on the board 'Ks 7h 2d 5c 9h'"):
        run("query", river, "--betting", "rc/rc/cc", "--board", "Ks7h2d5c9h")
    with pytest.raises(ErraiError, match="the hand JsJh is in neither player's range"):
        run("query", river, "--hand", "JsJh")
    with pytest.raises(ErraiError, match="leduc has no 13 x 13 grid"):
        run("query", leduc, "--plot", tmp_path / "x.png")
    with pytest.raises(ErraiError, match="is not a saved strategy"):
        run("query", tmp_path / "nowhere")


def test_info_of_a_blueprint(holdem, run):
    text = run("strategy", "info", holdem, "--check")
    assert "buckets          five: 5 / 5 / 5 / 5\n" in text
    assert "found by         1,200 iterations of random in 1:15\n" in text
    assert "exploitability   not measured\n" in text
    assert "checked          all 6,378 blocks are as they were saved" in text
    record_exploitability(holdem, {"exploitability_mbb": 234.5})
    assert "exploitability   234.5 mbb/g\n" in run("strategy", "info", holdem)
    assert json.loads(run("strategy", "info", holdem, "--json"))["kind"] == "buckets"


def test_info_of_an_exact_solution(leduc, river, run):
    text = run("strategy", "info", leduc, "--check")
    assert "kind             exact: every hand apart, weights of type float32\n" in text
    assert "checked          the manifest and 1 file are as they were saved" in text
    assert "begins at        2d 7h Ks 5c 9h, betting rc/rc/rc\n" in run("strategy", "info", river)


def test_damaged_weights_fail_the_check(leduc, run, tmp_path):
    for name in ("strategy.json", "strategy.npy"):
        (tmp_path / name).write_bytes((leduc / name).read_bytes())
    content = bytearray((tmp_path / "strategy.npy").read_bytes())
    content[-3] ^= 1
    (tmp_path / "strategy.npy").write_bytes(content)
    with pytest.raises(ErraiError, match=r"strategy.npy is damaged: its checksum is"):
        run("strategy", "info", tmp_path, "--check")


def test_export_of_one_decision_and_of_a_small_game(holdem, leduc, run, tmp_path):
    run("strategy", "export", holdem, tmp_path / "one.csv", "--betting", "crc/r", "--board", "Ks7h2d")
    with (tmp_path / "one.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 1176
    assert list(table[0]) == ["hand", "fold", "call", "raise", "reach"]
    run("strategy", "export", leduc, tmp_path / "one.json", "--betting", "r")
    assert len(json.loads((tmp_path / "one.json").read_text())["hands"]) == 6
    assert json.loads(run("strategy", "export", leduc, tmp_path / "all.csv", "--json"))["rows"] == 486
    with pytest.raises(ErraiError, match="at most 200,000 are written"):
        run("strategy", "export", holdem, tmp_path / "all.csv")
    with pytest.raises(ErraiError, match=r"must end in .csv or .json"):
        run("strategy", "export", leduc, tmp_path / "all.txt")
