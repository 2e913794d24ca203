"""Write Leduc hold'em as a Gambit file, solve the file by linear programming, and compare with Errai's engine.

The file tells all cards apart, the engine solves suits that can be renamed once; both find the value of one game.
"""

import tempfile
from pathlib import Path

import errai
from errai.sequence import extensive_game, solve, write_efg

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "leduc.efg"
    game = extensive_game("leduc")
    write_efg(game, file)
    print(f"{file.name}: {game.nodes:,} nodes")
    by_lp = solve(file, "lp")

by_engine = errai.solve("leduc", target=0.1)

low, high = by_engine.bounds
print(f"linear program  {by_lp.value[0]:.9f} chips, {by_lp.information_sets} information sets")
print(f"engine          {by_engine.value[0]:.9f} chips, {by_engine.information_sets} information sets")
print(f"the engine's bounds {low:.6f} to {high:.6f} hold the value: {low <= by_lp.value[0] <= high}")
