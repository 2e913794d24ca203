"""`errai papers psopti`: the three programs, their models' sizes and time, table 1, and what the real game shows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from errai.api.matches import match
from errai.api.measuring import exploit
from errai.api.training import abstract
from errai.cards.notation import hand_class_of
from errai.files.manifest import MANIFEST
from errai.games.catalogue import load_game
from errai.games.lookup import betting_tree
from errai.models.model import Floats
from errai.models.solver import solve_model
from errai.models.tree import model_tree
from errai.papers.bildman import Training
from errai.papers.figures import Panel, draw_panels
from errai.papers.page import Fact, Page, Picture, Table
from errai.papers.psopti import (
    FLOP,
    endings,
    nodes,
    uniform_models,
)
from errai.papers.psopti_made import PREFLOP_DEALS, RUNOUTS, TARGET, Made, make
from errai.papers.redo import Known, Redo
from errai.papers.solved import METHOD, Solved
from errai.sequence import solve

HANDS = {False: 20_000, True: 400_000}
FLOPS = {False: 4, True: 64}
SMALL_BET = 1000.0  # mbb: the big blind is a small bet
PLAYERS = {
    "psopti1": "PsOpti1",
    "psopti2": "PsOpti2",
    "psopti0": "PsOpti0",
    "pot-odds": "pot-odds (for Poki)",
    "always-call": "Always Call",
    "always-raise": "Always Raise",
    "bildman": "Bildman, 50 iterations",
    "holdem": "holdem, as shipped",
}
PAPER = {  # table 1, sb/h; its Poki knows its cards, is rule-based and adapts
    ("psopti1", "psopti2"): 0.090, ("psopti1", "psopti0"): 0.091, ("psopti1", "pot-odds"): 0.047,
    ("psopti1", "always-call"): 0.546, ("psopti1", "always-raise"): 0.635, ("psopti2", "psopti0"): 0.069,
    ("psopti2", "pot-odds"): 0.045, ("psopti2", "always-call"): 0.505, ("psopti2", "always-raise"): 0.319,
    ("psopti0", "pot-odds"): 0.001, ("psopti0", "always-call"): 0.418, ("psopti0", "always-raise"): 0.118,
    ("pot-odds", "always-call"): 0.537, ("pot-odds", "always-raise"): 2.285, ("always-call", "always-raise"): 0.0,
}  # fmt: skip
# A new bucket for each of the seven: strength classes, weakest first, and draws; on the river classes alone.
MERGED = {
    False: ((0, 0, 0, 1, 1, 1, 0), (0, 0, 0, 1, 1, 1, 0), (0, 0, 0, 1, 1, 1, 1)),
    True: ((0, 0, 0, 1, 1, 1, 2), (0, 0, 0, 1, 1, 1, 2), (0, 0, 0, 1, 1, 2, 2)),
}


def redo(wanted: Redo) -> Page:
    """Build the programs, let them play, measure them."""
    page = Page(
        "psopti",
        "PsOpti: models of three rounds",
        "Darse Billings, Neil Burch, Aaron Davidson, Robert Holte, Jonathan Schaeffer, Terence Schauenberg and Duane "
        "Szafron, *Approximating game-theoretic optimal strategies for full-scale poker*, IJCAI 2003.",
    )
    known = Known(wanted.work)
    made = make(wanted, known)
    page.facts += _sizes(made) + _times(made) + [_linear_program(wanted, known, made), *_play(made)]
    players: dict[str, str | Path] = {
        **made.folders,
        **{name: name for name in ("pot-odds", "always-call", "always-raise")},
        "bildman": _bildman(wanted),
        **({"holdem": "holdem"} if wanted.full else {}),
    }
    won = _matches(wanted, known, players)
    page.facts += _claims(won)
    page.tables.append(_table_1(players, won, HANDS[wanted.full]))
    page.tables.append(_exploitability(wanted, known, made))
    _draw(wanted.pages, made)
    page.pictures.append(Picture("psopti-flop.png", "How often each bucket bets first on the flop"))
    page.notes += NOTES
    return page


NOTES = [
    "A fourth bet, which the models do not have, is taken for a call of the third. The player who faces it made the "
    "third bet, so the model has no decision there; it is called, since the pot pays eight to one or more. The "
    "rounds that follow are played as those after three bets, with their smaller pot. The programs never make a "
    "fourth bet. Before the flop the game has three raises, as the models do.",
    "Strength is the chance to win against any hand over all cards to come. Of n buckets n - 1 are classes of "
    "strength whose sizes fall linearly (6 : 5 : 4 : 3 : 2 : 1 for seven); the paper only says that those of the "
    "strongest hands are smaller. The last is one n-th of all hands: of the weaker half those with the highest "
    "potential, the share of opponents that are ahead now and behind at the end. On the river no card is to come, "
    "and all n are classes of strength.",
    f"The paper walks all cards after a few characteristic flops. Here transitions are counted over all 1,755 flops, "
    f"{RUNOUTS} ways to deal turn and river each, with all pairs of hands; before the flop over {PREFLOP_DEALS:,} "
    "boards.",
    "PsOpti2's preflop model was hand-crafted, and its authors found errors in the program afterwards. Here it is "
    "flop and turn in six buckets with a roll-out of the river, and what it hands on are pairs of buckets, so that "
    "the models after it know how both players' hands go together.",
    "Poki, Anti-Poki and Aadapti are not public. Poki's place has pot-odds, a player by rules (see [matches]"
    "(../matches.md)), which does not model its opponent.",
]


def _sizes(made: Made) -> list[Fact]:
    game, model = load_game("holdem"), made.uniform.solvers[0].model
    real, fewer = betting_tree(game).templates[FLOP], model.rounds[0].template
    six = made.postflop.solvers[0].model
    return [
        Fact(
            "ways that the betting of a round ends", "17: 8 folds, 9 go on",
            f"{len(real.folds) + len(real.leaves)}: {len(real.folds)} folds, {len(real.leaves)} go on", "counted",
        ),
        Fact("of these go on with three bets", "7", f"{len(fewer.leaves)}", "counted"),
        Fact("ways to come to the flop", "7", f"{len(endings(game))}", "counted"),
        Fact(
            "size of a model of three rounds", "about 10^7",
            f"{nodes(six):,} nodes with six buckets, {nodes(model):,} with seven",
            f"counted: decisions and endings below each pair of histories; {six.information_sets:,} and "
            f"{model.information_sets:,} information sets",
        ),
    ]  # fmt: skip


def _times(made: Made) -> list[Fact]:
    def text(solved: Solved) -> str:
        worst = max(effort.mbb for effort in solved.efforts)
        return f"{solved.seconds:.0f} s for {len(solved.efforts)}, within {worst:.2g} mbb/g"

    bytes_ = max(_bytes(solver) for solver in made.uniform.solvers)

    def how(solved: Solved) -> str:
        return f"CFR ({METHOD}), at most {max(effort.iterations for effort in solved.efforts):,} iterations"

    return [
        Fact("to solve the models with seven buckets", "less than a day each", text(made.uniform), how(made.uniform)),
        Fact("to solve those with six buckets", "less than a day each", text(made.postflop), how(made.postflop)),
        Fact("to solve the preflop model", "not said", text(made.preflop), how(made.preflop)),
        Fact(
            "memory for a model", "up to 2 GB (CPLEX)", f"{bytes_ / 1e6:.0f} MB",
            "tables, regrets and averages, seven buckets",
        ),
        Fact(
            "preflop hold'em: what the big blind wins", "not said",
            f"{made.selby.efforts[0].value / 10:+.5f} small bets", "CFR; by linear programming the same",
        ),
    ]  # fmt: skip


def _bytes(solver: Any) -> int:
    arrays = [solver.regret, solver.average, *solver.tables]
    return sum(array.nbytes for array in arrays)


def _linear_program(wanted: Redo, known: Known, made: Made) -> Fact:
    """A model with its buckets merged, by both methods."""
    wanted.step("a small model by linear programming")
    into = [np.array(of) for of in MERGED[wanted.full]]
    count = int(into[0].max()) + 1

    def found() -> list[float]:
        model = next(iter(uniform_models(load_game("holdem"), made.network.merged(into)).values()))
        began = perf_counter()
        value = solve(model_tree(model), "lp").value[0]
        seconds = perf_counter() - began
        solver = solve_model(model, target=TARGET / 10)
        assert solver.evaluation is not None
        return [value, *solver.evaluation.bounds, seconds, solver.seconds]

    value, low, high, by_program, by_cfr = known.find({"linear program": count}, found)
    return Fact(
        f"buckets merged to {count}: value by linear program and CFR", "linear program only",
        f"{value:+.4f} chips ({by_program:.1f} s) and {low:+.4f} to {high:+.4f} ({by_cfr:.1f} s)",
        "simplex on the sequence form; the same game, bounds proven by best responses",
    )  # fmt: skip


def _play(made: Made) -> list[Fact]:
    """What the paper says of bluffs, and of PsOpti2 before the flop."""
    model = made.uniform.solvers[0].model
    often = model.rounds[0].weight.sum(axis=1)
    first = _bets(made.uniform.solvers[0])
    weak = [0, 1, len(often) - 1]
    bluffs = often[weak] * first[weak]
    selby, six = _opening(made)
    differ = float(np.abs(selby - six).sum(axis=0).mean() / 2)
    return [
        Fact(
            "bluffs on the flop that are made with the bucket of draws", "most",
            f"{bluffs[-1] / bluffs.sum():.0%}, being {often[-1] / often[weak].sum():.0%} of these hands",
            "first bets of the big blind in a pot of two bets, with draws or the two weakest classes",
        ),
        Fact(
            "PsOpti2 before the flop, beside preflop hold'em", "significantly different",
            f"the button folds {six[0].mean():.0%}, calls {six[1].mean():.0%}, raises {six[2].mean():.0%}; there "
            f"{selby[0].mean():.0%}, {selby[1].mean():.0%}, {selby[2].mean():.0%}",
            f"all deals; {differ:.0%} of all decisions differ",
        ),
    ]  # fmt: skip


def _bets(solver: Any) -> Floats:
    """How often each bucket bets first on the flop, out of position."""
    node = solver.model.rounds[0].template.nodes[0]
    played: Floats = solver.strategy(0)[node.row + node.actions.index("r"), :, 0]
    return played


def _opening(made: Made) -> tuple[Floats, Floats]:
    """[fold, call, raise; 1326 hands] of the button: preflop hold'em, and PsOpti2."""
    selby = made.selby.solvers[0].strategy(0)[:3, :, 0][:, hand_class_of()]
    six = made.preflop.solvers[0].strategy(0)[:3, :, 0][:, made.six.buckets(((),))[0]]
    return selby, six


