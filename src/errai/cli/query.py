"""`errai query`: what a saved strategy does with one hand, or with all of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import Json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from errai.games.definition import GameDefinition
    from errai.games.spot import Spot
    from errai.strategy.strategy import Decision, Profile

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
        metavar="STRATEGY", help="The folder of a saved strategy, or holdem, which comes with Errai."
    ),
]


def query(
    strategy: StrategyName,
    betting: Betting = None,
    board: Cards = None,
    hand: Annotated[
        str | None, typer.Option(metavar="CARDS", help='One hand, as in "AhQd".  [default: all hands]')
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the grid of hands to a .png, .svg or .pdf file.")
    ] = None,
    json: Json = False,
) -> None:
    """Ask a saved strategy what to do, with one hand or with all of them.

    It answers for exact solutions (errai solve, errai endgame) and for strategies on buckets (errai train), and reads
    only the part of the files that holds the answer. In hold'em all hands are shown as a 13 x 13 grid.

    \b
    Examples:
      errai query holdem --betting "crc/r" --board "Ks7h2d"
      errai query holdem --betting "crc/r" --board "Ks7h2d" --hand "AhQd"
      errai query out/leduc --betting "cr" --json
      errai query holdem --betting "r" --plot big-blind.png
    """
    from errai.cli.output import print_json
    from errai.errors import ErraiError

    asked = ask(strategy, betting, board)
    if plot is not None:
        if not asked.has_grid:
            raise ErraiError(f"{asked.where.game.name} has no 13 x 13 grid of hands; leave out --plot")
        _draw(plot, asked)
    chosen = asked.hands(hand)
    if json:
        print_json({**asked.to_json(), "hands": chosen})
    else:
        _show(asked, chosen, whole=hand is None)


@dataclass(frozen=True)
class Asked:
    """A decision of a strategy, and the spot of the whole hand where it is made."""

    profile: Profile
    where: Spot
    actions: str  # since the root of the strategy
    dealt: tuple[tuple[int, ...], ...]  # since the root, by round
    decision: Decision

    @property
    def names(self) -> dict[str, str]:
        """Action letter -> its name here."""
        return {letter: self.where.state.action_name(letter) for letter in self.decision.actions}

    @property
    def has_grid(self) -> bool:
        game = self.where.game
        return (game.suits, game.ranks, game.hole_cards) == (4, 13, 2)

    @property
    def held(self) -> NDArray[np.float64]:
        """[N] the range of the player to act: as the strategy began with it, on this board."""
        return self.profile.spot.ranges[self.decision.player] * self.where.ranges[self.decision.player]

    def hands(self, hand: str | None = None) -> dict[str, dict[str, float]]:
        """Hand, the higher card first -> name of the action -> probability: of one hand, or of all in the range."""
        import numpy as np

        from errai.cards.notation import hands
        from errai.strategy.strategy import probabilities_of

        deck = self.where.deck
        if hand is not None:
            chances = probabilities_of(self.profile, hand, self.actions, self.dealt)
            shown = deck.format_cards(sorted(deck.parse(hand), reverse=True))
            return {shown: {self.names[letter]: share for letter, share in chances.items()}}
        all_hands = hands(deck.size, self.where.game.hole_cards)
        named = list(self.names.values())
        return {
            deck.format_cards(all_hands[index][::-1]): dict(
                zip(named, map(float, self.decision.probabilities[index]), strict=True)
            )
            for index in np.flatnonzero(self.held > 0)
        }

    def to_json(self) -> dict[str, Any]:
        """All but the hands."""
        from errai.cli.endgame import board_text

        return {
            "game": self.where.game.name,
            "player": self.decision.player,
            "betting": self.where.betting,
            "board": board_text(self.where),
            "pot": self.where.pot,
            "actions": list(self.names.values()),
        }


def ask(strategy: str, betting: str | None, board: str | None) -> Asked:
    """A decision of a saved strategy; betting and board are of the whole hand."""
    from errai.cli.endgame import board_text
    from errai.errors import ErraiError
    from errai.games.spot import spot
    from errai.strategy.files import open_strategy

    opened = open_strategy(strategy)
    root = opened.spot
    where = spot(
        root.game,
        root.deck.format_cards(root.cards) if board is None else board,
        root.betting if betting is None else betting,
    )
    before, betting = root.state.betting, where.state.betting
    if not betting.startswith(before) or where.board[: len(root.board)] != root.board:
        raise ErraiError(
            f"{strategy} begins after the betting {root.betting!a} on the board {board_text(root)!a}; "
            "give the betting and the board of the whole hand"
        )
    since = betting[len(before) :]
    dealt = where.board[len(root.board) :]
    return Asked(opened, where, since, dealt, opened.decision(since, dealt))


def seat_name(game: GameDefinition, seat: int) -> str:
    """The seats are known by their blinds where these differ."""
    if game.blinds[0] == game.blinds[1]:
        return f"seat {seat}"
    return "big blind" if game.blinds[seat] == max(game.blinds) else "button"


def _show(asked: Asked, hands: dict[str, dict[str, float]], whole: bool) -> None:
    from errai.cli.decision import class_shares
    from errai.cli.endgame import board_text
    from errai.cli.grid import grid, legend
    from errai.cli.output import console, print_rows

    where = asked.where
    shown = console()
    place = " ".join(part for part in (where.game.name, board_text(where)) if part)
    shown.print(f"{place}   betting {where.betting or 'none'}   pot {where.pot} chips")
    player = seat_name(where.game, asked.decision.player)
    if whole and asked.has_grid:
        shown.print(f"{player}: {legend(asked.names)}\n")
        shown.print(grid(class_shares(asked.decision, asked.held)), end="")
        return
    shown.print(f"{player}: {', '.join(asked.names.values())}\n")
    print_rows(
        (name, "   ".join(f"{action} {100 * share:.1f}%" for action, share in chances.items()))
        for name, chances in hands.items()
    )


def _draw(path: Path, asked: Asked) -> None:
    from errai.cli.decision import class_shares
    from errai.cli.endgame import board_text
    from errai.figure import draw_grid

    where = asked.where
    parts = (board_text(where), where.betting, seat_name(where.game, asked.decision.player))
    cells = class_shares(asked.decision, asked.held)
    draw_grid(path, ", ".join(part for part in parts if part), cells, asked.names)
