"""Solve a game of your own from its .game file, save it, load it, resume it, and print it as a table."""

import tempfile
from pathlib import Path

import errai
from errai.strategy.export import export_csv

rules = errai.load_game(Path(__file__).with_name("tiny.game"))

with tempfile.TemporaryDirectory() as folder:
    first = errai.solve(rules, method="cfr+", iterations=100, out=folder)
    second = errai.resume(folder, iterations=1000)
    print(f"after {first.iterations} iterations   {first.exploitability_mbb:8.3f} mbb/g")
    print(f"after {second.iterations} iterations  {second.exploitability_mbb:8.3f} mbb/g")
    print(f"seat 0 wins {second.value[0]:.4f} chips a hand")

    strategy = errai.load(folder)
    table = Path(folder) / "tiny.csv"
    export_csv(strategy, table)
    print("\n".join(table.read_text().splitlines()[:9]))
