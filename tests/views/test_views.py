"""What people are shown, as plain data that a terminal and a site can use alike."""

import pytest

import errai
from errai.api.solving import endgame_spot
from errai.api.training import TrainingResult
from errai.blueprint.training import BoardMeasurement
from errai.formatting import title_lines
from errai.games.state import parse_state
from errai.jamfold import solve as solve_hand
from errai.jamfold import tournament
from errai.sequence import solve as solve_extensive
from errai.strategy.query import query
from errai.views.decision import grid_view
from errai.views.extensive import extensive_json, extensive_rows, strategy_lines
from errai.views.games import game_list
from errai.views.grid import bar, grid_cells
from errai.views.jamfold import hand_grids, hand_rows, together
from errai.views.rows import solution_rows
from errai.views.seats import board_text, history, pot_shares, pot_text
from errai.views.tournament import tournament_rows, tournament_table
from errai.views.training import measurement_table, training_rows


def test_a_solution_in_rows():
    rows = dict(solution_rows(errai.solve("kuhn", target=1.0, threads=1)))
    assert rows["game"] == "kuhn"
    assert rows["converged"] == "yes, the target was 1 mbb/g"
    assert rows["information sets"] == "12"
    assert "files" not in rows


def test_the_grid_is_thirteen_by_thirteen():
    cells = grid_cells({"AA": {"r": 1.0, "c": 0.0}, "AKs": {"r": 0.625, "c": 0.375, "f": 0.0}})
    assert [len(row) for row in cells] == [13] * 13
    assert cells[0][0] == ("AA", "100/0", {"r": 1.0, "c": 0.0})
    assert cells[0][1].text == "63/37"
    assert (cells[1][0].hand, cells[1][0].shares) == ("AKo", None)
    assert bar({"r": 0.625, "c": 0.375}, 8) == "rrrrrccc"


def test_seats_boards_and_pots():
    assert errai.load_game("holdem").seat_names == ("big blind", "button")
    assert errai.load_game("kuhn").seat_names == ("seat 0", "seat 1")
    where = endgame_spot("2d7hKs 5c", "rc/rc")
    assert board_text(where) == "Ks 7h 2d 5c"
    assert where.pot == 60
    assert pot_shares(where, (15.0, -15.0)) == (0.75, 0.25)


@pytest.mark.parametrize(
    ("betting", "board", "wanted"),
    [
        ("", "", ""),
        ("c", "", "button limps"),
        ("crrc", "2d7hKs", "button limps, big blind raises, button 3-bets, big blind calls; flop Ks 7h 2d"),
        (
            "rc/crrc/r",
            "Ks7h2d5c",
            "button raises, big blind calls; flop Ks 7h 2d: big blind checks, button bets, big blind raises, "
            "button calls; turn 5c: big blind bets",
        ),
    ],
)
def test_a_hand_in_words(betting, board, wanted):
    game = errai.load_game("holdem")
    assert history(parse_state(game, betting, board), game.seat_names) == wanted


def test_pots_in_chips_and_big_blinds():
    assert pot_text(50, 5.0) == "pot 50 chips = 5 bb"
    assert pot_text(15, 1.5) == "pot 15 chips = 1.5 bb"
    assert pot_text(1) == "pot 1 chip"


def test_long_titles_break_where_a_round_ends():
    title = "holdem: button raises, big blind calls; flop Ks 7h 2d: big blind bets"
    assert title_lines(title, 100) == [title]
    assert title_lines(title, 60) == [
        "holdem: button raises, big blind calls;",
        "flop Ks 7h 2d: big blind bets",
    ]
    for width in range(20, 100):
        lines = title_lines(title, width)
        assert max(map(len, lines)) <= width
        assert " ".join(lines) == title


def test_a_grid_weighs_combos_by_how_often_they_get_there():
    strategy = errai.endgame(
        "Ks7h2d5c9h", "rc/rc/rc", "AhAd, AsAc:0.5, KQs:0.001", "QQ", iterations=5, threads=1
    )
    view = grid_view(query(strategy.strategy))
    assert view.reach["AA"] == pytest.approx(0.75)
    assert view.rare == view.hidden() == {"KQs"}
    assert view.hidden(everything=True) == set()
    assert view.notes() == ["not shown: 1 hand class that gets here less than 0.5% of the time"]
    assert view.combos == (pytest.approx(1.503), pytest.approx(1.503))


def test_any_game_in_rows_and_fractions():
    solution = solve_extensive("kuhn", "exact")
    rows = dict(extensive_rows(solution))
    assert rows["value"] == "-1/18 for seat 0, exactly"
    assert "  0:cr:3c|  f 2/3  c 1/3" in list(strategy_lines(solution))
    assert extensive_json(solution)["out"] is None


def test_a_hand_by_jam_or_fold():
    solution = solve_hand(10)
    assert dict(hand_rows(solution, 0.5))["solved"] == "in 0.50 s"
    (title, jam), (answer, call) = hand_grids(solution)
    assert title == "small blind to act, pot 1.5 big blinds\njam in percent; the rest is fold"
    assert (
        answer == "small blind jams; big blind to act, pot 11 big blinds\ncall in percent; the rest is fold"
    )
    assert together(jam)["r"] == pytest.approx(solution.share("jam") / 100)
    assert jam["AA"] == {"r": 1.0, "f": 0.0}
    assert call["72o"] == {"c": 0.0, "f": 1.0}


def test_a_tournament_as_a_table():
    solution = tournament.solve(1600, 100, 200, step=100)
    assert dict(tournament_rows(solution))["tournament"] == "1600 chips, blinds 100 and 200, step 100"
    head, *rows = tournament_table(solution)
    assert head == ["chips", "small blind", "big blind"]
    assert rows[0][0] == "100"
    low, high = map(float, rows[0][1].split(" - "))
    assert 0 < low <= high < 20


def test_a_training_in_rows(tmp_path):
    trained = TrainingResult(
        game="ten",
        abstraction=tmp_path / "buckets",
        preset="tiny",
        buckets=(25, 640),
        method="cfr+",
        kind="average",
        samples=1200,
        seconds=75.0,
        finished=True,
        saved=True,
        boards="2c2d",
        measurements=(BoardMeasurement(1200, 75.0, 12.5),),
        folder=tmp_path,
    )
    rows = dict(training_rows(trained))
    assert rows["buckets"] == "tiny: 25 / 640"
    assert rows["samples"] == "1,200 in 1:15"
    assert measurement_table(trained) == [["time", "samples", "mbb/g"], ["1:15", "1,200", "12.50"]]
    assert trained.to_json()["looks"] == [{"samples": 1200, "seconds": 75.0, "exploitability_mbb": 12.5}]


def test_the_games_of_the_catalogue():
    games = {game["name"]: game for game in game_list(available=10**9)}
    assert games["leduc"]["fits"]
    assert not games["holdem"]["fits"]
