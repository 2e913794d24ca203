"""The solution of any game, as labels, texts and tables of its strategies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from errai.formatting import duration
from errai.sequence import Solution
from errai.sequence.export import tables
from errai.sequence.methods import LINEAR
from errai.sequence.poker import sets_text
from errai.views.rows import Rows, quality_rows, value_rows

MOST_SHOWN = 30  # information sets of a strategy that is shown in full
MOST_IN_JSON = 1_000
MOST_ACTIONS = 8  # of one information set, all shown
LONGEST_FRACTION = 9


def extensive_json(solution: Solution) -> dict[str, Any]:
    """The solution, with its strategies if the game is small, as JSON holds it."""
    shown = tables(solution.profile) if solution.profile.form.game.information_sets <= MOST_IN_JSON else None
    folder = solution.folder
    return {**solution.to_json(), "strategies": shown, "out": folder and str(folder)}


def extensive_rows(solution: Solution) -> Rows:
    """What it is worth, how that is known, and what it took."""
    form = solution.profile.form
    names = form.game.players
    rows: Rows = [("game", solution.game or "untitled")]
    if solution.certificate is not None:
        rows += [
            ("value", f"{solution.certificate.value} for {names[0]}, exactly"),
            ("", f"= {solution.value[0]:.15g}"),
            ("proof", "both best responses win exactly that, checked in rationals"),
        ]
    else:
        rows += value_rows(solution, names, "")
        rows += quality_rows(solution)[: 1 if solution.method in LINEAR else 2]
    S, T = form.sequences
    rows.append(("information sets", sets_text(form.game)))
    rows.append(("sequence form", f"{S:,} x {T:,} sequences, {form.entries:,} payoff entries"))
    simplex = "simplex iterations" if solution.method in LINEAR else "iterations"
    rows.append(
        ("method", f"{solution.method}: {solution.iterations:,} {simplex} in {duration(solution.seconds)}")
    )
    if solution.folder is not None:
        rows.append(("files", str(solution.folder)))
    return rows


def strategy_lines(solution: Solution) -> Iterator[str]:
    """A small strategy, one line an information set; in fractions where they are known and short."""
    game, proof = solution.profile.form.game, solution.certificate
    listed = list(solution.profile.rows())
    width = min(max((len(name) for _, name, _ in listed), default=0), 40)
    for player in (0, 1):
        yield f"strategy of {game.players[player]}"
        for owner, name, row in listed:
            if owner != player:
                continue
            shown = {action: f"{share:.4f}" for action, share in row.items()}
            if proof is not None:
                exact = {action: str(number) for action, number in proof.strategies[player][name].items()}
                if max(map(len, exact.values())) <= LONGEST_FRACTION:
                    shown = exact
            if len(row) > MOST_ACTIONS:
                shown = {action: text for action, text in shown.items() if row[action] > 0}
            yield f"  {name:<{width}}  " + "  ".join(f"{action} {text}" for action, text in shown.items())
        never = sum(len(row) > MOST_ACTIONS for owner, _, row in listed if owner == player)
        if never:
            yield f"  (where there are more than {MOST_ACTIONS} actions, those never taken are left out)"
