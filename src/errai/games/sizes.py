"""How large a game is, round by round, without building it.

Each betting round of a limit game is the same little tree however it was entered, so its decisions are
counted once and multiplied by the contexts, the betting histories that lead to it (1, 7, 63, 567 in hold'em):

    contexts[r + 1] = contexts[r] * ways in which round r ends without a fold
    information sets[r] = contexts[r] * decisions of round r * hands[r]

A hand here is the hole cards and board as the player to act sees them, with those that differ only by a
renaming of suits counted once. Where no flush can ever be held (Kuhn, Leduc) suits mean nothing and only
ranks count.
"""

from dataclasses import dataclass

from errai.cards.counting import canonical_deals, deals, rank_deals
from errai.games.betting import BettingState, act, legal_actions, start
from errai.games.definition import GameDefinition


@dataclass(frozen=True)
class RoundSize:
    """The size of one betting round."""

    betting_nodes: int  # decisions, in all contexts
    contexts: int  # ways to enter the round
    actions: int  # actions of these decisions
    boards: int  # canonical boards
    hands: int  # canonical pairs of hole cards and board
    information_sets: int  # betting nodes x hands
    raw_information_sets: int  # betting nodes x pairs of hole cards and board, suits told apart


@dataclass(frozen=True)
class _RoundTree:
    decisions: int
    actions: int
    continuing: int  # ways to the next round or to the showdown


def game_sizes(game: GameDefinition) -> list[RoundSize]:
    """The size of each betting round."""
    canonical = canonical_deals if game.suits_matter else rank_deals
    sizes = []
    contexts = 1
    for round_ in range(game.rounds):
        tree = _count_round(game, _round_start(game, round_))
        board = [cards for cards in game.board_cards[: round_ + 1] if cards]
        hand = [game.hole_cards, *board]
        nodes = contexts * tree.decisions
        hands = canonical(game.ranks, game.suits, hand)
        sizes.append(
            RoundSize(
                betting_nodes=nodes,
                contexts=contexts,
                actions=contexts * tree.actions,
                boards=canonical(game.ranks, game.suits, board),
                hands=hands,
                information_sets=nodes * hands,
                raw_information_sets=nodes * deals(game.ranks, game.suits, hand),
            )
        )
        contexts *= tree.continuing
    return sizes


def information_sets(game: GameDefinition) -> int:
    """The canonical information sets of the whole game."""
    return sum(size.information_sets for size in game_sizes(game))


def _round_start(game: GameDefinition, round_: int) -> BettingState:
    """A round as it begins; chips do not change the tree of a later round, so any equal amount will do."""
    first = start(game)
    if round_ == 0:
        return first
    even = max(first.spent)
    return BettingState(round_, game.first_player[round_], (even, even), raises=0, acted=0)


def _count_round(game: GameDefinition, state: BettingState) -> _RoundTree:
    decisions = actions = continuing = 0
    open_states = [state]
    while open_states:
        here = open_states.pop()
        legal = legal_actions(game, here)
        decisions += 1
        actions += len(legal)
        for action in legal:
            following = act(game, here, action)
            if following.folded is not None:
                continue
            if following.over or following.round > here.round:
                continuing += 1
            else:
                open_states.append(following)
    return _RoundTree(decisions, actions, continuing)
