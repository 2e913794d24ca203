"""`errai plan`: what solving a game would cost on a cluster."""

from __future__ import annotations

from typing import Annotated

import typer

from errai.cli.options import Json, Quiet


def plan(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME|FILE",
            help="A built-in game (see errai games), or a .game file of rules in the format of the Annual Computer "
            "Poker Competition.",
        ),
    ],
    nodes: Annotated[int, typer.Option(metavar="N", help="Nodes of the cluster.")] = 10,
    cores: Annotated[int, typer.Option(metavar="N", help="Cores of a node.")] = 64,
    disk: Annotated[str, typer.Option(metavar="SIZE", help="Disk of a node, such as 500GB.")] = "2TB",
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory of a node.")] = "256GB",
    price: Annotated[float, typer.Option(metavar="MONEY", help="Of a core for an hour.")] = 0.03,
    disk_speed: Annotated[
        float, typer.Option(metavar="GB/S", help="What a node's disk reads and writes in a second.")
    ] = 2.0,
    network: Annotated[
        float | None,
        typer.Option(metavar="GBIT/S", help="Of the driver's network.  [default: as fast as it must be]"),
    ] = None,
    target: Annotated[
        float, typer.Option(metavar="MBB", help="The exploitability to get to, in milli-big-blinds per game.")
    ] = 1.0,
    strategy: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="What is kept: average, or current, which takes more iterations and less disk, as Cepheus did.",
        ),
    ] = "average",
    seconds: Annotated[float, typer.Option(metavar="S", help="Measure for about S seconds.")] = 240.0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say what solving a game would cost: iterations, core-years, days, disk, memory and money on a cluster.

    Subgames of the game are played here and measured, on one core and on this machine's disk. What follows from that
    by counting, and how many iterations it would take judging by recorded runs, is said apart. Nothing is saved.

    \b
    Examples:
      errai plan holdem
      errai plan holdem --strategy current
      errai plan holdem --nodes 20 --cores 96 --disk 4TB --network 25
      errai plan rhode-island --seconds 10 --json
    """
    from errai.api.planning import plan as make
    from errai.cli.output import print_json, print_rows
    from errai.cli.progress import Terminal
    from errai.views.plan import plan_rows

    with Terminal(quiet) as terminal:
        made = make(
            game, nodes=nodes, cores=cores, disk=disk, memory=memory, price=price, disk_speed=disk_speed,
            network=network, target=target, strategy=strategy, seconds=seconds, monitor=terminal,
        )  # fmt: skip
    if json:
        print_json(made.to_json())
    else:
        print_rows(plan_rows(made))
