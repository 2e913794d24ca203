"""Buckets, training and the best response in the real game, on hold'em with twelve cards.

    python examples/train_on_buckets.py

The same steps as for all of hold'em, where they take hours: errai abstract, errai train, errai exploit.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from errai.abstraction.build import build
from errai.blueprint.exploit import all_boards, exactly, walk
from errai.blueprint.response import Response
from errai.blueprint.training import Plan, new_training
from errai.games.definition import parse_game

GAME = """GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 1 1 1 1
numSuits = 2
numRanks = 6
numHoleCards = 2
numBoardCards = 0 2 1 1
END GAMEDEF
"""


def main() -> None:
    game = parse_game(GAME, name="twelve cards")
    with TemporaryDirectory() as folder:
        buckets = build(game, "lossless/ehs2:20/ehs2:20/ehs2:20", Path(folder), threads=1)
        print("buckets by round:", *buckets.counts)
        for samples in (20, 2000):
            training = new_training(game, buckets, Plan("linear-br", samples=samples))
            training.run(lambda status: None, lambda: False)
            response = Response(training.frame, training.probabilities())
            done = walk(response, all_boards(response), None, "", 1, lambda walked: None, lambda: False)
            assert done is not None
            found = exactly(response, *done).evaluation
            print(f"after {samples:5,} samples: {found.exploitability_mbb:7.1f} mbb/g")


if __name__ == "__main__":
    main()
