"""Ranges: what each form of the notation means, what is refused, and that text and weights agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.cards.notation import FULL_DECK, GRID, RANKS, hand_class_name, hand_index, hands
from errai.cards.ranges import format_range, parse_range
from errai.errors import ErraiError

CLASS_NAMES = [hand_class_name(low, high) for low, high in hands(52, 2)]


def classes(text):
    """The classes a range holds whole and with weight 1; nothing else may have weight."""
    weights = parse_range(text)
    held = {name for name, weight in zip(CLASS_NAMES, weights, strict=True) if weight}
    np.testing.assert_array_equal(weights, [float(name in held) for name in CLASS_NAMES])
    return held


def weight_of(weights, cards):
    return weights[hand_index(FULL_DECK.parse(cards))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AA", "AA"),
        ("AKs", "AKs"),
        ("AKo", "AKo"),
        ("AK", "AKs AKo"),
        ("KA", "AKs AKo"),
        ("TT+", "TT JJ QQ KK AA"),
        ("AA+", "AA"),
        ("ATs+", "ATs AJs AQs AKs"),
        ("AQ+", "AQs AKs AQo AKo"),
        ("JTs+", "JTs"),
        ("J8o+", "J8o J9o JTo"),
        ("QQ-TT", "QQ JJ TT"),
        ("TT-QQ", "QQ JJ TT"),
        ("A9s-A6s", "A9s A8s A7s A6s"),
        ("A6s-A9s", "A9s A8s A7s A6s"),
        ("K4-K3", "K4s K3s K4o K3o"),
        ("98o-65o", "98o 87o 76o 65o"),
        ("65o-98o", "98o 87o 76o 65o"),
        ("J9s-97s", "J9s T8s 97s"),
        ("AKs-AKs", "AKs"),
        ("A10s+", "ATs AJs AQs AKs"),
        ("1010", "TT"),
        ("aa AKS\nqJo,, 22", "AA AKs QJo 22"),
        ("AA,AA,TT+", "TT JJ QQ KK AA"),
    ],
)
def test_each_form_means_the_hands_players_expect(text, expected):
    assert classes(text) == set(expected.split())


@pytest.mark.parametrize("text", ["random", "any", "all", "100%", "*", "RANDOM", "Any", "All"])
def test_every_hand(text):
    assert (parse_range(text) == 1).all()


@pytest.mark.parametrize("text", ["AsKh", "KhAs", "askh", "A♠K♥"])
def test_one_hand_by_its_cards(text):
    weights = parse_range(text)
    assert weights.sum() == 1
    assert weight_of(weights, "AsKh") == 1


def test_a_class_holds_four_six_or_twelve_hands():
    assert [parse_range(text).sum() for text in ("AKs", "AA", "AKo", "AK")] == [4, 6, 12, 16]


def test_a_weight_belongs_to_its_item():
    weights = parse_range("QQ-TT:0.5, AKs, 72o:0")
    assert [weight_of(weights, cards) for cards in ("QsQh", "TcTd", "AsKs", "7s2h")] == [0.5, 0.5, 1, 0]
    assert weights.sum() == 3 * 6 * 0.5 + 4


def test_hands_that_hold_a_dead_card_are_gone():
    board = FULL_DECK.parse("As Kd 2c")
    weights = parse_range("random", board)
    assert weights.sum() == 49 * 48 / 2
    for cards in ("AsKh", "KdKh", "3c2c"):
        assert weight_of(weights, cards) == 0


def test_a_hand_may_be_named_twice_with_one_weight_only():
    assert parse_range("AKs:0.5, AsKs:0.5").sum() == 2
    with pytest.raises(ErraiError) as error:
        parse_range("AKs, AsKs:0.5")
    assert "'AsKs:0.5' at position 6 is conflicting with 'AKs' at position 1: both name AsKs" in str(
        error.value
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the range is empty"),
        (" ,\n", "the range is empty"),
        ("AA, AKx", "range item 'AKx' at position 5 names no hand"),
        ("A", "range item 'A' at position 1 names no hand"),
        ("AsAs", "range item 'AsAs' at position 1 names no hand"),
        ("AsKhQd", "does not have two cards"),
        ("AsKh+", "'AsKh' is not a class of hands"),
        ("QQ-", "'' is not a class of hands"),
        ("QQs", "write it as QQ"),
        ("QQ-A5", "only one end is a pair"),
        ("A9s-A6o", "A9s and A6o are not of one kind"),
        ("A9s-K6s", "share neither their top card nor their gap"),
        ("KK AA:1.5", "weight '1.5' of range item 'AA:1.5' at position 4 is not a number from 0 to 1"),
        ("AA:-0.1", "weight '-0.1'"),
        ("AA:nan", "weight 'nan'"),
        ("AA:inf", "weight 'inf'"),
        ("AA:", "weight ''"),
        ("AA:half", "weight 'half'"),
        ("AA:0", "gives every hand weight 0"),
    ],
)
def test_a_bad_range_is_refused_by_name_and_place(text, complaint):
    with pytest.raises(ErraiError) as error:
        parse_range(text)
    assert complaint in str(error.value)


def test_a_range_that_the_board_rules_out_is_refused():
    with pytest.raises(ErraiError, match="every hand of range 'AsKh' holds one of the dead cards Kh"):
        parse_range("AsKh", FULL_DECK.parse("Kh"))


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "random:0.25",
        "AA",
        "TT+",
        "QQ-88",
        "TT+,A2s+,KTs+,AQo+",
        "A9s-A6s:0.5",
        "AA,KK:0.5,AsKs",
        "22+,AsKs:0.1,AhKh:0.2,76s",
    ],
)
def test_a_range_is_written_in_its_compact_form(text):
    assert format_range(parse_range(text)) == text


def test_weights_may_be_in_percent():
    np.testing.assert_array_equal(parse_range("AKs:50%, 77:7.5%, AA"), parse_range("AKs:0.5, 77:0.075, AA"))
    for weight in ("101%", "-1%", "%", "50%%"):
        with pytest.raises(ErraiError, match=r"write it as in AA:0\.5 or AA:50%"):
            parse_range(f"AA:{weight}")


def test_dead_cards_leave_the_hands_of_a_class_one_by_one_unless_they_are_known():
    ace = FULL_DECK.parse("Ac")
    weights = parse_range("AA,KK", ace)
    assert format_range(weights) == "AsAh,AsAd,AhAd,KK"
    assert format_range(weights, ace) == "KK+"
    np.testing.assert_array_equal(parse_range("KK+", ace), weights)
    assert format_range(parse_range("all:0.5", ace), ace) == "random:0.5"
    assert format_range(parse_range("AKs:0.5,QQ", ace), ace) == "QQ,AKs:0.5"


def test_what_is_not_a_range_cannot_be_written():
    with pytest.raises(ErraiError, match="the range is empty"):
        format_range(np.zeros(1326))
    with pytest.raises(ErraiError, match="1326 weights"):
        format_range(np.ones(169))
    for weight in (-0.5, 1.5, np.nan):
        with pytest.raises(ErraiError, match="every weight must be from 0 to 1"):
            format_range(np.full(1326, weight))


weight_values = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))


@st.composite
def ranges(draw):
    """A few classes held whole, then a few hands set on their own."""
    weights = np.full(1326, draw(weight_values))
    names = np.array(CLASS_NAMES)
    grid_names = [name for row in GRID for name in row]
    for name, weight in draw(
        st.dictionaries(st.sampled_from(grid_names), weight_values, max_size=30)
    ).items():
        weights[names == name] = weight
    for index, weight in draw(st.dictionaries(st.integers(0, 1325), weight_values, max_size=10)).items():
        weights[index] = weight
    weights[draw(st.integers(0, 1325))] = 1.0
    return weights


@settings(derandomize=True, deadline=None)
@given(ranges())
def test_a_written_range_reads_back_to_the_same_weights(weights):
    np.testing.assert_array_equal(parse_range(format_range(weights)), weights)


@settings(derandomize=True, deadline=None)
@given(ranges(), st.lists(st.integers(0, 51), max_size=5, unique=True))
def test_a_range_on_a_board_reads_back_to_the_same_weights(weights, board):
    cards = hands(52, 2)
    weights = np.where(np.isin(cards, np.array(board, cards.dtype)).any(axis=1), 0.0, weights)
    if weights.any():
        np.testing.assert_array_equal(parse_range(format_range(weights, board), board), weights)


@settings(derandomize=True, deadline=None)
@given(
    st.one_of(st.text(), st.text(alphabet=RANKS + "sohd+-:.,01 *%")), st.lists(st.integers(0, 51), max_size=5)
)
def test_any_text_is_read_as_a_range_or_refused(text, dead):
    try:
        weights = parse_range(text, dead)
    except ErraiError:
        return
    assert weights.any()
    assert ((weights >= 0) & (weights <= 1)).all()
    np.testing.assert_array_equal(parse_range(format_range(weights)), weights)
