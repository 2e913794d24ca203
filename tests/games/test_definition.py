"""`.game` texts: what they mean, and what is said about those that are wrong."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errai.cards import strength
from errai.errors import ErraiError
from errai.games.catalogue import load_game
from errai.games.definition import MOST_CARDS, GameDefinition, parse_game

LEDUC = """\
GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 2 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""

NO_LIMIT_HOLD_EM = """\
GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""


def test_leduc_reads_as_its_rules():
    assert parse_game(LEDUC) == GameDefinition(
        name="leduc",
        betting="limit",
        blinds=(1, 1),
        raise_sizes=(2, 4),
        first_player=(0, 0),
        max_raises=(2, 2),
        suits=2,
        ranks=3,
        hole_cards=1,
        board_cards=(0, 1),
    )


def test_what_follows_from_the_rules_of_leduc():
    game = parse_game(LEDUC)
    assert (game.rounds, game.deck_size, game.unit, game.most_chips) == (2, 6, 2, 13)
    assert game.board_sizes == (0, 1)


def test_no_limit_hold_em_reads_with_the_defaults_of_the_acpc():
    game = parse_game(NO_LIMIT_HOLD_EM)
    assert game.betting == "nolimit"
    assert game.stacks == (20000, 20000)
    assert game.raise_sizes == ()
    assert game.first_player == (1, 0, 0, 0)
    assert game.max_raises == (255, 255, 255, 255)
    assert game.board_sizes == (0, 3, 4, 5)
    assert game.unit == 100


def test_the_name_is_the_source_unless_given():
    assert parse_game(LEDUC).name == "game"
    assert parse_game(LEDUC, source="x.game").name == "x.game"
    assert parse_game(LEDUC, source="x.game", name="x").name == "x"


@pytest.mark.parametrize(
    "text",
    [
        LEDUC.upper(),
        LEDUC.lower(),
        LEDUC.replace(" = ", "="),
        LEDUC.replace("\n", "\r\n"),
        LEDUC.replace("limit\n", "\n  # a comment\n#\n  limit  \n"),
        LEDUC.replace("limit\n", ""),
        LEDUC.replace("firstPlayer = 1 1\n", ""),
        "\n# Leduc\n" + LEDUC + "\n# and nothing else\n\n",
        LEDUC.replace("limit\n", "").replace("END GAMEDEF", "limit\nend   gamedef"),
        LEDUC.replace("numRanks", "handRanking = ACPC\nnumRanks"),
    ],
)
def test_other_ways_to_write_leduc(text):
    assert parse_game(text) == parse_game(LEDUC)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("GAMEDEF\nlimit", "limit", "line 1: 'limit' before GAMEDEF; a definition begins with GAMEDEF"),
        ("END GAMEDEF\n", "", "line 12: no END GAMEDEF; a definition ends with END GAMEDEF"),
        (
            "END GAMEDEF\n",
            "END GAMEDEF\nstack = 9 9",
            "line 14: 'stack = 9 9' after END GAMEDEF; only comments may",
        ),
        ("limit\n", "gamedef\n", "line 2: a second GAMEDEF, the first is on line 1"),
        ("limit\n", "limit\nnolimit\n", "line 3: nolimit again, line 2 says limit; say it once"),
        ("limit\n", "limited\n", "line 2: 'limited' is not understood; write key = values, limit or nolimit"),
        ("limit\n", "blind 1 1\n", "line 2: 'blind 1 1' is not understood; write key = values"),
        ("numSuits", "numSuit", "line 9: unknown key 'numSuit'; did you mean numSuits?"),
        ("numSuits", "antes", "line 9: unknown key 'antes'; the keys are numPlayers, numRounds"),
        ("numSuits = 2", "numRanks = 3", "line 10: numRanks again, it is already on line 9"),
        ("numSuits = 2\n", "", "line 12: numSuits is missing; give one value"),
        ("raiseSize = 2 4\n", "", "line 12: raiseSize is missing; give one value for each round"),
        ("blind = 1 1\n", "", "line 12: blind is missing; give one value for each seat"),
        (
            "maxRaises = 2 2\n",
            "",
            "line 12: maxRaises is missing, and a limit game with unlimited raises has an inf",
        ),
        ("raiseSize = 2 4", "raiseSize = 2", "line 6: raiseSize has 1 value; it needs 2, one for each round"),
        ("blind = 1 1", "blind = 1 1 1", "line 5: blind has 3 values; it needs 2, one for each seat"),
        ("numSuits = 2", "numSuits =", "line 9: numSuits has 0 values; it needs 1"),
        ("numSuits = 2", "numSuits = two", "line 9: numSuits has 'two', no whole number up to 2147483647"),
        ("numSuits = 2", "numSuits = 2.0", "line 9: numSuits has '2.0', no whole number"),
        ("blind = 1 1", "blind = 1 1_0", "line 5: blind has '1_0', no whole number"),
        (
            "blind = 1 1",
            "blind = 1 9999999999",
            "line 5: blind has '9999999999', no whole number up to 2147483647",
        ),
        (
            "numSuits = 2",
            "numSuits = #two",
            "line 9: numSuits has '#two', no whole number up to 2147483647; a comm",
        ),
        ("numPlayers = 2", "numPlayers = 3", "line 3: numPlayers is 3; Errai solves two-player games"),
        ("numRounds = 2", "numRounds = 0", "line 4: numRounds is 0; it is 1 to 4"),
        ("numRounds = 2", "numRounds = 2000000000", "line 4: numRounds is 2000000000; it is 1 to 4"),
        ("blind = 1 1", "blind = 1 -1", "line 5: blind -1 is negative; a blind is 0 chips or more"),
        ("blind = 1 1", "blind = 0 0", "line 5: blind is 0 for both seats"),
        ("raiseSize = 2 4", "raiseSize = 2 0", "line 6: raiseSize 0 is no raise; it is 1 chip or more"),
        ("firstPlayer = 1 1", "firstPlayer = 1 3", "line 7: firstPlayer 3 is no seat; seats are 1 to 2"),
        ("firstPlayer = 1 1", "firstPlayer = 0 1", "line 7: firstPlayer 0 is no seat; seats are 1 to 2"),
        ("maxRaises = 2 2", "maxRaises = 2 21", "line 8: maxRaises 21 is out of range; it is 0 to 20"),
        ("maxRaises = 2 2", "maxRaises = -1 2", "line 8: maxRaises -1 is out of range; it is 0 to 20"),
        ("numSuits = 2", "numSuits = 5", "line 9: numSuits is 5; it is 1 to 4"),
        ("numRanks = 3", "numRanks = 1", "line 10: numRanks is 1; it is 2 to 13"),
        ("numHoleCards = 1", "numHoleCards = 3", "line 11: numHoleCards is 3; it is 1 or 2"),
        ("numBoardCards = 0 1", "numBoardCards = 0 -1", "line 12: numBoardCards -1 is negative"),
        (
            "numBoardCards = 0 1",
            "numBoardCards = 2 3",
            "line 12: numBoardCards makes 7 cards dealt in all; the deck",
        ),
        ("limit\n", "handRanking = low\n", "line 2: handRanking is 'low'; it is acpc or three-card"),
        ("limit\n", "handRanking = a b\n", "line 2: handRanking has 2 values; it is acpc or three-card"),
        (
            "limit\n",
            "handRanking = three-card\n",
            "line 2: handRanking three-card needs 3 hole and board cards in",
        ),
        ("limit\n", "stack = 0 99\n", "line 2: stack 0 is too small; it is 1 or more, to pay the blind"),
        ("limit\n", "nolimit\n", "line 6: raiseSize belongs to limit games; leave it out of a nolimit game"),
    ],
)
def test_a_wrong_text_is_told_its_line_its_key_and_what_is_allowed(old, new, complaint):
    assert old in LEDUC
    with pytest.raises(ErraiError, match=f"^{re.escape('my.game, ' + complaint)}") as error:
        parse_game(LEDUC.replace(old, new, 1), source="my.game")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment"])
def test_a_text_without_a_definition(text):
    with pytest.raises(ErraiError, match="no GAMEDEF; a definition begins with GAMEDEF"):
        parse_game(text)


def test_a_stack_that_a_limit_game_can_use_up_is_refused_with_one_that_never_matters():
    with pytest.raises(ErraiError) as error:
        parse_game(LEDUC.replace("limit\n", "limit\nstack = 13 12\n"), source="my.game")
    assert str(error.value) == (
        "my.game, line 3: stack 12 can run out, and all-in limit games are not supported; "
        "give 13 or more, which never matters, or leave stack out"
    )


def test_a_stack_that_never_matters_is_kept():
    game = parse_game(LEDUC.replace("limit\n", "limit\nstack = 13 500\n"))
    assert game.stacks == (13, 500)
    assert parse_game(game.text()) == game


def test_rules_made_in_code_are_checked_like_those_of_a_file():
    with pytest.raises(ErraiError, match=r"^mine: numSuits is 7; it is 1 to 4$"):
        GameDefinition("mine", "limit", (1, 1), (2,), (0,), (1,), 7, 3, 1, (0,))
    with pytest.raises(ErraiError, match=r"^mine: betting is 'pot'; it is limit or nolimit$"):
        GameDefinition("mine", "pot", (1, 1), (2,), (0,), (1,), 2, 3, 1, (0,))
    with pytest.raises(ErraiError, match=r"^mine: maxRaises has 2 values; it needs 1, one for each round$"):
        GameDefinition("mine", "limit", (1, 1), (2,), (0,), (1, 1), 2, 3, 1, (0,))


@st.composite
def definitions(draw, bettings=("limit", "nolimit")):
    rounds = draw(st.integers(1, 4))
    betting = draw(st.sampled_from(bettings))

    def by_round(low, high):
        return tuple(draw(st.lists(st.integers(low, high), min_size=rounds, max_size=rounds)))

    suits, ranks = draw(st.integers(2, 4)), draw(st.integers(2, 13))
    hole = draw(st.integers(1, 2)) if suits * ranks >= 4 else 1
    board, left = [], min(suits * ranks - 2 * hole, MOST_CARDS - hole)
    for _ in range(rounds):
        board.append(draw(st.integers(0, min(3, left))))
        left -= board[-1]
    blinds = draw(st.tuples(st.integers(0, 100), st.integers(1, 100)))
    rules = {
        "name": "drawn",
        "betting": betting,
        "blinds": blinds,
        "raise_sizes": by_round(1, 50) if betting == "limit" else (),
        "first_player": by_round(0, 1),
        "max_raises": by_round(0, 20 if betting == "limit" else 255),
        "suits": suits,
        "ranks": ranks,
        "hole_cards": hole,
        "board_cards": tuple(board),
        "ranking": draw(st.sampled_from(["acpc", "three-card"] if hole + sum(board) == 3 else ["acpc"])),
    }
    if draw(st.booleans()):
        enough = GameDefinition(**rules).most_chips if betting == "limit" else max(blinds)
        rules["stacks"] = (enough + draw(st.integers(0, 9)), enough + draw(st.integers(0, 9)))
    return GameDefinition(**rules)


@given(definitions())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_text_of_a_game_reads_back_as_the_same_game(game):
    assert parse_game(game.text()) == game
    assert parse_game(game.text(), name=game.name).name == game.name


@given(st.text(max_size=80), st.integers(0, len(LEDUC)))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_text_is_a_game_or_one_line_of_complaint(junk, place):
    for text in (junk, LEDUC[:place] + junk + LEDUC[place:]):
        complaint = ""
        try:
            parse_game(text)
        except ErraiError as error:
            complaint = str(error)
        assert len(complaint.splitlines()) <= 1


def test_hands_of_more_than_seven_cards_cannot_be_ranked_and_are_refused():
    text = load_game("holdem").text()
    more = text.replace("numBoardCards = 0 3 1 1", "numBoardCards = 0 3 1 2")
    assert more != text
    with pytest.raises(
        ErraiError, match="numBoardCards makes hands of 8 hole and board cards; hands of more"
    ):
        parse_game(more)


def test_the_rules_allow_as_many_cards_as_hand_strength_ranks():
    assert strength.MOST_CARDS == MOST_CARDS
