r"""Games as Gambit's `.efg` files: see errai.sequence.efg for the format.

Every node is written in full, as Gambit does, and every chance move is an information set of its own. Payoffs are the
original ones: seat 0 wins `payoff + shift`, seat 1 `-payoff + shift`.

What is written is exact and adds up exactly, because readers insist on it. A fraction is written as one; of numbers
that are only known as floats, the decimals are taken at their word and one number takes up what they leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

from errai.files.writing import replacing_file
from errai.sequence.tree import CHANCE, END, ExtensiveGame, Number

# Gambit reads \" as a quote and leaves any other backslash alone, so only those that would be misread are doubled.
_SPECIAL = re.compile(r'"|\\(?=["\\]|\Z)')


def write_efg(game: ExtensiveGame, path: str | Path) -> None:
    """Write the game to an `.efg` file, all of it or nothing."""
    with replacing_file(Path(path)) as new, new.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in format_efg(game))


def format_efg(game: ExtensiveGame) -> Iterator[str]:
    """The lines of an `.efg` file: two of a header, then one for each node."""
    yield f"EFG 2 R {_quoted(game.title)} {{ {' '.join(map(_quoted, game.players))} }}"
    yield '""'
    outcomes = _outcomes(game)
    sets = _sets(game)
    chances = 0

    @cache
    def branches(labels: tuple[int, ...], codes: tuple[int, ...]) -> str:
        return _branches([game.labels[code] for code in labels], [game.probabilities[code] for code in codes])

    player, which = game.player.tolist(), game.information_set.tolist()
    payoff, label, chance = game.payoff.tolist(), game.label.tolist(), game.chance.tolist()
    first, children = game.first_child.tolist(), game.children.tolist()
    for node in game.preorder():
        if player[node] == END:
            yield f't "" {outcomes[payoff[node]]}'
        elif player[node] == CHANCE:
            chances += 1
            below = slice(first[node], first[node] + children[node])
            yield f'c "" {chances} "" {branches(tuple(label[below]), tuple(chance[below]))} 0'
        else:
            yield f'p "" {sets[which[node]]} 0'


def _outcomes(game: ExtensiveGame) -> list[str]:
    """Number, name and payoffs of each different payoff."""
    lines = []
    for number, payoff in enumerate(game.payoffs, start=1):
        won = payoff + game.shift
        # Not -payoff + shift, which floats would round.
        other = 2 * _exact(game.shift) - _exact(won)
        lines.append(f'{number} "{number}" {{ {_written(won)}, {other} }}')
    return lines


def _sets(game: ExtensiveGame) -> list[str]:
    """Player, number, name and actions of each information set."""
    lines = []
    counts = [0, 0]
    for index, (seat, name) in enumerate(zip(game.set_player.tolist(), game.set_names, strict=True)):
        counts[seat] += 1
        actions = " ".join(map(_quoted, game.actions(index)))
        lines.append(f"{seat + 1} {counts[seat]} {_quoted(name)} {{ {actions} }}")
    return lines


def _branches(labels: list[str], chances: list[Number]) -> str:
    rest = 1 - sum(map(_exact, chances))
    if rest:
        most = max(range(len(chances)), key=chances.__getitem__)
        chances[most] = _exact(chances[most]) + rest
    pairs = (f"{_quoted(label)} {_written(chance)}" for label, chance in zip(labels, chances, strict=True))
    return f"{{ {' '.join(pairs)} }}"


def _exact(number: Number) -> Fraction:
    """The number, or what the shortest decimals of a float say."""
    return number if isinstance(number, Fraction) else Fraction(repr(number))


def _written(number: Number) -> str:
    return str(number) if isinstance(number, Fraction) else repr(number)


def _quoted(string: str) -> str:
    return '"' + _SPECIAL.sub(r"\\\g<0>", string) + '"'
