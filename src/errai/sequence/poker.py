"""A limit poker game in extensive form, every card told apart.

The tree is a product of two things, the betting and the deal. Legend: D deals of a round, H hands, B boards,
A actions, I information sets. A deal of a round is all that chance has dealt by then, both hands and the board.
A betting state has one node for each deal of its round, evenly spaced:

    node(state, deal) = base + stride * deal

The children of a decision are a block of D * A nodes: action a has base = block + a and stride = A. The children
of a chance move are a block of all deals of the next round, ordered by the deal that they continue. So a few
slices for each betting state write millions of nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errai.cards.notation import Deck, hands
from errai.cards.strength import RANKINGS, strengths
from errai.engine.memory import RESERVE, available_memory, format_bytes
from errai.errors import ErraiError
from errai.formatting import duration
from errai.games.definition import GameDefinition, parse_game
from errai.games.sizes import information_sets
from errai.games.state import HandState, start
from errai.games.template import fresh_round, round_template
from errai.runs.monitor import SILENT, Monitor
from errai.sequence.tree import CHANCE, END, NONE, ExtensiveGame, Ints

BYTES_OF_A_NODE = 110  # the tree, its sequence form and CFR on it, at their peak
SECONDS_OF_A_NODE = 3e-7  # the tree and its sequence form
MANY_NODES = 1_000_000  # worth an estimate
MOST_NODES = 2**31 - 1  # nodes are numbered by int32

_ACTIONS = "fcr"


def poker_nodes(rules: GameDefinition) -> int:
    """How many nodes `poker_game` makes, moves of chance and ends included."""
    cards, hole = rules.deck_size, rules.hole_cards
    deals, left = comb(cards, hole) * comb(cards - hole, hole), cards - 2 * hole
    nodes = contexts = 1
    for round_, dealt in enumerate(rules.board_cards):
        template = round_template(fresh_round(rules, round_))
        if dealt:
            nodes += contexts * deals
            deals *= comb(left, dealt)
            left -= dealt
        nodes += contexts * deals * (len(template.nodes) + len(template.folds))
        contexts *= len(template.leaves)
    return nodes + contexts * deals


def canonical_information_sets(game: ExtensiveGame) -> int:
    """The information sets of a game as they are counted everywhere (errai.games.sizes): of a poker game with hands
    that differ only by a renaming of suits counted once, of any other game all of them."""
    if not game.rules.startswith("GAMEDEF"):
        return game.information_sets
    return information_sets(parse_game(game.rules))


def sets_text(game: ExtensiveGame) -> str:
    """Both counts, where they differ, for people."""
    canonical, all_sets = canonical_information_sets(game), game.information_sets
    more = "" if canonical == all_sets else f"; {all_sets:,} in the tree, which tells every card apart"
    return f"{canonical:,}{more}"


def poker_game(rules: GameDefinition, monitor: Monitor = SILENT) -> ExtensiveGame:
    """The whole tree of a limit game; the monitor is told first what a large one takes.

    Information sets are called `seat:betting:hand|board`, as in the tables of errai.strategy.export.
    """
    nodes = poker_nodes(rules)
    _refuse_if_too_large(rules.name, nodes)
    if nodes > MANY_NODES:
        monitor.say(
            f"estimate: {nodes:,} nodes, {format_bytes(BYTES_OF_A_NODE * nodes)} of memory, "
            f"about {duration(SECONDS_OF_A_NODE * nodes)} for the tree"
        )
    writer = _Writer(rules, nodes)
    writer.write()
    return writer.game()


def _refuse_if_too_large(name: str, nodes: int) -> None:
    need, room = BYTES_OF_A_NODE * nodes, RESERVE * available_memory()
    if nodes > MOST_NODES:
        fault = f"and at most {MOST_NODES:.1e} can be numbered"
    elif need > room:
        fault = f"which need {format_bytes(need)} of memory, and {format_bytes(room)} can be had"
    else:
        return
    raise ErraiError(
        f"{name} has {nodes:.1e} nodes as an extensive game, {fault}; such a tree is for small games, as kuhn and "
        "leduc are, and CFR (dcfr, cfr+) solves limit games without it"
    )


# The deals


@dataclass(frozen=True)
class _Boards:
    """Boards by their numbers. Those that hold a card twice have numbers as well, and are never dealt."""

    cards: NDArray[np.uint8]  # [B, cards]
    names: list[str]  # [B]

    def __add__(self, added: _Boards) -> _Boards:
        """Each board with each addition: board * additions + addition."""
        many, more = len(self.cards), len(added.cards)
        return _Boards(
            np.hstack([np.repeat(self.cards, more, axis=0), np.tile(added.cards, (many, 1))]),
            [board + cards for board in self.names for cards in added.names],
        )


def _additions(deck: Deck, count: int) -> _Boards:
    """All `count` cards that a round can deal, lowest card first; `_addition` gives their numbers."""
    cards = sorted(combinations(range(deck.size), count), key=lambda chosen: chosen[::-1])
    return _Boards(
        np.array(cards, np.uint8).reshape(len(cards), count), [deck.format_cards(chosen) for chosen in cards]
    )


def _addition(cards: NDArray[np.uint8], deck: Deck) -> Ints:
    """The number of cards a < b < c ...: C(a, 1) + C(b, 2) + C(c, 3) + ..."""
    number = np.zeros(cards.shape[:-1], np.int32)
    for place in range(cards.shape[-1]):
        number += np.array([comb(card, place + 1) for card in range(deck.size)], np.int32)[cards[..., place]]
    return number


class _Sets(NamedTuple):
    """What a seat can see of the deals of a round: its hand and the board."""

    first: NDArray[np.int64]  # [I] first deal
    of_deal: Ints  # [D]
    names: list[str]  # [I] hand|board


@dataclass(frozen=True)
class _Deals:
    """The deals of a round, in the order of the deals that they continue."""

    hands: tuple[Ints, Ints]  # [D] by seat
    board: Ints  # [D]
    boards: _Boards
    branch: Ints  # [D] what was dealt last
    branches: list[str]
    ways: int  # how many deals continue one
    sets: tuple[_Sets, _Sets]  # by seat

    @property
    def count(self) -> int:
        return len(self.board)


class _Dealer:
    """Deals the hands and the boards of a game in all ways."""

    def __init__(self, rules: GameDefinition) -> None:
        self.deck = Deck(rules.ranks, rules.suits)
        self.ranking = RANKINGS[rules.ranking]
        self.hand_cards = hands(rules.deck_size, rules.hole_cards)  # [H, cards]
        self.hand_names = [self.deck.format_cards(cards) for cards in self.hand_cards]

    def hands(self) -> _Deals:
        """All ordered pairs of hands that share no card."""
        held = np.bitwise_or.reduce(np.uint64(1) << self.hand_cards.astype(np.uint64), axis=1)
        mine, other = (hand.astype(np.int32) for hand in np.nonzero(held[:, None] & held[None, :] == 0))
        D, names = len(mine), self.hand_names
        board, boards = np.zeros(D, np.int32), _Boards(np.zeros((1, 0), np.uint8), [""])
        return _Deals(
            hands=(mine, other),
            board=board,
            boards=boards,
            branch=np.arange(D, dtype=np.int32),
            branches=[f"{names[a]}|{names[b]}" for a, b in zip(mine.tolist(), other.tolist(), strict=True)],
            ways=D,
            sets=(self._sets(mine, board, boards), self._sets(other, board, boards)),
        )

    def board(self, before: _Deals, count: int) -> _Deals:
        """All ways to deal `count` more public cards."""
        mine, other = before.hands
        gone = np.hstack([self.hand_cards[mine], self.hand_cards[other], before.boards.cards[before.board]])
        live = np.ones((before.count, self.deck.size), bool)
        np.put_along_axis(live, gone.astype(np.intp), False, axis=1)
        left = np.nonzero(live)[1].astype(np.uint8).reshape(before.count, -1)
        chosen = np.array(list(combinations(range(left.shape[1]), count)))  # [ways, count]
        ways = len(chosen)
        additions = _additions(self.deck, count)
        branch = _addition(left[:, chosen], self.deck).reshape(-1)
        board = np.repeat(before.board * np.int32(len(additions.cards)), ways) + branch
        boards = before.boards + additions
        mine, other = np.repeat(mine, ways), np.repeat(other, ways)
        return _Deals(
            hands=(mine, other),
            board=board,
            boards=boards,
            branch=branch,
            branches=additions.names,
            ways=ways,
            sets=(self._sets(mine, board, boards), self._sets(other, board, boards)),
        )

    def showdown(self, deals: _Deals) -> NDArray[np.int32]:
        """[D] 1 where the hand of seat 0 is better, -1 where it is worse, 0 for a tie."""
        boards = deals.boards.cards
        dealt = np.flatnonzero(np.bincount(deals.board, minlength=len(boards)))
        different, which = np.unique(np.sort(boards[dealt], axis=1), axis=0, return_inverse=True)
        strength = np.stack(
            [strengths(self.hand_cards, cards, self.deck, self.ranking) for cards in different]
        )
        row = np.zeros(len(boards), np.int32)
        row[dealt] = which.reshape(-1)
        mine, other = (strength[row[deals.board], hand] for hand in deals.hands)
        return np.sign(mine - other)

    def _sets(self, hand: Ints, board: Ints, boards: _Boards) -> _Sets:
        H, D = len(self.hand_cards), len(hand)
        seen = board.astype(np.int64) * H + hand
        first = np.full(len(boards.cards) * H, D)
        np.minimum.at(first, seen, np.arange(D))
        known = np.flatnonzero(first < D)
        number = np.zeros(len(first), np.int32)
        number[known] = np.arange(len(known))
        names = [f"{self.hand_names[code % H]}|{boards.names[code // H]}" for code in known.tolist()]
        return _Sets(first[known], number[seen], names)


# The nodes


class _Place(NamedTuple):
    """The nodes of a betting state, one for each deal of a level."""

    state: HandState
    base: int
    stride: int
    level: int  # 0 with hands alone, 1 with the board of the first round, 2 with that of the second and so on


class _Table:
    """Different numbers in the order in which they were first used."""

    def __init__(self) -> None:
        self.places: dict[Fraction, int] = {}

    def place(self, number: int | Fraction) -> int:
        return self.places.setdefault(Fraction(number), len(self.places))


class _Writer:
    """Walks the betting once and writes the nodes of each state."""

    def __init__(self, rules: GameDefinition, nodes: int) -> None:
        self.rules = rules
        dealer = _Dealer(rules)
        self.labels = ["", *_ACTIONS]
        self.first_label = [len(self.labels)]  # by level, of what is dealt there
        self.deals = [dealer.hands()]  # by level
        self.labels += self.deals[0].branches
        for count in rules.board_cards:
            self.first_label.append(len(self.labels))
            self.deals.append(dealer.board(self.deals[-1], count) if count else self.deals[-1])
            self.labels += self.deals[-1].branches if count else []
        self.better = dealer.showdown(self.deals[-1])
        self.outcomes = np.unique(self.better).tolist()
        self.probabilities, self.payoffs = _Table(), _Table()
        self.probabilities.place(1)
        self.player = np.zeros(nodes, np.int8)
        self.parent, self.first_child, self.children, self.label, self.chance, self.payoff = (
            np.zeros(nodes, np.int32) for _ in range(6)
        )
        self.decisions: list[_Place] = []
        self.taken = 1  # nodes that have a place

    def write(self) -> None:
        self.parent[0] = NONE
        base = self._deal(slice(0, 1, 1), 0)
        places = [_Place(start(self.rules), base, 1, 0)]
        while places:
            place = places.pop()
            state, level = place.state, place.state.round + 1
            nodes = self._nodes(place)
            if state.over:
                self._end(nodes, state)
            elif place.level < level and self.rules.board_cards[state.round]:
                base = self._deal(nodes, level)
                places.append(place._replace(base=base, stride=1, level=level))
            else:
                actions = state.legal()
                base = self._decide(nodes, state.player, actions)
                self.decisions.append(place)
                for a, action in enumerate(actions):
                    places.append(_Place(state.act(action), base + a, len(actions), level))
        assert self.taken == len(self.player)

    def game(self) -> ExtensiveGame:
        """The written nodes with the information sets of the decisions, numbered by their first nodes."""
        sets = [self.deals[place.level].sets[place.state.player] for place in self.decisions]
        node = np.concatenate(
            [place.base + place.stride * seen.first for place, seen in zip(self.decisions, sets, strict=True)]
        )
        order = np.argsort(node)
        number = np.empty(len(order), np.int32)
        number[order] = np.arange(len(order))
        information_set = np.full(len(self.player), NONE, np.int32)
        names: list[str] = []
        for place, seen in zip(self.decisions, sets, strict=True):
            information_set[self._nodes(place)] = number[len(names) :][seen.of_deal]
            known = f"{place.state.player}:{place.state.betting}:"
            names += [known + cards for cards in seen.names]
        first = node[order].astype(np.int32)
        return ExtensiveGame(
            title=self.rules.name,
            players=("seat 0", "seat 1"),
            player=self.player,
            parent=self.parent,
            first_child=self.first_child,
            children=self.children,
            information_set=information_set,
            label=self.label,
            chance=self.chance,
            payoff=self.payoff,
            set_player=self.player[first],
            set_actions=self.children[first],
            set_node=first,
            set_names=tuple(map(names.__getitem__, order.tolist())),
            labels=tuple(self.labels),
            probabilities=tuple(self.probabilities.places),
            payoffs=tuple(self.payoffs.places),
            unit=self.rules.unit,
            rules=self.rules.text(),
        )

    def _nodes(self, place: _Place) -> slice:
        return slice(place.base, place.base + place.stride * self.deals[place.level].count, place.stride)

    def _deal(self, nodes: slice, level: int) -> int:
        """Moves of chance that lead to the deals of a level; the first of their children."""
        deals = self.deals[level]
        block = self._children(nodes, CHANCE, deals.ways, deals.count)
        self.label[block] = self.first_label[level] + deals.branch
        self.chance[block] = self.probabilities.place(Fraction(1, deals.ways))
        return int(block.start)

    def _decide(self, nodes: slice, player: int, actions: str) -> int:
        """Decisions of a player; the first of their children."""
        deals = (nodes.stop - nodes.start) // nodes.step
        block = self._children(nodes, player, len(actions), deals * len(actions))
        self.label[block] = np.tile([self.labels.index(action) for action in actions], deals)
        return int(block.start)

    def _children(self, nodes: slice, player: int, each: int, count: int) -> slice:
        """The nodes become moves of the player, chance or not, with so many new children each and in all."""
        block = slice(self.taken, self.taken + count)
        self.taken += count
        self.player[nodes] = player
        self.children[nodes] = each
        self.first_child[nodes] = np.arange(block.start, block.stop, each)
        self.parent[block] = np.repeat(np.arange(nodes.start, nodes.stop, nodes.step), each)
        return block

    def _end(self, nodes: slice, state: HandState) -> None:
        lost, won = -state.spent[0], state.spent[1]
        self.player[nodes] = END
        if state.folded is not None:
            self.payoff[nodes] = self.payoffs.place(lost if state.folded == 0 else won)
        else:
            codes = np.zeros(3, np.int32)  # of a tie, a win and, at -1, a loss
            for outcome in self.outcomes:
                codes[outcome] = self.payoffs.place((0, won, lost)[outcome])
            self.payoff[nodes] = codes[self.better]
