"""One hand of jam or fold: who jams, who calls, and what every hand is worth.

    solution = solve(10)                                    both have 10 big blinds
    solution = solve(stacks=(3000, 5000), small_blind=300, big_blind=600)
    solution.value, solution.jam["43s"], solution.mixed("jam"), solution.share("call")

One player, the jammer, may only jam or fold; the opponent may do anything. With seat="small" the jammer posts the
small blind. With seat="big" the jammer is the big blind, who jams or folds whatever the small blind does; by the
paper's Lemma 2 the best that the small blind can do is to fold at once, or to call the blind (`limp`) and then to
answer the jam.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from errai.errors import ErraiError
from errai.figure import CALL as CALLED
from errai.figure import FOLD, RAISE, Cell, Grid, Part, draw_grids
from errai.files.manifest import saving
from errai.files.writing import replacing_file, write_json
from errai.formatting import percentages
from errai.jamfold.equities import CLASSES, HANDS
from errai.jamfold.hand import Chips, Hand, shown
from errai.jamfold.linear_program import Solver, action_values, ceiling, guarantee, option_values
from errai.jamfold.matrix_game import (
    CALL,
    GIVE,
    PASS,
    Floats,
    MatrixGame,
    big_blinds_hand,
    shares,
    small_blinds_hand,
    terms,
)
from errai.sequence.builder import Given, number
from errai.sequence.certificate import NAME as CERTIFICATE
from errai.sequence.certificate import Certificate

KIND = "jamfold"  # of a saved strategy
CSV, PICTURE, RESULT = "hand.csv", "hand.png", "result.json"
SEATS = ("small", "big")
COMBOS = {name: 6 if len(name) == 2 else 4 if name.endswith("s") else 12 for name in HANDS}
ALL_COMBOS = 1326
LEAST, MOST = Fraction(1, 10**6), Fraction(10**12)  # of an amount of chips
DEEPEST = 10_000  # big blinds; from a few thousand on nothing but aces is jammed

_PURE = 1e-9  # probabilities so near to 0 or 1 are rounding errors of the linear program
_PLACES = 12  # of values of hands, which are sums with errors of about 1e-15
_ROUNDING = 1e-13  # of the effective stack: sums of 169 x 169 floats are nearer than 400 x 2^-52 of it


@dataclass(frozen=True)
class HandSolution:
    """Optimal strategies of one hand. Values are net, in the unit of the stacks, of the player who jams or folds."""

    hand: Hand
    seat: str  # "small" or "big": who may only jam or fold
    unit: str  # "big blinds" or "chips"
    guarantee: (
        float  # proven, rounding allowed for: the jammer wins at least so much, whatever the opponent does
    )
    ceiling: float  # and at most so much against the opponent's answer
    jam: dict[str, float]  # hand -> probability
    call: dict[str, float]  # hand -> probability that the other calls the jam
    limp: (
        dict[str, float] | None
    )  # with seat "big": hand -> probability that the small blind does not fold at once
    ev: dict[str, dict[str, float]]  # hand -> action -> value, given the hand, against the other's strategy
    answer_ev: dict[str, dict[str, float]]  # the same for the opponent, given the hand and what it faces

    @property
    def value(self) -> float:
        return (self.guarantee + self.ceiling) / 2

    @property
    def jammer(self) -> str:
        """Who may only jam or fold."""
        return f"{self.seat} blind"

    @property
    def caller(self) -> str:
        """The other one."""
        return f"{SEATS[self.seat == 'small']} blind"

    @property
    def decides(self) -> dict[str, bool]:
        """Whether the stacks leave a choice about jamming, and about calling."""
        small, big = self.hand.small_blind_decides, self.hand.big_blind_decides
        return {"jam": small, "call": big} if self.seat == "small" else {"jam": big, "call": small}

    def strategy(self, action: str) -> dict[str, float]:
        """`jam` or `call`: hand -> probability."""
        return {"jam": self.jam, "call": self.call}[action]

    def mixed(self, action: str = "jam") -> dict[str, float]:
        """The hands that are played both ways -> how often they jam, or call."""
        return {name: share for name, share in self.strategy(action).items() if 0 < share < 1}

    def share(self, action: str = "jam") -> float:
        """How many of the 1326 hands jam, or call, in percent."""
        return percentage(self.strategy(action))

    def when(self, action: str) -> str:
        """After what a player jams, or calls."""
        if not self.decides["jam"]:
            return "all in by the blinds" if action == "jam" else "facing the big blind's last chips"
        if self.seat == "small":
            return {"jam": "first to act", "call": "facing the jam"}[action]
        return {"jam": "after a limp or any other bet", "call": "after a limp and the jam"}[action]

    def summary(self, action: str) -> str:
        """What a player does, as in `calls the jam with 37.4% of hands`."""
        if not self.decides[action]:
            return "has nothing to decide"
        calls = "calls the jam with" if self.decides["jam"] else "calls with"
        return f"{'jams' if action == 'jam' else calls} {self.share(action):.1f}% of hands"

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON holds it."""
        hand = self.hand
        return {
            "seat": self.seat,
            "stacks": [float(stack) for stack in hand.stacks],
            "small_blind": float(hand.small_blind),
            "big_blind": float(hand.big_blind),
            "ante": float(hand.ante),
            "effective": float(hand.effective),
            "unit": self.unit,
            "value": self.value,
            "value_of": self.jammer,
            "bounds": [self.guarantee, self.ceiling],
            "decides": self.decides,
            "jam": self.jam,
            "call": self.call,
            **({} if self.limp is None else {"limp": self.limp}),
            "jam_percent": self.share("jam"),
            "call_percent": self.share("call"),
            "mixed": {action: self.mixed(action) for action in ("jam", "call")},
            "ev": self.ev,
            "answer_ev": self.answer_ev,
        }

    def save_csv(self, path: str | Path) -> None:
        """One line a hand: how it is played and what its actions are worth."""
        own, other = list(self.ev["AA"]), list(self.answer_ev["AA"])
        limp = [] if self.limp is None else ["limp"]
        head = ["hand", "combos", "jam", "call", *limp]
        head += [f"ev_{action}" for action in own] + [f"answer_ev_{action}" for action in other]
        with replacing_file(Path(path)) as new, new.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(head)
            for name in HANDS:
                played = [self.jam[name], self.call[name], *([] if self.limp is None else [self.limp[name]])]
                worth = [self.ev[name][action] for action in own]
                worth += [self.answer_ev[name][action] for action in other]
                rows.writerow([name, COMBOS[name], *played, *worth])

    def save(
        self,
        folder: str | Path,
        certificate: Certificate | None = None,
        content: Mapping[str, Any] | None = None,
    ) -> None:
        """Write the hand to a folder as a strategy, with its certificate if there is one, a result and a picture.

        `content` is what result.json says, if it is to say more than `to_json`.
        """
        hand = self.hand
        with saving(Path(folder)) as new:
            with new.file(CSV) as path:
                self.save_csv(path)
            if certificate is not None:
                with new.file(CERTIFICATE) as path:
                    certificate.save(path)
            with new.beside(RESULT) as path:
                write_json(path, dict(content or self.to_json()))
            with new.beside(PICTURE) as path:
                self.plot(path)
            new.commit(
                KIND,
                seat=self.seat,
                stacks=[str(stack) for stack in hand.stacks],
                small_blind=str(hand.small_blind),
                big_blind=str(hand.big_blind),
                ante=str(hand.ante),
                unit=self.unit,
                about={"value": self.value, "bounds": [self.guarantee, self.ceiling]},
            )

    def plot(self, path: str | Path) -> None:
        """Two grids side by side, who jams and who calls, to a .png, .svg or .pdf file."""
        grids = []
        for action, who, colour in (("jam", self.jammer, RAISE), ("call", self.caller, CALLED)):
            cells = {
                name: Cell(str(percentages([share, 1 - share])[0]), ((colour, share), (FOLD, 1 - share)))
                for name, share in self.strategy(action).items()
            }
            keys = {f"{action}, in percent": colour, "fold": FOLD}
            share = self.share(action) / 100
            does = self.summary(action).replace("calls the jam", "calls")
            overall = (Part(action, share, colour), Part("fold", 1 - share, FOLD))
            grids.append(Grid(f"The {who}, {self.when(action)}, {does}", cells, keys, overall=overall))
        draw_grids(Path(path), self.title, grids)

    @property
    def title(self) -> str:
        """The stacks and the value in one line."""
        worth = f"{round(self.value, 4) + 0.0:+.4f} {self.unit} for the {self.jammer}"
        return f"Jam or fold before the flop, {described(self.hand, self.unit)}: {worth}"


