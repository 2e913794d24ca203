"""`errai query`: what a strategy does with one hand, or with all of them, and what that is worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errai.cli.options import Json

if TYPE_CHECKING:
    from errai.strategy.query import Query
    from errai.strategy.strategy import Strategy

Betting = Annotated[
    str | None,
    typer.Option(
        metavar="ACTIONS",
        help='The betting of the whole hand so far, as in "crc/r": r raise or bet, c call or check, / a next round.  '
        "[default: where the strategy begins]",
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
        str | None, typer.Option(metavar="CARDS", help='One hand, as in "AhQd".  [default: all hands]')
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

    With --ev every action has its expected value against the opponent's hands as the strategy plays them: for exact
    solutions at any decision, for strategies on buckets on the turn and the river.

    \b
    Examples:
      errai query holdem --betting "crc/r" --board "Ks7h2d"
      errai query holdem --betting "crc/rc/r" --board "Ks7h2d 5c" --hand "AhQd" --ev
      errai query out/leduc --betting "cr" --json
      errai query holdem --betting "r" --plot big-blind.png
    """
    import os

    from errai.cli.output import print_json
    from errai.errors import ErraiError
    from errai.strategy.query import query as find

    opened = opened_strategy(strategy, game, stacks)
    if information_set is not None:
        _information_set(opened, information_set, json)
        return
    found = find(opened, betting, board, values=ev, threads=os.cpu_count() or 1)
    if plot is not None:
        if not found.has_grid:
            raise ErraiError(f"{opened.title} has no 13 x 13 grid of hands; leave out --plot")
        _draw(plot, found)
    if json:
        print_json(found.to_json(hand))
    else:
        _show(found, hand)


def opened_strategy(
    strategy: str, game: str | None = None, stacks: tuple[int, int] | None = None
) -> Strategy:
    """The strategy of a command line."""
    from errai.strategy.files import open_strategy

    opened = open_strategy(strategy, game)
    return opened if stacks is None else opened.with_stacks(stacks)


def _information_set(strategy: Strategy, name: str, json: bool) -> None:
    from errai.cli.output import print_json, print_rows

    player, chances = strategy.information_set(name)
    if json:
        content = {"game": strategy.title, "player": player, "information_set": name}
        print_json({**content, "actions": list(chances), "probabilities": chances})
    else:
        print_rows((action, f"{100 * share:.1f}%") for action, share in chances.items())


def _show(found: Query, hand: str | None) -> None:
    from errai.cli.decision import class_shares, class_values
    from errai.cli.grid import grid, legend
    from errai.cli.output import console, print_rows

    state = found.state
    place = " ".join(part for part in (found.strategy.title, found.board) if part)
    print(f"{place}   betting {found.betting or 'none'}   pot {state.pot} chips")
    player = found.strategy.seats[found.decision.player]
    values = found.decision.values
    if hand is None and found.has_grid:
        letters = {action[:1]: name for action, name in found.names.items()}
        print(f"{player}: {legend(letters)}\n")
        console().print(grid(class_shares(found.decision, found.held)), end="")
        if values is not None:
            print("\nexpected value in chips, net over the whole hand, as the strategy plays on\n")
            print(_value_grid(class_values(found.decision, found.held)))
        return
    print(f"{player}: {', '.join(found.names.values())}\n")
    worth, mbb = (
        ({}, {})
        if values is None
        else (found.values(hand), found.values(hand, 1000 / found.strategy.big_blind))
    )
    rows = []
    for name, chances in found.hands(hand).items():
        rows.append((name, "   ".join(f"{action} {100 * share:.1f}%" for action, share in chances.items())))
        if name in worth:
            rows.append(("", _worth(worth[name], mbb[name])))
    print_rows(rows)


def _worth(chips: dict[str, float], mbb: dict[str, float]) -> str:
    """fold -20 chips = -2,000 mbb   call +3.25 chips = +325 mbb"""
    return "   ".join(
        f"{action} {number:+.4g} chips = {mbb[action]:+,.0f} mbb" for action, number in chips.items()
    )


def _value_grid(cells: dict[str, float]) -> str:
    """The 13 x 13 grid with a number in each cell; empty where no hand of the class is held."""
    from errai.cards.notation import GRID

    lines = []
    for names in GRID:
        for line in (names, [_short(cells.get(name)) for name in names]):
            lines.append(" ".join(f"{text:<5}" for text in line).rstrip())
    return "\n".join(lines)


def _short(number: float | None) -> str:
    """At most five characters."""
    if number is None or number != number:
        return ""
    return f"{number:+.1f}" if abs(number) < 99.95 else f"{number:+.0f}"


def _draw(path: Path, found: Query) -> None:
    from errai.cli.decision import class_shares
    from errai.figure import draw_grid

    parts = (found.board, found.betting, found.strategy.seats[found.decision.player])
    cells = class_shares(found.decision, found.held)
    names = {action[:1]: name for action, name in found.names.items()}
    draw_grid(path, ", ".join(part for part in parts if part), cells, names)
