"""Build a small game, solve it in fractions, and check the proof of its value.

Both players put 1 into the pot. One card in four wins for Ann. She sees her card and may bet 2 more; Bob has to
call or fold without seeing it. When nobody has folded the card decides.
"""

import tempfile
from pathlib import Path

from errai.sequence import GameBuilder, load_certificate, solve

builder = GameBuilder("Basic endgame", ("Ann", "Bob"))
win, lose = builder.chance(builder.root, {"winning card": "1/4", "losing card": "3/4"})
for place, card, sign in ((win, "winning card", 1), (lose, "losing card", -1)):
    bet, check = builder.decision(place, 0, card, ("bet", "check"))
    call, fold = builder.decision(bet, 1, "facing a bet", ("call", "fold"))  # one set: Bob sees no card
    builder.end(call, 3 * sign)
    builder.end(fold, 1)
    builder.end(check, sign)

with tempfile.TemporaryDirectory() as folder:
    solve(builder.build(), "exact", out=folder)
    proof = load_certificate(Path(folder))

print(f"{proof.game.title}: {proof.game.nodes} nodes, worth exactly {proof.value} to Ann")
for player, strategy in zip(proof.game.players, proof.strategies, strict=True):
    for information_set, chances in strategy.items():
        print(f"{player}, {information_set}: " + ", ".join(f"{a} {p}" for a, p in chances.items()))

proof.verify()  # an ErraiError if either best response did not win exactly the value
print("the certificate holds")
