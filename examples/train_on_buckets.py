"""Buckets, training and the best response in the real game, on hold'em with twelve cards.

    python examples/train_on_buckets.py

The same steps as for all of hold'em, where they take hours: errai abstract, errai train, errai exploit.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import errai

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
    with TemporaryDirectory() as folder:
        game, buckets, out = (Path(folder, name) for name in ("twelve.game", "buckets", "strategy"))
        game.write_text(GAME)
        made = errai.abstract("lossless/ehs2:20/ehs2:20/ehs2:20", buckets, game=game, threads=1)
        print("buckets by round:", *made.counts)
        trained = errai.train(game, buckets, out, samples=20, threads=1)
        first = errai.exploit(trained.strategy, threads=1)
        print(f"after {trained.samples:5,} samples: {first.evaluation.exploitability_mbb:7.1f} mbb/g")
        trained = errai.resume_training(out, game=game, samples=2000)
        second = errai.exploit(trained.strategy, threads=1)
        print(f"after {trained.samples:5,} samples: {second.evaluation.exploitability_mbb:7.1f} mbb/g")
        print("with a pair of sevens, first to act:", trained.strategy.probabilities("7c7d"))


if __name__ == "__main__":
    main()
