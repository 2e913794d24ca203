"""`errai query`: what a strategy does with one hand, or with all of them, and what that is worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errai.cli.options import All, Json

if TYPE_CHECKING:
    from rich.text import Text

    from errai.strategy.query import Query
    from errai.strategy.strategy import Strategy

Betting = Annotated[
    str | None,
    typer.Option(
        metavar="ACTIONS",
        help='The betting of the whole hand so far, as in "raise call / bet" or "rc/r": r raise or bet, c call or '
        "check, f fold, / a next round.  [default: where the strategy begins]",
    ),
]
Cards = Annotated[
    str | None,
    typer.Option(
        metavar="CARDS", help='All public cards, as in "Ks7h2d".  [default: where the strategy begins]'
    ),
]
StrategyName = Annotated[
    str,
    typer.Argument(
        metavar="STRATEGY",
        help="The folder of a saved strategy, holdem, which comes with Errai, or always-fold, always-call, "
        "always-raise, uniform.",
    ),
]
RuleGame = Annotated[
    str | None,
    typer.Option(metavar="GAME", help="What always-fold and the like play.  [default: holdem]"),
]
Stacks = Annotated[
    tuple[int, int] | None,
    typer.Option(
        metavar="SB BB",
        help="In a tournament, the stacks of the small and of the big blind.  [default: half of the chips each]",
    ),
]


def query(
    strategy: StrategyName,
    betting: Betting = None,
    board: Cards = None,
    hand: Annotated[
        str | None,
        typer.Option(
            metavar="HANDS",
            help='One hand or several, as in "AhQd", AKs, A5o, 77 or "AQ+, 99-66".  [default: all hands]',
        ),
    ] = None,
    everything: All = False,
    seat: Annotated[
        str | None,
        typer.Option(
            "--range",
            metavar="SEAT",
            help="Print only the range of button, big-blind, oop or ip here, as the strategy gets to it: a text that "
            "errai endgame takes for --oop and --ip.",
        ),
    ] = None,
    ev: Annotated[
        bool,
        typer.Option(
            "--ev", help="Also the expected value of every action: net chips over the whole hand, and mbb."
        ),
    ] = False,
    stacks: Stacks = None,
    information_set: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="In a game without cards, the information set, by its name."),
    ] = None,
    game: RuleGame = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the grid of hands to a .png, .svg or .pdf file.")
    ] = None,
    json: Json = False,
) -> None:
    """Query a strategy of any kind: what it does with one hand or with all of them.

    It answers for whatever Errai saves (errai solve, endgame, train, jamfold, tournament) and for simple rules, and
    reads only the part of the files that holds the answer. In hold'em all hands are shown as a 13 x 13 grid.

    Reach is how often the player to act, holding a hand, plays so as to get here. A strategy has an answer also for
    hands that it never brings here, which is no advice: classes below 0.5% are not shown without --all, and what is
    said of all hands together is weighted by reach, and by the hands that the opponent has here.

    With --ev every action has its expected value against the opponent's hands as the strategy plays them: for exact
    solutions at any decision, for strategies on buckets on the turn and the river.

    \b
    Examples:
      errai query holdem --betting "raise call / bet" --board "Ks7h2d"
      errai query holdem --betting "rc/r" --board "Ks7h2d" --hand "AKs, 77"
      errai query holdem --betting "crc/rc/r" --board "Ks7h2d 5c" --hand "AhQd" --ev
      errai query holdem --betting "rc/rc" --board "Ks7h2d 5c" --range button
      errai query out/leduc --betting "cr" --json
      errai query holdem --betting "r" --plot big-blind.png
    """
    import os

    from errai.cli.decision import draw_view
    from errai.cli.output import print_json
    from errai.errors import ErraiError
    from errai.strategy.query import query as find
    from errai.views.decision import grid_view

    opened = opened_strategy(strategy, game, stacks)
    if information_set is not None:
        _information_set(opened, information_set, json)
        return
    found = find(opened, betting, board, values=ev, threads=os.cpu_count() or 1)
    if seat is not None:
        _show_range(found, seat, json)
        return
    if plot is not None:
        if not found.has_grid:
            raise ErraiError(f"{opened.title} has no 13 x 13 grid of hands; leave out --plot")
        draw_view(plot, grid_view(found), everything)
    if json:
        print_json(found.to_json(hand))
    else:
        _show(found, hand, everything)


def opened_strategy(
    strategy: str, game: str | None = None, stacks: tuple[int, int] | None = None
) -> Strategy:
    """The strategy of a command line."""
    from errai.strategy.files import open_strategy

    opened = open_strategy(strategy, game)
    return opened if stacks is None else opened.with_stacks(stacks)


def _information_set(strategy: Strategy, name: str, json: bool) -> None:
    from errai.cli.output import print_json, print_rows
    from errai.formatting import percent_texts

    player, chances = strategy.information_set(name)
    if json:
        content = {"game": strategy.title, "player": player, "information_set": name}
        print_json({**content, "actions": list(chances), "probabilities": chances})
    else:
        print_rows(zip(chances, percent_texts(list(chances.values())), strict=True))


def _show(found: Query, hand: str | None, everything: bool) -> None:
    from errai.cli.decision import print_headings, show_grid
    from errai.cli.output import console
    from errai.views.decision import class_values, grid_view, headings

    if hand is None and found.has_grid:
        view = grid_view(found)
        show_grid(view, everything)
        if found.decision.values is not None:
            hidden = view.hidden(everything)
            cells = {name: worth for name, worth in class_values(found).items() if name not in hidden}
            console().print("\nexpected value in chips, net over the whole hand, as the strategy plays on\n")
            console().print(_value_grid(cells), end="")
        return
    print_headings(*headings(found))
    print()
    _show_hands(found, hand)


def _show_hands(found: Query, hand: str | None) -> None:
    """A line for each hand, the highest first, and one for all of them."""
    from errai.cli.output import print_rows
    from errai.formatting import percent_texts
    from errai.views.decision import LEAST_REACH

    def line(chances: dict[str, float]) -> str:
        parts = zip(chances, percent_texts(list(chances.values())), strict=True)
        return "   ".join(f"{action} {percent}" for action, percent in parts)

    scale = 1000 / found.strategy.big_blind
    valued = found.decision.values is not None
    worth, mbb = (found.values(hand), found.values(hand, scale)) if valued else ({}, {})
    reached = found.reached(hand)
    rows = []
    for name, chances in reversed(found.hands(hand).items()):
        rows.append((name, f"{line(chances)}   {_reach_text(reached[name])}"))
        if name in worth:
            rows.append(("", _worth(worth[name], mbb[name])))
    if len(reached) > 1 and (together := found.overall(hand)):
        rows.append(("all together", line(together)))
    if rare := sum(reach < LEAST_REACH for reach in reached.values()):
        hands = "this hand gets" if len(reached) == 1 else f"{rare} of these hands get"
        rows.append(("", f"{hands} here less than {100 * LEAST_REACH:g}% of the time: no advice"))
    print_rows(rows)


def _reach_text(reach: float) -> str:
    """reach 99.6%; never and always are said only of what is exactly so."""
    percent = f"{100 * reach:.1f}"
    if percent == "0.0" and reach > 0:
        return "reach below 0.1%"
    return f"reach {percent}%" if reach < 1 else "reach 100%"


def _worth(chips: dict[str, float], mbb: dict[str, float]) -> str:
    """fold -20 chips = -2,000 mbb   call +3.25 chips = +325 mbb"""
    return "   ".join(
        f"{action} {number:+.4g} chips = {mbb[action]:+,.0f} mbb" for action, number in chips.items()
    )


def _value_grid(cells: dict[str, float]) -> Text:
    """The grid with a number in each cell; empty where no hand of the class is held."""
    from errai.cards.notation import GRID
    from errai.cli.grid import TextCell, draw_cells

    def cell(name: str) -> TextCell:
        number = cells.get(name, float("nan"))
        return TextCell(name, () if number != number else (_short(number),), "")

    return draw_cells([[cell(name) for name in row] for row in GRID])


def _short(number: float) -> str:
    """At most five characters."""
    return f"{number:+.1f}" if abs(number) < 99.95 else f"{number:+.0f}"


def _show_range(found: Query, seat: str, json: bool) -> None:
    """A range as --oop and --ip of errai endgame take it."""
    from errai.cli.output import print_json
    from errai.errors import ErraiError
    from errai.strategy.choosing import seat_of
    from errai.views.decision import range_text

    if not found.has_grid:
        raise ErraiError(f"{found.strategy.title} has no ranges of hold'em hands; leave out --range")
    player = seat_of(found.strategy, seat)
    text = range_text(found, player)
    if json:
        content = {
            "game": found.strategy.title,
            "seat": found.strategy.seats[player],
            "betting": found.betting,
        }
        print_json(
            {**content, "board": found.board, "combos": float(found.range_of(player).sum()), "range": text}
        )
    else:
        print(text)
