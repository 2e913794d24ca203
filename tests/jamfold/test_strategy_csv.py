"""A user's own chart, and what may be wrong with it."""

from fractions import Fraction

import pytest

from errai.errors import ErraiError
from errai.jamfold.equities import CLASSES, HANDS, class_number
from errai.jamfold.strategy_csv import read_chart


def written(tmp_path, head, rows, encoding="utf-8"):
    path = tmp_path / "own.csv"
    path.write_text("\n".join([head, *rows]) + "\n", encoding=encoding)
    return path


def probabilities(**odd):
    return [f"{hand},{odd.get(hand, 1)},0.25" for hand in HANDS]


def test_probabilities_are_the_same_at_every_stack(tmp_path):
    own = read_chart(written(tmp_path, "hand,jam,call", probabilities(AKs="0.5")))
    for stack in (1, 7.5, Fraction(40, 3)):
        assert own.jam_at(stack)[class_number("AKs")] == 0.5
        assert own.jam_at(stack).sum() == CLASSES - 0.5
        assert (own.call_at(stack) == 0.25).all()


def test_largest_stacks_are_played_up_to_there(tmp_path):
    limits = {"AA": "20+", "43s": "7.1", "72o": "0"}
    rows = [f"{hand},{limits.get(hand, 10)}" for hand in HANDS]
    own = read_chart(written(tmp_path, "hand,jam_up_to", rows))

    def plays(hand, stack):
        return own.jam_at(stack)[class_number(hand)]

    assert [plays("43s", stack) for stack in (1, 7.1, Fraction(71, 10), 7.11)] == [1, 1, 1, 0]
    assert [plays("AA", stack) for stack in (1, 20, 500)] == [1, 1, 1]
    assert [plays("72o", stack) for stack in (0.1, 5)] == [0, 0]
    assert [plays("KK", stack) for stack in (10, 10.5)] == [1, 0]


def test_without_calls_there_is_nothing_to_ask(tmp_path):
    own = read_chart(written(tmp_path, "hand,jam", [f"{hand},1" for hand in HANDS]))
    with pytest.raises(ErraiError, match="says nothing about calls: add a column call or call_up_to"):
        own.call_at(5)


def test_order_case_spaces_and_other_columns_do_not_matter(tmp_path):
    rows = [f"{i}, {hand.lower()} ,1,0" for i, hand in enumerate(reversed(HANDS))]
    own = read_chart(written(tmp_path, "note, Hand , JAM,call", ["", *rows, "  ,,,"], encoding="utf-8-sig"))
    assert own.jam_at(5).sum() == CLASSES
    assert own.call_at(5).sum() == 0


def test_the_two_kinds_may_be_combined(tmp_path):
    own = read_chart(written(tmp_path, "hand,jam_up_to,call", [f"{hand},8,0.5" for hand in HANDS]))
    assert own.jam_at(9).sum() == 0
    assert (own.call_at(9) == 0.5).all()


GOOD = probabilities()
HEAD = "hand,jam,call"
WRONG = {
    "unknown hand": (HEAD, ["AKx,1,1", *GOOD[1:]], "line 2: 'AKx' is not one of the 169 hands; write AA, AKs or AKo"),
    "no suit": (HEAD, [*GOOD[:5], "AK,1,1", *GOOD[6:]], "line 7: 'AK' is not one of the 169 hands"),
    "missing": (HEAD, GOOD[2:], "2 of the 169 hands are missing: AA, AKs; give each hand a line"),
    "many missing": (HEAD, GOOD[:4], "165 of the 169 hands are missing: ATs, A9s, A8s, A7s, A6s, ...;"),
    "twice": (HEAD, [*GOOD, "aa,1,1"], "line 171: AA is there already, in line 2; give each hand one line"),
    "above 1": (HEAD, ["AA,1.5,1", *GOOD[1:]], "line 2, jam of AA: 1.5 is not a probability; it must be from 0 to 1"),
    "below 0": (HEAD, ["AA,1,-0.5", *GOOD[1:]], "line 2, call of AA: -0.5 is not a probability"),
    "not a number": (HEAD, ["AA,often,1", *GOOD[1:]], "line 2, jam of AA: 'often' is not a number"),
    "nan": (HEAD, ["AA,nan,1", *GOOD[1:]], "nan is not a probability"),
    "empty cell": (HEAD, ["AA,,1", *GOOD[1:]], "line 2, jam of AA: '' is not a number"),
    "short line": (HEAD, ["AA,1", *GOOD[1:]], "line 2 has 2 columns; the first line has 3: hand,jam,call"),
    "negative stack": ("hand,jam_up_to,call", ["AA,-1,1", *GOOD[1:]], "-1 is not a stack; it must be 0 or more"),
    "no stack": ("hand,jam_up_to,call", ["AA,all,1", *GOOD[1:]], "'all' is not a stack; write big blinds, as in 7.5"),
    "no heading": ("AA,1,1", GOOD[1:], "line 1 must name the columns: hand,jam,call or hand,jam_up_to,call_up_to"),
    "no jams": ("hand,x,call", GOOD, "line 1 must name the columns"),
    "two kinds of jams": ("hand,jam,jam_up_to", GOOD, "give one of the columns jam and jam_up_to, not both"),
    "a column twice": ("hand,jam,jam", GOOD, "the column jam is there twice"),
}  # fmt: skip


@pytest.mark.parametrize(("head", "rows", "words"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_named_with_its_place(head, rows, words, tmp_path):
    path = written(tmp_path, head, rows)
    with pytest.raises(ErraiError) as caught:
        read_chart(path)
    assert str(caught.value).startswith(str(path))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "must name the columns"), (b"\xff\xfe\x00", "is not a text file"), (None, "no such file")],
)
def test_what_is_no_table_is_refused(content, words, tmp_path):
    path = tmp_path / "own.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ErraiError, match=words):
        read_chart(path)
