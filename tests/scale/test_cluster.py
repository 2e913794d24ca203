"""A cluster finds what threads find, whatever happens to its workers."""

import json
import os
import signal
import sys
import time
import warnings
from pathlib import Path

import pytest

from errai.engine.settings import Settings
from errai.errors import ErraiError
from errai.runs.run import Run
from errai.scale import cluster
from errai.scale.checkpoint import CHUNKS, Where, load, prepare_divided
from errai.scale.chunk import chunk_path
from errai.scale.cluster_session import Session
from errai.scale.solver import DividedSolver
from tests.cli.command import errai
from tests.monitors import Recorder, StopAfter
from tests.scale.games import bits, cut, spot_of

pytest.importorskip("ray")

GAME, ITERATIONS = "rhode-island", 2
STORED = ("trunk_regret", "trunk_average")


def prepared(folder: Path | None, where: str | None, monitor=None, memory=None) -> DividedSolver:
    settings = Settings(method="sdcfr+", iterations=ITERATIONS, precision="int16", threads=2)
    return prepare_divided(spot_of(GAME), settings, None, Where(folder, memory, where), monitor or Recorder())


def found(solver: DividedSolver, folder: Path) -> dict[str, bytes]:
    """The trunk and all chunks as they are on the disk, and what was measured."""
    trunk = {name: array.tobytes() for name, array in solver.state().items()}
    chunks = {
        str(path.relative_to(folder)): path.read_bytes() for path in (folder / CHUNKS).rglob("[0-9]*.[01]")
    }
    measured = [(point.iteration, point.exploitability_mbb, point.value) for point in solver.history]
    return {**trunk, **chunks, "history": repr(measured).encode()}


def solve(folder: Path, where: str | None) -> dict[str, bytes]:
    solver = prepared(folder, where)
    try:
        assert solver.run()
    finally:
        solver.close()
    return found(solver, folder)


@pytest.fixture(scope="module")
def reference(tmp_path_factory) -> dict[str, bytes]:
    """By threads, on a disk."""
    return solve(tmp_path_factory.mktemp("threads"), None)


@pytest.fixture(scope="module")
def session():
    """A Ray with two workers, which solvers of cluster "auto" share: they are in the process that started it."""
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = Session("local:2")
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers
    yield session
    session.close()


def during(solver: DividedSolver, number: int, result: int, act) -> None:
    """Have something done in pass `number`, when so many of its results are out."""
    update = solver.crew.update

    def watched(order, reach):
        for count, values in enumerate(update(order, reach), start=1):
            if order.number == number and count == result:
                act()
            yield values

    solver.crew.update = watched


def kill(solver: DividedSolver, number: int) -> None:
    pid = solver.crew.workers()[number].pid
    os.kill(pid, signal.SIGKILL)
    while Path(f"/proc/{pid}").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
        time.sleep(0.01)


def test_one_worker_of_its_own_ray_finds_what_threads_find(tmp_path, reference):
    assert solve(tmp_path, "local:1") == reference
    in_memory = prepared(None, None)
    assert in_memory.run()
    held = bits(in_memory)
    assert all(held[name] == reference[name] for name in STORED)


def test_two_workers_find_what_threads_find(tmp_path, reference, session, capsys, monkeypatch):
    solver = prepared(tmp_path, "auto")
    assert solver.run()
    assert found(solver, tmp_path) == reference

    workers = solver.crew.workers()
    assert [worker.subgames for worker in workers] == [4, 3]
    assert sum(worker.done for worker in workers) == (2 * ITERATIONS + len(solver.history)) * 7
    assert all(worker.mean_seconds > 0 and worker.replaced == 0 for worker in workers)
    moved = solver.crew.traffic()
    assert moved.written > sum(path.stat().st_size for path in (tmp_path / CHUNKS).rglob("[0-9]*.[01]"))

    chunks = {path.relative_to(tmp_path / CHUNKS): path for path in (tmp_path / CHUNKS).rglob("[0-9]*.[01]")}
    solver.crew.save(tmp_path / "links", solver.passes)
    assert all((tmp_path / "links" / name).samefile(path) for name, path in chunks.items())
    monkeypatch.setattr(cluster, "pass_of", lambda *chunk: 0)  # as if the driver were on another machine
    solver.crew.save(tmp_path / "copies", solver.passes)
    assert all(
        (tmp_path / "copies" / name).read_bytes() == path.read_bytes() for name, path in chunks.items()
    )

    shown = errai(capsys, "cluster", "status", "--scratch", tmp_path)
    assert shown.code == 0
    assert f"iteration {ITERATIONS}, pass {2 * ITERATIONS}" in shown.out
    assert "worker 0" in shown.out
    assert "worker 1" in shown.out
    solver.close()
    told = json.loads(errai(capsys, "cluster", "status", "--scratch", tmp_path, "--json").out)["solve"]
    assert told["status"]["state"] == "ended"
    assert told["committed"]["measured"]["exploitability_mbb"] == solver.history[-1].exploitability_mbb
    assert len(told["status"]["workers"]) == 2


