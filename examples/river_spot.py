"""Solve a hold'em river with ranges: who bets what after a raised pot was bet on the flop and checked on the turn."""

import errai

result = errai.endgame(
    board="Ks7h2d 5c 9s",
    betting="rc/rc/cc/",
    oop="KQ, KJ, KTs, 99, 88, A7s, 76s, 65s, QJs, JTs",
    ip="AK:0.5, KQ, KJs, TT-66, A9s, A7s, QTs, T8s",
    target=0.5,
)

print(
    f"pot of {result.strategy.spot.pot} chips on {result.strategy.spot.deck.format_cards(result.strategy.spot.cards)}"
)
print(f"exploitability {result.exploitability_mbb:.3f} mbb/g after {result.iterations} iterations")
print(f"out of position wins {result.value[0]:.2f} chips over the whole hand")
for hand in ("KhQh", "9h9d", "Ac7c", "7s6s", "QdJd"):
    chances = result.strategy.probabilities(hand)
    print(f"{hand}  check {chances['c']:.2f}  bet {chances['r']:.2f}")
