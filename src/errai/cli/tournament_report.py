"""What `errai tournament` prints."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from errai.cli.output import duration, print_rows

if TYPE_CHECKING:
    from errai.jamfold.compare import Guarantee
    from errai.jamfold.tournament import TournamentSolution

ROWS = 12  # stacks that are printed


def show(solution: TournamentSolution, others: list[Guarantee], out: Path | None) -> None:
    """For people, within 80 columns."""
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
            f"at most {100 * gap[worst]:.4f} points, with {solution.stacks[worst]} chips in the small blind",
        ),
        ("", "the most that any player, postflop play included, could add"),
        ("jam/fold game", f"solved to {error:.1e}, proven in exact arithmetic"),
    ]
    for other in others:
        losses = [100 * other.loss(solution.lower(seat), seat) for seat in (0, 1)]
        rows.append(
            (other.name, f"gap {100 * other.gap:.4f} points, guarantees up to {max(losses):.4f} less")
        )
    rows.append(
        ("hands", f"{len(rules.live)} solved in {solution.rounds} rounds, {duration(solution.seconds)}")
    )
    if out is not None:
        rows.append(("files", str(out)))
    print_rows(rows)
    print()
    print("probability of winning, in per cent: guaranteed, and at most")
    print(f"{'chips':>10}   {'small blind':>19}   {'big blind':>19}")
    U = rules.units
    for units in sorted({round(U * place / ROWS) for place in range(1, ROWS)} - {0, U}):
        cells = [f"{solution.stacks[units]:>10}"]
        for seat in (0, 1):
            low, high = 100 * solution.lower(seat)[units], 100 * solution.upper(seat)[units]
            cells.append(f"{low:8.4f} - {high:8.4f}")
        print("   ".join(cells))
