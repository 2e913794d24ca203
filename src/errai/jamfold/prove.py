"""What every optimal jam/fold strategy of a hand must do, in exact arithmetic (the technique of Theorem 1).

Let v be the value of the hand, y an answer of player 2, and V(x, y) what player 1 wins with the strategy x. If x
is optimal it wins at least v against any answer. So with a bonus of e for each jam of the class a,

    v + e x[a]  <=  V(x, y) + e x[a]  <=  C(e, y), the most that any strategy wins against y with the bonus

which bounds x[a] by (C(e, y) - v) / e: from above if e > 0, from below if e < 0, when it is a fine. Two kinds of
answers do the work:

- an optimal answer y. A class that is strictly better to jam than to fold against it must be jammed by every optimal
  strategy, and one that is strictly better to fold must be folded;
- for each of the few classes left, an optimal answer to the hand with a bonus, which is so small that it can only
  choose among optimal strategies. The bounds are then the least and the most that optimal strategies jam the class.

The bounds are computed in fractions from the counts of deals, and hold for any answers, wherever those come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import prod

import numpy as np
from flint import fmpq, fmpq_mat, fmpz_mat

from errai.errors import ErraiError
from errai.jamfold.equities import BOARDS, CLASSES, HANDS, PAIRS, Counts, equities
from errai.jamfold.hand import Chips, Hand
from errai.jamfold.matrix_game import CALL, GIVE, PASS, MatrixGame, big_blinds_hand, small_blinds_hand
from errai.jamfold.tree import hand_tree
from errai.sequence import SequenceForm, sequence_form
from errai.sequence.exact import ONE, exact_optimum
from errai.sequence.program import optimum, program
from errai.sequence.rational import ZERO

MOST_PURE = 4096  # pure strategies that are tried one by one

_FINENESS = 10**12  # the bonus is one unit of the payoffs divided by this

ByClass = Sequence[fmpq]  # [169] probabilities
Answer = Mapping[str, ByClass]  # by option of player 2


@dataclass(frozen=True, eq=False)
class Proof:
    """What has been proven of a hand. All tuples are empty where player 1 has nothing to decide."""

    value: fmpq  # in chips, of player 1
    jam: tuple[fmpq, ...]  # [169] an optimal strategy
    answer: Answer  # an optimal one of player 2
    least: tuple[fmpq, ...]  # [169] every optimal strategy jams at least so often
    most: tuple[fmpq, ...]  # [169] and at most so often
    pure: bool | None  # whether an optimal strategy without mixing exists; None: there were too many to try

    @property
    def must_jam(self) -> tuple[str, ...]:
        """The hands that every optimal strategy always jams."""
        return self._where(least == 1 for least in self.least)

    @property
    def must_fold(self) -> tuple[str, ...]:
        """The hands that every optimal strategy always folds."""
        return self._where(most == 0 for most in self.most)

    @property
    def must_mix(self) -> tuple[str, ...]:
        """The hands that every optimal strategy sometimes jams and sometimes folds."""
        return self._where(least > 0 and most < 1 for least, most in zip(self.least, self.most, strict=True))

    @property
    def undecided(self) -> tuple[str, ...]:
        """The other hands: some optimal strategies may mix them and others not, between `least` and `most`."""
        return self._where(
            least < most and (least == 0 or most == 1)
            for least, most in zip(self.least, self.most, strict=True)
        )

    @property
    def mixed(self) -> tuple[str, ...]:
        """The hands that the strategy `jam` mixes."""
        return self._where(0 < share < 1 for share in self.jam)

    def _where(self, chosen: Iterable[bool]) -> tuple[str, ...]:
        return tuple(name for name, yes in zip(HANDS, chosen, strict=False) if yes)


def prove(hand: Hand, big_blind: bool = False) -> Proof:
    """What every optimal strategy of the small blind, or of the big blind in G'', must do."""
    game = (big_blinds_hand if big_blind else small_blinds_hand)(hand, lambda chips: chips)
    rules = ExactRules.of(game)
    form = sequence_form(hand_tree(hand, big_blind))
    found = optimum(program(form))
    best = exact_optimum(form, found)
    answer = rules.answer(best.plans[1])
    jam = tuple(best.plans[0][2::2])
    value = rules.ceiling(answer)
    if value != best.value or value != rules.guarantee(jam or [ONE] * CLASSES):
        raise ErraiError("the exact solution of this hand does not hold; please report its stacks and blinds")
    if not jam:
        return Proof(value, (), answer, (), (), True)
    gains = rules.gains(answer)
    least, most = [fmpq(gain > 0) for gain in gains], [fmpq(gain >= 0) for gain in gains]
    for a in (a for a, gain in enumerate(gains) if gain == 0 and game.stolen is not None):
        for sign, bound in ((-1, least), (1, most)):
            bonus = fmpq(sign, form.denominator * _FINENESS)
            nudged = exact_optimum(_nudged(form, 2 + 2 * a, sign), found)
            against = rules.answer(nudged.plans[1])
            bound[a] = min(max((rules.ceiling(against, a, bonus) - value) / bonus, ZERO), ONE)
    return Proof(value, jam, answer, tuple(least), tuple(most), _pure(rules, value, least, most))


def _nudged(form: SequenceForm, sequence: int, sign: int) -> SequenceForm:
    """The game with a bonus of 1 / _FINENESS of a unit, or with a fine, for a sequence of seat 0.

    The bonus is an entry of its own, with the empty sequence of seat 1.
    """
    exact = form.exact_payoff
    at = int(exact.start[sequence])
    start = exact.start.copy()
    start[sequence + 1 :] += 1
    column = np.insert(exact.column, at, 0)
    numerator = np.insert(exact.data.astype(object) * _FINENESS, at, sign)
    denominator = form.denominator * _FINENESS
    payoff = exact._replace(start=start, column=column, data=(numerator / denominator).astype(np.float64))
    return replace(form, payoff=payoff, numerator=numerator, denominator=denominator)


def _pure(rules: ExactRules, value: fmpq, least: ByClass, most: ByClass) -> bool | None:
    """Whether some strategy without mixing guarantees the value: all that the bounds leave are tried."""
    choices = [
        [share for share in (0, 1) if low <= share <= high] for low, high in zip(least, most, strict=True)
    ]
    if prod(map(len, choices)) > MOST_PURE:
        return None
    return any(rules.guarantee([fmpq(share) for share in jam]) == value for jam in product(*choices))


@dataclass(frozen=True)
class ExactRules:
    """The payoffs of an game, and what strategies win, in fractions (see errai.jamfold.matrix_game)."""

    stake: fmpq  # of a showdown
    folded: fmpq | None
    stolen: fmpq | None
    given: fmpq | None

    @staticmethod
    def of(game: MatrixGame[Chips]) -> ExactRules:
        return ExactRules(
            _rational(game.won),
            *(
                None if chips is None else _rational(chips)
                for chips in (game.folded, game.stolen, game.given)
            ),
        )

    def answer(self, plan: ByClass) -> Answer:
        """How often player 2 takes each option, from a plan: a pair of sequences for each decision."""
        pairs = [
            (plan[first : first + 2 * CLASSES : 2], plan[first + 1 : first + 2 * CLASSES : 2])
            for first in range(1, len(plan), 2 * CLASSES)
        ]
        give = pairs.pop(0)[0] if self.given is not None else [ZERO] * CLASSES
        if pairs:
            return {PASS: pairs[0][0], CALL: pairs[0][1], GIVE: give}
        return {PASS: [ZERO] * CLASSES, CALL: [1 - share for share in give], GIVE: give}

    def _values(self, answer: Answer) -> tuple[list[fmpq], list[fmpq]]:
        """[169] what folding and jamming win with each class, times its probability."""
        dealt, ahead = _counts()
        call, give, passed = (_column(answer[option]) for option in (CALL, GIVE, PASS))
        given = (dealt * give) * (self.given or ZERO)
        jammed = (ahead * call) * (self.stake / BOARDS) + (dealt * passed) * (self.stolen or ZERO) + given
        folded = (dealt * (call + passed)) * (self.folded or ZERO) + given
        return (folded / PAIRS).entries(), (jammed / PAIRS).entries()

    def gains(self, answer: Answer) -> list[fmpq]:
        """[169] how much better it is to jam each class than to fold it."""
        return [jammed - folded for folded, jammed in zip(*self._values(answer), strict=True)]

    def ceiling(self, answer: Answer, a: int = 0, bonus: fmpq = ZERO) -> fmpq:
        """The most that any strategy wins against an answer, with a bonus for jamming the class a."""
        folded, jammed = self._values(answer)
        if self.folded is None:
            return sum(jammed, ZERO)
        jammed[a] += bonus
        return sum(map(max, folded, jammed), ZERO)

    def guarantee(self, jam: ByClass) -> fmpq:
        """The least that a strategy wins against any answer."""
        dealt, ahead = _counts()
        all_dealt = _row([ONE] * CLASSES) * dealt
        jams = _row(jam)
        jammed = jams * dealt
        folded = (all_dealt - jammed) * (self.folded or ZERO)
        options = [folded + (jams * ahead) * (self.stake / BOARDS)]
        if self.stolen is not None:
            options.append(folded + jammed * self.stolen)
        if self.given is not None:
            options.append(all_dealt * self.given)
        worst = map(min, zip(*(option.entries() for option in options), strict=True))
        return sum(worst, ZERO) / PAIRS


@cache
def _counts() -> tuple[fmpz_mat, fmpz_mat]:
    """[169, 169] pairs of hands, and wins less losses over all boards."""
    counts = equities()
    return _integers(counts.pairs), _integers(counts.wins - counts.losses)


def _integers(counts: Counts) -> fmpz_mat:
    return fmpz_mat(CLASSES, CLASSES, counts.reshape(-1).tolist())


def _column(shares: ByClass) -> fmpq_mat:
    return fmpq_mat(CLASSES, 1, list(shares))


def _row(shares: ByClass) -> fmpq_mat:
    return fmpq_mat(1, CLASSES, list(shares))


def _rational(chips: Chips) -> fmpq:
    return fmpq(chips.numerator, chips.denominator)
