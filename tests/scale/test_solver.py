"""Solvers of divided games: the same bits in memory and on a disk, whatever happens on the way."""

import json
import os
import signal
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from errai.engine.checkpoint import has_checkpoint
from errai.engine.settings import Settings
from errai.engine.solver import prepare
from errai.errors import ErraiError
from errai.files.seal import sealed
from errai.runs.run import Run
from errai.scale import stores
from errai.scale.checkpoint import CHUNKS, Where, is_divided, load, prepare_divided, save
from errai.scale.chunk import chunk_path
from errai.scale.codes import new_weights
from errai.scale.solver import DividedSolver
from tests.hostile.disk import FullDisk
from tests.monitors import Recorder, StopAfter
from tests.scale.games import (
    COARSE,
    FINE,
    THREE_ROUNDS,
    TWO_CARDS,
    bits,
    cut,
    divided,
    holding,
    solved,
    spot_of,
    turn_endgame,
    whole_game,
)
from tests.scale.kills import Case, child, found, killed, work

SMALL = ["leduc", "two rounds", "three rounds", "two cards"]
THREE = whole_game(THREE_ROUNDS)


@cache
def undisturbed(iterations=4) -> dict[str, bytes]:
    """What comes out where nothing happens."""
    return bits(solved(THREE, None, iterations=iterations))


def loaded(folder, numbers=FINE, room=0, **changes) -> DividedSolver:
    with cut(numbers):
        return holding(load(folder, Where(scratch=folder), **changes), room)


def resumed(folder, numbers=FINE, **changes) -> DividedSolver:
    """Loaded, and run to its end."""
    solver = loaded(folder, numbers, **changes)
    try:
        assert solver.run()
    finally:
        solver.close()
    return solver


# Memory and disk, threads


@pytest.mark.parametrize("numbers", [FINE, COARSE])
@pytest.mark.parametrize("name", SMALL)
def test_on_a_disk_the_bits_are_those_in_memory(tmp_path, name, numbers):
    memory = solved(spot_of(name), None, numbers, threads=1)
    disk = solved(spot_of(name), tmp_path, numbers)
    assert bits(disk, tmp_path) == bits(memory)
    assert disk.evaluation == memory.evaluation
    assert [replace(point, seconds=0) for point in disk.history] == [
        replace(point, seconds=0) for point in memory.history
    ]


def test_rhode_island_on_a_disk_has_the_bits_of_memory(tmp_path):
    spot = spot_of("rhode-island")
    memory, disk = solved(spot, None, None), solved(spot, tmp_path, None)
    assert len(memory.division.subgames) > 1
    assert bits(disk, tmp_path) == bits(memory)
    assert disk.evaluation == memory.evaluation


@pytest.mark.slow
def test_a_game_of_four_rounds_on_a_disk(tmp_path):
    spot = spot_of("four rounds")
    memory, disk = solved(spot, None, FINE), solved(spot, tmp_path, FINE)
    assert bits(disk, tmp_path) == bits(memory)


def test_threads_make_no_difference_at_all(tmp_path):
    runs = [solved(THREE, None, threads=threads) for threads in (1, 2, 3)]
    runs += [solved(THREE, tmp_path / str(threads), threads=threads) for threads in (1, 2, 3)]
    known = bits(runs[0])
    for run in runs[:3]:
        assert bits(run) == known
    for threads, run in zip((1, 2, 3), runs[3:], strict=True):
        assert bits(run, tmp_path / str(threads)) == known
        assert run.evaluation == runs[0].evaluation


@pytest.mark.parametrize(
    "settings",
    [
        {"method": "cfr+", "strategy": "current"},
        {"method": "cfr+", "delay": 2},
        {"method": "dcfr"},
        {"method": "cfr", "isomorphism": False},
        {"method": "linear"},
        {"method": "hs-dcfr"},
    ],
    ids=str,
)
def test_every_rule_has_the_same_bits_on_a_disk(tmp_path, settings):
    """Those without a floor have regrets below zero, and a current strategy has no average."""
    memory = solved(whole_game(TWO_CARDS), None, **settings)
    disk = solved(whole_game(TWO_CARDS), tmp_path, **settings)
    assert bits(disk, tmp_path) == bits(memory)
    assert (memory.average is None) == (settings.get("strategy") == "current")


