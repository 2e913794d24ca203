"""What a solver runs, and when it stops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real

from errai.engine.rules import Rule, cfr_plus, rule_named
from errai.engine.store import check_precision
from errai.errors import ErraiError

DEFAULT_METHODS = {"average": "sdcfr", "current": "cfr+"}  # see docs/algorithms.md
DEFAULT_TARGET = 1.0  # mbb/g
MOST_ITERATIONS = 1_000_000


@dataclass(frozen=True)
class Settings:
    """What to run and when to stop. Without any limit the target is 1 mbb/g."""

    method: str = ""  # the best one for the kind of strategy
    iterations: int | None = None
    target: float | None = None  # mbb/g
    seconds: float | None = None
    threads: int | None = None  # all cores
    precision: str = "float32"
    strategy: str = "average"  # or "current"
    isomorphism: bool = True
    delay: int = 0  # iterations that the average of CFR+ leaves out

    def __post_init__(self) -> None:
        if self.strategy not in DEFAULT_METHODS:
            raise ErraiError(
                f"unknown strategy '{self.strategy}': choose {' or '.join(DEFAULT_METHODS)}",
                parameter="strategy",
            )
        if not self.method:
            object.__setattr__(self, "method", DEFAULT_METHODS[self.strategy])
        rule = self.rule
        check_precision(self.precision, rule.prediction)
        for name, kind in (
            ("iterations", Integral),
            ("threads", Integral),
            ("target", Real),
            ("seconds", Real),
        ):
            given = getattr(self, name)
            if given is None:
                continue
            wanted = "a whole number" if kind is Integral else "a number"
            if isinstance(given, bool) or not isinstance(given, kind):
                raise ErraiError(f"{name} must be {wanted}, not {given!r}", parameter=name)
            if not 0 < float(given) < math.inf:
                raise ErraiError(f"{name} must be {wanted} above 0, not {given}", parameter=name)
        if self.delay < 0 or (self.delay and rule.name != "cfr+"):
            raise ErraiError("delay is for cfr+ and must be 0 or more", parameter="delay")
        if rule.planned and self.iterations is None:
            raise ErraiError(
                f"{rule.name} plans its schedule for a number of iterations: give one", parameter="iterations"
            )

    @property
    def rule(self) -> Rule:
        return cfr_plus(self.delay) if self.method.lower() == "cfr+" else rule_named(self.method)

    @property
    def planned(self) -> int:
        """The number of iterations that schedules are made for."""
        return self.iterations or MOST_ITERATIONS

    @property
    def stop_at(self) -> float | None:
        """The target in mbb/g, if any."""
        limited = self.iterations is not None or self.seconds is not None
        return self.target if self.target is not None or limited else DEFAULT_TARGET
