"""What a review found, as lines of text and JSON."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

from errai.play.luck import WORDS
from errai.play.review import Leak, Review, Reviewed, situation
from errai.play.score import Estimate
from errai.views.matches import estimate_text
from errai.views.seat import cards_text, judgement_text, round_name

KINDS: dict[str, Callable[[Reviewed], str]] = {
    "round": lambda one: round_name(one.judgement.state),
    "position": lambda one: one.judgement.state.game.seat_names[one.seat],
    "situation": lambda one: situation(one.judgement.state),
}


def review_lines(found: Review) -> list[str]:
    """For people."""
    lines = [
        f"{found.player}: {hands_text(found)}",
        *(f"{label:<16}{text}" for label, text in summary(found)),
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


def hands_text(found: Review) -> str:
    """100 hands"""
    return f"{found.hands:,} hand{'' if found.hands == 1 else 's'}"


def summary(found: Review) -> list[tuple[str, str]]:
    """Labels and what they say: winnings with and without luck, and what decisions cost."""
    luck = found.luck
    judged = f"{found.judged:,} of {len(found.decisions):,} decisions"
    rows = [("won", _interval(luck.won))]
    if luck.adjusted is not None:
        rows.append(("luck-adjusted", f"{_interval(luck.adjusted)}, {how_adjusted(found)}"))
    rows.append(("lost", f"{loss_text(found.loss_mbb, found.error_mbb)} by {judged}"))
    if found.hidden:
        rows.append(
            ("not shown", f"{found.hidden:,} hands, in which the cards of {found.player} are not known")
        )
    return rows


def how_adjusted(found: Review) -> str:
    """Which luck was taken out."""
    how = found.luck.how
    if how == "aivat":
        return f"AIVAT: {WORDS[how]}"
    return f"without the luck of {WORDS[how]}" if how else "not known"


def loss_text(mbb: float, error: float) -> str:
    """12.3 mbb/g, with its standard error if it is an estimate."""
    return f"{mbb:,.1f} mbb/g" + (f" (standard error {error:,.1f})" if error > 0 else "")


def _interval(estimate: Estimate) -> str:
    if not isfinite(estimate.ci95_mbb):
        return f"{estimate.mean_mbb:+,.1f} mbb/g"
    return f"{estimate_text(estimate)} (95% interval)"


def _leak_line(found: Review, name: str, leak: Leak) -> str:
    loss = loss_text(found.mbb(leak.loss), found.mbb(leak.error)) if leak.judged else "not known"
    return f"  {name:<16} {leak.decisions:7,} {'decision ' if leak.decisions == 1 else 'decisions'}   {loss}"


def _decision_line(one: Reviewed) -> str:
    state = one.judgement.state
    board = f" on {cards_text(state.deck, state.cards)}" if state.cards else ""
    held = cards_text(state.deck, one.hand.state.hole[one.seat] or ())
    where = f"  hand {one.hand.number}, {held}{board}, {state.betting or 'first to act'}"
    return f"{where}\n    {judgement_text(one.judgement)}"


def review_json(found: Review, faults: list[str]) -> dict[str, Any]:
    """For programs."""
    luck = found.luck
    return {
        "player": found.player,
        "hands": found.hands,
        "hidden": found.hidden,
        "won_mbb": luck.won.mean_mbb,
        "won_ci95_mbb": _finite(luck.won.ci95_mbb),
        "adjusted_mbb": None if luck.adjusted is None else luck.adjusted.mean_mbb,
        "adjusted_ci95_mbb": None if luck.adjusted is None else _finite(luck.adjusted.ci95_mbb),
        "adjusted_by": luck.how or None,
        "decisions": len(found.decisions),
        "judged": found.judged,
        "loss_mbb": found.loss_mbb,
        "loss_error_mbb": found.error_mbb,
        "leaks": {
            kind: {
                name: {
                    "decisions": leak.decisions,
                    "judged": leak.judged,
                    "loss": leak.loss,
                    "loss_mbb": found.mbb(leak.loss),
                    "loss_error_mbb": found.mbb(leak.error),
                }
                for name, leak in found.leaks(of).items()
            }
            for kind, of in KINDS.items()
        },
        "worst": [_decision_json(one) for one in found.worst()],
        "rare": [_decision_json(one) for one in found.rare()],
        "faults": faults,
    }


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None


def _decision_json(one: Reviewed) -> dict[str, Any]:
    state, judgement = one.judgement.state, one.judgement
    thousandth = 1000 / state.game.unit
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
        "exact": judgement.values is not None and judgement.sampled is None,
        "loss": judgement.loss,
        "loss_mbb": None if judgement.loss is None else thousandth * judgement.loss,
        "loss_error_mbb": None if judgement.error is None else thousandth * judgement.error,
    }
