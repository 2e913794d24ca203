"""What came out of an abstraction: how large its buckets are, how alike their hands, and some of them by name."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.abstraction.abstraction import Abstraction, RoundBuckets
from errai.abstraction.features import Hands, hands_of, spread_on, strengths_on
from errai.abstraction.kernels.strengths import ONE
from errai.abstraction.saved import round_name

SAMPLED_BOARDS = 200  # boards on which the spread is measured, and from which examples are taken
SAMPLED_FLOPS = 50  # with more than one card to come, a board takes long
SHOWN_BUCKETS = 5
EXAMPLES = 4


@dataclass(frozen=True)
class BucketExample:
    """One bucket, with a few hands of it as `AsKd on 2c7h9d`."""

    bucket: int
    share: float  # of the deals
    strength: float  # mean of its sampled hands
    hands: list[str]


@dataclass(frozen=True)
class RoundReport:
    """The cells of one round. With perfect recall, buckets are cells told apart by what was known before."""

    name: str
    buckets: int
    cells: int
    used: int  # cells that hold a hand
    boards: int
    smallest: float  # share of the deals
    median: float
    largest: float
    spread: float  # mean deviation of the strength within a cell, over deals
    spread_of_all: float  # the same if all hands were one cell
    examples: list[BucketExample]


def report(abstraction: Abstraction, seed: int = 0) -> list[RoundReport]:
    """A report for every round. Strength is what is expected at the last round, measured on some random boards."""
    of = hands_of(abstraction.game)
    return [
        _round(round_name(abstraction.game, number), round_, of, seed)
        for number, round_ in enumerate(abstraction.rounds)
    ]


def report_json(reports: list[RoundReport]) -> list[dict[str, Any]]:
    return [asdict(one) for one in reports]


def cell_deals(round_: RoundBuckets, of: Hands) -> NDArray[np.float64]:
    """[cells] how many deals of a hand and a board each cell holds."""
    cells = round_.cells
    count = round_.count if round_.refine is None else round_.refine.shape[1]
    deals = np.zeros(count)
    for start in range(0, len(cells), 4096):
        some = slice(start, start + 4096)
        live = of.live(round_.boards.cards[some])
        weight = np.broadcast_to(round_.boards.weight[some, None], live.shape)[live]
        deals += np.bincount(cells[some][live], weight, count)
    return deals


def _round(name: str, round_: RoundBuckets, of: Hands, seed: int) -> RoundReport:
    deals = cell_deals(round_, of)
    share = deals / deals.sum()
    used = np.sort(share[share > 0])
    boards = round_.boards
    random = np.random.default_rng(seed)
    sampled = SAMPLED_BOARDS if boards.cards.shape[1] >= of.last - 1 else SAMPLED_FLOPS
    total = len(boards.cards)
    drawn = random.choice(total, min(sampled, total), replace=False, p=boards.weight / boards.weight.sum())
    strength = np.concatenate([_strengths(boards.cards[b], of) for b in drawn])
    live = of.live(boards.cards[drawn]).ravel()
    cell = round_.cells[drawn].astype(np.int64).ravel()
    strength, kept, place = strength[live], cell[live], np.flatnonzero(live)
    count = np.bincount(kept, minlength=len(deals))
    mean = np.bincount(kept, strength, len(deals)) / np.maximum(count, 1)
    away = np.bincount(kept, (strength - mean[kept]) ** 2, len(deals))
    # A mean of few hands is nearer to them than that of all is: n - 1, and cells with one hand say nothing.
    several = count > 1
    variance = np.sum((count * away)[several] / (count[several] - 1)) / max(int(count[several].sum()), 1)
    return RoundReport(
        name=name,
        buckets=round_.count,
        cells=len(deals),
        used=len(used),
        boards=total,
        smallest=float(used[0]),
        median=float(np.median(used)),
        largest=float(used[-1]),
        spread=float(np.sqrt(variance)),
        spread_of_all=float(strength.std()),
        examples=_examples(kept, place, mean, share, boards.cards[drawn], of, random),
    )


def _strengths(board: NDArray[np.uint8], of: Hands) -> NDArray[np.float64]:
    """[N]; before the first card all boards are not worth the wait, and hands are ranked as they are now."""
    if len(board) in (0, of.last):
        return strengths_on(board[None], of)[0] / float(ONE)
    return spread_on(board, of).mean[0].astype(np.float64)


def _examples(
    cell: NDArray[np.int64],
    place: NDArray[np.int64],
    mean: NDArray[np.float64],
    share: NDArray[np.float64],
    boards: NDArray[np.uint8],
    of: Hands,
    random: np.random.Generator,
) -> list[BucketExample]:
    """Some cells from the weakest to the strongest, with sampled hands of each."""
    seen = np.unique(cell)
    by_strength = seen[np.argsort(mean[seen], kind="stable")]
    shown = by_strength[np.unique(np.linspace(0, len(seen) - 1, SHOWN_BUCKETS).astype(int))]
    N = len(of.cards)
    found = []
    for one in shown:
        members = place[cell == one]
        picked = random.permutation(members)[:EXAMPLES]
        names = []
        for member in picked:
            board, hand = divmod(int(member), N)
            text = of.deck.format_cards(of.cards[hand][::-1])
            on = of.deck.format_cards(boards[board])
            names.append(f"{text} on {on}" if on else text)
        found.append(BucketExample(int(one), float(share[one]), float(mean[one]), names))
    return found
