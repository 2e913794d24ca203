"""Ways to train: how samples weigh, and whom the strategy is trained against.

With t the number of the sample, regrets weigh t^a and the average t^b. Against itself, the strategies on buckets of
both seats meet (Zinkevich et al. 2007, with public chance sampling, Johanson et al. 2012). Against a best response,
each seat meets an opponent who knows his very cards on the last round and plays a best response there (Johanson et
al., "Finding optimal abstract strategies in extensive-form games", 2012); before that he learns as it does.
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
    powers: tuple[float, float]  # of regrets, of the average
    floor: float = -inf  # of the regrets; those of an opponent who learns never fall below zero
    best_response: int = 0  # of how many rounds, the last ones; before them he learns
    # A line that is reached with probability p is walked in this many times p of the samples, but never in less than
    # the second share of them.
    visits: tuple[float, float] = (4.0, 0.15)


TRAINING_RULES = {
    rule.name: rule
    for rule in (
        TrainingRule("cfr", "regret matching, all samples alike", (0.0, 0.0)),
        TrainingRule("linear", "regrets and average weigh as the number of the sample", (1.0, 1.0)),
        TrainingRule("cfr+", "regrets never below zero, a linear average", (0.0, 1.0), floor=0.0),
        TrainingRule(
            "linear-br",
            "linear, a quadratic average, against a best response on the last round",
            (1.0, 2.0),
            best_response=1,
        ),
        TrainingRule(
            "cfr+-br",
            "regrets never below zero, a quadratic average, against a best response on the last round",
            (0.0, 2.0),
            floor=0.0,
            best_response=1,
        ),
        TrainingRule(
            "cfr-br",
            "regret matching, a cubic average, against a best response on the last round",
            (0.0, 3.0),
            best_response=1,
        ),
        TrainingRule(
            "linear-br2",
            "linear, a quadratic average, against a best response on the last two rounds",
            (1.0, 2.0),
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
