"""What a person at a table sees, as lines of text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from errai.cards.notation import Deck
from errai.cards.strength import RANKINGS, category_name, strengths
from errai.formatting import percent_texts
from errai.games.state import HandState
from errai.play.coach import Judgement
from errai.play.score import Score
from errai.views.matches import estimate_text
from errai.views.seats import history

SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
COLOURS = {"♣": "green", "♦": "blue", "♥": "red", "♠": "bold"}  # a four-colour deck
_VERB = re.compile(r"\byou ([a-z0-9-]+)s\b")  # you raises: you raise
HIDDEN = "▒▒"  # a card of the opponent's
ROUNDS = {0: "before the flop", 3: "flop", 4: "turn", 5: "river"}


def cards_text(deck: Deck, cards: Sequence[int]) -> str:
    """K♠ 7♥ 2♦"""
    written = [deck.format(card) for card in cards]
    return " ".join(text[0] + SUITS[text[1]] for text in written)


def blinds_text(state: HandState, chips: float, sign: bool = False) -> str:
    """2.5 bb"""
    return f"{chips / state.game.unit:{'+' if sign else ''}.4g} bb"


def round_name(state: HandState) -> str:
    """turn, or in games that are not hold'em round 2."""
    named = ROUNDS if state.game.hole_cards == 2 else {}
    return named.get(state.game.board_sizes[state.round], f"round {state.round + 1}")


def table_lines(state: HandState, seat: int, names: tuple[str, str]) -> list[str]:
    """The table before somebody acts: the opponent's side, the middle, your side."""
    opponent, hidden = names[1 - seat], " ".join([HIDDEN] * state.game.hole_cards)
    width = max(len(opponent), len("board"))
    board = board_cards_text(state) or "-"
    lines = [
        f"  {opponent:{width}s}   {hidden}   {blinds_text(state, state.spent[1 - seat])} in",
        f"  {'board':{width}s}   {board}   pot {blinds_text(state, state.pot)}{_to_call(state)}",
        f"  {'you':{width}s}   {cards_text(state.deck, state.hole[seat] or ())}   "
        f"{blinds_text(state, state.spent[seat])} in",
    ]
    if not state.acted:
        return lines
    did = history(state, names).split("; ")[-1].split(": ")[-1]
    return [*lines, f"  {spoken(did)}"]


def spoken(told: str) -> str:
    """you raises: you raise."""
    return _VERB.sub(r"you \1", told)


def board_cards_text(state: HandState) -> str:
    """3♠ 2♥ A♥   9♦"""
    return "   ".join(cards_text(state.deck, dealt) for dealt in state.board if dealt)


def history_lines(state: HandState, seat: int, opponent: str, number: int) -> list[str]:
    """A hand that was played, or is being played: what you held, who did what, and how it ended."""
    names = ("you", opponent) if seat == 0 else (opponent, "you")
    held = cards_text(state.deck, state.hole[seat] or ())
    rounds = [spoken(told) for told in history(state, names).split("; ") if told]
    lines = [f"hand {number:,}: {held}", *(f"    {told}" for told in rounds)]
    return [*lines, f"    {end_text(state, seat, opponent)}"] if state.over else lines


def _to_call(state: HandState) -> str:
    return f", {blinds_text(state, state.to_call)} to call" if state.to_call else ""


def choices_text(state: HandState) -> str:
    """f fold   c call   r raise"""
    words = [f"{action} {state.action_name(action)}" for action in state.legal()]
    sizes = state.raise_range()
    if sizes is not None and state.game.betting == "nolimit":
        words[-1] = f"r{sizes[0]} to r{sizes[1]} raise"
    return "   ".join(words)


def end_text(state: HandState, seat: int, opponent: str) -> str:
    """How a hand ended for a seat."""
    won = state.payoff()[seat]
    result = (
        f"you {'win' if won > 0 else 'lose'} {blinds_text(state, abs(won))}" if won else "the pot is split"
    )
    if state.folded is not None:
        return f"{'you fold' if state.folded == seat else f'{opponent} folds'}; {result}"
    shown = cards_text(state.deck, state.hole[1 - seat] or ())
    return f"{opponent} shows {shown}, {_made(state, 1 - seat)} against your {_made(state, seat)}; {result}"


def _made(state: HandState, seat: int) -> str:
    ranking = RANKINGS[state.game.ranking]
    strength = strengths(np.array([state.hole[seat]], np.uint8), state.cards, state.deck, ranking)[0]
    return category_name(int(strength), ranking)


def judgement_text(judgement: Judgement) -> str:
    """turn: you call; the strategy folds 80%, calls 20%; it costs 1.2 bb"""
    state = judgement.state
    texts = percent_texts(list(judgement.shares.values()), 0)
    mix = ", ".join(
        f"{state.action_name(action)} {text}"
        for (action, share), text in zip(judgement.shares.items(), texts, strict=True)
        if share > 0.005
    )
    line = f"{round_name(state)}: you {state.action_name(judgement.action)}, the strategy: {mix}"
    loss = judgement.loss
    if loss is None:
        return line
    return f"{line}; {cost_text(judgement)}"


def cost_text(judgement: Judgement) -> str:
    """the best, or costs 1.2 bb; of an estimate with its standard error"""
    state, loss, error = judgement.state, judgement.loss or 0.0, judgement.error or 0.0
    costs = "the best" if loss < 0.005 * state.game.unit else f"costs {blinds_text(state, loss)}"
    return f"{costs} ± {error / state.game.unit:.2g}" if error else costs


def score_text(score: Score) -> str:
    """+3.5 bb in 12 hands, +292 ± 812 mbb/g"""
    hands, chips = score.hands.samples, score.hands.total
    line = f"{chips / score.game.unit:+.4g} bb in {hands:,} hand{'' if hands == 1 else 's'}"
    if hands < 2:
        return line
    line += f", {estimate_text(score.hands.estimate(score.game.unit))}"
    if "aivat" in score.reduced:
        line += f", without luck {estimate_text(score.reduced['aivat'].estimate(score.game.unit))}"
    return line
