"""Hands in the PHH format (Kim 2024): TOML, one hand in a .phh file, several under headings such as [1] in a .phhs.

    variant = "FT"
    antes = [0, 0]
    blinds_or_straddles = [5, 10]
    small_bet = 10
    big_bet = 20
    starting_stacks = [10000, 10000]
    actions = ["d dh p1 AhQd", "d dh p2 ????", "p2 cc", "p1 cc", "d db Ks7h2d", ...]

FT is limit hold'em and NT no-limit. Of two players p1 has the big blind, although the blinds are written from the
small one on, and p2 the button. A heading and what stands under it is read on its own, so that a damaged hand does
not take the others with it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from errai.errors import ErraiError
from errai.files.writing import replacing_file
from errai.games.definition import GameDefinition
from errai.games.state import HandState, start
from errai.play.history import Told

VARIANT = re.compile(r"\s*[\"']?variant[\"']?\s*=")
_HEADING = re.compile(r"\s*\[\s*[\w.\"' -]+\s*\]\s*(?:#.*)?")
_AMOUNT = re.compile(r"[0-9]{1,15}(\.[0-9]{1,9})?")
_PLAYERS = ("p1", "p2")  # the big blind and the button
_HIDDEN = "????"
STACK = 1000  # big blinds, in games where stacks do not matter


def parts(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """(number of its first line, text) of every hand in a file."""
    first, kept = 1, list[str]()
    for number, line in lines:
        if _HEADING.fullmatch(line):
            if any(map(VARIANT.match, kept)):
                yield first, "\n".join(kept)
            first, kept = number, []
        else:
            kept.append(line)
    if any(map(VARIANT.match, kept)):
        yield first, "\n".join(kept)


def read_phh(game: GameDefinition, text: str) -> tuple[HandState, tuple[str, str], tuple[int, int], object]:
    """The end of a hand, its players, chips won by seat, and what it is called."""
    try:
        content = tomllib.loads(text, parse_float=str)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise ErraiError(f"no TOML: {str(error)[:100]}") from None
    variant = content.get("variant")
    if variant != "FT":
        raise ErraiError(f"variant {str(variant)[:20]!a}; only FT, limit hold'em, is read")
    antes, blinds = _numbers(content, "antes"), _numbers(content, "blinds_or_straddles")
    if any(antes):
        raise ErraiError("antes, where none are paid in the game played here")
    if len(blinds) != 2 or len(antes) > 2:
        raise ErraiError(f"{max(len(blinds), len(antes))} players; only hands of two are played here")
    if blinds[0] > blinds[1]:
        raise ErraiError("p1 has the small blind; of two players it must have the big blind")
    told = Told(game, {"p1": blinds[1], "p2": blinds[0]})
    bets = [_number(content.get(name), name) for name in ("small_bet", "big_bet")]
    wanted = [size * blinds[1] / max(game.blinds) for size in (game.raise_sizes[0], game.raise_sizes[-1])]
    if bets != wanted:
        shown = [" and ".join(f"{float(size):g}" for size in sizes) for sizes in (bets, wanted)]
        raise ErraiError(f"bets of {shown[0]}, where the limit is {shown[1]}")
    actions = content.get("actions")
    if not isinstance(actions, list):
        raise ErraiError("actions are missing")
    mucked: set[str] = set()
    for written in actions:
        _act(told, written, mucked)
    state, won = told.end(_taken(content, told, mucked))
    chip = Fraction(max(game.blinds)) / blinds[1]
    for name, stack in zip(_PLAYERS, _stacks(content, "starting_stacks"), strict=False):
        if stack is not None and state.spent[told.players.index(name)] > stack * chip:
            raise ErraiError(f"{name} is all in, which is not played here")
    names = content.get("players")
    if not (isinstance(names, list) and len(names) == 2 and all(isinstance(name, str) for name in names)):
        names = list(_PLAYERS)
    by_seat = [names[_PLAYERS.index(player)] for player in told.players]
    return state, (by_seat[0], by_seat[1]), won, content.get("hand")


def _act(told: Told, written: object, mucked: set[str]) -> None:
    """One action: d dh p1 AhQd, d db Ks7h2d, p1 f, p1 cc, p1 cbr 20, p1 sm AhQd."""
    if not isinstance(written, str):
        raise ErraiError(f"action {str(written)[:30]!a} is no text")
    words = written.split("#")[0].split()
    match words:
        case []:
            pass
        case ["d", "db", cards]:
            told.deal(cards)
        case ["d", "dh", player, cards]:
            if "?" not in cards:
                told.hand(player, cards)
        case [player, "f"]:
            told.act(player, "f")
        case [player, "cc"]:
            told.act(player, "c")
        case [player, "cbr", amount]:
            told.act(player, "r", _number(amount, "cbr"))
        case [player, "sm"]:
            mucked.add(player)
        case [player, "sm", cards]:
            if cards != "-" and "?" not in cards:
                told.hand(player, cards)
        case _:
            raise ErraiError(f"action {written[:30]!a} is none of limit hold'em")


def _taken(content: dict[str, Any], told: Told, mucked: set[str]) -> dict[str, Fraction]:
    """Who took from the pot, as far as the hand says: by stacks, winnings, or because the other did not show."""
    if "finishing_stacks" in content:
        pairs = zip(_stacks(content, "starting_stacks"), _stacks(content, "finishing_stacks"), strict=False)
        gained = [None if None in (a, b) else b - a for a, b in pairs]  # type: ignore[operator]
        if len(gained) == 2 and None not in gained:
            if gained[0] == gained[1]:
                return dict.fromkeys(_PLAYERS, Fraction(1))
            return {_PLAYERS[0 if gained[0] > gained[1] else 1]: Fraction(1)}  # type: ignore[operator]
    if "winnings" in content:
        won = _numbers(content, "winnings")
        if len(won) == 2 and any(won):
            return dict(zip(_PLAYERS, won, strict=True))
    return {player: Fraction(1) for player in _PLAYERS if len(mucked) == 1 and player not in mucked}


def _numbers(content: dict[str, Any], name: str) -> list[Fraction]:
    given = content.get(name)
    if not isinstance(given, list):
        raise ErraiError(f"{name} is no list of numbers")
    return [_number(number, name) for number in given]


def _stacks(content: dict[str, Any], name: str) -> list[Fraction | None]:
    """By player; None without a limit."""
    given = content.get(name)
    if not isinstance(given, list):
        raise ErraiError(f"{name} is no list of numbers")
    return [None if number == "inf" else _number(number, name) for number in given]


def _number(given: object, name: str) -> Fraction:
    """An amount, which TOML gives as an integer or as it is written."""
    text = "" if isinstance(given, bool) else str(given).replace("_", "")
    if not _AMOUNT.fullmatch(text):
        raise ErraiError(f"{name} {str(given)[:30]!a} is no amount")
    return Fraction(text)


def phh_text(state: HandState, players: Sequence[str] = (), hand: int | str | None = None) -> str:
    """A hand that was played to its end, as PHH; cards that are not known are written as ????."""
    game = state.game
    hole = game.hole_cards
    limit = game.betting == "limit"
    if (game.suits, game.ranks, hole) != (4, 13, 2) or game.board_cards != (0, 3, 1, 1):
        raise ErraiError(f"{game.name} has no variant in PHH; only hold'em is written")
    if not state.over:
        raise ErraiError(f"the hand is not over after {state.betting!a}; only whole hands are written")
    big = game.blinds.index(max(game.blinds))
    seats = (big, 1 - big)  # of p1 and p2
    stacks = (
        [STACK * game.unit] * 2 if limit or game.stacks is None else [game.stacks[seat] for seat in seats]
    )
    fields: dict[str, object] = {
        "variant": "FT" if limit else "NT",
        "antes": [0, 0],
        "blinds_or_straddles": [game.blinds[seats[1]], game.blinds[seats[0]]],
    }
    if limit:
        fields |= {"small_bet": game.raise_sizes[0], "big_bet": game.raise_sizes[-1]}
    else:
        fields["min_bet"] = game.blinds[big]
    fields |= {"starting_stacks": stacks, "actions": _actions(state, seats)}
    if hand is not None:
        fields["hand"] = hand
    if players:
        fields["players"] = [players[seat] for seat in seats]
    if state.folded is not None or None not in state.hole:
        won = state.payoff()
        fields["finishing_stacks"] = [stack + won[seat] for stack, seat in zip(stacks, seats, strict=True)]
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in fields.items())


def write_phh(path: Path, hands: Iterable[tuple[HandState, Sequence[str], int | str | None]]) -> int:
    """Write hands, each with its players by seat and its number: one to a .phh file, or several to a .phhs."""
    texts = [phh_text(*hand) for hand in hands]
    if path.suffix == ".phh" and len(texts) != 1:
        raise ErraiError(f"{path} would hold {len(texts)} hands; a .phh file has one, a .phhs several")
    numbered = texts if path.suffix == ".phh" else [f"[{n}]\n{text}\n" for n, text in enumerate(texts, 1)]
    with replacing_file(path) as new:
        new.write_text("".join(numbered), encoding="utf-8")
    return len(texts)


def _actions(end: HandState, seats: tuple[int, int]) -> list[str]:
    label = {seat: player for player, seat in zip(_PLAYERS, seats, strict=True)}
    deck, state = end.deck, start(end.game)
    held = {
        seat: _HIDDEN if (cards := end.hole[seat]) is None else deck.format_cards(cards) for seat in seats
    }
    written = [f"d dh {label[seat]} {held[seat]}" for seat in seats]
    began, dealt = (0, 0), 0
    for action in end.actions:
        dealt = _deal(written, end, dealt, state.round)
        seat = state.player
        following = state.act(action)
        amount = following.spent[seat] - began[seat]
        verb = {"f": "f", "c": "cc"}.get(action, f"cbr {amount}")
        written.append(f"{label[seat]} {verb}")
        if following.round != state.round:
            began = following.spent
        state = following
    if end.folded is None:
        for round_ in range(end.game.rounds):
            dealt = _deal(written, end, dealt, round_)
        written += [f"{label[seat]} sm {held[seat]}" for seat in seats if end.hole[seat] is not None]
    return written


def _deal(written: list[str], end: HandState, dealt: int, round_: int) -> int:
    size = end.game.board_sizes[round_]
    if size > dealt:
        written.append(f"d db {end.deck.format_cards(end.cards[dealt:size])}")
    return max(size, dealt)
