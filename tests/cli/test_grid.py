"""The grid of hands in the terminal."""

from pathlib import Path

import pytest
from rich.console import Console

from errai.cards.notation import GRID
from errai.cli.grid import grid
from errai.views.grid import figures, legend, percentages

GOLDEN = Path(__file__).parent / "grid.txt"

# A made-up answer to a bet: pairs raise and call, suited hands fold ever more to the right, the rest is out.
ANSWERS = {
    **{GRID[i][i]: {"f": 0.0, "c": i / 12, "r": 1 - i / 12} for i in range(13)},
    **{GRID[0][j]: {"f": j / 12, "c": 0.75 - 0.75 * j / 12, "r": 0.25 - 0.25 * j / 12} for j in range(1, 13)},
    "72o": {"f": 1.0, "c": 0.0, "r": 0.0},
}


def _plain(cells) -> str:
    console = Console(width=80, no_color=True, color_system=None)
    with console.capture() as shown:
        console.print(grid(cells))
    return "\n".join(line.rstrip() for line in shown.get().splitlines()).rstrip() + "\n"


def test_the_grid_reads_without_colour():
    assert _plain(ANSWERS) == GOLDEN.read_text()


def test_the_grid_fits_eighty_columns():
    everything = {name: {"c": 0.0, "r": 1.0} for row in GRID for name in row}
    assert max(map(len, _plain(everything).splitlines())) <= 80


def test_colours_follow_the_numbers():
    text = grid({"AA": {"f": 0.2, "c": 0.4, "r": 0.4}})
    of_character = [str(span.style) for span in text.spans if span.end <= 5]
    assert [style.split(" on ")[1].split()[0] for style in of_character] == [
        "#af0000", "#af0000", "#008700", "#008700", "#005faf",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("shares", "shown"),
    [
        ({"c": 0.0, "r": 1.0}, "100/0"),
        ({"c": 1.0, "r": 0.0}, "0/100"),
        ({"f": 1.0, "c": 0.0, "r": 0.0}, "0/0"),
        ({"f": 1 / 3, "c": 1 / 3, "r": 1 / 3}, "34/33"),
        ({"c": 0.335, "r": 0.665}, "67/33"),
        ({"f": 0.25, "c": 0.75}, "75"),
        ({"c": 1.0}, "100"),
    ],
)
def test_a_cell_gives_raises_and_calls(shares, shown):
    assert figures(shares) == shown
    assert len(shown) <= 5


def test_percentages_add_up_to_a_hundred():
    for share in range(101):
        parts = [share / 300, (100 - share) / 300, 2 / 3]
        assert sum(percentages(parts)) == 100


def test_the_legend_uses_the_words_of_the_decision():
    assert legend({"c": "check", "r": "bet"}) == "bet / check in percent"
    answer = {"f": "fold", "c": "call", "r": "raise"}
    assert legend(answer) == "raise / call in percent; the rest is fold"
