"""`errai play`: a game in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import ThinkTime, Threads

if TYPE_CHECKING:
    from errai.games.state import MatchState
    from errai.play.sitting import Sitting


def play(
    strategy: Annotated[
        str, typer.Option(metavar="S", help="Who plays against you: a saved strategy, or one with a name.")
    ] = "holdem",
    hands: Annotated[int | None, typer.Option(metavar="N", help="Stop after N hands.")] = None,
    coach: Annotated[
        bool,
        typer.Option(
            "--coach", help="Say after every decision what the strategy does, and what yours costs."
        ),
    ] = False,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Of the cards.  [default: a new one]")] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="What always-call and the like play.  [default: holdem]"),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every hand, as the ACPC does.")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the log that is there.")] = False,
    think: ThinkTime = None,
    threads: Threads = None,
) -> None:
    """Play against a strategy.

    Keys: f fold, c check or call, r bet or raise, ? what the strategy would do, h the last hands, q quit.

    After each hand it says what the strategy would have done with your hands; on the turn and the river also what
    each of your decisions cost. Seats are exchanged after every hand.

    \b
    Examples:
      errai play
      errai play --coach --hands 20 --log me.log
      errai play --strategy out/leduc
      errai play --strategy holdem+resolve --think 2s
    """
    import secrets

    from errai.api.parameters import thread_count
    from errai.errors import ErraiError
    from errai.play.agent import StrategyAgent
    from errai.play.log import MatchLog
    from errai.play.opening import Table, open_agents
    from errai.play.sitting import LeftError, Sitting
    from errai.play.subgame import parse_think
    from errai.views.seat import score_text

    if hands is not None and hands < 1:
        raise ErraiError(f"hands must be 1 or more, not {hands}", parameter="hands")
    table = Table(think=parse_think(think), threads=thread_count(threads))
    opponent = open_agents([strategy], game, table)[0]
    if not isinstance(opponent, StrategyAgent):
        raise ErraiError(
            f"{strategy} cannot be played against here; choose a saved strategy", parameter="strategy"
        )
    given = secrets.randbelow(2**31) if seed is None else seed
    with MatchLog(log, overwrite) as written:
        shown = _Table(coach)
        sitting = Sitting(
            opponent, shown.ask, seed=given, log=written, estimator=_estimator(opponent, table.threads)
        )
        shown.sitting = sitting
        print(f"{opponent.game.name} against {opponent.name}; cards of seed {given}")
        try:
            while hands is None or sitting.score.hands.samples < hands:
                shown.play_hand()
        except (LeftError, EOFError, KeyboardInterrupt):
            print()
        total = sitting.score.hands.total
        written.score((total, -total), ("you", opponent.name))
    print(f"you: {score_text(sitting.score)}" if sitting.score.hands.samples else "no hand was played")


def _estimator(opponent: Any, threads: int) -> Any:
    """AIVAT, where the strategy can be looked up for all hands: by tables that a match or `exploit` has made."""
    from errai.api.reviewing import with_tables_made
    from errai.cli.progress import Terminal
    from errai.play.agent import StrategyAgent
    from errai.play.aivat import estimator_of

    if opponent.game.betting != "limit":
        return None
    with Terminal() as monitor:
        known = with_tables_made(opponent.strategy)
        found = StrategyAgent(opponent.name, known).batch()
        return None if found is None else estimator_of(opponent.game, (None, found), threads, monitor)


class _Table:
    """What is shown, and what is asked."""

    def __init__(self, coach: bool) -> None:
        self.sitting: Sitting
        self._coach, self._judged = coach, 0

    def play_hand(self) -> None:
        from errai.views.seat import board_cards_text, end_text, judgement_text, score_text

        sitting = self.sitting
        self._judged = 0
        seat = sitting.seat
        score = f"   {score_text(sitting.score)}" if sitting.score.hands.samples else ""
        number = sitting.score.hands.samples + 1
        self._show(f"\nhand {number:,}, you are {_the(sitting.game.seat_names[seat])}{score}")
        state = sitting.play()
        if state.cards:
            self._show(f"  board   {board_cards_text(state)}")
        self._show("  " + end_text(state, seat, sitting.opponent.name))
        for judgement in sitting.judgements()[self._judged :]:
            self._show(f"  {judgement_text(judgement)}")

    def ask(self, view: MatchState) -> str:
        from errai.cli.keys import read_choice
        from errai.play.sitting import LeftError
        from errai.views.seat import choices_text, table_lines

        self._say_judgement()
        state = view.state
        names = ("you", self.sitting.opponent.name) if view.seat == 0 else (self.sitting.opponent.name, "you")
        for line in table_lines(state, view.seat, names):
            self._show(line)
        while True:
            print(f"{choices_text(state)}   ? hint   h hands   q quit > ", end="", flush=True)
            word = read_choice(letters=state.game.betting == "limit")
            if word in ("q", "quit", "exit"):
                raise LeftError
            if word == "?":
                self._hint(view)
                continue
            if word in ("h", "hands"):
                self._hands(view)
                continue
            if word[:1] in state.legal() and (len(word) == 1 or word[1:].isdecimal()) and word:
                return word
            print(f"  {word!a} is none of them")

    def _say_judgement(self) -> None:
        """With a coach, what is to be said of the last decision."""
        if not self._coach or len(self.sitting.person.decisions) <= self._judged:
            return
        from errai.views.seat import judgement_text

        for judgement in self.sitting.judgements()[self._judged :]:
            self._show(f"  {judgement_text(judgement)}")
            self._judged += 1

    def _hint(self, view: MatchState) -> None:
        from errai.formatting import percent_texts

        found = self.sitting.opponent.probabilities(view)
        texts = percent_texts(list(found.values()), 0)
        named = [
            f"{view.state.action_name(action)} {text}" for action, text in zip(found, texts, strict=True)
        ]
        self._show(f"  the strategy: {', '.join(named)}")

    def _hands(self, view: MatchState) -> None:
        """The last hands, and this one so far."""
        from errai.views.seat import history_lines

        sitting = self.sitting
        first = sitting.score.hands.samples - len(sitting.played) + 1
        for number, (state, seat) in enumerate([*sitting.played, (view.state, view.seat)], first):
            for line in history_lines(state, seat, sitting.opponent.name, number):
                self._show(f"  {line}")

    def _show(self, line: str) -> None:
        """A line, with the suits in their colours on a terminal that has them."""
        from rich.text import Text

        from errai.cli.output import console
        from errai.views.seat import COLOURS

        text = Text(line)
        for suit, colour in COLOURS.items():
            text.highlight_regex(rf".{suit}", colour)
        console().print(text, soft_wrap=True, highlight=False)


def _the(name: str) -> str:
    return name if name.startswith("seat") else f"the {name}"
