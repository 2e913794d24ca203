"""Workers of a Ray cluster as a crew.

The chunks of a subgame are on the disk of one machine, in the folder that every machine has for them, and the workers
of that machine work on it: its owner, or another that has nothing left to do. On one machine, or where
all of them see the same folder, that is any worker. New subgames are dealt out one by one; when a run is resumed,
each goes to a machine that has its latest chunks.

A worker has few tasks at a time, so little is under way. One that dies, or does not answer for a long time, is
replaced on the same machine, and the new one does again what the old one had not brought to the disk: a subgame
that had been through the pass gives the values that it gave. Values go to the trunk unchanged, so the bits of
a solution do not depend on the workers.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from errai.errors import ErraiError
from errai.files.writing import explained, temporary
from errai.formatting import duration
from errai.runs.monitor import Monitor
from errai.scale.chunk import chunk_path
from errai.scale.cluster_session import Node, Session
from errai.scale.cluster_worker import ClusterWorker, Machine, Report, Setup, owned
from errai.scale.codes import Grids
from errai.scale.crew import Crew
from errai.scale.division import Division, Subgame
from errai.scale.status import StatusFile
from errai.scale.stores import SEATS, Traffic, Values, last_pass, link_or_copy, pass_of
from errai.scale.worker import WANTED, Numbers, Order

IN_FLIGHT = 2  # tasks of a worker: the one it is at, and the next
MOST_FAILURES = 10  # of workers, while no subgame is finished
PATIENCE = 600.0  # seconds in which a worker must have finished a subgame
PATIENCE_VARIABLE = "ERRAI_WORKER_SECONDS"
STARTING = 120.0  # seconds in which a new one must be ready, or PATIENCE if that is more
STOPPING = 10.0  # seconds that a stopped pass waits for what has been begun
PAUSE = 0.5  # seconds, and as much again with every failure: a machine that ends takes its time
TICK = 1.0  # seconds between two looks at who hangs
PREPARE, FLUSH = -1, -2  # tasks that are no subgames
NOTHING = Report(0.0, 0, 0, 0)

Begin = Callable[["_Worker", Subgame, int | None], Any]


@dataclass(frozen=True)
class WorkerState:
    """What is known of a worker."""

    number: int
    node: str
    pid: int
    subgames: int  # that it owns
    done: int  # subgames so far, of all passes
    mean_seconds: float  # of one
    replaced: int  # how often it has been


@dataclass(eq=False)
class _Worker:
    """A worker as the driver sees it."""

    number: int
    node: Node  # whose disk has its chunks
    actor: Any = None
    machine: Machine | None = None
    moved: bool = False  # to another machine, because its own is gone
    subgames: list[int] = field(default_factory=list)
    queue: deque[int] = field(default_factory=deque)
    running: dict[Any, int] = field(default_factory=dict)  # Ray's reference -> subgame
    unsafe: list[int] = field(default_factory=list)  # done in this pass, but perhaps not yet on the disk
    flushed: bool = True
    heard: float = 0.0  # when it last answered, or was given something to do
    done: int = 0
    seconds: float = 0.0
    replaced: int = 0
    report: Report = NOTHING
    before: list[Report] = field(default_factory=list)  # of those it has replaced

    @property
    def state(self) -> WorkerState:
        name, pid = (self.node.name, 0) if self.machine is None else (self.machine.name, self.machine.pid)
        mean = self.seconds / self.done if self.done else 0.0
        return WorkerState(self.number, name, pid, len(self.subgames), self.done, mean, self.replaced)

    def start(self, task: Any, number: int) -> None:
        """It has been given something to do."""
        if not self.running:
            self.heard = time.monotonic()
        self.running[task] = number
        self.flushed = number == FLUSH

    def begin_pass(self) -> None:
        """All of its subgames are to be done."""
        self.queue = deque(self.subgames)
        self.running = {task: number for task, number in self.running.items() if number == PREPARE}
        self.unsafe, self.flushed = [], False


class RayCrew:
    """Processes on one machine or many, each with one thread that computes."""

    def __init__(
        self, session: Session, division: Division, setup: Setup, monitor: Monitor, patience: float = PATIENCE
    ) -> None:
        self.division, self._setup, self._monitor, self._patience = division, setup, monitor, patience
        self._session, self._ray = session, session.ray
        self._actor = self._ray.remote(ClusterWorker)
        self._failures = 0
        self._writes = False
        self._doing, self._order, self._missing = "starting", (0, 0), set[int]()
        self._status = StatusFile(setup.folder.parent)
        self._workers = [_Worker(number, node) for number, node in enumerate(self._places())]
        try:
            self._start()
        except BaseException:
            session.close()
            raise

    def update(self, order: Order, reach: Callable[[Subgame], Numbers]) -> Iterator[tuple[Subgame, Values]]:
        def begin(worker: _Worker, subgame: Subgame, following: int | None) -> Any:
            return worker.actor.update.remote(subgame.number, order, reach(subgame), following)

        self._doing, self._order, self._writes = "update", (order.number, order.iteration), True
        for subgame, values in self._share(begin):
            yield subgame, owned(values)

    def evaluate(
        self, average: bool, reach: Callable[[Subgame], list[Numbers]]
    ) -> Iterator[tuple[Subgame, list[Numbers]]]:
        def begin(worker: _Worker, subgame: Subgame, following: int | None) -> Any:
            return worker.actor.evaluate.remote(subgame.number, average, reach(subgame), following)

        self._doing, self._writes = "best response", False
        for subgame, values in self._share(begin):
            yield subgame, [owned(found) for found in values]

    def traffic(self) -> Traffic:
        reports = [report for worker in self._workers for report in (*worker.before, worker.report)]
        return Traffic(
            read=sum(report.read for report in reports),
            written=sum(report.written for report in reports),
            numbers=sum(report.numbers for report in reports),
        )

    def workers(self) -> list[WorkerState]:
        """What is known of each worker; the slowest has the most mean seconds."""
        return [worker.state for worker in self._workers]

    def save(self, folder: Path, passes: int) -> None:
        """By links where this machine has the chunks; others come from their workers. It may be the chunks' own."""
        owners = {number: worker for worker in self._workers for number in worker.subgames}
        for number in range(len(self.division.subgames)):
            for seat in SEATS:
                wanted = last_pass(passes, seat)
                path, copy = (chunk_path(place, number, seat) for place in (self._setup.folder, folder))
                if not wanted:
                    continue
                if pass_of(self._setup.folder, self._setup.run, number, seat) >= wanted:
                    if path.resolve() != copy.resolve():
                        link_or_copy(path, copy)
                elif (content := self._ask(owners[number], "fetch", number, seat)) is not None:
                    _write(copy, content)

    def close(self) -> None:
        if self._doing != "closed":
            self._doing = "closed"
            self._write_status(now=True)
            for worker in self._workers:
                self._kill(worker)
            self._session.close()

    def _places(self) -> list[Node]:
        """The machine of every worker: as many on each as it has CPUs, one after the other, no more than subgames."""
        nodes = [node for node in self._session.nodes() if node.alive and node.cpus]
        if not nodes:
            self._session.close()
            raise ErraiError("the cluster has no CPUs", parameter="cluster")
        rounds = range(max(node.cpus for node in nodes))
        places = [node for turn in rounds for node in nodes if turn < node.cpus]
        return places[: len(self.division.subgames)]

    def _start(self) -> None:
        """Start all workers; those that cannot be had are done without. Then the subgames are given away."""
        for worker in self._workers:
            self._launch(worker)
        ready = []
        limit = max(self._patience, STARTING)
        until = time.monotonic() + limit
        for worker in self._workers:
            reason = f"it has not started in {duration(limit)}; are its CPUs free?"
            try:
                task = next(iter(worker.running))
                worker.machine = self._get(worker, task, max(until - time.monotonic(), 0.01))
                worker.running.clear()
                ready.append(worker)
                continue
            except self._ray.exceptions.GetTimeoutError:
                pass
            except self._ray.exceptions.RayError as error:
                reason = _reason(error)
            self._kill(worker)
            self._monitor.warn(f"a worker on {worker.node.name} is left out: {reason}")
        if not ready:
            raise ErraiError("no worker of the cluster has started", parameter="cluster")
        self._workers = ready
        self._assign()

    def _assign(self) -> None:
        """Give each subgame to the worker with the fewest, among those whose disk has its latest chunks."""
        found: dict[str, dict[int, int]] = {}
        for worker in self._workers:
            if worker.node.id not in found:
                found[worker.node.id] = self._ask(worker, "survey")
        for subgame in self.division.subgames:
            latest = max(held.get(subgame.number, 0) for held in found.values())
            those = [
                worker for worker in self._workers if found[worker.node.id].get(subgame.number, 0) == latest
            ]
            min(those, key=lambda worker: len(worker.subgames)).subgames.append(subgame.number)

    def _share(self, begin: Begin) -> Iterator[tuple[Subgame, Any]]:
        """What the workers find, of every subgame; all that they wrote is on disks when it ends."""
        subgames = self.division.subgames
        self._missing = set(range(len(subgames)))
        for worker in self._workers:
            worker.begin_pass()
        try:
            while True:
                for worker in self._workers:
                    self._feed(worker, begin)
                tasks = {task: worker for worker in self._workers for task in worker.running}
                if not tasks:
                    break
                for task in self._answered(list(tasks)):
                    worker = tasks[task]
                    if task not in worker.running:
                        continue  # of one that was replaced meanwhile
                    number = worker.running[task]
                    found = self._collect(worker, task)
                    if found is not None and number in self._missing:
                        self._missing.remove(number)
                        self._failures = 0
                        self._write_status()
                        yield subgames[number], found
                for worker in self._workers:
                    silent = time.monotonic() - worker.heard
                    if worker.running and silent > self._limit(worker):
                        self._replace(worker, f"no answer for {duration(silent)}")
        except GeneratorExit:
            self._settle()
            raise
        self._write_status(now=True)

    def _feed(self, worker: _Worker, begin: Begin) -> None:
        """Keep a worker busy; one with nothing left to do brings all that it wrote to the disk."""
        while len(worker.running) < IN_FLIGHT and (number := self._next(worker)) is not None:
            following = worker.queue[0] if worker.queue else None
            worker.start(begin(worker, self.division.subgames[number], following), number)
        if not worker.running and not worker.flushed:
            worker.start(worker.actor.flush.remote(), FLUSH)

    def _next(self, worker: _Worker) -> int | None:
        """A subgame of its own, or one of the longest queue on the same disk."""
        if worker.queue:
            return worker.queue.popleft()
        beside = [other for other in self._workers if other.node.id == worker.node.id]
        longest = max(beside, key=lambda other: len(other.queue))
        return longest.queue.pop() if longest.queue else None

    def _limit(self, worker: _Worker) -> float:
        """Seconds after which a worker that does not answer is given up."""
        starting = PREPARE in worker.running.values()
        return max(self._patience, STARTING) if starting else self._patience

    def _answered(self, tasks: list[Any]) -> list[Any]:
        """All tasks that are done; none, if none is for a while."""
        self._ray.wait(tasks, num_returns=1, timeout=min(TICK, self._patience / 4))
        done: list[Any] = self._ray.wait(tasks, num_returns=len(tasks), timeout=0)[0]
        return done

    def _collect(self, worker: _Worker, task: Any) -> Any:
        """What a worker has found of a subgame; None if it has only flushed, or has to be replaced."""
        number = worker.running[task]
        try:
            answer = self._get(worker, task)
        except self._ray.exceptions.RayError as error:
            self._replace(worker, _reason(error))
            return None
        del worker.running[task]
        worker.heard = time.monotonic()
        if number == PREPARE:
            worker.machine = answer
            return None
        if number == FLUSH:
            worker.report = answer
            worker.unsafe.clear()
            return None
        found, worker.report = answer
        worker.unsafe.append(number)
        worker.done += 1
        worker.seconds += worker.report.seconds
        return found

    def _get(self, worker: _Worker, task: Any, seconds: float | None = None) -> Any:
        """The answer to a task. What went wrong in the worker's own work is raised here as it was there."""
        try:
            return self._ray.get(task, timeout=seconds)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, Exception) else error
            if isinstance(cause, ErraiError) and worker.moved:
                raise ErraiError(
                    f"{worker.node.name} is gone and its chunks with it: start it again with its disk, and "
                    f"resume ({cause})"
                ) from None
            raise cause from None

    def _ask(self, worker: _Worker, method: str, *given: Any) -> Any:
        """The answer of a worker to a question, or of the one that replaces it."""
        while True:
            try:
                return self._get(worker, getattr(worker.actor, method).remote(*given), self._patience)
            except self._ray.exceptions.RayError as error:
                self._replace(worker, _reason(error))

    def _replace(self, worker: _Worker, reason: str) -> None:
        """Give up a worker: another one does what it was at, and what it may not have brought to the disk."""
        self._failures += 1
        if self._failures >= MOST_FAILURES:
            raise ErraiError(
                f"workers have failed {self._failures} times and no subgame was finished; "
                f"the last was on {worker.node.name}: {reason}"
            )
        self._monitor.warn(f"worker {worker.number} on {worker.node.name} is replaced: {reason}")
        self._kill(worker)
        time.sleep(PAUSE * (self._failures - 1))
        again = [number for number in worker.running.values() if number >= 0]
        if self._writes:
            again = worker.unsafe + again
        worker.queue.extendleft(reversed(again))
        worker.running, worker.unsafe, worker.flushed = {}, [], False
        worker.before.append(worker.report)
        worker.report = NOTHING
        worker.replaced += 1
        self._launch(worker)

    def _launch(self, worker: _Worker) -> None:
        """A new process for a worker: on its machine, or anywhere if that is gone."""
        alive = {node.id for node in self._session.nodes() if node.alive}
        worker.moved = worker.node.id not in alive
        where = "SPREAD" if worker.moved else self._session.on_node(worker.node.id)
        cpus = 0 if worker.moved else 1  # every CPU of the others has a worker already
        options = {"num_cpus": cpus, "max_restarts": 0, "max_task_retries": 0, "scheduling_strategy": where}
        worker.actor = self._actor.options(**options).remote(self._setup)
        worker.machine = None
        worker.start(worker.actor.prepare.remote(), PREPARE)

    def _kill(self, worker: _Worker) -> None:
        with suppress(Exception):  # it may be dead
            self._ray.kill(worker.actor)

    def _settle(self) -> None:
        """A pass was stopped: let workers end what they have begun, if that does not take long."""
        until = time.monotonic() + STOPPING
        for worker in self._workers:
            worker.queue.clear()
            worker.start(worker.actor.flush.remote(), FLUSH)
        tasks = [task for worker in self._workers for task in worker.running]
        with suppress(self._ray.exceptions.RayError):
            self._ray.wait(tasks, num_returns=len(tasks), timeout=until - time.monotonic())

    def _write_status(self, now: bool = False) -> None:
        def content() -> dict[str, Any]:
            moved, total = self.traffic(), len(self.division.subgames)
            return {
                "state": "ended" if self._doing == "closed" else "running",
                "doing": self._doing,
                "pass": self._order[0],
                "iteration": self._order[1],
                "subgames_done": total - len(self._missing),
                "subgames": total,
                "bytes_read": moved.read,
                "bytes_written": moved.written,
                "compression": moved.compression,
                "workers": [asdict(state) for state in self.workers()],
            }

        self._status.write(content, now)


