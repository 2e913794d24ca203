"""Random hands played with us and with two programs that nobody here wrote.

OpenSpiel's `universal_poker` is the ACPC dealer itself, so it must agree in everything, unequal stacks and short
all-ins included. PokerKit has the rules of casinos. It agrees except that a big blind has no turn after a button
who is all-in for no more than the blind, where the ACPC dealer waits for a check.
"""

import random
from dataclasses import replace

import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem

from errai.cards.notation import FULL_DECK
from errai.games.catalogue import builtin_names, load_game
from errai.games.state import from_log_line, start
from tests.games.nolimit import DEEP, SHORT, with_stacks

pyspiel = pytest.importorskip("pyspiel")

FULL_SUITS = [name for name in builtin_names() if load_game(name).suits == 4]
LIMIT = [load_game(name) for name in FULL_SUITS]
STACKS = [
    (20000, 20000),
    (1000, 1000),
    (450, 450),
    (270, 1000),
    (2000, 130),
    (100, 700),
    (700, 50),
    (101, 99),
]


def pick(state, chance):
    """An action, with raises of all sizes; the least and all-in are frequent."""
    action = chance.choice(state.legal())
    if action == "r" and state.game.betting == "nolimit":
        least, most = state.raise_range()
        small, any_size = chance.randint(least, min(3 * least, most)), chance.randint(least, most)
        return f"r{chance.choice([least, small, any_size, most])}"
    return action


def dealer(game):
    """The same game of OpenSpiel."""

    def row(values):
        return " ".join(map(str, values))

    sizes = f"raiseSize={row(game.raise_sizes)}," if game.raise_sizes else "bettingAbstraction=fullgame,"
    stacks = f"stack={row(game.stacks)}," if game.stacks else ""
    return pyspiel.load_game(
        f"universal_poker(betting={game.betting},{sizes}{stacks}numPlayers=2,numRounds={game.rounds},"
        f"blind={row(game.blinds)},firstPlayer={row(seat + 1 for seat in game.first_player)},"
        f"maxRaises={row(game.max_raises)},numSuits=4,numRanks={game.ranks},numHoleCards={game.hole_cards},"
        f"numBoardCards={row(game.board_cards)})"
    )


def their_number(action):
    """OpenSpiel's number of an action."""
    return {"f": 0, "c": 1, "r": 2}[action] if len(action) == 1 else int(action[1:])


def play_with_the_acpc_dealer(game, theirs, chance):
    """One hand, compared after every action."""
    state, their_state = start(game), theirs.new_initial_state()
    while True:
        while their_state.is_chance_node():
            their_state.apply_action(chance.choice(their_state.legal_actions()))
        described = their_state.to_dict()
        line = described["acpc_state"].splitlines()[0]
        assert line.split(":")[2] == state.betting
        assert tuple(described["player_contributions"]) == state.spent
        assert their_state.is_terminal() == state.over
        if state.over:
            break
        assert their_state.current_player() == state.player
        assert set(their_state.legal_actions()) == legal_numbers(state)
        action = pick(state, chance)
        state = state.act(action)
        their_state.apply_action(their_number(action))
    if game.ranking == "acpc" and game.ranks == 13:
        hand = from_log_line(game, line).state
        assert hand.log_line() == line
        assert hand.payoff() == tuple(their_state.returns())


def legal_numbers(state):
    numbers = {their_number(action) for action in state.legal() if action != "r"}
    sizes = state.raise_range()
    if sizes is not None:
        numbers |= {2} if state.game.betting == "limit" else set(range(sizes[0], sizes[1] + 1))
    return numbers


@pytest.mark.parametrize("game", LIMIT, ids=FULL_SUITS)
def test_limit_hands_go_as_with_the_acpc_dealer(game):
    theirs, chance = dealer(game), random.Random(5)
    for _ in range(50):
        play_with_the_acpc_dealer(game, theirs, chance)


@pytest.mark.parametrize("stacks", STACKS, ids=str)
def test_no_limit_hands_go_as_with_the_acpc_dealer(stacks):
    game = with_stacks(DEEP, *stacks)
    theirs, chance = dealer(game), random.Random(7)
    for _ in range(10 if max(stacks) > 2000 else 100):
        play_with_the_acpc_dealer(game, theirs, chance)


