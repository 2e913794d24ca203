"""`errai strategy`: what a saved strategy is, and its probabilities as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errai.cli.options import Json, Quiet, Threads
from errai.cli.query import Betting, Cards, StrategyName

if TYPE_CHECKING:
    from errai.cli.query import Asked

app = typer.Typer(
    name="strategy",
    help="Look at a saved strategy, write it as a table, or pack it to be sent along.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
_SUFFIXES = (".csv", ".json")


@app.command(short_help="What a saved strategy is, how it was made and how good it is.")
def info(
    strategy: StrategyName,
    check: Annotated[
        bool, typer.Option("--check", help="Read all files and compare every checksum.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what a saved strategy is: game, buckets, how it was made, how good it was measured to be, its files.

    \b
    Examples:
      errai strategy info holdem
      errai strategy info out/leduc --check --json
    """
    from errai.cli.output import print_json, print_rows
    from errai.strategy import blueprint
    from errai.strategy.files import manifest_of
    from errai.strategy.shipped import folder_of

    folder = folder_of(strategy)
    content = manifest_of(folder)
    checked = _check(folder, content["version"] == blueprint.VERSION) if check else None
    if json:
        print_json({**content, **({} if checked is None else {"checked": checked})})
        return
    rows = (
        _bucket_rows(folder, content)
        if content["version"] == blueprint.VERSION
        else _exact_rows(folder, content)
    )
    print_rows(rows if checked is None else [*rows, ("checked", checked)])


@app.command(short_help="Write a strategy, or one decision of it, as a table.")
def export(
    strategy: StrategyName,
    file: Annotated[Path, typer.Argument(metavar="FILE.csv|FILE.json", help="The file to write.")],
    betting: Betting = None,
    board: Cards = None,
    json: Json = False,
) -> None:
    """Write the probabilities of a strategy as a table for spreadsheets and programs.

    With --betting or --board it is one decision, all hands; without, every decision of a game of up to 200,000
    information sets.

    \b
    Examples:
      errai strategy export out/leduc leduc.csv
      errai strategy export holdem flop.csv --betting "crc/r" --board "Ks7h2d"
    """
    from errai.cli.output import print_json, print_rows
    from errai.cli.query import ask
    from errai.errors import ErraiError
    from errai.strategy.export import export_csv, export_json, row_count
    from errai.strategy.files import open_strategy

    suffix = file.suffix.lower()
    if suffix not in _SUFFIXES:
        raise ErraiError(f"{file} must end in .csv or .json, the formats of a table")
    if betting is None and board is None:
        opened = open_strategy(strategy)
        (export_csv if suffix == ".csv" else export_json)(opened, file)
        game, count = opened.spot.game.name, row_count(opened)
    else:
        asked = ask(strategy, betting, board)
        count = _export_decision(asked, file)
        game = asked.where.game.name
    if json:
        print_json({"game": game, "rows": count, "file": str(file)})
    else:
        print_rows([("game", game), ("rows", f"{count:,}"), ("file", str(file))])


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

    Its probabilities are rounded to --levels steps, and its buckets come as the rules that make them: a question is
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
    from errai.strategy.blueprint import open_blueprint
    from errai.strategy.shipped import folder_of

    if threads is not None and threads < 1:
        raise ErraiError(f"--threads must be 1 or more, not {threads}")
    opened = open_blueprint(folder_of(strategy))
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


def _export_decision(asked: Asked, file: Path) -> int:
    """All hands of one decision; returns how many there are."""
    import csv

    from errai.files.writing import replacing_file, write_json

    hands = asked.hands()
    with replacing_file(file) as new:
        if file.suffix.lower() == ".json":
            write_json(new, {**asked.to_json(), "hands": hands})
        else:
            with new.open("w", newline="", encoding="utf-8") as table:
                writer = csv.writer(table)
                writer.writerow(["hand", *asked.names.values()])
                writer.writerows([hand, *chances.values()] for hand, chances in hands.items())
    return len(hands)


def _check(folder: Path, buckets: bool) -> str:
    """What was checked; damage is an ErraiError."""
    from errai.strategy.blueprint import open_blueprint
    from errai.strategy.files import verify_weights

    if buckets:
        return f"all {open_blueprint(folder).verify():,} blocks are as they were saved"
    if verify_weights(folder) is None:
        return "the weights have their size; no checksum was saved with them"
    return "the weights are as they were saved"


def _bucket_rows(folder: Path, content: dict[str, Any]) -> list[tuple[str, str]]:
    from errai.cli.output import duration
    from errai.files.reading import understood
    from errai.strategy.quantised import UNITS

    with understood(folder / "strategy.json"):
        about, abstraction, rounds = content["about"], content["abstraction"], content["rounds"]
        counts = " / ".join(f"{count:,}" for count in abstraction["counts"])
        sizes = " + ".join(f"{of['bytes'] / 1e6:,.1f}" for of in rounds)
        return [
            ("game", content["name"]),
            ("kind", f"{about['strategy']} strategy on buckets of hands, in {about.get('levels', UNITS)}ths"),
            ("buckets", f"{abstraction['name']}: {counts}"),
            (
                "found by",
                f"{about['iterations']:,} iterations of {about['algorithm']} in {duration(about['seconds'])}",
            ),
            ("command", str(about["command"])),
            ("exploitability", _measured(content["exploitability"])),
            ("size", f"{sum(of['bytes'] for of in rounds) / 1e6:,.1f} MB = {sizes} by round"),
        ]


def _exact_rows(folder: Path, content: dict[str, Any]) -> list[tuple[str, str]]:
    from errai.cli.output import duration
    from errai.files.reading import understood
    from errai.strategy.files import WEIGHTS

    with understood(folder / "strategy.json"):
        about, spot = content["about"], content["spot"]
        rows = [
            ("game", spot["name"]),
            ("kind", f"exact: every hand apart, weights of type {content['precision']}"),
        ]
        if spot["betting"] or spot["board"]:
            rows.append(("begins at", f"{spot['board'] or 'no board'}, betting {spot['betting'] or 'none'}"))
        if "iterations" in about:
            made = f"{about['iterations']:,} iterations of {about['method']} in {duration(about['seconds'])}"
            rows.append(("found by", made))
        rows.append(("exploitability", _measured(about)))
        weights = folder / WEIGHTS
        size = f"{weights.stat().st_size / 1e6:,.1f} MB" if weights.is_file() else f"{WEIGHTS} is missing"
        return [*rows, ("size", size)]


def _measured(figures: dict[str, Any] | None) -> str:
    from errai.cli.output import figure

    if not figures or figures.get("exploitability_mbb") is None:
        return "not measured"
    mbb = f"{figure(figures['exploitability_mbb'])} mbb/g"
    if (interval := figures.get("interval")) is None:
        return mbb
    low, high = interval
    return f"{mbb}, from a sample of {figures['flops']} flops; 95%: {figure(low)} to {figure(high)}"
