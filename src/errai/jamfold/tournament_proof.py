"""The proof of a tournament's bounds as a file that anybody can check.

It holds the rules, the bounds as whole numbers over D, player 1's strategy and player 2's answers as whole numbers
over Q. Checking computes Everett's two conditions anew (errai.jamfold.proven_bounds): sums, products and comparisons
of integers.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.files.reading import understood, whole
from errai.files.seal import KEY, require_seal, sealed
from errai.files.writing import replacing_file
from errai.jamfold.equities import CLASSES, HANDS, SHA256
from errai.jamfold.proven_bounds import Bounds, D, Q, check_lower, check_upper, rounded, rounded_answer
from errai.jamfold.recursive_game import FOLDED, NOWHERE, Tournament
from errai.jamfold.tournament import TournamentSolution

NAME = "proof.json"
FORMAT, VERSION = "errai tournament proof", 1
_STRATEGIES = ("jam", "pass", "call", "give")


@dataclass(frozen=True, eq=False)
class TournamentProof:
    """Strategies are [Z, 169] whole numbers over Q."""

    tournament: Tournament
    bounds: Bounds
    jam: NDArray[np.int64]
    answer: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]

    def verify(self) -> None:
        """Check both conditions; what does not hold is an ErraiError."""
        for seat in (0, 1):
            for units, wins in ((0, 0), (self.tournament.units, D)):
                end = self.tournament.state(seat, units)
                if self.bounds.lower[end] != wins or self.bounds.upper[end] != wins:
                    raise ErraiError(
                        "the proof does not hold: a player with no chips has lost, one with all has won"
                    )
        for bound in (self.bounds.lower, self.bounds.upper):
            if bound.min() < 0 or bound.max() > D:
                raise ErraiError("the proof does not hold: a bound is no probability")
        live = self.tournament.live
        mixed = (self.jam[live], *(choice[live] for choice in self.answer))
        if min(part.min() for part in mixed) < 0 or max(part.max() for part in mixed) > Q:
            raise ErraiError("the proof does not hold: a strategy has probabilities outside 0 to 1")
        if not np.array_equal(sum(choice[live] for choice in self.answer), np.full((len(live), CLASSES), Q)):
            raise ErraiError("the proof does not hold: an answer's probabilities do not add up to 1")
        forced = self.tournament.following[live, FOLDED] == NOWHERE
        if (self.jam[live][forced] != Q).any():
            raise ErraiError("the proof does not hold: a hand is folded that cannot be")
        check_lower(self.tournament, self.jam, self.bounds.lower)
        check_upper(self.tournament, self.answer, self.bounds.upper)

    def save(self, path: Path) -> None:
        """Write it as JSON."""
        rows = {"jam": self.jam, **dict(zip(_STRATEGIES[1:], self.answer, strict=True))}
        content = {
            "format": FORMAT,
            "version": VERSION,
            "tournament": asdict(self.tournament),
            "equities_sha256": SHA256,
            "hands": list(HANDS),
            "bounds_over": D,
            "lower": self.bounds.lower.tolist(),
            "upper": self.bounds.upper.tolist(),
            "strategies_over": Q,
            "strategies": {name: array.tolist() for name, array in rows.items()},
        }
        with replacing_file(path) as new:
            new.write_text(json.dumps(sealed(content), separators=(",", ":")) + "\n", encoding="utf-8")


def proof_of(solution: TournamentSolution) -> TournamentProof:
    """The proof of a solution's bounds."""
    play = solution.play
    return TournamentProof(solution.tournament, solution.bounds, rounded(play.jam), rounded_answer(play))


def is_tournament_proof(content: Any) -> bool:
    """Whether a JSON object says that it is one."""
    return isinstance(content, dict) and content.get("format") == FORMAT


def read_proof(content: dict[str, Any], path: Path) -> TournamentProof:
    """The proof that a JSON object holds."""
    if KEY in content:  # which older ones lack
        require_seal(path, content)
    with understood(path):
        if (content["version"], content["bounds_over"], content["strategies_over"]) != (VERSION, D, Q):
            raise ValueError("it was written by another version")
        if content["equities_sha256"] != SHA256 or tuple(content["hands"]) != HANDS:
            raise ValueError("it rests on another table of equities")
        rules = saved_tournament(content["tournament"])
        vectors = [_integers(content[name], (rules.states,)) for name in ("lower", "upper")]
        shape = (rules.states, CLASSES)
        strategies = [_integers(content["strategies"][name], shape) for name in _STRATEGIES]
    bounds = Bounds(vectors[0], vectors[1])
    return TournamentProof(rules, bounds, strategies[0], (strategies[1], strategies[2], strategies[3]))


def saved_tournament(content: dict[str, Any]) -> Tournament:
    """The rules of a tournament from a file; else a ValueError, for `understood`."""
    try:
        return Tournament(**{name: whole(number) for name, number in content.items()})
    except ErraiError as error:
        raise ValueError(str(error)) from error


def _integers(content: Any, shape: tuple[int, ...]) -> NDArray[np.int64]:
    """Lists of whole numbers as an array."""
    array = np.array(content)
    if array.dtype != np.int64 or array.shape != shape:
        raise ValueError("its arrays do not have the whole numbers that the tournament needs")
    return array
