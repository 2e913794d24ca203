"""`errai verify`: check a certificate from the game alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from errai.cli.options import Json


def verify(
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE",
            help="The file, or the folder of a saved strategy with a proof: a certificate, or that of a tournament.",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME",
            help="Check it for this game (a name, FILE.game, FILE.efg or openspiel:NAME) instead of the one that "
            "the certificate brings along.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Check the proof of a game's value, in exact arithmetic and without a linear program.

    The best response to each strategy of the certificate is computed anew in fractions. The proof holds if both
    win exactly the value: then neither player can do better. Exit code 0 if it holds, 2 if not.

    \b
    Examples:
      errai solve leduc --method exact --out out/leduc-exact
      errai verify out/leduc-exact
      errai verify out/leduc-exact/certificate.json --game leduc
      errai tournament --chips 8000 --sb 300 --bb 600 --exact --out out/tournament
      errai verify out/tournament
    """
    from errai.cli.output import duration, print_json, print_rows
    from errai.cli.progress import working
    from errai.cli.verify_tournament import proof_at, verify_tournament
    from errai.jamfold.tree import KEYWORD, tree_of_rules
    from errai.sequence import extensive_game, load_certificate, sequence_form
    from errai.sequence.exact import to_floats
    from errai.sequence.poker import canonical_information_sets

    began = time.perf_counter()
    _require_proof(certificate)
    if (proof_file := proof_at(certificate)) is not None:
        verify_tournament(proof_file, json)
        return
    with working() as tell:
        tell("reading the certificate and the game")
        proof = load_certificate(
            certificate, None if game is None else extensive_game(game), {KEYWORD: tree_of_rules}
        )
        form = sequence_form(proof.game)
        tell(f"checking {form.entries:,} payoff entries")
        proof.verify(form)
    seconds, value = time.perf_counter() - began, float(to_floats([proof.value])[0])
    if json:
        print_json(
            {
                "game": proof.game.title,
                "holds": True,
                "exact_value": str(proof.value),
                "value": value,
                "information_sets": canonical_information_sets(proof.game),
                "tree_information_sets": proof.game.information_sets,
                "payoff_entries": form.entries,
                "seconds": seconds,
            }
        )
        return
    names = proof.game.players
    print_rows(
        [
            ("game", proof.game.title or "untitled"),
            ("value", f"{proof.value} for {names[0]}, exactly"),
            ("", f"= {value:.15g}"),
            (
                "proof",
                f"holds: neither {names[0]} nor {names[1]} can win more against the other's strategy",
            ),
            (
                "checked",
                f"{canonical_information_sets(proof.game):,} information sets, {form.entries:,} payoff entries "
                f"in {duration(seconds)}",
            ),
        ]
    )


def _require_proof(path: Path) -> None:
    """Refuse the folder of a strategy that has no proof, or whose files are damaged."""
    from errai.errors import ErraiError
    from errai.files.manifest import MANIFEST
    from errai.jamfold.tournament_proof import NAME as PROOF
    from errai.sequence.certificate import NAME as CERTIFICATE
    from errai.strategy.files import open_strategy
    from errai.strategy.shipped import folder_of

    folder = folder_of(path)
    if not (folder / MANIFEST).is_file():
        return
    opened = open_strategy(folder)
    assert opened.saved is not None
    if not any(name in opened.saved.content["files"] for name in (CERTIFICATE, PROOF)):
        raise ErraiError(
            f"{path} holds {opened.described} without a proof; errai exploit measures it, "
            "errai strategy check reads its files"
        )
    opened.check()