def _bildman(wanted: Redo) -> Path:
    """The agent of `errai papers bildman`, from its folder or made now."""
    there = wanted.pages / "bildman" / "level-50"
    if (there / MANIFEST).is_file():
        return there
    folder, tables = wanted.work / "bildman", wanted.work / "groups"
    if not (folder / MANIFEST).is_file():
        wanted.step("Bildman's agent")
        began = perf_counter()
        training = Training(abstract("bildman", tables, threads=wanted.threads, monitor=wanted.monitor))
        training.until(50)
        training.save(folder, tables, perf_counter() - began)
    return folder


Won = Mapping[tuple[str, str], tuple[float, float]]  # sb/h and half of the interval


def _matches(wanted: Redo, known: Known, players: Mapping[str, str | Path]) -> Won:
    hands, found = HANDS[wanted.full], {}
    for a, b in combinations(players, 2):
        wanted.step(f"{a} against {b}, {hands:,} hands")
        name = {"a": a, "b": b, "hands": hands, "seed": wanted.seed}
        mean, interval = known.find(name, partial(_won, wanted, players[a], players[b], hands))
        found[a, b] = (mean / SMALL_BET, interval / SMALL_BET)
    return found


def _won(wanted: Redo, a: str | Path, b: str | Path, hands: int) -> list[float]:
    """mbb/g of the first, and half of the interval."""
    won = match(
        a, b, hands=hands, duplicate=True, seed=wanted.seed, aivat=False, game="holdem", threads=wanted.threads,
        monitor=wanted.monitor,
    )  # fmt: skip
    wanted.step("the next match")
    return [won.mean_mbb, won.ci95_mbb]