def percentage(strategy: Mapping[str, float]) -> float:
    """How many of the 1326 hands a strategy plays, in percent."""
    return 100 * sum(share * COMBOS[name] for name, share in strategy.items()) / ALL_COMBOS


def solve(
    stack: Given | None = None,
    *,
    stacks: tuple[Given, Given] | None = None,
    small_blind: Given | None = None,
    big_blind: Given | None = None,
    ante: Given = 0,
    seat: str = "small",
) -> HandSolution:
    """The optimal jam/fold strategy of one hand.

    `stack` is what both have in big blinds, and then so is the ante. Or `stacks` are those of the small blind and
    of the big blind in chips, and then `small_blind`, `big_blind` and `ante` are in chips.
    """
    if seat not in SEATS:
        raise ErraiError(f"unknown seat '{seat}': the player who jams or folds is in the small or in the big")
    hand, unit = hand_of(stack, stacks, small_blind, big_blind, ante)
    return solve_hand(hand, seat, unit)


def hand_of(
    stack: Given | None,
    stacks: tuple[Given, Given] | None,
    small_blind: Given | None,
    big_blind: Given | None,
    ante: Given,
) -> tuple[Hand, str]:
    """The hand of what a user gives, and what it is counted in."""
    if stack is not None and stacks is not None:
        raise ErraiError("give one stack in big blinds or two stacks in chips, not both")
    if stack is not None:
        if small_blind is not None or big_blind is not None:
            raise ErraiError(
                "a stack in big blinds has blinds of 1/2 and 1; give two stacks in chips instead"
            )
        both = chips_of("stack", stack)
        hand = Hand((both, both), Fraction(1, 2), Fraction(1), chips_of("ante", ante))
        return _playable(hand), "big blinds"
    if stacks is None:
        raise ErraiError("give a stack in big blinds, or two stacks in chips and the blinds")
    if small_blind is None or big_blind is None:
        raise ErraiError("stacks in chips need a small blind and a big blind in chips")
    first, second = stacks
    chips = (chips_of("stacks", first), chips_of("stacks", second))
    blinds = (chips_of("small_blind", small_blind), chips_of("big_blind", big_blind))
    return _playable(Hand(chips, *blinds, chips_of("ante", ante))), "chips"


