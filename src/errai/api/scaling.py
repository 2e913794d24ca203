"""Solve games that do not fit into memory: in subgames, on a disk or on a cluster.

result = errai.solve("royal", scratch="out/scratch", memory="8GB", target=10, out="out/royal")
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from errai.api.result import Result, summary_of
from errai.cards.boards import MOST_PUBLIC_CARDS, board_forest
from errai.cards.suits import suit_permutations, symmetries
from errai.engine.kernels.arrays import FINEST
from errai.engine.layout import rounds_of
from errai.engine.settings import Settings
from errai.errors import ErraiError, StoppedError
from errai.games.definition import GameDefinition
from errai.games.spot import Spot, whole_game
from errai.runs.monitor import Monitor
from errai.runs.run import Run
from errai.scale.checkpoint import CHUNKS, Where, is_divided, load, prepare_divided, save
from errai.scale.codes import DEFAULT_METHODS, Grids
from errai.scale.crew import LocalCrew
from errai.scale.division import Flops
from errai.scale.memory import parse_bytes
from errai.scale.solver import DividedSolver
from errai.scale.stores import DiskStore, SubgameStore
from errai.strategy.kinds.subgames import SubgameStrategy

__all__ = ["Divided", "can_divide", "default_method", "is_divided", "resume_divided", "solve_divided"]


@dataclass(frozen=True)
class Divided:
    """How a game is to be divided, and where its subgames are, as users say it."""

    scratch: str | Path | None = None
    memory: str | int | None = None
    cluster: str | None = None
    flops: str | Sequence[str] | None = None
    sample_flops: int | None = None
    seed: int = 0

    @property
    def wanted(self) -> bool:
        """Whether anything was said."""
        return any(
            given is not None
            for given in (self.scratch, self.memory, self.cluster, self.flops, self.sample_flops)
        )

    def where(self) -> Where:
        """For the solver."""
        if self.cluster is not None and self.scratch is None:
            raise ErraiError(
                'a cluster needs scratch="DIR", a folder for the chunks of its workers', "cluster"
            )
        size = parse_bytes(self.memory) if isinstance(self.memory, str) else self.memory
        return Where(None if self.scratch is None else Path(self.scratch), size, self.cluster)

    def chosen(self, game: GameDefinition) -> Flops | None:
        """The flops that there are; None for all."""
        if self.flops is not None and self.sample_flops is not None:
            raise ErraiError("give flops or sample_flops, not both", "flops")
        if self.flops is not None:
            return parse_flops(game, self.flops)
        if self.sample_flops is not None:
            return sampled_flops(game, self.sample_flops, self.seed)
        return None


def parse_flops(game: GameDefinition, flops: str | Sequence[str]) -> Flops:
    """ "Ks7h2d, 8h8d3s", or a list of such texts."""
    deck = whole_game(game).deck
    texts = [text.strip() for text in (flops.split(",") if isinstance(flops, str) else flops)]
    if not all(texts):
        raise ErraiError("flops is empty: give flops such as Ks7h2d,8h8d3s", "flops")
    try:
        return tuple(tuple(deck.parse(text)) for text in texts)
    except ErraiError as error:
        raise ErraiError(str(error), "flops") from None


def sampled_flops(game: GameDefinition, count: int, seed: int) -> Flops:
    """So many different canonical flops, each as likely as it is dealt."""
    where = whole_game(game)
    if game.rounds < 3 or game.board_cards[0]:
        raise ErraiError("flops can be chosen in a whole game of three rounds or more", "sample_flops")
    moves = suit_permutations(where.deck, game.hole_cards, game.suits_matter)
    group = symmetries(moves, where.board, where.ranges)
    root = np.zeros((1, MOST_PUBLIC_CARDS), np.uint8)
    tree = board_forest(moves, root, np.array([group], np.int64), 0, (game.board_cards[1],))
    cards, orbit = tree.cards[1:, : game.board_cards[1]], tree.orbit[1:].astype(np.float64)
    if not 1 <= count <= len(cards):
        raise ErraiError(f"{game.name} has {len(cards):,} flops; sample 1 to {len(cards):,}", "sample_flops")
    # The largest of -log(u) / weight, smallest first: a sample without repeats, each with its weight.
    drawn = np.random.default_rng(seed).random(len(cards))
    order = np.argsort(-np.log(drawn) / orbit, kind="stable")[:count]
    return tuple(tuple(int(card) for card in cards[place]) for place in sorted(order.tolist()))


def solve_divided(spot: Spot, settings: Settings, divided: Divided, run: Run, overwrite: bool) -> Result:
    """A new solution; `run` is that of the folder for the result."""
    where = divided.where()
    flops = divided.chosen(spot.game)
    with ExitStack() as stack:
        work = run
        if where.scratch is not None:
            work = stack.enter_context(Run(where.scratch, run.monitor, overwrite=overwrite))
            work.replaced(())
            shutil.rmtree(
                where.scratch / CHUNKS, ignore_errors=True
            )  # without a checkpoint they are of no use
        solver = prepare_divided(spot, settings, flops, where, run.monitor)
        stack.callback(solver.close)
        return _solved(solver, work, run, where.scratch)


def resume_divided(
    source: Path, run: Run, monitor: Monitor, divided: Divided, changes: dict[str, float | int | None]
) -> Result:
    """Resume what is in a folder: one of `scratch`, or one that a solution in memory was saved to."""
    where = divided.where()
    with ExitStack() as stack:
        work = run
        if run.folder is None or run.folder.resolve() != source.resolve():
            work = stack.enter_context(Run(source, monitor, resume=True))
        solver = load(source, where, monitor, **changes)
        stack.callback(solver.close)
        return _solved(solver, work, run, source if solver.durable else None)


def _solved(solver: DividedSolver, work: Run, run: Run, scratch: Path | None) -> Result:
    folder = run.folder if scratch is None else scratch
    if folder is not None:
        place = folder
        work.checkpoint_with(lambda: save(place, solver))
    finished = solver.run(work)
    checkpointed = work.checkpoint(now=True)
    if solver.evaluation is None:
        raise StoppedError(
            f"stopped before the first best response; resume it from {folder}"
            if checkpointed
            else "stopped before the first best response; nothing was saved"
        )
    if scratch is not None and finished and not isinstance(solver.crew, LocalCrew):
        solver.crew.save(scratch / CHUNKS, solver.passes)  # from the disks of other machines
    result = divided_result(solver, finished, scratch)
    if run.folder is not None and (finished or scratch is None):
        saved = run.save("the strategy", partial(result.save, run.folder))
        there = run.folder if saved else scratch
        return replace(result, folder=there, saved=run.complete and work.complete)
    return replace(result, folder=folder if checkpointed else None, saved=work.complete)


def divided_result(solver: DividedSolver, finished: bool, scratch: Path | None) -> Result:
    """The result of a solver that has run. Its strategy reads the chunks of the solver's own folder."""
    store: SubgameStore
    if scratch is None:
        assert isinstance(solver.crew, LocalCrew)
        store = solver.crew.store
    else:
        grids = Grids(FINEST, FINEST, solver.with_average)
        store = DiskStore(scratch / CHUNKS, grids, solver.division.fingerprint(), passes=solver.passes)
    strategy = SubgameStrategy(solver.division, solver.played, store, solver.with_average, solver.passes)
    return Result(
        **summary_of(solver, solver.spot.game.name, solver.division.information_sets, finished),
        strategy=strategy,
    )


def can_divide(spot: Spot) -> bool:
    """Whether a game whose numbers are 16-bit codes in memory is solved in subgames, too: with the same bits."""
    return spot.whole_game and len(rounds_of(spot)[0]) > 1


def default_method(strategy: str) -> str:
    """The rule of solutions in subgames, unless another is named."""
    return DEFAULT_METHODS.get(strategy, "")
