"""`errai strategy`: what a saved strategy is, whether its files are sound, and its probabilities as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errai.cli.options import Json, Quiet, Threads
from errai.cli.query import Betting, Cards, RuleGame, Stacks, StrategyName, opened_strategy

if TYPE_CHECKING:
    from errai.strategy.query import Query

app = typer.Typer(
    name="strategy",
    help="Look at a saved strategy, check its files, write it as a table, or pack it to be sent along.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
_SUFFIXES = (".csv", ".json")


@app.command(short_help="What a saved strategy is, how it was made and how exploitable it is.")
def info(
    strategy: StrategyName,
    check: Annotated[
        bool, typer.Option("--check", help="Read all files and compare every checksum.")
    ] = False,
    game: RuleGame = None,
    json: Json = False,
) -> None:
    """Show what a strategy is: game, kind, how it was made, how exploitable it was measured to be, its files.

    \b
    Examples:
      errai strategy info holdem
      errai strategy info out/leduc --check --json
    """
    from errai.cli.output import print_json, print_rows
    from errai.strategy.checking import check_folder
    from errai.strategy.info import described

    opened = opened_strategy(strategy, game)
    checked = check_folder(opened) if check else None
    if json:
        content = {"kind": opened.kind} if opened.saved is None else opened.saved.content
        content = {key: value for key, value in content.items() if key != "pieces"}
        print_json({**content, **({} if checked is None else {"checked": checked})})
        return
    rows = described(opened)
    print_rows(rows if checked is None else [*rows, ("checked", checked)])


@app.command(short_help="Read all files of a saved strategy and compare every checksum.")
def check(strategy: StrategyName, json: Json = False) -> None:
    """Read all files of a saved strategy, of its buckets and of its checkpoint, and compare every checksum.

    Exit code 0 if all is as it was saved, 2 and one line that names the file if not.

    \b
    Examples:
      errai strategy check holdem
      errai strategy check out/leduc --json
    """
    from errai.cli.output import print_json, print_rows
    from errai.strategy.checking import check_folder

    opened = opened_strategy(strategy)
    checked = check_folder(opened) or "there is nothing to check: it is a rule and has no files"
    if json:
        print_json({"strategy": strategy, "kind": opened.kind, "sound": True, "checked": checked})
    else:
        print_rows([("strategy", strategy), ("checked", checked)])


@app.command(short_help="Write a strategy, or one decision of it, as a table.")
def export(
    strategy: StrategyName,
    file: Annotated[Path, typer.Argument(metavar="FILE.csv|FILE.json", help="The file to write.")],
    betting: Betting = None,
    board: Cards = None,
    ev: Annotated[
        bool,
        typer.Option(
            "--ev", help="With --betting or --board, also the expected value of every action in chips."
        ),
    ] = False,
    stacks: Stacks = None,
    game: RuleGame = None,
    json: Json = False,
) -> None:
    """Write the probabilities of a strategy as a table for spreadsheets and programs.

    With --betting or --board it is one decision, all hands; without, every decision of a game of up to 200,000
    rows, one for each hand at each decision.

    \b
    Examples:
      errai strategy export out/leduc leduc.csv
      errai strategy export holdem flop.csv --betting "crc/r" --board "Ks7h2d"
    """
    from errai.cli.output import print_json, print_rows
    from errai.errors import ErraiError
    from errai.strategy.query import query

    if file.suffix.lower() not in _SUFFIXES:
        raise ErraiError(f"{file} must end in .csv or .json, the formats of a table")
    opened = opened_strategy(strategy, game, stacks)
    if betting is None and board is None:
        if ev:
            raise ErraiError("--ev is for one decision: give --betting or --board")
        count = opened.export(file)
    else:
        count = _export_decision(query(opened, betting, board, values=ev), file)
    if json:
        print_json({"game": opened.title, "rows": count, "file": str(file)})
    else:
        print_rows([("game", opened.title), ("rows", f"{count:,}"), ("file", str(file))])


@app.command(short_help="Write a small copy of a strategy on buckets that needs nothing else.")
def pack(
    strategy: StrategyName,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the copy.")],
    levels: Annotated[
        int,
        typer.Option(metavar="N", help="Probabilities in Nths: 255 as they are, 85, 51, 17, 15, 5 or 3."),
    ] = 15,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a copy of a trained strategy that is small and needs no other folder, to be sent along or played.

    Its probabilities are rounded to --levels steps, and its buckets come as the rules that make them: a query is
    answered in milliseconds, and errai exploit makes the tables again when it needs them. Coarser probabilities are
    another strategy, so measure the copy too.

    \b
    Examples:
      errai strategy pack out/blueprint --out out/small
      errai strategy pack out/blueprint --out out/whole --levels 255
      errai exploit out/small --flops 60
    """
    import os
    import shlex

    from errai.blueprint.compact import pack as packed
    from errai.cli.output import print_json, print_rows
    from errai.cli.progress import Terminal
    from errai.errors import ErraiError
    from errai.strategy.kinds.buckets import open_buckets
    from errai.strategy.shipped import folder_of

    if threads is not None and threads < 1:
        raise ErraiError(f"--threads must be 1 or more, not {threads}")
    opened = open_buckets(folder_of(strategy))
    command = shlex.join(["errai", "strategy", "pack", strategy, "--levels", str(levels), "--out", str(out)])
    with Terminal(quiet) as terminal:
        size = packed(opened, out, levels, threads or os.cpu_count() or 1, command, terminal)
    if json:
        print_json({"strategy": strategy, "out": str(out), "levels": levels, "bytes": size})
    else:
        shown = f"{size / 1e6:.1f} MB in {out}, probabilities in {levels}ths"
        print_rows(
            [("strategy", strategy), ("copy", shown), ("next", shlex.join(["errai", "exploit", str(out)]))]
        )


def _export_decision(found: Query, file: Path) -> int:
    """All hands of one decision; returns how many there are."""
    import csv

    from errai.cli.output import plain
    from errai.files.writing import replacing_file, write_json

    hands = found.hands()
    with replacing_file(file) as new:
        if file.suffix.lower() == ".json":
            write_json(new, plain(found.to_json()))
            return len(hands)
        names = list(found.names.values())
        head = ["hand", *names]
        rows = {hand: list(chances.values()) for hand, chances in hands.items()}
        if found.decision.values is not None:
            head += [f"{name}_ev" for name in names]
            for hand, worth in found.values().items():
                rows[hand] += worth.values()
        head.append("reach")
        for hand, reach in found.reached().items():
            rows[hand].append(reach)
        with new.open("w", newline="", encoding="utf-8") as table:
            writer = csv.writer(table)
            writer.writerow(head)
            writer.writerows([hand, *row] for hand, row in rows.items())
    return len(hands)
