"""`errai tiers`: the study of people who met Cepheus, on logs of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from errai.cli.options import Json


def tiers(
    logs: Annotated[list[Path], typer.Argument(metavar="LOGS", help="ACPC logs, PHH, or texts of rooms.")],
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whom the players met.  [default: who is in all hands]")
    ] = None,
    game: Annotated[str, typer.Option(metavar="GAME", help="What was played.")] = "holdem",
    least: Annotated[int, typer.Option(metavar="N", help="Hands of a player who counts.")] = 500,
    tiers: Annotated[int, typer.Option(metavar="N", help="How many tiers.")] = 5,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the tiers: .png, .svg or .pdf.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first line that cannot be read.")
    ] = False,
    json: Json = False,
) -> None:
    """Cut the players of many matches into tiers by half of their hands, and measure the tiers by the other half.

    What a tier wins in the hands that it was not chosen by is free of the luck that it was chosen by.

    \b
    Examples:
      errai tiers logs/*.log --against holdem
      errai tiers logs/*.log --against Cepheus --least 200 --plot tiers.png
    """
    import sys

    from errai.cli.output import print_json
    from errai.figure import TierMark, check_picture, draw_tiers
    from errai.games.catalogue import load_game
    from errai.play.reading import read_logs
    from errai.play.tiers import tiers_of
    from errai.views.matches import estimate_text

    if plot is not None:
        check_picture(plot)
    found = read_logs(logs, load_game(game), strict)
    if found.faults:
        count = len(found.faults)
        more = f", and {count - 1:,} more" if count > 1 else ""
        print(f"errai: warning: skipped {found.faults[0]}{more}", file=sys.stderr)
    study = tiers_of(found.hands, against, least, tiers)
    if plot is not None:
        marks = [
            TierMark(len(tier.players), tier.rank_mbb, tier.test.mean_mbb, tier.test.ci95_mbb)
            for tier in study.tiers
        ]
        draw_tiers(plot, f"What players won against {study.against}, from the weakest tier", marks)
    if json:
        print_json(
            {
                "against": study.against,
                "hands": study.hands,
                "overall_mbb": study.overall.mean_mbb,
                "overall_ci95_mbb": study.overall.ci95_mbb,
                "left_out": study.left_out,
                "tiers": [
                    {
                        "players": list(tier.players),
                        "hands": tier.hands,
                        "rank_mbb": tier.rank_mbb,
                        "test_mbb": tier.test.mean_mbb,
                        "ci95_mbb": tier.test.ci95_mbb,
                    }
                    for tier in study.tiers
                ],
                "faults": found.faults,
            }
        )
        return
    print(f"{study.hands:,} hands against {study.against}: {estimate_text(study.overall)}")
    if study.left_out:
        print(f"{study.left_out:,} players with fewer than {least:,} hands are in no tier")
    print("tier   players     hands   in Rank, with luck   in Test, mbb/g with 95% interval")
    for number, tier in enumerate(study.tiers, 1):
        print(
            f"{number:4}   {len(tier.players):7,}   {tier.hands:7,}   {tier.rank_mbb:+18,.1f}   "
            f"{tier.test.mean_mbb:+,.1f} ± {tier.test.ci95_mbb:,.1f}"
        )
