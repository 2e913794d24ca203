"""What a full solution would cost on a cluster: the model, from what was counted, measured and projected.

    core-seconds of an iteration    numbers * seconds per number
    time of an iteration            trunk + max(work / (cores * efficiency), disks, crossing the border, network)
    core-years                      (iterations * iteration + best responses * best response) / year
    disk                            numbers * bytes per number at the peak, and the values of both passes
    memory of a node                cores * buffers of a core
    memory of the driver            regrets and average of the trunk, and what an evaluation needs at the border
    network of an iteration         reach to the subgames and values back, for both passes
    money                           cores * hours that they are rented * price

Numbers are counted (errai.games.sizes), seconds and bytes per number are measured on this machine
(errai.scale.measuring), and iterations are projected from recorded runs (errai.scale.records).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from errai.engine.memory import BYTES_OF_A_BOARD, BYTES_OF_A_HAND_CLASS, format_bytes
from errai.games.sizes import game_sizes
from errai.scale.division import Division
from errai.scale.measuring import Measurement
from errai.scale.records import CEPHEUS, Cepheus, Projection, projection

HOURS_OF_A_YEAR = 8766
EFFICIENCY = 0.9  # share of the cores' time that they work on subgames: assumed
RESPONSES = 8  # best responses of a run: assumed
REACH, VALUE = 4, 4  # bytes of what crosses the border in a pass
HOLDEM = 13_803_249_787_132  # information sets of the game that Cepheus solved


@dataclass(frozen=True)
class Cluster:
    """Machines for rent."""

    nodes: int = 10
    cores: int = 64  # of a node
    disk: int = 2 * 10**12  # bytes of a node
    memory: int = 256 * 10**9  # bytes of a node
    price: float = 0.03  # of a core for an hour
    disk_speed: float = 2.0  # GB/s of a node, read and written together
    network: float | None = None  # Gbit/s of the driver, each way; never waited for, if nothing is said

    @property
    def all_cores(self) -> int:
        return self.nodes * self.cores


@dataclass(frozen=True)
class Counts:
    """The sizes of a whole game that is divided."""

    game: str
    information_sets: int
    numbers: int  # of a store of all subgames
    border: int  # hands x contexts of all boards of the border
    boards: int  # of the border
    trunk: int  # numbers of a store of the trunk
    trunk_width: int  # numbers of reach, values and leaves of the trunk
    trunk_tables: int  # bytes of its boards and hands

    @property
    def driver_bytes(self) -> int:
        """Regrets and average in float32, tables, and three passes in double precision when it is evaluated."""
        passes = max(4 * (self.trunk_width + self.border), 3 * 8 * (self.trunk_width + self.border))
        return 2 * 4 * self.trunk + self.trunk_tables + passes

    @property
    def values_bytes(self) -> int:
        """Values that chunks hold, of both passes."""
        return 2 * VALUE * self.border

    @property
    def network_bytes(self) -> int:
        """Of one iteration, both ways together."""
        return 2 * (REACH + VALUE) * self.border


def counts(division: Division) -> Counts:
    """Of the whole game, by counting; the division may be that of a few flops."""
    game, level = division.spot.game, division.level
    sizes = game_sizes(game)
    templates, contexts, betting = division.templates, division.contexts, division.trunk.betting
    hands = [sizes[max(template.round, 0)].hands for template in templates]
    numbers = [template.rows * K * H for template, K, H in zip(templates, contexts, hands, strict=True)]
    width = sum(
        hands[above]
        * contexts[above]
        * (2 * int(betting.sequences[above].max()) + int(betting.leaves[above]))
        for above in range(level)
    )
    boards = [sizes[max(template.round, 0)].boards for template in templates[: level + 1]]
    return Counts(
        game=game.name,
        information_sets=sum(size.information_sets for size in sizes),
        numbers=sum(numbers[level:]),
        border=hands[level] * contexts[level],
        boards=boards[level],
        trunk=sum(numbers[:level]),
        trunk_width=width,
        trunk_tables=BYTES_OF_A_HAND_CLASS * sum(hands[: level + 1]) + BYTES_OF_A_BOARD * sum(boards),
    )


@dataclass(frozen=True)
class Cost:
    """Of a run with so many iterations."""

    iterations: int
    core_years: float  # of work
    days: float
    money: float


@dataclass(frozen=True)
class Duration:
    """Seconds of an iteration or a best response, by who is busy; all but the trunk at the same time."""

    trunk: float  # the driver, before and after the subgames
    cores: float
    disks: float
    border: float  # the driver, giving reach and taking values
    network: float

    @property
    def total(self) -> float:
        return self.trunk + max(self.cores, self.disks, self.border, self.network)

    @property
    def waits_for(self) -> str:
        """Who takes longest."""
        return max(("cores", "disks", "border", "network"), key=lambda name: float(getattr(self, name)))


@dataclass(frozen=True)
class Plan:
    """What a solution to a target would cost."""

    cluster: Cluster
    counts: Counts
    measurement: Measurement
    projection: Projection

    @property
    def likely(self) -> Cost:
        return self.cost(self.projection.likely)

    @property
    def low(self) -> Cost:
        return self.cost(self.projection.low)

    @property
    def high(self) -> Cost:
        return self.cost(self.projection.high)

    def cost(self, iterations: int) -> Cost:
        """Of so many iterations and the best responses between them."""
        counted, measured = self.counts, self.measurement
        per_pass = counted.border * (measured.trunk + measured.border)
        work = iterations * (counted.numbers * measured.mean("seconds") + 2 * per_pass)
        work += RESPONSES * (counted.numbers * measured.mean("response") + 3 * per_pass)
        seconds = iterations * self.iteration.total + RESPONSES * self.response.total
        hours = seconds / 3600
        return Cost(
            iterations,
            work / 3600 / HOURS_OF_A_YEAR,
            hours / 24,
            hours * self.cluster.all_cores * self.cluster.price,
        )

    @property
    def iteration(self) -> Duration:
        """On that cluster: two passes."""
        measured = self.measurement
        moved = measured.mean("read") + measured.mean("written")
        return self._duration(measured.mean("seconds"), moved, 2, REACH)

    @property
    def response(self) -> Duration:
        """On that cluster: three passes in double precision, which read every chunk once."""
        measured = self.measurement
        return self._duration(measured.mean("response"), measured.mean("stored"), 3, 2 * REACH)

    def _duration(self, per_number: float, moved: float, passes: int, crossing: int) -> Duration:
        cluster, numbers, border = self.cluster, self.counts.numbers, self.counts.border
        link = 0.0 if cluster.network is None else passes * crossing * border * 8 / (cluster.network * 1e9)
        return Duration(
            trunk=passes * border * self.measurement.trunk,
            cores=numbers * per_number / (cluster.all_cores * EFFICIENCY),
            disks=numbers * moved / (cluster.nodes * cluster.disk_speed * 1e9),
            border=passes * border * self.measurement.border,
            network=link,
        )

    @property
    def core_hours(self) -> float:
        """Of the work of one iteration."""
        return self.counts.numbers * self.measurement.mean("seconds") / 3600

    @property
    def disk_bytes(self) -> int:
        """Of all nodes."""
        return round(self.counts.numbers * self.measurement.mean("peak")) + self.counts.values_bytes

    @property
    def disk_error(self) -> float | None:
        """The standard error of it."""
        error = self.measurement.error("peak")
        return None if error is None else self.counts.numbers * error

    @property
    def node_disk_bytes(self) -> int:
        return -(-self.disk_bytes // self.cluster.nodes)

    @property
    def moved_bytes(self) -> int:
        """From and to the disk of one node in an iteration."""
        moved = self.measurement.mean("read") + self.measurement.mean("written")
        return round(self.counts.numbers * moved / self.cluster.nodes)

    @property
    def memory_bytes(self) -> int:
        """Of one node."""
        return self.cluster.cores * self.measurement.buffers

    @property
    def problems(self) -> list[str]:
        """What does not fit, each in one line."""
        found, cluster = [], self.cluster
        if self.node_disk_bytes > cluster.disk:
            wanted, room = format_bytes(self.node_disk_bytes), format_bytes(cluster.disk)
            nodes = -(-self.disk_bytes // cluster.disk)
            found.append(f"{wanted} of disk per node, and {room} are there: {nodes:,} nodes would do")
        with_driver = self.memory_bytes + self.counts.driver_bytes
        if with_driver > cluster.memory:
            wanted, room = format_bytes(with_driver), format_bytes(cluster.memory)
            found.append(f"{wanted} of memory on the node with the driver, and {room} are there")
        return found

    @property
    def fits(self) -> bool:
        return not self.problems

    @property
    def cepheus(self) -> Cepheus | None:
        """What the same game took before, if it did."""
        return CEPHEUS if self.counts.information_sets == HOLDEM else None

    def to_json(self) -> dict[str, Any]:
        """One object; bytes, days and seconds are numbers."""
        likely, low, high = self.likely, self.low, self.high
        cluster, counted, projected = self.cluster, self.counts, self.projection
        return {
            "game": counted.game,
            "target": projected.target,
            "iterations": likely.iterations,
            "core_years": likely.core_years,
            "days": likely.days,
            "disk_bytes": self.disk_bytes,
            "disk_bytes_per_node": self.node_disk_bytes,
            "memory_bytes": self.memory_bytes,
            "driver_bytes": counted.driver_bytes,
            "network_bytes": counted.network_bytes,
            "money": likely.money,
            "fits": self.fits,
            "problems": self.problems,
            "cluster": {
                "nodes": cluster.nodes,
                "cores": cluster.cores,
                "disk_bytes": cluster.disk,
                "memory_bytes": cluster.memory,
                "price": cluster.price,
                "disk_speed": cluster.disk_speed,
                "network": cluster.network,
            },
            "counted": {
                "information_sets": counted.information_sets,
                "numbers": counted.numbers,
                "boards": counted.boards,
                "border": counted.border,
                "trunk_numbers": counted.trunk,
            },
            "measured": self._measured_json(),
            "extrapolated": {
                "iterations": {
                    what: {"iterations": count, "reached": reached}
                    for what, count, reached in projected.by_record
                },
                "low": vars(low),
                "high": vars(high),
                "iteration_core_hours": self.core_hours,
                "iteration_seconds": {**vars(self.iteration), "total": self.iteration.total},
                "response_seconds": {**vars(self.response), "total": self.response.total},
                "disk_error_bytes": self.disk_error,
                "disk_traffic_bytes_per_node": self.moved_bytes,
                "assumed": {"efficiency": EFFICIENCY, "best_responses": RESPONSES},
            },
            "cepheus": None if self.cepheus is None else vars(self.cepheus),
        }

    def _measured_json(self) -> dict[str, Any]:
        measured = self.measurement
        names = ("seconds", "kernel", "response", "stored", "peak", "read", "written")
        return {
            "method": measured.method,
            "strategy": measured.strategy,
            "reach": measured.reach,
            "flops": measured.flops,
            "whole": measured.whole,
            "elapsed_seconds": measured.seconds,
            "per_number": {
                name: {"mean": measured.mean(name), "standard_error": measured.error(name)} for name in names
            },
            "trunk_seconds_per_border_number": measured.trunk,
            "border_seconds_per_border_number": measured.border,
            "samples": [vars(sample) for sample in measured.samples],
        }


def planned(division: Division, measurement: Measurement, cluster: Cluster, target: float) -> Plan:
    """A plan for the game of a division."""
    counted = counts(division)
    of_holdem = counted.information_sets == HOLDEM
    projected = projection(counted.game, target, measurement.strategy, of_holdem=of_holdem)
    return Plan(cluster, counted, measurement, projected)
