"""A connection to Ray: one that is started on this machine, or a cluster that is there.

    local:4             a Ray of this process with four workers, which ends with it
    auto                the cluster that this machine belongs to, after `ray start`
    host:6379           a cluster by the address of its head
    ray://host:10001    the same, from a machine outside

Ray is quiet: it prints nothing, sends no statistics and leaves the signals of this process alone.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errai.errors import ErraiError

LOCAL = "local:"
MOST_LOCAL = 1024  # workers on this machine
OBJECT_STORE = 200_000_000  # bytes for what is under way
CONNECT_SECONDS = 5.0  # to reach the port of an address
_ADDRESS = re.compile(r"(?:ray://)?(?P<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>[0-9]{1,5})")
_FORMS = "give local:N, auto, HOST:PORT or ray://HOST:PORT"
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "0",
    "NUMBA_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True)
class Node:
    """A machine of a cluster."""

    id: str
    name: str
    cpus: int
    memory: int  # bytes that Ray may give away
    alive: bool


class Session:
    """Ray while it is connected; `close` ends what was begun here and nothing else."""

    def __init__(self, cluster: str, object_store: int = OBJECT_STORE) -> None:
        self.workers = _local_workers(cluster)  # 0 for as many as the cluster has CPUs
        self.ray: Any = _ray()
        self._folder: Path | None = None
        self._print: Any = None
        self._ours = not self.ray.is_initialized()
        if self._ours:
            if not self.workers:
                _require_reachable(cluster)
            self._silence()
            with _own_signals(), _quiet_environment(bool(self.workers)):
                self._connect(cluster, max(object_store, OBJECT_STORE))
        elif self.workers:
            raise ErraiError("Ray runs in this process already: give auto to use it", parameter="cluster")

    def nodes(self) -> list[Node]:
        """All machines that the cluster has known."""
        return sorted(
            (
                Node(
                    node["NodeID"],
                    node["NodeManagerHostname"],
                    int(node["Resources"].get("CPU", 0)),
                    int(node["Resources"].get("memory", 0)),
                    bool(node["Alive"]),
                )
                for node in self.ray.nodes()
            ),
            key=lambda node: (node.name, node.id),
        )

    def on_node(self, node: str) -> Any:
        """How Ray is told to run something on a node and nowhere else."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        return NodeAffinitySchedulingStrategy(node, soft=False)

    def close(self) -> None:
        """Disconnect; a Ray that was started here ends."""
        if self._ours:
            self._ours = False
            with _own_signals():
                self.ray.shutdown()
            if self._print is not None:
                self.ray._private.worker.print_to_stdstream = self._print
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _silence(self) -> None:
        """Ray has no option against printing on standard output that a worker died, which is said here already."""
        inside: Any = getattr(getattr(self.ray, "_private", None), "worker", None)
        if hasattr(inside, "print_to_stdstream"):
            self._print, inside.print_to_stdstream = inside.print_to_stdstream, _print_nothing

    def _connect(self, cluster: str, object_store: int) -> None:
        options: dict[str, Any] = {"address": cluster}
        if self.workers:
            # Ray puts sockets there, whose names must be short.
            short = "/tmp" if os.access("/tmp", os.W_OK) else None
            self._folder = Path(tempfile.mkdtemp(prefix="errai-", dir=short))
            options = {
                "address": "local",
                "num_cpus": self.workers,
                "num_gpus": 0,
                "include_dashboard": False,
                "object_store_memory": object_store,
                "_temp_dir": str(self._folder),
            }
        try:
            self.ray.init(logging_level=logging.ERROR, log_to_driver=False, **options)
        except Exception as error:
            self.close()
            reason = str(error).strip().splitlines() or [type(error).__name__]
            if cluster == "auto" and isinstance(error, ConnectionError):
                reason = ["none runs on this machine; start one with ray start, or give its address"]
            raise ErraiError(f"cannot use the cluster {cluster}: {reason[0]}", parameter="cluster") from error


def _print_nothing(*given: Any, **named: Any) -> None:
    """In the place of Ray's own."""


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise ErraiError(
            "a cluster needs Ray: install it with pip install 'errai[cluster]'", parameter="cluster"
        ) from None
    return ray


def _local_workers(cluster: str) -> int:
    """N of local:N, 0 for an address; anything else is refused."""
    if cluster.startswith(LOCAL):
        count = cluster[len(LOCAL) :]
        if not re.fullmatch(r"[0-9]{1,4}", count) or not 1 <= int(count) <= MOST_LOCAL:
            raise ErraiError(
                f"cluster must be local:N with 1 to {MOST_LOCAL:,} workers, not {cluster!r}",
                parameter="cluster",
            )
        return int(count)
    if cluster != "auto" and not _ADDRESS.fullmatch(cluster):
        raise ErraiError(f"cluster {cluster!r} is no address: {_FORMS}", parameter="cluster")
    return 0


def _require_reachable(cluster: str) -> None:
    """Refuse an address where nobody listens at once; Ray itself would try for minutes."""
    if cluster == "auto":
        cluster = os.environ.get("RAY_ADDRESS", cluster)
    found = _ADDRESS.fullmatch(cluster)
    if found is None:
        return
    try:
        where = (found["host"].strip("[]"), int(found["port"]))
        socket.create_connection(where, timeout=CONNECT_SECONDS).close()
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ErraiError(
            f"no cluster answers at {cluster}: {reason}; start one with ray start", parameter="cluster"
        ) from None


@contextmanager
def _own_signals() -> Iterator[None]:
    """Ray takes SIGTERM for itself; here the handlers stay what they were."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            with suppress(
                ValueError
            ):  # in another thread than the main one, where Ray changes nothing either
                signal.signal(number, handler)


@contextmanager
def _quiet_environment(local: bool) -> Iterator[None]:
    """What Ray and the workers of this machine inherit."""
    before = {name: os.environ.get(name) for name in _QUIET}
    for name, value in _QUIET.items():
        if local or name.startswith("RAY_"):
            os.environ.setdefault(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            if old is None:
                os.environ.pop(name, None)
