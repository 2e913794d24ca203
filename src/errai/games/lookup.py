"""From betting, board and hand as players say them to a decision of a game, and what is wrong when there is none.

All rounds of a hand together are a tree of templates: a round is entered in one of K contexts, the bettings of the
rounds before it, and the contexts of the next round are numbered as its K' = leaves * K

    context' = leaf * K + context

Exact solutions and strategies on buckets are both asked through here, so they complain in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from errai.cards.notation import Deck
from errai.errors import ErraiError
from errai.games.betting import (
    BettingState,
    act,
    action_name,
    betting_actions,
    format_betting,
    legal_actions,
    start,
)
from errai.games.definition import GameDefinition
from errai.games.template import Node, Template, fresh_round, round_template

Board = Sequence[Sequence[int]] | str  # the cards of each deal, or a text


@dataclass(frozen=True)
class BettingTree:
    """The templates of all rounds from a root on."""

    game: GameDefinition
    betting: str  # before the root, "rc/rc"
    state: BettingState  # of the root
    templates: tuple[Template, ...]
    contexts: tuple[int, ...]  # K of each template


class Point(NamedTuple):
    """A decision."""

    level: int  # among the templates
    context: int
    node: Node
    state: BettingState


def betting_tree(game: GameDefinition) -> BettingTree:
    """The betting of a whole hand, a template for each round."""
    root = start(game)
    states = [root, *(fresh_round(game, round_) for round_ in range(1, game.rounds))]
    templates = tuple(round_template(game, state) for state in states)
    contexts = [1]
    for template in templates[:-1]:
        contexts.append(contexts[-1] * len(template.leaves))
    return BettingTree(game, "", root, templates, tuple(contexts))


def find_decision(tree: BettingTree, betting: str) -> Point:
    """The decision after the actions of the hand since the root, as in "rc/r"."""
    game, state = tree.game, tree.state
    level, context, here = len(tree.templates) - (game.rounds - state.round), 0, ""
    actions = betting.replace("/", "")
    for position, action in enumerate(actions):
        legal = legal_actions(game, state)
        if action not in legal:
            so_far = betting_actions(game, tree.betting) + actions[:position]
            allowed = ", ".join(f"{letter} ({action_name(state, letter)})" for letter in legal)
            shown = format_betting(game, so_far)
            raise ErraiError(f"'{action}' is not possible after '{shown}'; allowed: {allowed}")
        following = act(game, state, action)
        here += action
        if following.over:
            raise ErraiError(f"betting '{betting}' ends the hand; there is no decision after it")
        if following.round != state.round:
            leaves = tree.templates[level].leaves
            leaf = next(index for index, ending in enumerate(leaves) if ending.betting == here)
            context += leaf * tree.contexts[level]
            level, here = level + 1, ""
        state = following
    node = next(node for node in tree.templates[level].nodes if node.betting == here)
    return Point(level, context, node, state)


def bettings_of(tree: BettingTree) -> list[list[str]]:
    """By level and context, the actions since the root that lead there."""
    levels = [[""]]
    for template in tree.templates[:-1]:
        levels.append([before + leaf.betting for leaf in template.leaves for before in levels[-1]])
    return levels


def board_cards(deck: Deck, board: Board) -> tuple[int, ...]:
    """The cards of a board in the order dealt."""
    if isinstance(board, str):
        return deck.parse(board)
    return tuple(int(card) for dealt in board for card in dealt)


def board_by_round(
    deck: Deck, sizes: Sequence[int], board: Board, known: Sequence[int] = ()
) -> tuple[tuple[int, ...], ...]:
    """The cards of each deal since the root, whose board has the cards `known`; `sizes` is how many each has."""
    cards = board_cards(deck, board)
    wanted = sum(sizes)
    if len(cards) != wanted:
        kind = f"{'more ' if known else ''}board card{'' if wanted == 1 else 's'}"
        raise ErraiError(f"this decision needs {wanted} {kind}, not {len(cards)}")
    for position, card in enumerate(cards):
        if card in cards[:position] or card in known:
            raise ErraiError(f"the card {deck.format(card)} is on the board twice")
    ends = [sum(sizes[: deal + 1]) for deal in range(len(sizes))]
    return tuple(cards[end - size : end] for size, end in zip(sizes, ends, strict=True))


def hand_cards(
    game: GameDefinition, deck: Deck, hand: Sequence[int] | str, board: Sequence[int]
) -> tuple[int, ...]:
    """The cards of a hand that can be held on this board."""
    cards = deck.parse(hand) if isinstance(hand, str) else tuple(int(card) for card in hand)
    if len(cards) != game.hole_cards:
        kind = f"card{'' if game.hole_cards == 1 else 's'}"
        raise ErraiError(f"a hand of {game.name} has {game.hole_cards} {kind}, not {len(cards)}")
    shown = deck.format_cards(cards)
    for card in cards:
        if card in board:
            holds = f"{shown} holds {deck.format(card)}, which" if len(cards) > 1 else shown
            raise ErraiError(f"{holds} is on the board")
    return cards
