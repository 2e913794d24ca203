"""`errai papers`: the list, the pages, and that nothing is done twice."""

from fractions import Fraction

import pytest

from errai.errors import ErraiError, StoppedError
from errai.papers.catalogue import PAPERS, paper_named
from errai.papers.page import Fact, Page, Picture, Table, write_page
from errai.papers.redo import FOUND, Known, Redo
from errai.papers.tournament_page import _above
from tests.cli.command import errai as command
from tests.monitors import StopAfter


def test_all_papers_are_listed(capsys):
    done = command(capsys, "papers")
    assert done.code == 0
    for name, paper in PAPERS.items():
        assert name in done.out
        assert paper.full in done.out


def test_an_unknown_paper_costs_one_line(capsys):
    done = command(capsys, "papers", "cepheuss")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert "bildman" in done.err
    with pytest.raises(ErraiError, match="tournament"):
        paper_named("")


def test_a_page_has_the_papers_figure_ours_and_how(tmp_path):
    page = Page("name", "Title", "Somebody, 2007.", command="errai papers name")
    page.facts.append(Fact("value", "1/18", "0.0556", "counted"))
    page.tables.append(Table("Rows", ("a", "b"), (("1", "2"),), "a note"))
    page.pictures.append(Picture("name.png", "caption"))
    page.notes.append("It differs.")
    text = write_page(tmp_path, page).read_text()
    for part in (
        "# Title",
        "| value | 1/18 | 0.0556 | counted |",
        "| 1 | 2 |",
        "![caption](name.png)",
        "It differs.",
    ):
        assert part in text


def test_what_was_found_is_not_looked_for_again(tmp_path):
    path = tmp_path / FOUND
    assert Known(tmp_path).find({"hands": 10}, lambda: [1.5, 2]) == [1.5, 2]
    assert Known(tmp_path).find({"hands": 10}, lambda: pytest.fail("looked for twice")) == [1.5, 2]
    assert Known(tmp_path).find({"hands": 20}, lambda: 3) == 3
    path.write_text(path.read_text().replace("1.5", "1.6"))
    with pytest.raises(ErraiError, match=r"damaged|checksum"):
        Known(tmp_path)


def test_a_redo_that_is_stopped_says_how_to_resume(tmp_path):
    wanted = Redo("name", tmp_path, tmp_path, monitor=StopAfter(0))
    with pytest.raises(StoppedError, match="the same command resumes"):
        wanted.step("a match")


def test_fractions_are_written_over_the_pairs_of_hands():
    assert _above(-1 + Fraction(3673, 270725), -1) == "-1 + 3673/270725"
    assert _above(Fraction(1, 5), 0) == "0 + 54145/270725"
