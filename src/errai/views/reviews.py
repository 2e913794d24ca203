"""What a review found, as lines of text and JSON."""

from __future__ import annotations

from typing import Any

from errai.play.review import Leak, Review, Reviewed, situation
from errai.views.seat import cards_text, judgement_text, round_name

KINDS = {
    "round": lambda one: round_name(one.judgement.state),
    "position": lambda one: one.judgement.state.game.seat_names[one.seat],
    "situation": lambda one: situation(one.judgement.state),
}


def review_lines(found: Review) -> list[str]:
    """For people."""
    won = 1000 * found.chips / found.unit / found.hands
    lines = [
        f"{found.player}: {found.hands:,} hands, {found.chips / found.unit:+,.4g} bb won, {won:+,.0f} mbb/g",
        f"{len(found.decisions):,} decisions, the loss of {found.judged:,} known: {found.loss_mbb:,.1f} mbb/g in all",
    ]
    for kind, of in KINDS.items():
        lines += [
            "",
            f"by {kind}",
            *(_leak_line(found, name, leak) for name, leak in found.leaks(of).items()),
        ]
    if worst := found.worst():
        lines += ["", "the costliest decisions", *(_decision_line(one) for one in worst)]
    if rare := found.rare():
        lines += ["", "decisions that the strategy hardly ever makes", *(_decision_line(one) for one in rare)]
    return lines


def _leak_line(found: Review, name: str, leak: Leak) -> str:
    loss = f"{1000 * leak.loss / found.unit / found.hands:9,.1f} mbb/g" if leak.judged else "not known"
    return f"  {name:<16} {leak.decisions:7,} decisions   {loss}"


def _decision_line(one: Reviewed) -> str:
    state = one.judgement.state
    board = f" on {cards_text(state.deck, state.cards)}" if state.cards else ""
    held = cards_text(state.deck, one.hand.state.hole[one.seat] or ())
    where = f"  hand {one.hand.number:,}, {held}{board}, {state.betting or 'first to act'}"
    return f"{where}\n    {judgement_text(one.judgement)}"


def review_json(found: Review, faults: list[str]) -> dict[str, Any]:
    """For programs."""
    return {
        "player": found.player,
        "hands": found.hands,
        "chips": found.chips,
        "decisions": len(found.decisions),
        "judged": found.judged,
        "loss_mbb": found.loss_mbb,
        "leaks": {
            kind: {
                name: {"decisions": leak.decisions, "judged": leak.judged, "loss": leak.loss}
                for name, leak in found.leaks(of).items()
            }
            for kind, of in KINDS.items()
        },
        "worst": [_decision_json(one) for one in found.worst()],
        "rare": [_decision_json(one) for one in found.rare()],
        "faults": faults,
    }


def _decision_json(one: Reviewed) -> dict[str, Any]:
    state, judgement = one.judgement.state, one.judgement
    return {
        "file": str(one.hand.place.path),
        "line": one.hand.place.line,
        "hand": one.hand.number,
        "cards": state.deck.format_cards(one.hand.state.hole[one.seat] or ()),
        "board": state.deck.format_cards(state.cards),
        "betting": state.betting,
        "action": judgement.action,
        "probabilities": judgement.shares,
        "values": judgement.values,
        "loss": judgement.loss,
        "loss_mbb": None if judgement.loss is None else 1000 * judgement.loss / state.game.unit,
    }
