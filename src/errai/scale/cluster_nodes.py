"""The machines of a cluster, and what each of them has to offer now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from errai.errors import ErraiError
from errai.scale.cluster_session import LOCAL, Session
from errai.scale.cluster_worker import Machine, machine

ANSWER_SECONDS = 30.0  # for all machines to answer


@dataclass(frozen=True)
class NodeState:
    """A machine; memory and disk are None where it did not answer."""

    name: str
    alive: bool
    cpus: int
    memory: int | None  # bytes available
    disk: int | None  # bytes free, where the scratch folder is or would be
    trouble: str  # in words; empty if there is none


def node_states(cluster: str, scratch: Path | None) -> list[NodeState]:
    """All machines of the cluster at an address."""
    if cluster.startswith(LOCAL):
        raise ErraiError(f"{cluster} ends with its solve: give the address of a cluster", parameter="cluster")
    session = Session(cluster)
    try:
        ray = session.ray
        ask = ray.remote(num_cpus=0, max_retries=0)(machine)
        folder = Path.cwd() if scratch is None else scratch.absolute()
        nodes = session.nodes()
        asked = {
            node.id: ask.options(scheduling_strategy=session.on_node(node.id)).remote(folder)
            for node in nodes
            if node.alive
        }
        if asked:
            ray.wait(list(asked.values()), num_returns=len(asked), timeout=ANSWER_SECONDS)
        states = []
        for node in nodes:
            found: Machine | None = None
            trouble = "" if node.alive else "it is gone"
            if node.alive:
                try:
                    found = ray.get(asked[node.id], timeout=0.1)
                except ray.exceptions.GetTimeoutError:
                    trouble = f"it does not answer in {ANSWER_SECONDS:g} s"
                except ray.exceptions.RayError as error:
                    trouble = f"Errai cannot run there: {str(error).strip().splitlines()[-1].strip()}"
            memory, disk = (None, None) if found is None else (found.memory, found.disk)
            states.append(NodeState(node.name, node.alive, node.cpus, memory, disk, trouble))
        return states
    finally:
        session.close()
