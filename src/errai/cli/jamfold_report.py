"""What `errai jamfold` prints."""

from __future__ import annotations

from math import ceil, floor, log10
from textwrap import wrap
from typing import TYPE_CHECKING

from errai.cli.grid import CELL, COLOURS, GAP, grid
from errai.cli.output import console, duration, print_rows

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.text import Text

    from errai.cli.report import Rows
    from errai.jamfold.chart import Chart
    from errai.jamfold.prove import Proof
    from errai.jamfold.single import HandSolution
    from errai.sequence import Solution

WIDTH, LABEL = 80, 17
LONGEST_FRACTION = WIDTH - LABEL - 8
MOST_LISTED = 4
SHORT, NEVER = "#1c1c1c", "grey46 on grey11"


def show_hand(
    solution: HandSolution,
    seconds: float,
    fractions: Solution | None,
    proof: Proof | None,
    files: list[Path],
) -> None:
    """A hand, within 80 columns."""
    from errai.jamfold.single import described
    from errai.sequence.certificate import NAME

    print(described(solution.hand, solution.unit) + "\n")
    rows = _value_rows(solution)
    if fractions is not None and fractions.certificate is not None:
        rows.append(("exactly", _fraction(str(fractions.certificate.value))))
    elif proof is not None:
        rows.append(("exactly", _fraction(str(proof.value))))
    rows += [*_strategy_rows(solution, "jam"), *_strategy_rows(solution, "call")]
    if proof is not None and solution.decides["jam"]:
        rows += _proof_rows(proof)
    rows += [("solved", f"in {duration(seconds)}"), *_file_rows(files)]
    if fractions is not None and not any(file.name == NAME for file in files):
        rows.append(("certificate", "not saved; add --out DIR, then errai verify DIR checks it"))
    print_rows(rows)
    shown = console()
    for action, letter, who in (("jam", "r", solution.jammer), ("call", "c", solution.caller)):
        if solution.decides[action]:
            shown.print(f"\nthe {who}: {action} in percent; the rest is fold\n")
            played = solution.strategy(action)
            shown.print(
                grid({name: {letter: share, "f": 1 - share} for name, share in played.items()}), end=""
            )


def show_chart(solved: Chart, seconds: float, files: list[Path]) -> None:
    """Both grids of a chart with their footnotes."""
    from errai.jamfold.chart import ACTIONS

    shown = console()
    for action in ACTIONS:
        shown.print(solved.heading(action) + "\n")
        shown.print(_chart_grid(solved, action))
        if notes := solved.footnotes(action):
            shown.print("\n".join(notes) + "\n")
    rows = [("solved", f"{solved.solved:,} stacks in {duration(seconds)}")]
    rows.append(("ends", f"to 0.01 big blinds; gaps narrower than {solved.step:g} may be missed"))
    print_rows([*rows, *_file_rows(files)])


def _value_rows(solution: HandSolution) -> Rows:
    """The value with its bounds, which stay proven when they are shortened outward and allow for rounding."""
    pot = float(solution.hand.effective)
    places = max(0, 12 - ceil(log10(pot)))
    scale, rounding = 10.0**places, 1e-15 * pot
    low = floor((solution.guarantee - rounding) * scale) / scale
    high = ceil((solution.ceiling + rounding) * scale) / scale
    return [
        ("value", f"{solution.value + 0.0:+.6f} {solution.unit} for the {solution.jammer}"),
        ("", f"proven between {low:.{places}f} and {high:.{places}f}"),
    ]


def _strategy_rows(solution: HandSolution, action: str) -> Rows:
    """How often a player jams or calls, and with which hands he does both."""
    who = {"jam": solution.jammer, "call": solution.caller}[action]
    summary = solution.summary(action)
    if not solution.decides[action]:
        why = "a showdown whatever he holds" if action == "jam" else "he is in for all that can be lost"
        return [(who, f"{summary}: {why}")]
    texts = [summary]
    if action == "call" and solution.limp is not None and solution.decides["jam"]:
        texts.insert(0, f"calls the blind with {_limps(solution.limp)}")
    if mixed := solution.mixed(action):
        texts.append(f"mixed: {_listed(mixed)}")
    return [(who if number == 0 else "", text) for number, text in enumerate(texts)]


def _limps(limp: dict[str, float]) -> str:
    folded = {name: share for name, share in limp.items() if share < 1}
    if len(folded) > MOST_LISTED:
        from errai.jamfold.single import percentage

        return f"{percentage(limp):.1f}% of hands"
    return "every hand" + (f" but {_listed(folded)}" if folded else "")


def _listed(shares: dict[str, float]) -> str:
    """43s 71.1%, 32o, and how many more there are."""
    shown = [f"{name} {100 * share:.1f}%" if share else name for name, share in shares.items()]
    more = f" and {len(shown) - MOST_LISTED} more" if len(shown) > MOST_LISTED else ""
    return ", ".join(shown[:MOST_LISTED]) + more


def _proof_rows(proof: Proof) -> Rows:
    """What every optimal strategy must do, as ranges."""
    rows: Rows = []
    for label, hands in (
        ("must jam", proof.must_jam),
        ("must fold", proof.must_fold),
        ("must mix", proof.must_mix),
        ("either way", proof.undecided),
    ):
        lines = wrap(_range(hands) if hands else "no hand", WIDTH - LABEL)
        rows += [(label if number == 0 else "", line) for number, line in enumerate(lines)]
    return rows


def _range(names: Iterable[str]) -> str:
    """Classes of hands as a player writes them: 22+, A2s+, K7o+."""
    import numpy as np

    from errai.cards.notation import hand_class_of
    from errai.cards.ranges import format_range
    from errai.jamfold.equities import class_number

    wanted = [class_number(name) for name in names]
    return format_range(np.isin(hand_class_of(), wanted).astype(np.float64)).replace(",", ", ")


def _fraction(text: str) -> str:
    if len(text) <= LONGEST_FRACTION:
        return text
    return f"a fraction of {len(text):,} digits; --json prints it"


def _file_rows(files: list[Path]) -> Rows:
    return [("files" if number == 0 else "", str(file)) for number, file in enumerate(files)]


def _chart_grid(solved: Chart, action: str) -> Text:
    """The largest stacks, in colours that go from dark to that of the action."""
    from rich.text import Text

    from errai.cards.notation import GRID
    from errai.jamfold.chart import blend

    full = COLOURS[{"jam": "r", "call": "c"}[action]].rpartition(" ")[2]
    colours = blend(SHORT, full, len(solved.bands()) + 1)
    text = Text()
    for names in GRID:
        for line in (0, 1):
            for column, name in enumerate(names):
                band = solved.band(action, name)
                style = NEVER if band is None else f"white on {colours[band]}"
                text.append(" " * GAP if column else "")
                content = solved.largest(action, name) if line else name
                text.append(content.ljust(CELL), style=style if line else f"{style} bold")
            text.append("\n")
    return text