@pytest.mark.parametrize("stacks", [(6, 6), (5, 8), (9, 4), (2, 1), (3, 1), (2, 7)], ids=str)
def test_every_no_limit_betting_of_a_short_stack_goes_as_with_the_acpc_dealer(stacks):
    game = with_stacks(SHORT, *stacks)
    if start(game).over:
        return  # the dealer never deals such a hand

    def compare(state, their_state):
        while their_state.is_chance_node():
            their_state.apply_action(their_state.legal_actions()[0])
        assert their_state.is_terminal() == state.over
        assert tuple(their_state.to_dict()["player_contributions"]) == state.spent
        if state.over:
            return
        assert their_state.current_player() == state.player
        assert set(their_state.legal_actions()) == legal_numbers(state)
        for number in their_state.legal_actions():
            action = "fc"[number] if number < 2 else f"r{number}"
            compare(state.act(action), their_state.child(number))

    compare(start(game), dealer(game).new_initial_state())


# PokerKit

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def limit_table():
    """PokerKit allows four raises in every round, before the flop too."""
    stacks = (10_000, 10_000)  # never matter
    game = replace(load_game("holdem"), max_raises=(4, 4, 4, 4), stacks=stacks)
    return game, FixedLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (5, 10), 10, 20, stacks, 2)


def no_limit_table(stacks):
    game = with_stacks(DEEP, *stacks)
    return game, NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (50, 100), 100, stacks, 2)


def play_with_pokerkit(game, theirs, chance):
    """One hand, compared before every action and at its end; PokerKit counts a bet from the start of its round."""
    cards = chance.sample(range(52), 9)
    state = start(game, (cards[:2], cards[2:4]))
    for seat in (0, 1):
        theirs.deal_hole(FULL_DECK.format_cards(state.hole[seat]))
    before_round = 0
    while not state.over or state.awaits_cards:
        if state.awaits_cards:
            known = 4 + len(state.cards)
            dealt = cards[known : known + (3 if known == 4 else 1)]
            state = state.deal(dealt)
            theirs.burn_card("??")
            theirs.deal_board(FULL_DECK.format_cards(dealt))
            before_round = state.spent[0]
            continue
        assert [stack - spent for stack, spent in zip(game.stacks, state.spent, strict=True)] == theirs.stacks
        assert theirs.total_pot_amount == state.pot
        assert theirs.actor_index == state.player
        assert theirs.can_fold() == ("f" in state.legal())
        assert theirs.checking_or_calling_amount == state.to_call
        least = theirs.min_completion_betting_or_raising_to_amount
        most = theirs.max_completion_betting_or_raising_to_amount
        assert state.raise_range() == (None if most is None else (before_round + least, before_round + most))
        action = pick(state, chance)
        state = state.act(action)
        if action == "f":
            theirs.fold()
        elif action == "c":
            theirs.check_or_call()
        else:
            theirs.complete_bet_or_raise_to(state.spent[1 - state.player] - before_round)
    assert not theirs.status
    assert tuple(theirs.payoffs) == state.payoff()


FEW_AND_MANY = [200, pytest.param(10_000, marks=pytest.mark.slow)]


@pytest.mark.parametrize("hands", FEW_AND_MANY)
def test_limit_hands_go_as_in_pokerkit(hands):
    chance = random.Random(11)
    for _ in range(hands):
        play_with_pokerkit(*limit_table(), chance)


@pytest.mark.parametrize("hands", FEW_AND_MANY)
def test_no_limit_hands_of_the_acpc_go_as_in_pokerkit(hands):
    """200 big blinds."""
    chance = random.Random(12)
    for _ in range(hands):
        play_with_pokerkit(*no_limit_table((20_000, 20_000)), chance)


@pytest.mark.parametrize("stacks", [stacks for stacks in STACKS[1:] if stacks[1] > 100], ids=str)
def test_no_limit_hands_of_any_stacks_go_as_in_pokerkit(stacks):
    chance = random.Random(13)
    for _ in range(100):
        play_with_pokerkit(*no_limit_table(stacks), chance)


@pytest.mark.parametrize(("button", "betting"), [(50, ""), (100, "c"), (75, "c")])
def test_the_acpc_lets_the_big_blind_check_after_an_all_in_and_pokerkit_does_not(button, betting):
    game, theirs = no_limit_table((1000, button))
    state = start(game).follow(betting)
    assert (state.player, state.legal(), state.over) == (0, "c", False)
    for cards in ("5d5c", "9hQd"):
        theirs.deal_hole(cards)
    for _ in betting:
        theirs.check_or_call()
    assert theirs.actor_index is None
    assert theirs.can_burn_card()
