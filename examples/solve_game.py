"""Solve Leduc hold'em and ask the strategy about one hand."""

import errai

result = errai.solve("leduc", target=0.5)

low, high = result.bounds
print(f"{result.game}: {result.iterations} iterations of {result.method}")
print(f"exploitability   {result.exploitability_mbb:.3f} mbb/g")
print(f"value of seat 0  {result.value[0]:.5f} chips, proven to lie between {low:.5f} and {high:.5f}")
for action, probability in result.strategy.probabilities("4c", "cr").items():
    print(f"a four that was checked and bet into: {action} {probability:.3f}")