def test_ranges_and_flops(tmp_path):
    memory, disk = solved(turn_endgame(), None, None), solved(turn_endgame(), tmp_path / "turn", None)
    assert bits(disk, tmp_path / "turn") == bits(memory)
    some = {"flops": ((0,), (3,))}
    memory, disk = solved(THREE, None, **some), solved(THREE, tmp_path / "flops", **some)
    assert bits(disk, tmp_path / "flops") == bits(memory)
    assert bits(memory) != undisturbed()


# Subgames that stay in memory as well

ROOMS = {"some": 10_000, "all": 10**9}  # bytes


@pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS)
def test_subgames_that_stay_in_memory_have_the_same_bits(tmp_path, room):
    disk = solved(THREE, tmp_path, room=room)
    assert bits(disk, tmp_path) == undisturbed()
    assert disk.evaluation == solved(THREE, None).evaluation
    held = disk.crew.store._held
    assert 0 < sum(one.size for one in held.values()) <= room
    assert (len(held) == len(disk.division.subgames)) == (room == ROOMS["all"])
    assert (disk.crew.traffic().read == 0) == (room == ROOMS["all"])


@pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS)
def test_what_stayed_in_memory_is_on_the_disk_when_it_is_resumed(tmp_path, room):
    stopped(tmp_path, 40, room=room)
    assert bits(resumed(tmp_path, room=room), tmp_path) == undisturbed()


def test_names_of_chunks_are_on_the_disk_before_a_pass_is_committed(tmp_path, monkeypatch):
    events = []
    monkeypatch.setattr(stores, "folder_to_disk", events.append)
    solver = divided(THREE, tmp_path, iterations=2)
    monkeypatch.setattr(solver, "commit", lambda: events.append("commit"))
    assert solver.run()
    solver.close()
    folders = sorted({file.parent for file in (tmp_path / CHUNKS).rglob("*.[01]")})
    assert folders
    start = 0
    for _ in range(4):  # passes of two iterations
        end = events.index("commit", start)
        assert sorted(events[start:end]) == folders
        start = end + 1


def test_room_of_a_subgame_that_cannot_be_written_is_given_back(tmp_path, monkeypatch):
    def full(chunk):
        raise ErraiError("cannot write it: no space left on device")

    monkeypatch.setattr(stores, "draft_chunk", full)
    solver = divided(THREE, tmp_path, room=10**9, threads=1)
    with pytest.raises(ErraiError, match="no space left"):
        solver.run()
    solver.close()
    assert solver.crew.store.room == 10**9


def test_what_others_have_worked_on_is_read_again(tmp_path):
    """A store that holds a subgame of an earlier pass uses it neither for a pass nor for a best response."""
    mine = divided(THREE, tmp_path, room=10**9, iterations=6)
    with mine.working() as work:
        work.iterate(mine.settings.rule.rates(1, 2, 6), 1)
        mine.iteration = 2
        mine.commit()
        theirs = loaded(tmp_path, iterations=2)
        theirs.run()
        theirs.close()
        mine.iteration, mine.passes = theirs.iteration, theirs.passes
        mine.regret[:], mine.average[:] = theirs.regret, theirs.average
        assert work.evaluate() == theirs.evaluation
        work.iterate(mine.settings.rule.rates(5, 2, 6), 5)
    mine.close()
    assert bits(mine, tmp_path) == undisturbed(6)


def test_where_others_have_done_the_last_pass_alone_their_chunk_is_read(tmp_path):
    solver = divided(THREE, tmp_path, room=10**9, iterations=2)
    with solver.working() as work:
        work.iterate(solver.settings.rule.rates(1, 2, 2), 1)
        found, held = work.evaluate(), solver.crew.store._held
        for subgame in solver.division.subgames:
            empty = new_weights(solver.division.layout(subgame), solver.grids)
            held[subgame.number] = held[subgame.number]._replace(weights=empty, passes=3)
        assert work.evaluate() == found
    solver.close()


# The engine


