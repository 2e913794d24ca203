"""A tournament by jam or fold, as labels, texts and a table."""

from __future__ import annotations

from collections.abc import Sequence

from errai.formatting import duration
from errai.jamfold.compare import Guarantee
from errai.jamfold.tournament import TournamentSolution
from errai.outward import outward, percent, rounded_up
from errai.views.rows import Rows

ROWS = 12  # stacks in a table
PLACES = 4  # of percentages


def tournament_rows(solution: TournamentSolution, others: Sequence[Guarantee] = ()) -> Rows:
    """The rules, how much is left to gain, what other strategies guarantee, and what it took."""
    rules, gap = solution.tournament, solution.gap
    error = solution.to_json()["jam_fold_error"]
    worst = int(gap.argmax())
    ante = f", ante {rules.ante}" if rules.ante else ""
    rows = [
        (
            "tournament",
            f"{rules.chips} chips, blinds {rules.small_blind} and {rules.big_blind}{ante}, step {rules.step}",
        ),
        (
            "gap",
            f"at most {_points(gap[worst])} points, with {solution.stacks[worst]} chips in the small blind",
        ),
        ("", "the most that any player, postflop play included, could add"),
        ("jam/fold game", f"solved to {error:.1e}, proven in exact arithmetic"),
    ]
    for other in others:
        loss = max(other.loss(solution.lower(seat), seat) for seat in (0, 1))
        rows.append((other.name, f"gap {_points(other.gap)} points, guarantees up to {_points(loss)} less"))
    took = f"{len(rules.live)} solved in {solution.rounds} rounds, {duration(solution.seconds)}"
    return [*rows, ("hands", took)]


def tournament_table(solution: TournamentSolution) -> list[list[str]]:
    """Chips, then for the small and the big blind the probability of winning, in percent: guaranteed - at most."""
    table = [["chips", "small blind", "big blind"]]
    total = solution.tournament.units
    for units in sorted({round(total * place / ROWS) for place in range(1, ROWS)} - {0, total}):
        row = [f"{solution.stacks[units]}"]
        for seat in (0, 1):
            low, high = outward(
                percent(solution.lower(seat)[units]), percent(solution.upper(seat)[units]), PLACES
            )
            row.append(f"{low:>8} - {high:>8}")
        table.append(row)
    return table


def compared_json(solution: TournamentSolution, others: Sequence[Guarantee]) -> dict[str, dict[str, object]]:
    """What other strategies guarantee, as JSON holds it."""
    return {
        other.name: {
            "gap": other.gap,
            "loss": [other.loss(solution.lower(seat), seat) for seat in (0, 1)],
        }
        for other in others
    }


def _points(most: float) -> str:
    """The most, in percentage points."""
    return rounded_up(percent(most), PLACES)
