"""A proof of a game's value that anybody can check: two strategies, and that neither can be beaten.

A certificate holds the game, its value v, and a strategy of each player, all as fractions. It holds true if and
only if the best response to seat 1's strategy wins exactly v and the best response to seat 0's strategy concedes
exactly v: then no player can do better, and both strategies are optimal. The best responses are listed too, as one
action for each information set. Checking needs sums, products and maxima of fractions, and no linear program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from flint import fmpq, fmpz

from errai.errors import ErraiError
from errai.files.manifest import named_file
from errai.files.reading import parse_json, read_bytes, understood
from errai.files.seal import KEY, require_seal, sealed
from errai.files.writing import replacing_file, write_json
from errai.games.definition import parse_game
from errai.sequence.efg import parse_efg
from errai.sequence.efg_writer import format_efg
from errai.sequence.exact import ExactOptimum, Numbers
from errai.sequence.form import SequenceForm, sequence_form
from errai.sequence.poker import poker_game
from errai.sequence.rational import ZERO
from errai.sequence.tree import ExtensiveGame

NAME = "certificate.json"
FORMAT, VERSION = "errai certificate", 1

_FRACTION = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*)?")
Probabilities = Mapping[str, Mapping[str, fmpq]]  # information set -> action -> probability
Response = Mapping[str, str]  # information set -> action
Maker = Callable[[str], ExtensiveGame]  # of rules


@dataclass(frozen=True, eq=False)
class Certificate:
    """The proof. Payoffs are the game's own, before any shift."""

    game: ExtensiveGame
    value: fmpq  # of seat 0
    strategies: tuple[Probabilities, Probabilities]
    best_responses: tuple[Response, Response]  # of each player to the opponent's strategy

    def save(self, path: Path) -> None:
        """Write it as JSON that people can read too."""
        game = self.game
        tree = {"rules": game.rules} if game.rules else {"efg": "\n".join(format_efg(game))}
        content = {
            "format": FORMAT,
            "version": VERSION,
            "title": game.title,
            "players": list(game.players),
            "value": str(self.value),
            "strategies": [
                {name: {action: str(number) for action, number in row.items()} for name, row in table.items()}
                for table in self.strategies
            ],
            "best_responses": [dict(response) for response in self.best_responses],
            "game": tree,
        }
        with replacing_file(path) as new:
            write_json(new, sealed(content))

    def verify(self, form: SequenceForm | None = None) -> None:
        """Check the proof from the game alone, in exact arithmetic. What does not hold is an ErraiError."""
        form = form or sequence_form(self.game)
        plans = [self._plan(form, seat) for seat in (0, 1)]
        value = self.value - _rational(form.game.shift)
        for seat, sign in ((0, 1), (1, -1)):
            wins, _ = respond(form, seat, plans[1 - seat])
            if wins != sign * value:
                shown = wins + _rational(form.game.shift)
                claimed = sign * value + _rational(form.game.shift)
                raise ErraiError(
                    f"the certificate does not hold: against the strategy of {form.game.players[1 - seat]}, "
                    f"{form.game.players[seat]} can win {shown}, and by the certificate {claimed}"
                )
            if self._worth(form, seat, plans[1 - seat]) != wins:
                raise ErraiError(
                    f"the certificate does not hold: the best response listed for {form.game.players[seat]} "
                    f"does not win {wins + _rational(form.game.shift)}"
                )

    def _plan(self, form: SequenceForm, seat: int) -> Numbers:
        """The exact plan of a strategy, every probability checked."""
        game, table = form.game, self.strategies[seat]
        plan = [fmpq(1)] + [ZERO] * (form.sequences[seat] - 1)
        for which, name, first, parent in _sets(form, seat):
            row, actions = table.get(name), game.actions(which)
            if row is None or set(row) != set(actions):
                raise ErraiError(
                    f"the certificate does not fit the game: information set '{name}' of {game.players[seat]} "
                    + (f"has the actions {', '.join(actions)}" if row is not None else "is missing")
                )
            if sum(row.values(), ZERO) != 1 or min(row.values()) < 0:
                raise ErraiError(
                    f"the certificate does not hold: the probabilities at information set '{name}' "
                    f"of {game.players[seat]} are not probabilities: {', '.join(map(str, row.values()))}"
                )
            if plan[parent]:
                for action, label in enumerate(actions):
                    plan[first + action] = plan[parent] * row[label]
        extra = set(table) - {name for _, name, _, _ in _sets(form, seat)}
        if extra:
            raise ErraiError(
                f"the certificate does not fit the game: {game.players[seat]} has no information set '{min(extra)}'"
            )
        return plan

    def _worth(self, form: SequenceForm, seat: int, other: Numbers) -> fmpq:
        """What the listed best response wins."""
        gain = _gains(form, seat, other)
        for which, name, first, parent in reversed(_sets(form, seat)):
            actions, action = form.game.actions(which), self.best_responses[seat].get(name)
            if action not in actions:
                raise ErraiError(
                    f"the certificate does not fit the game: the best response of {form.game.players[seat]} "
                    f"does not say which of {', '.join(actions)} to choose at information set '{name}'"
                )
            gain[parent] += gain[first + actions.index(action)]
        return gain[0]


