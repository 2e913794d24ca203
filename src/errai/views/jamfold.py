"""A hand by jam or fold, and charts, as labels and texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil, log10
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np

from errai.cards.notation import hand_class_of
from errai.cards.ranges import format_range, parse_range
from errai.formatting import duration
from errai.jamfold.chart import Chart
from errai.jamfold.equities import HANDS, class_number
from errai.jamfold.prove import Proof
from errai.jamfold.single import COMBOS, HandSolution, percentage
from errai.outward import outward
from errai.sequence import Solution
from errai.views.rows import Rows

WIDTH, LABEL = 80, 17
LONGEST_FRACTION = WIDTH - LABEL - 8
MOST_LISTED = 4


def hand_rows(
    solution: HandSolution, seconds: float, fractions: Solution | None = None, proof: Proof | None = None
) -> Rows:
    """What a hand is worth, who does what how often, and what is proven."""
    rows = _value_rows(solution)
    if fractions is not None and fractions.certificate is not None:
        rows.append(("exactly", _fraction(str(fractions.certificate.value))))
    elif proof is not None:
        rows.append(("exactly", _fraction(str(proof.value))))
    rows += [*_strategy_rows(solution, "jam"), *_strategy_rows(solution, "call")]
    if proof is not None and solution.decides["jam"]:
        rows += _proof_rows(proof)
    return [*rows, ("solved", f"in {duration(seconds)}")]


def hand_grids(solution: HandSolution) -> list[tuple[str, dict[str, dict[str, float]]]]:
    """A title and hand -> action letter -> share, for each player who decides something."""
    grids = []
    for action, letter, who in (("jam", "r", solution.jammer), ("call", "c", solution.caller)):
        if solution.decides[action]:
            played = solution.strategy(action)
            shares = {name: {letter: share, "f": 1 - share} for name, share in played.items()}
            pot = f"pot {float(pot_before(solution, action)):g} {solution.unit}"
            title = f"{_happened(solution, action)}{who} to act, {pot}\n{action} in percent; the rest is fold"
            grids.append((title, shares))
    return grids


def asked_hands(text: str) -> dict[str, int]:
    """Class of hands -> how many of its hands a range asks for, the best first: `AKs, 77, AhKd`.

    Before the flop suits are all alike, so every hand of a class is played in the same way.
    """
    wanted = hand_class_of()[np.flatnonzero(parse_range(text) > 0)]
    return {name: int(np.sum(wanted == place)) for place, name in enumerate(HANDS) if (wanted == place).any()}


def asked_json(solution: HandSolution, text: str) -> dict[str, dict[str, Any]]:
    """What to do with the hands of a range, and what that is worth, as JSON holds it."""
    return {
        name: {
            "combos": combos,
            "jam": solution.jam[name],
            "call": solution.call[name],
            **({} if solution.limp is None else {"limp": solution.limp[name]}),
            "ev": solution.ev[name],
            "answer_ev": solution.answer_ev[name],
        }
        for name, combos in asked_hands(text).items()
    }


def asked_rows(solution: HandSolution, text: str) -> Rows:
    """The same in words, two lines for each player."""
    rows: Rows = []
    for name, combos in asked_hands(text).items():
        all_of_it = combos == COMBOS[name]
        many = f"all {combos} combos" if all_of_it else f"{combos} of {COMBOS[name]} combos, all played alike"
        rows.append((name, many))
        for action in ("jam", "call"):
            who = {"jam": solution.jammer, "call": solution.caller}[action]
            if not solution.decides[action]:
                rows.append((f"  {who}", "has nothing to decide"))
                continue
            worth = (solution.ev if action == "jam" else solution.answer_ev)[name]
            rows.append((f"  {who}", _played(solution, action, name)))
            evs = [f"{_WORDS.get(what, what)} {chips + 0.0:+.4f}" for what, chips in worth.items()]
            rows.append(("", f"worth in {solution.unit}{_WHOLE[solution.seat]}: {', '.join(evs)}"))
    return rows


_WORDS = {"limp_fold": "limp and fold"}
_WHOLE = {"small": "", "big": ", whole hand"}  # from the big blind the opponent may have folded before


def _played(solution: HandSolution, action: str, name: str) -> str:
    """facing the jam: call 40.3%, fold 59.7%"""
    chance = solution.strategy(action)[name]
    parts = [(action, chance), ("fold", 1 - chance)]
    when = "first to act" if action == "jam" else "facing the jam"
    if solution.seat == "big":
        when = "after a limp" if action == "jam" else "after a limp and a jam"
        if action == "call" and solution.limp is not None and solution.decides["jam"]:
            limps = solution.limp[name]
            first = [("limp", limps), ("fold", 1 - limps)]
            return f"first to act: {_shares(first)}; {when}: {_shares(parts)}"
    return f"{when}: {_shares(parts)}"


def _shares(parts: Sequence[tuple[str, float]]) -> str:
    """call 40.3%, fold 59.7%; always call"""
    for word, share in parts:
        if share == 1:
            return f"always {word}"
    return ", ".join(f"{word} {100 * share:.1f}%" for word, share in parts)


def together(shares: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Action letter -> how often, of all hands that a grid shows."""
    letters = next(iter(shares.values()))
    return {letter: percentage({name: of[letter] for name, of in shares.items()}) / 100 for letter in letters}


def pot_before(solution: HandSolution, action: str) -> Fraction:
    """What is in when a player decides to jam, or to call the jam."""
    hand, limped = solution.hand, solution.seat == "big"
    small, big = hand.posted
    small = min(hand.stacks[0], big) if limped else small
    if action == "jam":
        return Fraction(small + big)
    return Fraction(hand.effective + (small if limped else big))


def _happened(solution: HandSolution, action: str) -> str:
    """What has been done before a decision."""
    done = ["small blind limps"] if solution.seat == "big" else []
    done += [f"{solution.jammer} jams"] if action == "call" else []
    return f"{', '.join(done)}; " if done else ""


def chart_rows(solved: Chart, seconds: float) -> Rows:
    """What a chart took, and how fine it is."""
    return [
        ("solved", f"{solved.solved:,} stacks in {duration(seconds)}"),
        ("ends", f"to 0.01 big blinds; gaps narrower than {solved.step:g} may be missed"),
    ]


def _value_rows(solution: HandSolution) -> Rows:
    """The value with its bounds, in as many places as they are sure of."""
    places = max(0, 12 - ceil(log10(solution.hand.effective)))
    low, high = outward(solution.guarantee, solution.ceiling, places)
    return [
        ("value", f"{round(solution.value, 6) + 0.0:+.6f} {solution.unit} for the {solution.jammer}"),
        ("", f"proven between {low} and {high}"),
    ]


def _strategy_rows(solution: HandSolution, action: str) -> Rows:
    """How often a player jams or calls, and which hands do both."""
    who = {"jam": solution.jammer, "call": solution.caller}[action]
    summary = solution.summary(action)
    if not solution.decides[action]:
        why = "a showdown with any hand" if action == "jam" else "all that can be lost is in"
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
    wanted = [class_number(name) for name in names]
    return format_range(np.isin(hand_class_of(), wanted).astype(np.float64)).replace(",", ", ")


def _fraction(text: str) -> str:
    return text if len(text) <= LONGEST_FRACTION else f"a fraction of {len(text):,} digits"


def file_rows(files: Sequence[Path]) -> Rows:
    """Where things were written."""
    return [("files" if number == 0 else "", str(file)) for number, file in enumerate(files)]