def test_workers_that_are_killed_are_replaced(tmp_path, reference, session, capsys):
    """One in the middle of a pass; one when its values are out, but a chunk of it is not yet on the disk."""
    monitor = Recorder()
    solver = prepared(tmp_path, "auto", monitor)
    before = {}

    def remember():
        before.update({path: path.read_bytes() for path in (tmp_path / CHUNKS).rglob("[0-9]*.1")})

    def lose():
        worker = next(worker for worker in solver.crew._workers if worker.unsafe)
        kill(solver, worker.number)
        path = chunk_path(tmp_path / CHUNKS, worker.unsafe[0], 1)
        path.write_bytes(before[path])

    during(solver, 2, 2, lambda: kill(solver, 1))
    during(solver, 2, 7, remember)
    during(solver, 3, 1, lose)
    assert solver.run()
    assert found(solver, tmp_path) == reference
    assert sum(worker.replaced for worker in solver.crew.workers()) == 2
    assert any("worker 1 on" in line and "is replaced" in line for line in monitor.warnings)
    solver.close()
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("game", ["rhode-island", "holdem-2-4"])
def test_any_number_of_workers_finds_what_memory_holds(tmp_path, game, workers):
    """Roots of 8 bits in holdem-2-4, 16-bit fixed point in Rhode Island; in memory, on a disk, on Ray."""
    settings = Settings(method="sdcfr+", iterations=3, precision="int16", threads=2)
    places = {"memory": Where(), "disk": Where(tmp_path / "disk")}
    places["workers"] = Where(tmp_path / "workers", None, f"local:{workers}")
    held = {}
    for name, where in places.items():
        solver = prepare_divided(spot_of(game), settings, None, where, Recorder())
        assert solver.run()
        solver.close()
        measured = [(point.iteration, point.exploitability_mbb) for point in solver.history]
        held[name] = bits(solver, where.scratch), measured
    assert held["disk"] == held["memory"]
    assert held["workers"] == held["memory"]


@pytest.mark.slow
def test_a_worker_that_hangs_is_replaced(tmp_path, reference, session, monkeypatch):
    monkeypatch.setenv(cluster.PATIENCE_VARIABLE, "20")
    solver = prepared(tmp_path, "auto")
    during(solver, 2, 1, lambda: os.kill(solver.crew.workers()[0].pid, signal.SIGSTOP))
    assert solver.run()
    assert found(solver, tmp_path) == reference
    assert solver.crew.workers()[0].replaced >= 1
    solver.close()


@pytest.mark.slow
def test_a_stopped_pass_is_resumed_by_threads(tmp_path, reference, session):
    solver = prepared(tmp_path, "auto")
    assert not solver.run(Run(monitor=StopAfter(12)))
    solver.close()
    assert 0 < solver.passes < 2 * ITERATIONS
    resumed = load(tmp_path, Where(scratch=tmp_path))
    assert resumed.run()
    resumed.close()
    now = found(resumed, tmp_path)
    assert all(now[name] == reference[name] for name in reference if name != "history")


def test_what_goes_wrong_in_a_worker_is_said_as_it_was_there(tmp_path, session):
    solver = prepared(tmp_path, "auto", memory=500_000_000)  # too little to hold what has been read once
    path = chunk_path(tmp_path / CHUNKS, 3, 1)
    during(solver, 2, 1, lambda: path.write_bytes(path.read_bytes()[:-40]))
    with pytest.raises(ErraiError, match="is damaged") as raised:
        solver.run()
    assert type(raised.value) is ErraiError
    assert str(path) in str(raised.value)
    solver.close()


@pytest.mark.slow
def test_workers_that_fail_again_and_again_are_given_up(tmp_path, session, monkeypatch):
    monkeypatch.setattr(cluster, "MOST_FAILURES", 1)
    solver = prepared(tmp_path, "auto")
    during(solver, 1, 1, lambda: kill(solver, 0))
    with pytest.raises(ErraiError, match="workers have failed 1 times and no subgame was finished"):
        solver.run()
    solver.close()


def test_workers_with_another_division_are_refused(tmp_path, session):
    with cut(200_000), pytest.raises(ErraiError, match="install the same version of Errai"):
        prepared(tmp_path, "auto")


@pytest.mark.parametrize(
    "where",
    [
        "",
        "local",
        "local:",
        "local:0",
        "local:-1",
        "local:x",
        "local:9999",
        "one two",
        "host",
        "ray://",
        ":6379",
    ],
)
def test_what_is_no_cluster_is_refused(tmp_path, where):
    with pytest.raises(ErraiError) as raised:
        prepared(tmp_path, where)
    assert raised.value.parameter == "cluster"
    assert "local:N" in str(raised.value)


@pytest.mark.parametrize("where", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_where_nobody_answers_that_is_said_at_once(tmp_path, where, capsys, monkeypatch):
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    began = time.monotonic()
    with pytest.raises(ErraiError, match=f"no cluster answers at {where}"):
        prepared(tmp_path, where)
    refused = errai(capsys, "cluster", "status", where)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert time.monotonic() - began < 10


def test_without_ray_it_is_said_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ErraiError, match=r"pip install 'errai\[cluster\]'"):
        prepared(tmp_path, "local:1")


def test_the_status_of_a_folder_without_a_solve_is_refused(tmp_path, capsys):
    for folder in (tmp_path, tmp_path / "nowhere"):
        refused = errai(capsys, "cluster", "status", "--scratch", folder)
        assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