def certify(form: SequenceForm, found: ExactOptimum) -> Certificate:
    """The certificate of an exact optimum."""
    strategies = [_strategy(form, seat, found.plans[seat]) for seat in (0, 1)]
    responses = []
    for seat in (0, 1):
        _, choice = respond(form, seat, found.plans[1 - seat])
        responses.append(
            {
                name: form.game.actions(which)[action]
                for (which, name, _, _), action in zip(_sets(form, seat), choice, strict=True)
            }
        )
    value = found.value + _rational(form.game.shift)
    return Certificate(form.game, value, (strategies[0], strategies[1]), (responses[0], responses[1]))


def respond(form: SequenceForm, seat: int, other: Numbers) -> tuple[fmpq, list[int]]:
    """What the best response of a seat to the opponent's plan wins, exactly, and its action at each set."""
    gain = _gains(form, seat, other)
    choice = []
    for which, _, first, parent in reversed(_sets(form, seat)):
        options = gain[first : first + int(form.game.set_actions[which])]
        best = max(options)
        choice.append(options.index(best))
        gain[parent] += best
    return gain[0], choice[::-1]


def load_certificate(
    path: str | Path,
    game: ExtensiveGame | None = None,
    makers: Mapping[str, Maker] | None = None,
    known: bytes | None = None,
) -> Certificate:
    """A certificate from its file, or from the folder that holds it; for another game than the one in the file.

    `makers` make games of rules that are not those of limit poker, by the word that the rules begin with. What the
    file holds is given as `known` if it was read before.
    """
    path = Path(path)
    if path.is_dir():
        path = named_file(path, NAME) or path / NAME
    if known is None and not path.is_file():
        raise ErraiError(
            f'cannot read {path}: no such file or directory; errai solve writes one with method="exact"'
        )
    content = parse_json(read_bytes(path) if known is None else known, path, "certificate")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ErraiError(f'{path} is not a certificate; errai solve writes one with method="exact"')
    if content.get("version") != VERSION:
        raise ErraiError(
            f"{path} has format version {content.get('version')!a} and this Errai reads version {VERSION}"
        )
    if KEY in content:  # which older ones lack
        require_seal(path, content)
    with understood(path):
        strategies = [
            {name: {action: _parsed(text) for action, text in row.items()} for name, row in table.items()}
            for table in content["strategies"]
        ]
        responses = [dict(table) for table in content["best_responses"]]
        if len(strategies) != 2 or len(responses) != 2:
            raise ValueError("it must have two strategies and two best responses")
        if not isinstance(content["title"], str):
            raise ValueError("its title is no text")
        tree = game or _embedded(content["game"], content["title"], str(path), makers or {})
        return Certificate(
            tree, _parsed(content["value"]), (strategies[0], strategies[1]), (responses[0], responses[1])
        )


def _embedded(tree: dict[str, Any], title: str, source: str, makers: Mapping[str, Maker]) -> ExtensiveGame:
    if "rules" in tree:
        word = tree["rules"].partition("\n")[0]
        if word in makers:
            return makers[word](tree["rules"])
        if word != "GAMEDEF":
            raise ErraiError(f"{source} is of a game with the rules '{word}', which errai verify can check")
        return poker_game(parse_game(tree["rules"], source=source, name=title))
    return parse_efg(tree["efg"], f"{source}, game")


def _strategy(form: SequenceForm, seat: int, plan: Numbers) -> dict[str, dict[str, fmpq]]:
    """The probabilities of a plan; even where the player never comes."""
    table = {}
    for which, name, first, parent in _sets(form, seat):
        actions = form.game.actions(which)
        weights = plan[first : first + len(actions)]
        even = fmpq(1, len(actions))
        shares = [weight / plan[parent] for weight in weights] if plan[parent] else [even] * len(actions)
        table[name] = dict(zip(actions, shares, strict=True))
    return table


def _gains(form: SequenceForm, seat: int, other: Numbers) -> Numbers:
    """What each sequence of a seat wins against the opponent's plan."""
    matrix = form.exact_payoff
    gain = [ZERO] * form.sequences[seat]
    own, others = (matrix.rows(), matrix.column)[:: 1 - 2 * seat]
    for mine, theirs, number in zip(own.tolist(), others.tolist(), matrix.data.tolist(), strict=True):
        if other[theirs]:
            gain[mine] += other[theirs] * number
    scale = fmpq(1 - 2 * seat, form.denominator)
    return [number * scale for number in gain]


def _sets(form: SequenceForm, seat: int) -> list[tuple[int, str, int, int]]:
    """(number, name, first sequence, parent sequence) of a player's information sets, parents first."""
    game = form.game
    own = (game.set_player == seat).nonzero()[0]
    first, parent = game.sequences.first[own].tolist(), game.sequences.parent[own].tolist()
    names = [game.set_names[which] for which in own]
    return list(zip(own.tolist(), names, first, parent, strict=True))


def _rational(number: Fraction | float) -> fmpq:
    exact = Fraction(number)
    return fmpq(exact.numerator, exact.denominator)


def _parsed(text: str) -> fmpq:
    """A fraction as the certificate writes it, of any length."""
    if not _FRACTION.fullmatch(text):
        raise ValueError(f"{text[:40]!a} is not a fraction")
    numerator, _, denominator = text.partition("/")
    return fmpq(fmpz(numerator), fmpz(denominator or "1"))
