"""`errai papers NAME`: the page says which command made it, on what, and in what time."""

import pytest

from errai.papers import catalogue
from errai.papers.catalogue import Paper
from errai.papers.page import Fact, Page
from tests.cli.command import errai as command


@pytest.fixture
def paper(monkeypatch):
    class Known(Paper):
        def redo(self, wanted):
            page = Page("known", "Known", "Nobody, 1900.")
            page.facts.append(Fact("one and one", "2", "2", "counted"))
            return page

    monkeypatch.setitem(catalogue.PAPERS, "known", Known("A known one", "nowhere", "a second", "a minute"))


@pytest.mark.parametrize("options", [(), ("--full",)])
def test_a_paper_is_redone_and_its_page_written(capsys, tmp_path, paper, options):
    done = command(capsys, "papers", "known", "--out", tmp_path, *options)
    assert done.code == 0, done.err
    assert "paper 2 / ours 2 / counted" in done.out
    text = (tmp_path / "known.md").read_text()
    assert "    " + " ".join(("errai papers known", *options)) + "\n" in text
    assert "Made on " in text
