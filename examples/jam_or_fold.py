"""A no-limit hand at ten big blinds by jam or fold, and a short tournament with proven bounds.

python examples/jam_or_fold.py
"""

from errai import jamfold
from errai.jamfold import tournament

hand = jamfold.solve(10)
print(f"at 10 big blinds the small blind wins {hand.value:.6f} a hand, in big blinds")
print(f"he jams {hand.share('jam'):.1f}% of hands, the big blind calls with {hand.share('call'):.1f}%")
for name, often in hand.mixed("jam").items():
    print(f"{name} is jammed {100 * often:.1f}% of the time")

short = tournament.solve(chips=3000, small_blind=100, big_blind=200, step=100)
stack = 1500
units = short.stacks.index(stack)
for seat, name in enumerate(("small", "big")):
    low, high = short.lower(seat)[units], short.upper(seat)[units]
    print(f"{stack} of 3000 chips, {name} blind: wins between {low:.6f} and {high:.6f}")
print(f"postflop play can add at most {100 * short.gap.max():.4f} percentage points")