def _table_1(players: Mapping[str, Any], won: Won, hands: int) -> Table:
    def cell(a: str, b: str) -> str:
        if a == b:
            return ""
        sign, pair = (1, (a, b)) if (a, b) in won else (-1, (b, a))
        mean, interval = won[pair]
        paper = PAPER.get(pair)
        beside = "" if paper is None else f" ({sign * paper:+.3f})"
        return f"{sign * mean:+.3f} ± {interval:.3f}{beside}"

    return Table(
        "Table 1: computer against computer",
        ("sb/h", *(PLAYERS[name] for name in players)),
        tuple((PLAYERS[a], *(cell(a, b) for b in players)) for a in players),
        f"Small bets a hand that the player of a row wins, with 95% intervals, the paper's in brackets. {hands:,} "
        "hands each, every deal played twice with the seats exchanged.",
    )


def _claims(won: Won) -> list[Fact]:
    own = ("psopti1", "psopti2", "psopti0")
    beaten = {
        other: sum(won[a, other][0] - won[a, other][1] > 0 for a in own)
        for other in ("pot-odds", "always-call", "always-raise")
    }
    text = ", ".join(f"{count} of 3 beat {other}" for other, count in beaten.items())
    mean, interval = won["psopti1", "psopti2"]
    return [
        Fact("the three programs beat the simple ones", "all", text, "interval above zero"),
        Fact("PsOpti1 against PsOpti2", "+0.090 sb/h", f"{mean:+.3f} ± {interval:.3f} sb/h", "table 1"),
    ]


