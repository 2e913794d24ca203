"""Ways to train: how samples weigh, and which opponent the strategy is trained against.

With t the number of the sample, regrets weigh t^a and the average t^b. Against itself, the strategies on buckets of
both seats meet (Zinkevich et al. 2007, with public chance sampling, Johanson et al. 2012). Against a best response,
each seat meets the CFR-BR opponent, which knows its very cards on the last round and plays a best response there
(Johanson et al., "Finding optimal abstract strategies in extensive-form games", 2012); before that it learns as the
strategy does.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from errai.errors import ErraiError


@dataclass(frozen=True)
class TrainingRule:
    """One way to train."""

    name: str
    words: str
    powers: tuple[int, int]  # of regrets, of the average
    floor: float = -inf  # of the regrets; those of the CFR-BR opponent always have a floor of zero
    best_response: int = 0  # of how many rounds, the last ones; before them the opponent learns
    # (times, least): a line that is reached with probability p is walked with probability max(times * p, least).
    visits: tuple[float, float] = (4.0, 0.15)


TRAINING_RULES = {
    rule.name: rule
    for rule in (
        TrainingRule("cfr", "regret matching, all samples alike", (0, 0)),
        TrainingRule("linear", "regrets and average weigh as the number of the sample", (1, 1)),
        TrainingRule("cfr+", "a regret floor of zero, a linear average", (0, 1), floor=0.0),
        TrainingRule(
            "linear-br",
            "linear, a quadratic average, against a best response on the last round",
            (1, 2),
            best_response=1,
        ),
        TrainingRule(
            "cfr+-br",
            "a regret floor of zero, a quadratic average, against a best response on the last round",
            (0, 2),
            floor=0.0,
            best_response=1,
        ),
        TrainingRule(
            "cfr-br",
            "regret matching, a cubic average, against a best response on the last round",
            (0, 3),
            best_response=1,
        ),
        TrainingRule(
            "linear-br2",
            "linear, a quadratic average, against a best response on the last two rounds",
            (1, 2),
            best_response=2,
            visits=(3.0, 0.1),
        ),
    )
}
DEFAULT_RULE = "cfr+-br"


def training_rule(name: str) -> TrainingRule:
    """The way to train of that name."""
    rule = TRAINING_RULES.get(name.strip().lower())
    if rule is None:
        raise ErraiError(
            f"unknown way to train {name!a}: choose {', '.join(TRAINING_RULES)}", parameter="method"
        )
    return rule
