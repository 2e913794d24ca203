"""`errai papers`: the papers' programs, tables and figures, each from one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from errai.cli.options import Json, Quiet


def papers(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Which one; without a name they are listed.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="At full size: hours, with all intervals narrow.")
    ] = False,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for the page, its figures, and what it is made from.")
    ] = Path("out/papers"),
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Threads to use.  [default: all cores]")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Of the cards of matches.")] = 0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Redo a paper: build what it built, and print its figures beside ours.

    Without --full that takes minutes. A run that was stopped is resumed by the same command.

    \b
    Examples:
      errai papers
      errai papers bildman
      errai papers bildman --full --out out/papers
    """
    from time import perf_counter

    from errai.api.parameters import thread_count
    from errai.cli.output import duration, print_json, print_rows
    from errai.cli.progress import Terminal
    from errai.papers.catalogue import PAPERS, paper_named
    from errai.papers.page import machine, write_page
    from errai.papers.redo import FOUND, Redo
    from errai.runs.run import Run

    if name is None:
        if json:
            print_json(
                {
                    key: {"title": paper.title, "quick": paper.quick, "full": paper.full}
                    for key, paper in PAPERS.items()
                }
            )
            return
        print_rows(
            [
                (key, f"{paper.title}; {paper.quick}, with --full {paper.full}")
                for key, paper in PAPERS.items()
            ]
        )
        return
    paper = paper_named(name)
    work = out / name
    with Terminal(quiet) as monitor:
        monitor.say(f"{paper.title}: about {paper.full if full else paper.quick} on two cores")
        began, begun = perf_counter(), (work / FOUND).is_file()
        with Run(work, monitor, resume=work.is_dir()):
            page = paper.redo(Redo(name, work, out, full, thread_count(threads), seed, monitor))
        spent = duration(perf_counter() - began)
        page.command = f"errai papers {name}{' --full' if full else ''}"
        page.made = (
            f"Made on {machine()}, in {spent}{', with what an earlier run had found' if begun else ''}."
        )
        path = write_page(out, page)
    if json:
        print_json({"name": name, "page": str(path), "facts": [vars(fact) for fact in page.facts]})
        return
    for fact in page.facts:
        print(f"{fact.what}\n    paper {fact.paper} / ours {fact.ours} / {fact.how}")
    print(f"the page is in {path}")
