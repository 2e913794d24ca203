"""A hand as a game in extensive form, solved exactly.

A hand is a chain of decisions. Each player in turn folds, which ends the hand, or goes on, and whoever goes on last
comes to a showdown:

    the small blind's hand      jam or fold, then the other calls or folds
    the big blind's hand, G''   the other calls or folds, then jam or fold, then the other calls the jam or folds

Where a stack leaves nothing to decide, that link is missing (see errai.jamfold.hand). Seat 0 is the player who
may only jam or fold. The cards are one move of chance, the 169 x 169 pairs of classes, and a showdown pays what it
is worth on average over the boards. So every payoff is a fraction, and errai.sequence finds the exact value, with a
certificate.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.errors import ErraiError
from errai.jamfold.equities import BOARDS, CLASSES, HANDS, PAIRS, equities
from errai.jamfold.hand import Chips, Hand
from errai.jamfold.matrix_game import big_blinds_hand, small_blinds_hand
from errai.runs.monitor import SILENT, Monitor
from errai.sequence import ExtensiveGame, Solution, solve
from errai.sequence.builder import number
from errai.sequence.tree import CHANCE, END, NONE

KEYWORD = "JAMFOLD"  # begins the rules of a hand
SEATS = ("small blind", "big blind")

_LABELS = ("", "fold", "jam", "call")
_DEALS = CLASSES * CLASSES


class _Link(NamedTuple):
    """One decision of the chain."""

    seat: int
    situation: str  # after the hand in the names of the information sets
    action: str  # the alternative to folding
    folded: Chips  # what seat 0 wins by a fold


def solve_exactly(hand: Hand, big_blind: bool = False, monitor: Monitor = SILENT) -> Solution:
    """Optimal strategies of both players and the value, as fractions, with a certificate."""
    return solve(hand_tree(hand, big_blind), "exact", monitor=monitor)


def hand_tree(hand: Hand, big_blind: bool = False) -> ExtensiveGame:
    """The tree of the paper's figure 4: on the left for the small blind, on the right for the big blind."""
    chain = _chain(hand, big_blind)
    nodes = 1 + _DEALS * (1 + 2 * len(chain))
    player = np.full(nodes, END, np.int8)
    parent, first_child, children, label, chance, payoff = (np.zeros(nodes, np.int32) for _ in range(6))
    information_set = np.full(nodes, NONE, np.int32)
    set_nodes = [np.zeros(0, np.int32)]
    class_of = np.divmod(np.arange(_DEALS), CLASSES)  # by seat, in each deal

    player[0], parent[0], first_child[0], children[0] = CHANCE, NONE, 1, _DEALS
    here = np.arange(1, 1 + _DEALS, dtype=np.int32)  # the node of each deal, from link to link
    label[here] = len(_LABELS) + np.arange(_DEALS)
    chance[here], probabilities = _chances()
    payoffs = _showdowns(hand)
    for place, link in enumerate(chain):
        below = 1 + _DEALS * (1 + 2 * place) + np.arange(2 * _DEALS, dtype=np.int32)
        folded, going_on = below[::2], below[1::2]
        player[here], first_child[here], children[here] = link.seat, folded, 2
        information_set[here] = place * CLASSES + class_of[link.seat]
        set_nodes.append(here[::CLASSES] if link.seat == 0 else here[:CLASSES])
        parent[below] = np.repeat(here, 2)
        label[folded], label[going_on] = _LABELS.index("fold"), _LABELS.index(link.action)
        payoff[folded] = len(payoffs)
        payoffs.append(link.folded)
        here = going_on
    payoff[here] = np.arange(_DEALS)

    first = np.concatenate(set_nodes)
    return ExtensiveGame(
        title=_title(hand, big_blind),
        players=(SEATS[big_blind], SEATS[not big_blind]),
        player=player,
        parent=parent,
        first_child=first_child,
        children=children,
        information_set=information_set,
        label=label,
        chance=chance,
        payoff=payoff,
        set_player=player[first],
        set_actions=children[first],
        set_node=first,
        set_names=tuple(name + link.situation for link in chain for name in HANDS),
        labels=(*_LABELS, *(f"{one}|{other}" for one in HANDS for other in HANDS)),
        probabilities=probabilities,
        payoffs=tuple(payoffs),
        unit=hand.big_blind,
        rules=hand_rules(hand, big_blind),
    )


