"""Options that several commands share, each with its help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from errai.errors import ErraiError

LINEAR = ("lp", "exact", "normal-form")  # methods of the sequence form
METHODS = ("cfr", "cfr+", "linear", "dcfr", "dcfr+", "sdcfr", "sdcfr+", "pcfr+", "pdcfr+", "hs-dcfr")

Method = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"{', '.join(METHODS[:-1])} or {METHODS[-1]} (which needs --iterations).  "
        "[default: sdcfr, or cfr+ with --strategy current]",
    ),
]
SolveMethod = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"CFR: {', '.join(METHODS[:-1])} or {METHODS[-1]} (which needs --iterations). Of games that fit into a "
        "linear program: lp, exact (in fractions, with a certificate) or normal-form (tiny games).  "
        "[default: sdcfr, or cfr+ with --strategy current; lp for small .efg and OpenSpiel games]",
    ),
]
MostNodes = Annotated[
    int | None,
    typer.Option(metavar="N", help="Refuse a game of OpenSpiel with more nodes.  [default: 5,000,000]"),
]
Iterations = Annotated[
    int | None, typer.Option(metavar="N", help="Stop after N iterations; with --resume, after N more.")
]
Target = Annotated[
    float | None,
    typer.Option(
        metavar="MBB",
        help="Stop when a best response proves an exploitability of at most MBB milli-big-blinds per game, or "
        "thousandths of a payoff in a game without blinds.  "
        "[default: 1, unless --iterations or --seconds is given]",
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option(metavar="S", help="Stop after about S seconds of solving; with --resume, S more."),
]
Threads = Annotated[int | None, typer.Option(metavar="N", help="Threads to use.  [default: all cores]")]
Precision = Annotated[
    str | None,
    typer.Option(
        metavar="TYPE",
        help="How regrets are kept: float32, float64 (exact small games) or int16 (half the memory).  "
        "[default: float32]",
    ),
]
StrategyKind = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="KIND",
        help="What to measure and save: average, or current, which needs no memory for an average.  "
        "[default: average]",
    ),
]
Out = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Folder for the strategy, the result and its plot.")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the work that is in the folder of --out.")
]
Resume = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Resume from the checkpoint in this folder.")
]
NoIsomorphism = Annotated[
    bool,
    typer.Option(
        "--no-isomorphism", help="Solve every suit on its own instead of one of each class: only slower."
    ),
]
Scratch = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Solve in subgames whose regrets are in compressed chunks in this folder, for games larger than memory. "
        "--resume DIR resumes it.",
    ),
]
MemoryLimit = Annotated[
    str | None,
    typer.Option("--memory", metavar="SIZE", help="Take no more memory than this, 8GB say, with --scratch."),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="local:N|ADDRESS",
        help="Work on the subgames of --scratch with N workers on this machine, or with those of a Ray cluster.",
    ),
]
Flops = Annotated[
    str | None,
    typer.Option(metavar="BOARDS", help="Play as if there were only these flops: Ks7h2d,8h8d3s."),
]
SampleFlops = Annotated[
    int | None, typer.Option(metavar="N", help="Play as if there were only N flops, drawn at random.")
]
ThinkTime = Annotated[
    str | None,
    typer.Option(
        "--think",
        metavar="2s|N",
        help="How long a +resolve player may work on a solution, or how many iterations: then it plays the same on "
        "every machine.  [default: 60]",
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object and nothing else on standard output.")
]
LONGEST_FILE = 1 << 20  # bytes of a range


def range_option(parameter: str, given: str | None) -> str | None:
    """A range as it was given, or the text of the file that @FILE names."""
    if given is None or not given.startswith("@"):
        return given
    try:
        with Path(given[1:]).open("rb") as file:
            content = file.read(LONGEST_FILE + 1)
        if len(content) <= LONGEST_FILE:
            return content.decode()
    except UnicodeDecodeError:
        pass
    except OSError as error:
        raise ErraiError(f"{given[1:]} cannot be read: {error.strerror}", parameter=parameter) from None
    raise ErraiError(f"{given[1:]} holds no range", parameter=parameter)


All = Annotated[
    bool,
    typer.Option("--all", help="In the grid, also hands that hardly ever get to this decision."),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No memory estimate and no progress.")]
