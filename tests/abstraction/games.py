"""Hold'em with so few cards that everything can be counted by hand."""

from errai.games.definition import GameDefinition, parse_game


def little_holdem(ranks: int = 4, suits: int = 4, board: str = "0 3 1 1", hole: int = 2) -> GameDefinition:
    rounds = len(board.split())
    return parse_game(
        "\n".join(
            [
                "GAMEDEF",
                "limit",
                "numPlayers = 2",
                f"numRounds = {rounds}",
                "blind = 1 2",
                f"raiseSize = {' '.join(['2'] * rounds)}",
                f"maxRaises = {' '.join(['2'] * rounds)}",
                f"numSuits = {suits}",
                f"numRanks = {ranks}",
                f"numHoleCards = {hole}",
                f"numBoardCards = {board}",
                "END GAMEDEF",
            ]
        ),
        name="little",
    )