@pytest.mark.parametrize(
    ("name", "numbers", "iterations", "mbb"),
    [
        (
            "leduc",
            100,
            100,
            30,
        ),  # codes are made for games with many hands; where there are three, noise is left
        ("three rounds", FINE, 100, 10),
        ("turn endgame", None, 100, 3),
        ("rhode-island", None, 30, 6),
    ],
)
def test_exploitability_is_that_of_32_bits_within_some_milli_big_blinds(name, numbers, iterations, mbb):
    spot = spot_of(name)
    coded = solved(spot, None, numbers, iterations=iterations)
    exact = prepare(spot, Settings(method="sdcfr+", iterations=iterations, threads=1))
    exact.run()
    assert coded.evaluation.exploitability_mbb == pytest.approx(exact.evaluation.exploitability_mbb, abs=mbb)
    assert coded.evaluation.value[0] == pytest.approx(
        exact.evaluation.value[0], abs=mbb / 1000 * spot.game.unit
    )
    assert coded.division.information_sets == exact.layout.shape.information_sets
    assert [point.iteration for point in coded.history] == [point.iteration for point in exact.history]


def test_a_target_is_proven_by_a_best_response():
    run = solved(THREE, None, iterations=None, target=60.0)
    assert run.converged
    assert run.evaluation.exploitability_mbb <= 60 < run.history[-2].exploitability_mbb


def test_what_subgames_do_not_offer_is_refused():
    with pytest.raises(ErraiError, match="methods with prediction need float32 or float64"):
        divided(THREE, None, method="pcfr+")
    with pytest.raises(ErraiError, match=r"the current strategy of sdcfr\+ is not kept"):
        divided(THREE, None, strategy="current")


def test_memory_is_announced_and_a_limit_is_respected(tmp_path):
    recorder = Recorder()
    spot = whole_game(THREE_ROUNDS)
    prepare_divided(spot, Settings(iterations=1), None, Where(), recorder).close()
    prepare_divided(spot, Settings(iterations=1), None, Where(tmp_path), recorder).close()
    assert "disk" not in recorder.lines[0]
    assert "; disk: about" in recorder.lines[1]
    with pytest.raises(ErraiError, match=r"three rounds needs .* of memory and 1.* were given; .*scratch"):
        prepare_divided(spot, Settings(iterations=1), None, Where(memory=1000))
    with pytest.raises(
        ErraiError, match=r"three rounds needs .* of memory and 1.* were given; use fewer threads"
    ):
        prepare_divided(spot, Settings(iterations=1), None, Where(tmp_path, memory=1000))


# Checkpoints


def test_four_iterations_and_four_more_are_eight(tmp_path):
    known = undisturbed(8)
    solved(THREE, tmp_path / "disk")
    more = resumed(tmp_path / "disk", iterations=4)
    assert more.iteration == 8
    assert bits(more, tmp_path / "disk") == known
    memory = solved(THREE, None)
    save(tmp_path / "memory", memory)
    more = resumed(tmp_path / "memory", iterations=4)
    assert bits(more) == known


def test_a_solver_comes_back_with_all_it_knew(tmp_path):
    solver = solved(THREE, tmp_path, iterations=12, flops=((0,), (3,)))
    again = loaded(tmp_path)
    again.close()
    assert is_divided(tmp_path)
    assert again.settings == solver.settings
    assert again.history == solver.history
    assert again.evaluation == solver.evaluation
    assert again.division.flops == ((0,), (3,))
    assert (again.iteration, again.passes) == (12, 24)
    assert bits(again, tmp_path) == bits(solver, tmp_path)


def test_a_checkpoint_of_another_division_is_refused(tmp_path):
    solved(THREE, tmp_path)
    with pytest.raises(ErraiError, match="was saved with another order of hands and boards"):
        loaded(tmp_path, COARSE)


@pytest.mark.parametrize(
    "division",
    [{}, None, [], {"passes": -1}, {"passes": "8"}, {"flops": [[99]]}, {"flops": 3}, {"fingerprint": None}],
    ids=str,
)
def test_a_damaged_manifest_is_refused(tmp_path, division):
    solved(THREE, tmp_path)
    path = tmp_path / "checkpoint" / "checkpoint.json"
    content = json.loads(path.read_text())
    changed = content["division"] | division if division else division
    path.write_text(json.dumps(sealed(content | {"division": changed})))
    with pytest.raises(ErraiError, match=r"^[^\n]*checkpoint.json [^\n]*$"):
        loaded(tmp_path)


# Stopped in the middle of a pass


def stopped(folder, asked, **settings) -> DividedSolver:
    """A solver on a disk that is told to stop when it has asked so often."""
    solver = divided(THREE, folder, **settings)
    try:
        assert not solver.run(Run(monitor=StopAfter(asked)))
    finally:
        solver.close()
    return solver