def _exploitability(wanted: Redo, known: Known, made: Made) -> Table:
    flops, rows = FLOPS[wanted.full], []
    for name, folder in made.folders.items():
        wanted.step(f"a best response to {name} in the real game, {flops} flops")
        mbb, low, high, seconds = known.find(
            {"exploit": name, "flops": flops}, partial(_measured, wanted, name, folder, flops)
        )
        rows.append((PLAYERS[name], f"{mbb:,.0f}", f"{low:,.0f} to {high:,.0f}", f"{seconds / 60:.0f} min"))
    return Table(
        "What the authors could not know: exploitability in the real game",
        ("", "mbb/g", "95% interval", "measured in"),
        tuple(rows),
        f"A best response in the unabstracted game, from a sample of {flops} flops. To fold every hand costs 750.",
    )


def _measured(wanted: Redo, name: str, folder: Path, flops: int) -> list[float]:
    """Exploitability in the real game, with its interval, and seconds."""
    began = perf_counter()
    made = exploit(
        folder,
        flops=flops,
        threads=wanted.threads,
        work=wanted.work / f"response-{name}",
        monitor=wanted.monitor,
    )
    low, high = made.interval_mbb or (np.nan, np.nan)
    return [made.evaluation.exploitability_mbb, low, high, perf_counter() - began]


def _draw(pages: Path, made: Made) -> None:
    pages.mkdir(parents=True, exist_ok=True)
    panels = [
        Panel(
            f"all hands alike, a pot of {2 * solver.model.stakes[0] / 10:.0f} bets",
            _numbers(solver),
            _bets(solver).tolist(),
        )
        for solver in made.uniform.solvers
    ]
    for leaf, solver in zip(endings(load_game("holdem")), made.postflop.solvers, strict=True):
        panels.append(Panel(f"PsOpti2 after {leaf.betting}", _numbers(solver), _bets(solver).tolist()))
    draw_panels(
        pages / "psopti-flop.png", "How often the big blind bets first on the flop", panels,
        "bucket: strength, then the draws", "probability", 4, top=1.0,
    )  # fmt: skip


def _numbers(solver: Any) -> list[float]:
    return [float(number) for number in range(1, solver.model.rounds[0].histories[0] + 1)]
