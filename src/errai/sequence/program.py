"""The linear program of a game (Koller, Megiddo and von Stengel 1994), solved by HiGHS.

Seat 0 chooses a plan x, and q bounds what seat 1's best response leaves seat 0 at each information set of seat 1:

    maximise q[root]   subject to   E x = e,   A'x - F'q >= 0,   x >= 0,   q free

The dual variables of the second block are an optimal plan of seat 1, so one solve gives both strategies.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError, StoppedError
from errai.runs.monitor import SILENT, Monitor
from errai.sequence.form import SequenceForm, SparseMatrix

TOLERANCE = 1e-9  # of feasibility, for HiGHS
ORDINARY = (1e-2, 1e4)  # largest payoffs that HiGHS can be given as they are
STEP = 0.2  # seconds between two reports


@dataclass(frozen=True, eq=False)
class Program:
    """The program by rows: first E x = e, then A'x - F'q >= 0; columns are x, then q.

    Its entries are floats, with payoffs scaled if need be, or with `exact` integers: then the payoffs, and so q, are
    multiplied by a denominator.
    """

    matrix: SparseMatrix
    plans: int  # columns of x
    equations: int  # rows of E

    @property
    def objective(self) -> int:
        """The column that is maximised: q at the root."""
        return self.plans


@dataclass(frozen=True, eq=False)
class Optimum:
    """What HiGHS found."""

    plans: tuple[NDArray[np.float64], NDArray[np.float64]]
    basic: tuple[
        NDArray[np.bool_], NDArray[np.bool_]
    ]  # columns and rows of the basis; none if there is no basis
    iterations: int


def program(form: SequenceForm, exact: bool = False) -> Program:
    """The program of seat 0."""
    S, T = form.sequences
    own, _ = form.constraints(0)
    other, _ = form.constraints(1)
    payoff = form.exact_payoff if exact else form.payoff
    rows = np.concatenate([own.rows(), own.shape[0] + payoff.column, own.shape[0] + other.column])
    columns = np.concatenate([own.column, payoff.rows(), S + other.rows()])
    signs = np.int64 if exact else np.float64  # of the constraints: 1 and -1
    scale = 1 if exact else _scale(payoff.data)
    data = np.concatenate([own.data.astype(signs), payoff.data * scale, -other.data.astype(signs)])
    order = np.lexsort((columns, rows))
    start = np.zeros(own.shape[0] + T + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=own.shape[0] + T), out=start[1:])
    shape = (own.shape[0] + T, S + other.shape[0])
    return Program(SparseMatrix(start, columns[order].astype(np.int32), data[order], shape), S, own.shape[0])


def _scale(payoffs: NDArray[np.float64]) -> float:
    """A power of two that brings very small or large payoffs near to 1; it changes q and neither plans nor basis."""
    largest = float(np.abs(payoffs).max(initial=0.0))
    return (
        1.0 if largest == 0.0 or ORDINARY[0] <= largest <= ORDINARY[1] else 2.0 ** -round(math.log2(largest))
    )


def optimum(linear: Program, monitor: Monitor = SILENT) -> Optimum:
    """Solve the program with HiGHS. Whatever is not an optimum is an error, in the words of HiGHS."""
    import highspy

    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("primal_feasibility_tolerance", TOLERANCE),
        ("dual_feasibility_tolerance", TOLERANCE),
    ):
        solver.setOptionValue(option, value)
    solver.passModel(_model(linear, highspy))
    solver.cbSimplexInterrupt.subscribe(_Watch(monitor))
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInterrupt:
        raise StoppedError("stopped before the linear program was solved; nothing was saved")
    if status != highspy.HighsModelStatus.kOptimal:
        words = solver.modelStatusToString(status)
        raise ErraiError(f"HiGHS could not solve the linear program: it says '{words}'; try method=\"cfr+\"")
    found, basis = solver.getSolution(), solver.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    return Optimum(
        (np.array(found.col_value)[: linear.plans], -np.array(found.row_dual)[linear.equations :]),
        (
            np.array([status == basic for status in basis.col_status], np.bool_),
            np.array([status == basic for status in basis.row_status], np.bool_),
        ),
        int(solver.getInfo().simplex_iteration_count),
    )


def _model(linear: Program, highspy: Any) -> Any:
    matrix, infinity = linear.matrix, highspy.kHighsInf
    rows, columns = matrix.shape
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = rows, columns
    cost = np.zeros(columns)
    cost[linear.objective] = 1.0
    model.sense_, model.col_cost_ = highspy.ObjSense.kMaximize, cost
    model.col_lower_ = np.where(np.arange(columns) < linear.plans, 0.0, -infinity)
    model.col_upper_ = np.full(columns, infinity)
    right = np.zeros(rows)
    right[0] = 1.0
    model.row_lower_ = right
    model.row_upper_ = np.where(np.arange(rows) < linear.equations, right, infinity)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = matrix.start.astype(np.int32)
    model.a_matrix_.index_ = matrix.column
    model.a_matrix_.value_ = matrix.data.astype(np.float64)
    return model


class _Watch:
    """Is called by HiGHS in every iteration: reports how far it is, and stops it when the monitor says so."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        self._latest = -math.inf

    def __call__(self, event: Any) -> None:
        now = time.monotonic()
        if now - self._latest < STEP:
            return
        self._latest = now
        self._monitor.step(
            f"linear program: iteration {event.data_out.simplex_iteration_count:,} of the simplex method"
        )
        if self._monitor.should_stop():
            event.interrupt()