@pytest.mark.parametrize("asked", [0, 1, 5, 16, 17, 40, 100])
def test_what_was_stopped_in_the_middle_of_a_pass_ends_with_the_same_bits(tmp_path, asked):
    known = undisturbed()
    solver = stopped(tmp_path, asked)
    assert solver.passes < 8
    if has_checkpoint(tmp_path):
        assert bits(resumed(tmp_path), tmp_path) == known
    else:
        assert solver.passes == 0


@pytest.mark.parametrize("asked", [5, 40])
def test_a_checkpoint_after_a_stop_is_one_of_whole_passes(tmp_path, asked):
    """As users stop it: what has been done is saved once more."""
    known = undisturbed()
    save(tmp_path, stopped(tmp_path, asked))
    assert bits(resumed(tmp_path), tmp_path) == known


def test_a_solver_that_was_stopped_can_run_again(tmp_path):
    solver = divided(THREE, tmp_path)
    for asked in (5, 20, 40):
        assert not solver.run(Run(monitor=StopAfter(asked)))
    assert solver.run()
    solver.close()
    assert bits(solver, tmp_path) == undisturbed()


def test_stopped_again_and_again_it_ends_with_the_same_bits(tmp_path):
    known = solved(THREE, None, iterations=6)
    stopped(tmp_path, 20, iterations=6)
    times = 1
    while True:
        solver = loaded(tmp_path)
        finished = solver.run(Run(monitor=StopAfter(23)))
        solver.close()
        if finished:
            break
        times += 1
        assert times < 100
    assert times > 3
    assert bits(solver, tmp_path) == bits(known)
    assert solver.evaluation == known.evaluation


def test_a_best_response_that_is_stopped_costs_nothing(tmp_path):
    """Ten iterations are measured: so many questions later it is in the middle of a best response."""
    known = solved(THREE, None, iterations=12)
    in_iterations = divided(THREE, tmp_path / "count", iterations=10)
    counter = StopAfter(10**9)
    in_iterations.run(Run(monitor=counter))
    in_iterations.close()
    subgames = len(in_iterations.division.subgames)
    asked = 10**9 - counter.left - (subgames - 1) + 3  # the third subgame of the best response
    solver = stopped(tmp_path / "run", asked, iterations=12)
    assert solver.iteration == 10
    assert not solver.history
    again = resumed(tmp_path / "run")
    assert bits(again, tmp_path / "run") == bits(known)
    assert again.evaluation == known.evaluation


def test_in_memory_it_stops_between_two_iterations(tmp_path):
    solver = divided(THREE, None, iterations=8)
    assert not solver.run(Run(monitor=StopAfter(3)))
    assert (solver.iteration, solver.passes) == (3, 6)
    save(tmp_path, solver)
    solver.close()
    assert bits(resumed(tmp_path)) == undisturbed(8)


# Killed


def test_what_is_killed_three_times_ends_with_the_same_bits():
    row = killed(Case(iterations=6), times=3, seed=1)
    assert row.failures == []
    assert row.times == 3


@pytest.mark.parametrize("step", [1, 2, 17, 31, 50])
def test_killed_just_before_a_file_takes_its_place(tmp_path, step, monkeypatch):
    """Chunks and checkpoints are renamed; so often, and then it is killed."""
    case = Case(iterations=3, threads=1)
    work(case, tmp_path / "whole")
    left = step

    def before(rename):
        def renamed(*arguments, **options):
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return rename(*arguments, **options)

        return renamed

    with monkeypatch.context() as patched:
        patched.setattr("os.replace", before(os.replace))
        patched.setattr("os.rename", before(os.rename))
        assert child(case, tmp_path / "killed", None) == -signal.SIGKILL
    assert child(case, tmp_path / "killed", None) == 0
    assert found(case, tmp_path / "killed") == found(case, tmp_path / "whole")


@pytest.mark.slow
def test_rhode_island_is_killed_ten_times():
    row = killed(Case("rhode-island", None, 10), times=10, seed=2)
    assert row.failures == []
    assert row.times == 10


# Damage