def _chain(hand: Hand, big_blind: bool) -> list[_Link]:
    """The decisions that the stacks leave, in the order in which they are made."""
    game = (big_blinds_hand if big_blind else small_blinds_hand)(hand, lambda chips: chips)
    chain = []
    if game.given is not None:
        chain.append(_Link(1, "", "call", game.given))
    if game.folded is not None:
        chain.append(_Link(0, " after a call" if big_blind else "", "jam", game.folded))
    if game.stolen is not None:
        chain.append(_Link(1, " facing a jam" if big_blind else "", "call", game.stolen))
    return chain


def _chances() -> tuple[NDArray[np.intp], tuple[Fraction, ...]]:
    """The probability of each deal, into a table of the different ones, which begins with 1."""
    different, place = np.unique(equities().pairs, return_inverse=True)
    return 1 + place.reshape(-1), (Fraction(1), *(Fraction(pairs, PAIRS) for pairs in different.tolist()))


def _showdowns(hand: Hand) -> list[Chips]:
    """What seat 0 wins on average at a showdown of each deal."""
    counts = equities()
    ahead, pairs = (counts.wins - counts.losses).reshape(-1), counts.pairs.reshape(-1)
    stake = hand.effective / BOARDS
    return [stake * Fraction(more, ways) for more, ways in zip(ahead.tolist(), pairs.tolist(), strict=True)]


def _title(hand: Hand, big_blind: bool) -> str:
    small, big = hand.stacks
    ante = f", ante {hand.ante}" if hand.ante else ""
    return (
        f"jam or fold from the {SEATS[big_blind]}: "
        f"blinds {hand.small_blind} and {hand.big_blind}{ante}, stacks {small} and {big}"
    )


def hand_rules(hand: Hand, big_blind: bool = False) -> str:
    """A hand as text, from which `parse_hand_rules` makes it again: all that a certificate must keep."""
    return "\n".join(
        [
            KEYWORD,
            f"stacks = {hand.stacks[0]} {hand.stacks[1]}",
            f"blinds = {hand.small_blind} {hand.big_blind}",
            f"ante = {hand.ante}",
            f"seat = {SEATS[big_blind]}",
            "",
        ]
    )


def parse_hand_rules(text: str) -> tuple[Hand, bool]:
    """The hand of a text by `hand_rules`, and whether the big blind is the one who may only jam or fold."""
    keyword, *lines = text.splitlines() or [""]
    rows: dict[str, str] = {}
    for line in lines:
        name, _, words = line.partition("=")
        rows[name.strip()] = words.strip()
    try:
        if keyword != KEYWORD or set(rows) != {"stacks", "blinds", "ante", "seat"}:
            raise ValueError(f"they are {KEYWORD} and the stacks, blinds, ante and seat, a line each")
        small, big = (Fraction(number(word)) for word in rows["stacks"].split())
        small_blind, big_blind = (Fraction(number(word)) for word in rows["blinds"].split())
        seat = SEATS.index(rows["seat"])
        return Hand((small, big), small_blind, big_blind, Fraction(number(rows["ante"]))), seat == 1
    except (ValueError, ErraiError) as error:
        raise ErraiError(f"these are not the rules of a jam/fold hand: {error}") from None


def tree_of_rules(text: str) -> ExtensiveGame:
    """The tree of a text by `hand_rules`."""
    return hand_tree(*parse_hand_rules(text))