def chips_of(name: str, given: Given) -> Chips:
    """An amount that a user gave; what is no amount of anything is refused."""
    try:
        chips = Fraction(number(given))
    except ErraiError as error:
        raise ErraiError(f"{name}: {error}", parameter=name) from None
    if chips and not LEAST <= abs(chips) <= MOST:
        raise ErraiError(
            f"{name} must be from {float(LEAST):f} to {int(MOST):,}, not {given}", parameter=name
        )
    return chips


def require_ante(ante: Chips, stack: Chips, whose: str) -> None:
    """Refuse an ante that takes a whole stack: then nobody has a choice, whatever the cards."""
    if ante >= stack:
        raise ErraiError(
            f"ante must be less than {whose} of {shown(stack)}, not {shown(ante)}: who has put in the whole stack "
            "has nothing to decide",
            parameter="ante",
        )


def _playable(hand: Hand) -> Hand:
    """The hand, if its stacks and its ante leave something to solve."""
    require_ante(
        hand.ante, hand.effective, "the stack" if len(set(hand.stacks)) == 1 else "the shorter stack"
    )
    if hand.effective > DEEPEST * hand.big_blind:
        raise ErraiError(
            f"the shorter stack must be at most {DEEPEST:,} big blinds; from a few thousand on only aces are jammed"
        )
    return hand


