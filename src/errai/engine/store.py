"""Where regrets and averages are kept: one flat array each, in the order of the layout.

`float32` is the default and `float64` is for small games that are to be exact. `int16` is fixed point with one
scale for each segment of a node: half the memory of float32. The scale is shared by a node's actions, so a
strategy can be read from the codes alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.engine.kernels.arrays import Weights
from errai.errors import ErraiError

PRECISIONS = {"float32": np.float32, "float64": np.float64, "int16": np.int16}

Numbers = NDArray[Any]


@dataclass
class Store:
    """Regrets, the last regrets for rules with prediction, the average strategy, and scales for 16 bits."""

    precision: str
    regret: Numbers
    prediction: Numbers | None
    average: Numbers | None
    regret_scale: NDArray[np.float32] | None
    average_scale: NDArray[np.float32] | None

    def for_kernels(self) -> Weights:
        return Weights(self.regret, self.prediction, self.average, self.regret_scale, self.average_scale)

    def arrays(self) -> dict[str, Numbers]:
        """By name, those that exist."""
        names = ("regret", "prediction", "average", "regret_scale", "average_scale")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


def check_precision(precision: str, prediction: bool) -> None:
    """Refuse what no store offers."""
    if precision not in PRECISIONS:
        raise ErraiError(f"unknown precision '{precision}': choose one of {', '.join(PRECISIONS)}")
    if precision == "int16" and prediction:
        raise ErraiError("methods with prediction need float32 or float64; int16 works with the others")


def new_store(precision: str, numbers: int, blocks: int, average: bool, prediction: bool) -> Store:
    """All zero."""
    check_precision(precision, prediction)
    dtype = PRECISIONS[precision]
    coded = precision == "int16"
    return Store(
        precision,
        regret=np.zeros(numbers, dtype),
        prediction=np.zeros(numbers, dtype) if prediction else None,
        average=np.zeros(numbers, dtype) if average else None,
        regret_scale=np.zeros(blocks, np.float32) if coded else None,
        average_scale=np.zeros(blocks, np.float32) if coded and average else None,
    )


def store_bytes(precision: str, numbers: int, blocks: int, average: bool, prediction: bool) -> int:
    """What new_store would allocate."""
    copies = 1 + average + prediction
    scales = 4 * blocks * (1 + average) if precision == "int16" else 0
    return copies * numbers * np.dtype(PRECISIONS[precision]).itemsize + scales
