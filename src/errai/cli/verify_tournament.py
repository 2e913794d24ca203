"""`errai verify` on the proof of a tournament's bounds."""

from __future__ import annotations

import time
from pathlib import Path


def proof_at(path: Path) -> Path | None:
    """The proof of a tournament at a path or in a folder; None where there is none."""
    from errai.files.manifest import named_file
    from errai.jamfold.tournament_proof import FORMAT, NAME

    file = named_file(path, NAME) if path.is_dir() else path
    if file is None:
        return None
    try:
        with file.open(encoding="utf-8") as text:
            return file if FORMAT in text.read(200) else None
    except (OSError, ValueError):
        return None


def verify_tournament(path: Path, as_json: bool) -> None:
    """Check Everett's conditions anew and say what they prove."""
    from errai.cli.output import duration, print_json, print_rows
    from errai.cli.progress import working
    from errai.errors import ErraiError
    from errai.files.reading import read_json
    from errai.jamfold.tournament_proof import is_tournament_proof, read_proof

    began = time.perf_counter()
    with working() as tell:
        tell("reading the proof")
        content = read_json(path, "proof")
        if not is_tournament_proof(content):
            raise ErraiError(f"{path} is not the proof of a tournament")
        proof = read_proof(content, path)
        tell("checking the proof")
        proof.verify()
    rules, seconds = proof.tournament, time.perf_counter() - began
    width = proof.bounds.width
    if as_json:
        print_json({"holds": True, "hands": len(rules.live), "jam_fold_error": width, "seconds": seconds})
        return
    print_rows(
        [
            (
                "tournament",
                f"{rules.chips} chips, blinds {rules.small_blind} and {rules.big_blind}, step {rules.step}",
            ),
            ("proof", f"holds: Everett's conditions are true in all {len(rules.live)} hands"),
            ("", f"winning probabilities of the jam/fold game to {width:.1e}"),
            ("checked", f"in whole numbers, in {duration(seconds)}"),
        ]
    )
