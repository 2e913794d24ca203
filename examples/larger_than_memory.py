"""Solve Leduc with its regrets on a disk, stop, resume, and query the solution from its chunks."""

from pathlib import Path
from tempfile import TemporaryDirectory

import errai

with TemporaryDirectory() as name:
    scratch, out = Path(name) / "scratch", Path(name) / "leduc"
    begun = errai.solve("leduc", scratch=scratch, memory="1GB", iterations=50)
    print(f"after {begun.iterations} iterations {begun.exploitability_mbb:.3f} mbb/g")
    result = errai.resume(scratch, target=1, out=out)
    print(f"after {result.iterations} iterations {result.exploitability_mbb:.3f} mbb/g")
    strategy = errai.load(out)  # its chunks stay on the disk
    for action, probability in strategy.probabilities("4c", "cr").items():
        print(f"a four that was checked and bet into: {action} {probability:.3f}")