def flip(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 0x10
    path.write_bytes(content)


@pytest.mark.parametrize("place", [3, 150, -1], ids=["header", "regrets", "values"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_damaged_chunk_is_named_and_never_used(tmp_path, place, seat):
    solved(THREE, tmp_path)
    path = chunk_path(tmp_path / CHUNKS, 6, seat)
    flip(path, place)
    solver = loaded(tmp_path, iterations=2)
    with pytest.raises(ErraiError, match=rf"^{path} is damaged: [^\n]*$"):
        solver.run()
    solver.close()
    again = loaded(tmp_path)
    again.close()
    # The values of seat 0 are not wanted before the next pass of seat 0, which is the second one.
    assert again.passes == (9 if (seat, place) == (0, -1) else 8)
    flip(path, place)
    again = resumed(tmp_path, iterations=2)
    assert bits(again, tmp_path) == undisturbed(6)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_missing_chunk_is_refused(tmp_path, seat):
    solved(THREE, tmp_path)
    path = chunk_path(tmp_path / CHUNKS, 6, seat)
    path.unlink()
    solver = loaded(tmp_path, iterations=2)
    with pytest.raises(ErraiError, match=rf"^{path} is missing where that of pass {8 - seat} is wanted"):
        solver.run()
    solver.close()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_chunk_of_an_older_pass_is_refused(tmp_path, seat):
    solved(THREE, tmp_path)
    path = chunk_path(tmp_path / CHUNKS, 6, seat)
    older = path.read_bytes()
    solver = resumed(tmp_path, iterations=1)
    assert solver.passes == 10
    path.write_bytes(older)
    solver = loaded(tmp_path, iterations=1)
    with pytest.raises(
        ErraiError, match=rf"^{path} is of pass {8 - seat} where that of pass {10 - seat} is wanted"
    ):
        solver.run()
    solver.close()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_chunk_that_is_missing_when_a_best_response_is_due_is_refused(tmp_path, seat):
    """It was killed after its last iteration, before the best response."""
    before_measuring(tmp_path)
    path = chunk_path(tmp_path / CHUNKS, 6, seat)
    path.unlink()
    solver = loaded(tmp_path)
    with pytest.raises(ErraiError, match=rf"^{path} is missing"):
        solver.run()
    solver.close()


def before_measuring(folder):
    """All iterations are done and committed, and no best response was made."""
    solver = divided(THREE, folder)
    subgames = len(solver.division.subgames)
    counter = StopAfter(10**9)
    solver.run(Run(monitor=counter))
    solver.close()
    manifest = folder / "checkpoint" / "checkpoint.json"
    content = json.loads(manifest.read_text())
    assert content["iteration"] == 4
    manifest.write_text(json.dumps(sealed(content | {"history": [], "evaluation": None})))
    assert subgames > 6


def test_a_best_response_after_a_kill_is_that_of_an_undisturbed_run(tmp_path):
    before_measuring(tmp_path)
    again = resumed(tmp_path)
    assert again.evaluation == solved(THREE, None).evaluation


# A full disk


@pytest.mark.parametrize("stays_full", [True, False])
@pytest.mark.parametrize("fails_at", [1, 9, 41, 43, 45, 47, 80])
def test_a_full_disk_is_said_in_a_line_and_costs_nothing(tmp_path, fails_at, stays_full):
    known = undisturbed()
    disk = FullDisk(tmp_path, fails_at, stays_full)
    said = ""
    with disk.full():
        try:
            solved(THREE, tmp_path, threads=1)
        except ErraiError as error:
            said = str(error)
    assert disk.failed
    if said or stays_full:  # one thing may fail that was not needed, such as a folder that is there
        assert said.startswith("cannot write ")
        assert "no space left on device" in said
    work(Case(iterations=4), tmp_path)
    again = loaded(tmp_path)
    again.close()
    assert bits(again, tmp_path) == known
    assert not list(tmp_path.rglob(".new.*"))


def test_nothing_is_left_of_a_kill_in_the_folder_of_chunks(tmp_path):
    case = Case(iterations=3)
    work(case, tmp_path)
    left = tmp_path / CHUNKS / "0000" / ".new.0123abcd.003.1"
    left.write_bytes(bytes(1000))
    work(case, tmp_path)
    assert not left.exists()


def test_numbers_written_and_read_are_counted(tmp_path):
    disk = solved(THREE, tmp_path)
    moved = disk.crew.traffic()
    sizes = sum(path.stat().st_size for path in (tmp_path / CHUNKS).rglob("*.[01]"))
    assert moved.written > sizes
    assert moved.read > sizes
    # Each pass writes the regrets of a seat and the average of the other: all numbers, in the mean of two passes.
    assert moved.numbers == 8 * disk.division.numbers
    assert moved.compression == pytest.approx(4 * moved.numbers / moved.written)
    assert np.isfinite(moved.compression)
