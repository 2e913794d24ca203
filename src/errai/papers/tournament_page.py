"""`errai papers tournament`: the paper's figures 1 to 8, its theorem and its bounds, and other blinds."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from errai.api.tournaments import tournament
from errai.jamfold.aces import aces_only
from errai.jamfold.compare import always_jam, guarantee
from errai.jamfold.equities import HANDS
from errai.jamfold.hand import Hand
from errai.jamfold.linear_program import Solver
from errai.jamfold.matrix_game import small_blinds_hand
from errai.jamfold.prove import prove
from errai.jamfold.single import solve as solve_single
from errai.jamfold.tournament import TournamentSolution
from errai.outward import rounded_down, rounded_up
from errai.papers.figures import Panel, draw_panels
from errai.papers.page import Fact, Page, Picture, Table
from errai.papers.redo import Known, Redo

CHIPS, SMALL_BLIND, BIG_BLIND, STEP = 8000, 300, 600, 50
FIGURES = {1: "advantage", 2: "bounds", 3: "gap", 6: "single", 8: "strategies"}
CAPTIONS = {
    1: "Figure 1: guaranteed winning probability less the share of the chips",
    2: "Figure 2: where the optimal winning probability must lie",
    3: "Figure 3: the gap",
    6: "Figure 6: one hand with equal stacks",
    8: "Figure 8: the tournament with equal stacks",
}
DEPTHS = {  # big blinds in play, for the price of jam or fold
    False: (4, 6, 8, 10, 12, 16, 20),
    True: (4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48),
}
UNIT = 6  # steps of stacks in a big blind, for the same

# Figure 5: the hand that the small blind mixes, by stack. Offsuit hands are printed without a letter.
FIGURE_5 = {
    1800: "T2o", 2100: "95o", 2200: "92s", 2250: "92s", 2550: "T5o", 2600: "43s", 2700: "93s", 2800: "93s",
    2850: "93s", 2900: "43s", 3000: "96o", 3050: "96o", 3100: "96o", 3250: "J4o", 3300: "T6o", 3350: "63s",
    3400: "65o", 3500: "94s", 3550: "63s", 3600: "86o", 3650: "94s", 3700: "63s", 3750: "86o", 3800: "94s",
    3850: "T2s", 3950: "86o", 4000: "86o", 4050: "86o", 4150: "T2s", 4200: "94s", 4250: "86o", 4300: "63s",
    4350: "94s", 4400: "86o", 4450: "63s", 4500: "94s", 4600: "65o", 4650: "63s", 4700: "T6o", 4750: "J4o",
    4900: "96o", 4950: "96o", 5000: "96o", 5100: "43s", 5150: "93s", 5200: "93s", 5300: "93s", 5400: "43s",
    5450: "T5o", 5750: "92s", 5800: "92s", 5900: "95o", 6200: "T2o",
}  # fmt: skip


def redo(wanted: Redo) -> Page:
    """Solve the tournament, prove its bounds, and all else that the paper prints."""
    page = Page(
        "tournament",
        "Miltersen and Sørensen: a near-optimal tournament strategy",
        "Peter Bro Miltersen and Troels Bjerre Sørensen, *A near-optimal strategy for a heads-up no-limit Texas "
        "Hold'em poker tournament*, AAMAS 2007.",
    )
    known = Known(wanted.work)
    wanted.step("the tournament")
    solution = tournament(CHIPS, SMALL_BLIND, BIG_BLIND, threads=wanted.threads, monitor=wanted.monitor)
    page.facts += _bounds(solution)
    wanted.step("mixed hands of the small blind, by stack")
    page.facts.append(_figure_5())
    wanted.step("proofs about optimal strategies")
    page.facts += _proofs(known)
    page.facts += _aces()
    wanted.pages.mkdir(parents=True, exist_ok=True)
    for number in (1, 2, 3, 8):
        solution.plot(_picture(wanted.pages, number), number)
    single = solve_single(stacks=(4000, 4000), small_blind=SMALL_BLIND, big_blind=BIG_BLIND)
    single.plot(_picture(wanted.pages, 6))
    page.pictures += [Picture(_picture(Path(), number).name, CAPTIONS[number]) for number in sorted(FIGURES)]
    prices = [_price(wanted, known, depth) for depth in DEPTHS[wanted.full]]
    draw_panels(
        wanted.pages / "tournament-price.png",
        "The most that postflop play can add to jam or fold, by chips in play",
        [Panel("", DEPTHS[wanted.full], [100 * gap for gap, _ in prices])],
        "big blinds in play, both stacks", "percentage points", 1,
    )  # fmt: skip
    page.pictures.append(Picture("tournament-price.png", "The price of jam or fold grows with the stacks"))
    page.tables.append(
        Table(
            "Other blinds and stacks",
            ("big blinds in play", "jam or fold: gap at most", "always jam: gap at most"),
            tuple(
                (f"{depth}", f"{rounded_up(100 * gap, 2)} points", f"{rounded_up(100 * always, 2)} points")
                for depth, (gap, always) in zip(DEPTHS[wanted.full], prices, strict=True)
            ),
            f"Proven; the small blind is half the big one, and stacks are multiples of 1/{UNIT} of a big blind. "
            f"The paper's tournament has {CHIPS / BIG_BLIND:.1f} big blinds in play.",
        )
    )
    page.notes.append(
        "The paper prints -2 + 3674/270725 for the big blind that jams aces only. It lets the small blind lose no "
        "more than the blind against aces and yet make every other hand fold, which would take seeing the cards: the "
        "exact value is -2 + 4898/270725 (see [jam or fold](../jamfold.md))."
    )
    return page


def _picture(folder: Path, number: int) -> Path:
    return folder / f"tournament-{FIGURES[number]}.png"


def _bounds(solution: TournamentSolution) -> list[Fact]:
    lowest = float((solution.lower(0) + solution.lower(1)[::-1])[1:-1].min())
    gap = float(solution.gap.max())
    always = guarantee("always jam", solution.tournament, always_jam(solution.tournament)).gap
    above = solution.lower(0)[solution.stacks.index(2500)] - 2500 / CHIPS
    return [
        Fact(
            "guarantees of both seats together", "more than 0.986", f"{rounded_down(lowest, 4)} or more",
            "proven, figure 1",
        ),
        Fact(
            "gap to any strategy, postflop play included", "0.014 at most", f"{rounded_up(gap, 4)} at most",
            "proven, figure 3",
        ),
        Fact("the same for always jam", "0.053 at most", f"{rounded_up(always, 4)} at most", "proven"),
        Fact("small blind with 2,500 chips: more than the share 2500/8000", "yes", f"{above:+.4f}", "figure 1"),
        Fact(
            "time", "two weeks, 20,000 linear programs", f"{solution.seconds:.1f} s",
            f"{solution.rounds} rounds of policy iteration, proof included",
        ),
    ]  # fmt: skip


def mixed_hands() -> dict[int, str]:
    """Figure 5: the hands that the small blind mixes, by stack, where there are any."""
    solver, mixed = Solver(), {}
    for stack in range(650, CHIPS - 600, STEP):
        found = solver(small_blinds_hand(_hand(stack), float))
        names = [name for name, share in zip(HANDS, found.jam, strict=True) if 1e-9 < share < 1 - 1e-9]
        if names:
            mixed[stack] = " ".join(names)
    return mixed


def _figure_5() -> Fact:
    mixed = mixed_hands()
    same = sum(mixed.get(stack) == hand for stack, hand in FIGURE_5.items())
    return Fact(
        "stacks with a mixed hand, and which (figure 5)", f"{len(FIGURE_5)}",
        f"{len(mixed)}, {same} of them as printed", "linear programs at every multiple of 50",
    )  # fmt: skip


def _proofs(known: Known) -> list[Fact]:
    def proven(stack: int) -> dict[str, Any]:
        found = prove(_hand(stack))
        return {
            "mix": found.must_mix, "jam": found.must_jam, "fold": found.must_fold, "pure": found.pure,
            "86o": str(found.jam[HANDS.index("86o")]),
        }  # fmt: skip

    equal, short, deep = (
        known.find({"proof": stack}, partial(proven, stack)) for stack in (4000, 1800, 3600)
    )
    pattern = (
        "43s" in short["fold"] and "J2o" in short["jam"] and "43s" in deep["jam"] and "J2o" in deep["fold"]
    )
    return [
        Fact(
            "theorem 1: with 4000 chips each every optimal strategy mixes", "86 offsuit and may do without others",
            f"{', '.join(equal['mix'])}, jammed {equal['86o']} of the time; "
            f"{'a' if equal['pure'] else 'no'} pure strategy is optimal", "proven in fractions",
        ),
        Fact(
            "figure 7: 43s folds and J2o jams with 1800, the other way round with 3600", "in all optimal strategies",
            "in all" if pattern else "not in all", "proven in fractions",
        ),
    ]  # fmt: skip


def _aces() -> list[Fact]:
    small, big = aces_only(), aces_only(big_blind=True)
    return [
        Fact("deep stacks: aces only, small blind", "-1 + 3673/270725", _above(small.guarantee, -1), "exact"),
        Fact("deep stacks: aces only, big blind", "-2 + 3674/270725", _above(big.guarantee, -2), "exact"),
        Fact(
            "from what stacks on nothing is better, blinds 1 and 2", "not said",
            f"{float(small.optimal_from):,.0f} chips (small blind), {float(big.optimal_from):,.0f} (big blind)",
            "exact",
        ),
    ]  # fmt: skip


def _above(value: Fraction, base: int) -> str:
    """-1 + 3673/270725"""
    more = Fraction(value) - base
    scale = 270725 // more.denominator if 270725 % more.denominator == 0 else 1
    return f"{base} + {more.numerator * scale}/{more.denominator * scale}"


def _hand(stack: int) -> Hand:
    return Hand((Fraction(stack), Fraction(CHIPS - stack)), Fraction(SMALL_BLIND), Fraction(BIG_BLIND))


def _price(wanted: Redo, known: Known, depth: int) -> tuple[float, float]:
    """Gaps of the best jam/fold strategy and of always jam, with so many big blinds in play."""
    wanted.step(f"a tournament of {depth} big blinds")

    def found() -> list[float]:
        solution = tournament(
            depth * UNIT, UNIT // 2, UNIT, step=1, threads=wanted.threads, monitor=wanted.monitor
        )
        always = guarantee("always jam", solution.tournament, always_jam(solution.tournament)).gap
        return [float(solution.gap.max()), always]

    gap, always = known.find({"price": depth, "unit": UNIT}, found)
    return gap, always
