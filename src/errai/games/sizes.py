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
from errai.games.definition import GameDefinition
from errai.games.template import fresh_round, round_template


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


def game_sizes(game: GameDefinition) -> list[RoundSize]:
    """The size of each betting round."""
    canonical = canonical_deals if game.suits_matter else rank_deals
    sizes = []
    contexts = 1
    for round_ in range(game.rounds):
        template = round_template(fresh_round(game, round_))
        board = [cards for cards in game.board_cards[: round_ + 1] if cards]
        hand = [game.hole_cards, *board]
        nodes = contexts * len(template.nodes)
        hands = canonical(game.ranks, game.suits, hand)
        sizes.append(
            RoundSize(
                betting_nodes=nodes,
                contexts=contexts,
                actions=contexts * template.rows,
                boards=canonical(game.ranks, game.suits, board),
                hands=hands,
                information_sets=nodes * hands,
                raw_information_sets=nodes * deals(game.ranks, game.suits, hand),
            )
        )
        contexts *= len(template.leaves)
    return sizes


def information_sets(game: GameDefinition) -> int:
    """The canonical information sets of the whole game."""
    return sum(size.information_sets for size in game_sizes(game))