def ray_crew(
    division: Division, grids: Grids, run: int, folder: Path, cluster: str, room: int, monitor: Monitor
) -> Crew:
    """The workers of a cluster: "local:N" on this machine, or an address. `folder` is that of the chunks.

    So many bytes of subgames stay in memory as well, on each machine, shared by its workers.

    On a cluster every machine has a folder of this name on a disk of its own, or all see the same.
    """
    session = Session(cluster, _under_way(division, cluster))
    try:
        cpus = [node.cpus for node in session.nodes() if node.alive]
        share = max(1, *cpus)
        setup = Setup(
            division.spot,
            division.isomorphism,
            division.flops,
            grids,
            run,
            folder.absolute(),
            division.layout_bytes // share,
            room // share,
        )
        return RayCrew(session, division, setup, monitor, _patience())
    except BaseException:
        session.close()
        raise


def _under_way(division: Division, cluster: str) -> int:
    """Bytes of reach and values that Ray may hold at once, on one machine, with as much again to spare."""
    first_hand = division.trunk.boards.first_hand
    largest = max(
        int(first_hand[subgame.last] - first_hand[subgame.first]) * subgame.K for subgame in division.subgames
    )
    workers = int(cluster.rpartition(":")[2]) if cluster.startswith("local:") and cluster[6:].isdigit() else 1
    return 4 * workers * IN_FLIGHT * len(WANTED) * np.dtype(np.float64).itemsize * largest


def _patience() -> float:
    given = os.environ.get(PATIENCE_VARIABLE, "")
    if not given:
        return PATIENCE
    try:
        seconds = float(given)
        if not 0 < seconds < float("inf"):
            raise ValueError
    except ValueError:
        raise ErraiError(f"{PATIENCE_VARIABLE} must be seconds above 0, not {given!r}") from None
    return seconds


def _reason(error: Exception) -> str:
    """Why a worker has ended, in a line: Ray says it first, unless it quotes what the worker could not begin with."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    return lines[-1 if getattr(error, "actor_init_failed", False) else 0].rstrip(".")


def _write(path: Path, content: bytes) -> None:
    """A chunk that came from another machine."""
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        new = temporary(path)
        try:
            new.write_bytes(content)
            os.replace(new, path)
        finally:
            new.unlink(missing_ok=True)
