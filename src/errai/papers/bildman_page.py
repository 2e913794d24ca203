"""`errai papers bildman`: the thesis's agent, its figures 4 to 10, and what it is exploitable for."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from errai.abstraction.transitions import shares, transitions
from errai.api.matches import match
from errai.api.measuring import exploit
from errai.api.training import abstract
from errai.games.catalogue import load_game
from errai.papers.bildman import COUNTED, GROUPS, Training, change, counts
from errai.papers.figures import Panel, draw_panels
from errai.papers.page import Fact, Page, Picture, Table
from errai.papers.redo import Known, Redo

LEVELS = (1, 2, 3, 5, 10, 15, 25, 50)  # iterations of training
OPPONENTS: dict[str | int, str] = {
    "always-call": "only checks and calls",
    "always-raise": "only raises",
    "random": "plays at random",
    "win-rate": "calls above 50%, else folds",
    1: "itself after 1 iteration",
    50: "itself after 50 iterations",
}
HANDS = {False: 20_000, True: 200_000}
FLOPS = {False: 4, True: 32}
TIMED = 2000  # iterations


def redo(wanted: Redo) -> Page:
    """Build the agent, let it play, measure it."""
    page = Page(
        "bildman",
        "Bildman: win-rate groups and separate rounds",
        "Eli Bildman, *Poker automation with counterfactual regret minimization*, honors thesis, 2021.",
    )
    known = Known(wanted.work)
    wanted.step("groups of hands by win rate")
    tables = wanted.work / "groups"
    groups = abstract("bildman", tables, threads=wanted.threads, monitor=wanted.monitor)
    training = Training(groups)
    moved = _trained(wanted, training, tables)
    page.facts += _sizes(training, tables, known, moved)
    page.tables.append(_map(groups, known))
    hands = HANDS[wanted.full]
    found: dict[Any, list[tuple[float, float]]] = {}
    for opponent, words in OPPONENTS.items():
        for level in LEVELS:
            name = {"level": level, "opponent": str(opponent), "hands": hands, "seed": wanted.seed}
            wanted.step(f"level {level} against one that {words}, {hands:,} hands")

            other = _agent(wanted, opponent) if isinstance(opponent, int) else opponent
            mean, interval = known.find(name, partial(_won, wanted, level, other, hands))
            found.setdefault(opponent, []).append((mean, interval))
    exploitable = _exploitable(wanted, known)
    _draw(wanted.pages, moved, found, exploitable)
    page.tables.append(
        Table(
            "Winnings and exploitability by training level",
            ("iterations", *OPPONENTS.values(), "exploitability in the real game"),
            tuple(
                (
                    str(level),
                    *(f"{found[o][n][0]:+,.0f} ± {found[o][n][1]:,.0f}" for o in OPPONENTS),
                    exploitable.get(level, ("", ""))[0] or "not measured",
                )
                for n, level in enumerate(LEVELS)
            ),
            f"mbb/g with 95% intervals, {hands:,} hands each, every deal played twice with the seats exchanged. "
            "Exploitability is a best response in the unabstracted game, from a sample of flops.",
        )
    )
    page.pictures += [
        Picture("bildman-change.png", "Figure 4: change of the strategy by iteration"),
        Picture("bildman-winnings.png", "Figures 5 to 10: winnings by training level"),
    ]
    page.facts += _claims(found, moved)
    page.notes += NOTES
    return page


NOTES = [
    "The thesis lists six win rates (0.2, 0.4, 0.5, 0.6, 0.7, 0.8). Its counts of trees, states and information sets "
    "are those of seven: 203 = 29 pots x 7; 2,016 = 7 x (8 decisions before the flop + 28 pots x 10); 39,572 = 29 "
    "roots + 29 x 49 pairs of groups + 49 x (22 states before the flop + 28 pots x 27). Its example of an "
    "information set has a win rate of 0.3, the seventh. The agent here has the six that are listed.",
    "Win rates are exact, against every hand on every board that may follow; the thesis has 1,000 simulations.",
    "The thesis draws groups with the transition rates of its map. A tree that is rooted at the last card only needs "
    "how often a hand is in each group in that round, which is what all transitions lead to; both players' groups "
    "are drawn apart from each other, as in the thesis.",
    "A strategy is averaged in from the iteration after the one that finds it: one iteration here is the uniform "
    "strategy, the thesis's none.",
    "The figures of the thesis have no scale in its text; its statements about them are compared.",
]


def _won(wanted: Redo, level: int, other: str | Path, hands: int) -> list[float]:
    """What the agent wins in a match, and half of the interval."""
    won = match(
        _agent(wanted, level), other, hands=hands, duplicate=True, seed=wanted.seed, aivat=False,
        threads=wanted.threads, monitor=wanted.monitor,
    )  # fmt: skip
    wanted.step("the next match")
    return [won.mean_mbb, won.ci95_mbb]


def _agent(wanted: Redo, level: int) -> Path:
    return wanted.work / f"level-{level}"


def _trained(wanted: Redo, training: Training, tables: Path) -> list[float]:
    """Trains to the last level and saves all; returns the change of the strategy in each iteration."""
    moved, before, began = [], training.strategies(), perf_counter()
    for iteration in range(1, LEVELS[-1] + 1):
        training.until(iteration)
        now = training.strategies()
        moved.append(change(before, now))
        before = now
        if iteration in LEVELS:
            training.save(_agent(wanted, iteration), tables, perf_counter() - began)
    return moved


def _sizes(training: Training, tables: Path, known: Known, moved: list[float]) -> list[Fact]:
    game = load_game("holdem")
    seven, six = counts(game, COUNTED), counts(game, len(GROUPS))

    def timed() -> float:
        again = Training(training.abstraction)
        again.until(1)
        began = perf_counter()
        again.until(TIMED)
        return (perf_counter() - began) / (TIMED - 1)

    seconds = known.find({"seconds": "iteration"}, timed)
    how = "counted, with seven groups"
    return [
        Fact("game trees", "203", f"{seven.trees}", f"{how}; {six.trees} with the six listed"),
        Fact("states", "39,572", f"{seven.states:,}", f"{how}; {six.states:,} with six"),
        Fact("information sets", "2,016", f"{seven.information_sets:,}", f"{how}; {six.information_sets:,} with six"),
        Fact("an iteration", "3.2 s", f"{1000 * seconds:.2f} ms", f"CFR+ on all trees, mean of {TIMED:,}"),
    ]  # fmt: skip


def _map(groups: Any, known: Known) -> Table:
    """Figures 1 and 2: the win-rate map."""

    def counted() -> list[Any]:
        return [[row.tolist() for row in shares(groups)], [t.tolist() for t in transitions(groups)]]

    often, moves = known.find({"map": "transitions"}, counted)
    names = ("before the flop", "flop", "turn", "river")
    rows = []
    for round_, next_round in enumerate(moves):
        for group, going in enumerate(next_round):
            if sum(going) == 0:
                continue
            rows.append(
                (
                    names[round_], f"{GROUPS[group]:g}", f"{often[round_][group]:.1%}",
                    *(f"{share:.1%}" for share in going),
                )
            )  # fmt: skip
    rows += [
        ("river", f"{group:g}", f"{often[-1][n]:.1%}", *[""] * len(GROUPS)) for n, group in enumerate(GROUPS)
    ]
    return Table(
        "The win-rate map (figures 1 and 2)",
        ("round", "win rate", "of all hands", *(f"to {group:g}" for group in GROUPS)),
        tuple(rows),
        "Counted over all deals. No hand is nearest to 0.2 before the flop: 32o wins 32%.",
    )


def _exploitable(wanted: Redo, known: Known) -> dict[int, tuple[str, float]]:
    """By training level: text and mbb/g."""
    found = {}
    for level in LEVELS if wanted.full else (LEVELS[-1],):
        flops = FLOPS[wanted.full]
        wanted.step(f"a best response to level {level} in the real game, {flops} flops")

        mbb, low, high = known.find(
            {"exploit": level, "flops": flops}, partial(_measured, wanted, level, flops)
        )
        found[level] = (f"{mbb:,.0f} [{low:,.0f}, {high:,.0f}]", mbb)
    return found


def _measured(wanted: Redo, level: int, flops: int) -> list[float]:
    """Exploitability in the real game, with its interval."""
    made = exploit(
        _agent(wanted, level), flops=flops, threads=wanted.threads, work=wanted.work / f"response-{level}",
        monitor=wanted.monitor,
    )  # fmt: skip
    low, high = made.interval_mbb or (np.nan, np.nan)
    return [made.evaluation.exploitability_mbb, low, high]


def _claims(found: dict[Any, list[tuple[float, float]]], moved: list[float]) -> list[Fact]:
    last = {opponent: of[-1] for opponent, of in found.items() if opponent != LEVELS[-1]}
    beaten = sum(mean - interval > 0 for mean, interval in last.values())
    ten, many = LEVELS.index(10), LEVELS.index(25)
    later = [abs(of[-1][0] - of[ten][0]) / (max(of)[0] - min(of)[0]) for of in found.values()]
    most = max(moved)
    return [
        Fact(
            "wins against every simple opponent and its first iteration", "yes",
            f"{beaten} of {len(last)}", "interval above zero after 50 iterations",
        ),
        Fact(
            "change of the strategy after 15 iterations", "almost none", f"{moved[15] / most:.0%} of the largest",
            "figure 4",
        ),
        Fact(
            "winnings level off around 10 iterations", "yes",
            f"{min(later):.0%} to {max(later):.0%} of their range comes later", "between 10 and 50 iterations",
        ),
        Fact(
            "5 iterations win more than 25 against the random player", "yes",
            f"{found['random'][3][0]:+,.0f} and {found['random'][many][0]:+,.0f} mbb/g", "the same cards",
        ),
    ]  # fmt: skip


def _draw(
    pages: Path, moved: list[float], found: dict[Any, list[tuple[float, float]]], exploitable: dict[int, Any]
) -> None:
    pages.mkdir(parents=True, exist_ok=True)
    counted = list(range(1, len(moved) + 1))
    draw_panels(
        pages / "bildman-change.png", "How far all probabilities move in an iteration",
        [Panel("", counted, moved)], "iteration", "sum of changes", 1,
    )  # fmt: skip
    panels = [
        Panel(words, LEVELS, [mean for mean, _ in found[o]], [interval for _, interval in found[o]])
        for o, words in OPPONENTS.items()
    ]
    draw_panels(
        pages / "bildman-winnings.png", "Winnings of the agent by training level, by opponent", panels,
        "iterations of training", "mbb/g",
    )  # fmt: skip
    if len(exploitable) > 1:
        draw_panels(
            pages / "bildman-exploitability.png", "Exploitability in the real game",
            [Panel("", list(exploitable), [mbb for _, mbb in exploitable.values()])],
            "iterations of training", "mbb/g", 1,
        )  # fmt: skip
