"""From betting, board and hand as players say them to a decision of a game, and what is wrong when there is none.

All rounds of a hand together are a tree of templates: a round is entered in one of K contexts, the bettings of the
rounds before it, and the contexts of the next round are numbered as its K' = leaves * K

    context' = leaf * K + context

Exact solutions and strategies on buckets are both queried through here, so they complain in the same words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from errai.cards.notation import Deck
from errai.errors import ErraiError
from errai.games.definition import GameDefinition
from errai.games.state import HandState
from errai.games.template import Node, Template, fresh_round, round_template

Board = Sequence[Sequence[int]] | str  # the cards of each deal, or a text


@dataclass(frozen=True)
class BettingTree:
    """The templates of all rounds from a root on."""

    state: HandState  # of the root
    templates: tuple[Template, ...]
    contexts: tuple[int, ...]  # K of each template


class DecisionPoint(NamedTuple):
    """Where a decision stands in the tree."""

    level: int  # among the templates
    context: int
    node: Node
    state: HandState


def betting_tree(game: GameDefinition) -> BettingTree:
    """The betting of a whole hand, a template for each round."""
    states = [fresh_round(game, round_) for round_ in range(game.rounds)]
    templates = tuple(round_template(state) for state in states)
    contexts = [1]
    for template in templates[:-1]:
        contexts.append(contexts[-1] * len(template.leaves))
    return BettingTree(states[0], templates, tuple(contexts))


def find_decision(tree: BettingTree, betting: str) -> DecisionPoint:
    """The decision after the betting since the root, as in "rc/r"."""
    betting_alone = replace(tree.state, cards=())
    return find_state(tree, betting_alone.follow(betting))


def find_state(tree: BettingTree, state: HandState) -> DecisionPoint:
    """The decision that a state of a whole hand has come to."""
    root = tree.state
    if state.over:
        raise ErraiError(f"betting '{state.betting}' ends the hand; there is no decision after it")
    if state.actions[: len(root.actions)] != root.actions:
        raise ErraiError(
            f"betting '{state.betting}' does not begin with '{root.betting}', where the tree does"
        )
    *rounds, here = state.betting.removeprefix(root.betting).split("/")
    level, context = len(tree.templates) - (root.game.rounds - root.round), 0
    for betting in rounds:
        leaves = tree.templates[level].leaves
        leaf = next(index for index, ending in enumerate(leaves) if ending.betting == betting)
        context += leaf * tree.contexts[level]
        level += 1
    node = next(node for node in tree.templates[level].nodes if node.betting == here)
    return DecisionPoint(level, context, node, state)


def bettings_of(tree: BettingTree) -> list[list[str]]:
    """By level and context, the written betting since the root that leads there, such as "rc/cc/"."""
    levels = [[""]]
    for template in tree.templates[:-1]:
        end = "/" if template.nodes else ""
        levels.append([before + leaf.betting + end for leaf in template.leaves for before in levels[-1]])
    return levels


def stakes_of(tree: BettingTree) -> list[list[int]]:
    """By level and context, the chips that each player has put in since the root, before the round."""
    levels = [[0]]
    for template in tree.templates[:-1]:
        levels.append([before + leaf.amount for leaf in template.leaves for before in levels[-1]])
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
