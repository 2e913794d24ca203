"""Valid inputs made slightly wrong: most of what a program is given by accident or by malice is nearly right."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

# Characters and words that parsers stumble over.
ODD = (
    "\0", "\x1b[31m", "\x7f", "\n", "\r", "\t", " ", "\u00a0", "\u200b", "\u202e", "\ufeff", "\U0001f600",
    "\uff11\uff12", "\u00b2", "\u0661", "\u2163", "e\u0301", "\u0130", "\u017f", "\u212a", "\udc80", "\ud800",
    "'", '"', "\\", "/", "//", "-", "--", "+", "*", "%", "%s", "{}", "[]", "(", ")", "<", "|", ":", ";", ",", ".",
    "..", "=", "#", "_", "1_0", "0x10", "1e5", "1e999", "-1", "0", "00", "nan", "inf", "-inf", "1/0", "1/3", "9" * 50,
    "9" * 5000, "1e-999999999", "1e999999999", "true", "null", "None",
)  # fmt: skip
LONG = 100_000  # characters of a long input

NUMBERS: tuple[Any, ...] = (
    0,
    -1,
    1,
    2**31,
    2**63,
    2**64,
    10**400,
    -(10**30),
    0.5,
    1e308,
    float("nan"),
    float("inf"),
)
VALUES: tuple[Any, ...] = (
    *NUMBERS,
    None,
    True,
    "",
    "1/0",
    "1e999",
    "x" * 300,
    "\x1b[31m",
    "\ud800",
    [],
    {},
    [[]],
    [None] * 3,
)


def mutated(text: str, others: Sequence[str], draw: random.Random) -> str:
    """One to three small changes of a text; some of them make it long."""
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        text = draw.choice(_CHANGES)(text, others, draw)
    return text[: 2 * LONG]


def lengthened(text: str, draw: random.Random) -> str:
    """A text of about 100 kB that begins and ends like this one."""
    odd = draw.choice(ODD)
    if not text:
        return odd * (LONG // len(odd))
    part = _slice(text, draw) or text
    times = LONG // len(part)
    way = draw.randrange(4)
    if way == 0:
        return text + part * times
    if way == 1:
        return part * times
    if way == 2:
        return text[: len(text) // 2] + odd * (LONG // 2 // len(odd)) + text[len(text) // 2 :]
    return draw.choice("([{<\"'/:,-+ \n") * LONG + text


def _slice(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[at : at + draw.randint(1, 12)]


def _delete(text: str, others: Sequence[str], draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + text[at + draw.randint(1, 4) :]


def _duplicate(text: str, others: Sequence[str], draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + _slice(text, draw) * draw.choice((1, 1, 2, 20)) + text[at:]


def _swap(text: str, others: Sequence[str], draw: random.Random) -> str:
    if len(text) < 2:
        return text
    low, high = sorted(draw.sample(range(len(text)), 2))
    return text[:low] + text[high] + text[low + 1 : high] + text[low] + text[high + 1 :]


def _insert(text: str, others: Sequence[str], draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice(ODD) + text[at:]


def _replace(text: str, others: Sequence[str], draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice((*ODD, *"23456789TJQKAcdhsfrk")) + text[at + 1 :]


def _truncate(text: str, others: Sequence[str], draw: random.Random) -> str:
    return text[: draw.randrange(len(text) + 1)]


def _cross(text: str, others: Sequence[str], draw: random.Random) -> str:
    other = draw.choice(others)
    return text[: draw.randrange(len(text) + 1)] + other[draw.randrange(len(other) + 1) :]


def _case(text: str, others: Sequence[str], draw: random.Random) -> str:
    return text.swapcase()


_CHANGES = (_delete, _duplicate, _swap, _insert, _insert, _replace, _replace, _truncate, _cross, _case)


def mutated_json(content: Any, draw: random.Random) -> str:
    """A JSON text in which something has another type or size, is missing, or is too deep."""
    way = draw.randrange(10)
    if way == 0:
        return mutated(json.dumps(content), ["{}"], draw)
    if way == 1:
        deep = draw.choice((100, 2000, 50_000))
        return json.dumps(content)[:-1] + ', "x": ' + "[" * deep + "]" * deep + "}"
    copy = json.loads(json.dumps(content))
    for _ in range(draw.choice((1, 1, 2))):
        _change(copy, draw)
    return json.dumps(copy)


def _change(content: Any, draw: random.Random) -> None:
    """Walk down to some place and change what is there."""
    while True:
        keys = list(content) if isinstance(content, dict) else list(range(len(content)))
        if not keys:
            return
        key = draw.choice(keys)
        inside = content[key]
        if isinstance(inside, dict | list) and inside and draw.random() < 0.8:
            content = inside
            continue
        if draw.random() < 0.2:
            del content[key]
        elif isinstance(inside, str) and draw.random() < 0.6:
            content[key] = mutated(inside, [inside], draw)
        elif isinstance(inside, int | float) and draw.random() < 0.5:
            content[key] = draw.choice((inside + 1, -inside, inside * 10**9, *NUMBERS))
        else:
            content[key] = draw.choice(VALUES)
        return
