"""`errai cluster`: the machines of a cluster, and how a solve on it goes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import Json

if TYPE_CHECKING:
    from errai.scale.cluster_nodes import NodeState

app = typer.Typer(
    name="cluster",
    help="Look at the machines of a cluster, and at a solve that runs on it.",
    rich_markup_mode=None,
    no_args_is_help=True,
)


@app.callback()
def _cluster() -> None:
    pass


@app.command(short_help="Machines of a cluster, and how far a solve on it has come.")
def status(
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="ADDRESS",
            help="auto, HOST:PORT or ray://HOST:PORT.  [default: auto; none with --scratch]",
            show_default=False,
        ),
    ] = None,
    scratch: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The scratch folder of a solve, whose state is shown."),
    ] = None,
    json: Json = False,
) -> None:
    """Show the machines of a Ray cluster: CPUs, memory and free disk, and those that are gone.

    With --scratch it shows a solve instead: what is committed, the last exploitability, the pass that it is at, and
    every worker with its mean time for a subgame, the slowest first. With both it shows both.

    \b
    Examples:
      errai cluster status
      errai cluster status 10.0.0.1:6379
      errai cluster status --scratch out/scratch --json
    """
    from errai.cli.output import print_json, print_rows
    from errai.scale.cluster_nodes import node_states
    from errai.scale.status import read_status

    solve = None if scratch is None else read_status(scratch)
    nodes = None
    if address is not None or scratch is None:
        nodes = node_states(address or "auto", scratch)
    if json:
        content: dict[str, Any] = {}
        if nodes is not None:
            content["nodes"] = [vars(node) for node in nodes]
        print_json({**content, **({} if solve is None else {"solve": solve})})
        return
    if nodes is not None:
        print_rows(_node_rows(nodes))
    if solve is not None:
        print_rows(_solve_rows(solve))


def _node_rows(nodes: list[NodeState]) -> list[tuple[str, str]]:
    from errai.engine.memory import format_bytes

    alive = [node for node in nodes if node.alive]
    rows = [("cluster", f"{len(alive):,} machines, {sum(node.cpus for node in alive):,} CPUs")]
    for node in nodes:
        if node.trouble:
            text = node.trouble
        else:
            assert node.memory is not None
            assert node.disk is not None
            memory, disk = format_bytes(node.memory), format_bytes(node.disk)
            text = f"{node.cpus:,} CPUs, {memory} of memory and {disk} of disk free"
        rows.append((node.name, text))
    return rows


def _solve_rows(solve: dict[str, Any]) -> list[tuple[str, str]]:
    import time

    from errai.engine.memory import format_bytes
    from errai.formatting import duration, figure

    rows = [("scratch", solve["scratch"])]
    if (committed := solve["committed"]) is not None:
        at = f"iteration {committed['iteration']:,}, pass {committed['passes']:,}"
        rows += [("game", committed["game"]), ("committed", f"{at}, {duration(committed['seconds'])}")]
        if (measured := committed["measured"]) is not None:
            mbb = figure(measured["exploitability_mbb"])
            rows.append(("exploitability", f"{mbb} mbb/g at iteration {measured['iteration']:,}"))
    if (now := solve["status"]) is None:
        return rows
    ago = duration(max(0.0, time.time() - now["updated"]))
    rows.append(("state", f"{now['state']}, {ago} ago"))
    if now["state"] == "running":
        done = f"{now['subgames_done']:,} of {now['subgames']:,} subgames"
        rows.append(("at", f"{now['doing']}, iteration {now['iteration']:,}, pass {now['pass']:,}: {done}"))
    moved = f"{format_bytes(now['bytes_read'])} read, {format_bytes(now['bytes_written'])} written"
    rows.append(("disk", f"{moved}, compressed {now['compression']:.1f}:1"))
    for worker in sorted(now["workers"], key=lambda worker: -worker["mean_seconds"]):
        text = f"{worker['node']}, process {worker['pid']}: {worker['done']:,} subgames"
        text += f", {duration(worker['mean_seconds'])} each"
        replaced = worker["replaced"]
        rows.append((f"worker {worker['number']}", text + (f", replaced {replaced}x" if replaced else "")))
    return rows
