"""What a tournament or a chart takes is said first, and what does not fit is refused."""

import pytest

from errai.errors import ErraiError
from errai.jamfold import chart, cost, tournament
from errai.jamfold.recursive_game import Tournament
from errai.runs.monitor import Monitor
from tests.cli.command import errai


class Heard(Monitor):
    def __init__(self):
        self.lines = []

    def say(self, line):
        self.lines.append(line)


def test_the_tournament_of_the_issue_is_refused_at_once(capsys):
    finished = errai(capsys, "tournament", "--chips", 8_000_000, "--sb", 1, "--bb", 2)
    assert (finished.code, finished.out, finished.err.count("\n")) == (2, "", 1)
    assert "15,999,998 hands that lead to each other, which need 6146 TB of memory" in finished.err
    assert "chips would fit" in finished.err


def test_a_larger_step_is_advised_where_one_fits(monkeypatch):
    monkeypatch.setattr(cost, "available_memory", lambda: 300_000_000)
    with pytest.raises(ErraiError, match=r"and 279 MB can be had; step=20 would fit"):
        tournament.solve(8000, 300, 600, step=10)


@pytest.mark.parametrize("room", [2e8, 1e9, 2e10])
def test_what_is_said_to_fit_fits(room):
    most = cost.most_units(room)
    assert cost.memory_of(most) <= room < cost.memory_of(most + 2)


def test_a_tournament_says_first_what_it_takes():
    heard = Heard()
    tournament.solve(1600, 100, 200, step=20, monitor=heard, threads=1)
    assert heard.lines[0].startswith("tournament: 158 hands to solve in each round, 17")
    assert " MB of memory, about " in heard.lines[0]


def test_steps_are_found_without_trying_all_numbers():
    """One by one a billion would take minutes."""
    assert tournament.default_step(10**9, 10**8, 2 * 10**8, 0) == 20_000_000
    assert cost.steps(Tournament(8000, 300, 600))[-1] == 100


def test_a_long_chart_says_how_long(monkeypatch):
    monkeypatch.setattr(chart, "FEW_STACKS", 5)
    lines = []
    chart.chart(low=1, high=1.5, say=lines.append)
    assert lines[0].startswith("estimate: 11 stacks, and between them where they differ, about ")