def matrix_game_of(hand: Hand, seat: str = "small") -> MatrixGame[float]:
    """The payoffs of a hand, in its own unit."""
    return (small_blinds_hand if seat == "small" else big_blinds_hand)(hand, float)


def solve_hand(hand: Hand, seat: str = "small", unit: str = "chips") -> HandSolution:
    """The same for a hand that is there already."""
    game = matrix_game_of(hand, seat)
    found = Solver()(game)
    jam = _settled(found.jam)
    answer = {option: _settled(often) for option, often in found.answer.items()}
    give = answer.get(GIVE, np.zeros(CLASSES))
    slack = _ROUNDING * float(hand.effective)
    return HandSolution(
        hand=hand,
        seat=seat,
        unit=unit,
        guarantee=guarantee(terms(game), jam) - slack,
        ceiling=ceiling(game, answer) + slack,
        jam=_named(jam),
        call=_named(answer[CALL]),
        limp=None if seat == "small" else _named(1.0 - give),
        ev=_by_hand(_jammers_values(game, answer)),
        answer_ev=_by_hand(_callers_values(game, jam)),
    )


def _settled(often: Floats) -> Floats:
    """What is a rounding error away from never or always is never or always."""
    return np.where(often < _PURE, 0.0, np.where(often > 1 - _PURE, 1.0, often))


def _jammers_values(game: MatrixGame[float], answer: dict[str, Floats]) -> dict[str, Floats]:
    """[169] what each action wins, given the hand."""
    dealt = shares().pairs.sum(axis=1)
    folded, jammed = action_values(game, answer)
    return {**({} if folded is None else {"fold": folded / dealt}), "jam": jammed / dealt}


def _callers_values(game: MatrixGame[float], jam: Floats) -> dict[str, Floats]:
    """[169] what each answer wins, given the hand.

    The big blind's are those facing a jam. The small blind's are of its plans: to fold at once, to call the blind and
    fold to a jam (`limp_fold`), and to call both (`call`).
    """
    if game.given is not None:
        dealt = shares().pairs.sum(axis=0)
        names = {GIVE: "fold", PASS: "limp_fold", CALL: "call"}
        values = dict(zip(game.options, option_values(terms(game), jam), strict=True))
        return {names[option]: -values[option] / dealt for option in (GIVE, PASS, CALL) if option in values}
    of = shares()
    faced = jam @ of.pairs
    showdown = jam @ (of.wins * game.won + of.losses * game.lost + of.ties * game.tied)
    folded = {} if game.stolen is None else {"fold": np.full(CLASSES, -game.stolen)}
    return {**folded, "call": -showdown / faced}


def _named(numbers: Floats) -> dict[str, float]:
    return dict(zip(HANDS, numbers.tolist(), strict=True))


def _by_hand(values: Mapping[str, Floats]) -> dict[str, dict[str, float]]:
    rounded = {action: (np.round(row, _PLACES) + 0.0).tolist() for action, row in values.items()}
    return {name: {action: row[i] for action, row in rounded.items()} for i, name in enumerate(HANDS)}


def described(hand: Hand, unit: str) -> str:
    """10 big blinds each / 3,000 and 5,000 chips, blinds 300 and 600, ante 25"""
    small, big = (f"{float(stack):,.10g}" for stack in hand.stacks)
    each = f"{small} {unit.removesuffix('s') if small == '1' else unit} each"
    stacks = each if small == big else f"{small} and {big} {unit}"
    blinds = f", blinds {hand.small_blind} and {hand.big_blind}" if unit == "chips" else ""
    ante = f", ante {float(hand.ante):,.10g}" if hand.ante else ""
    return stacks + blinds + ante
