"""Small games whose values are in the literature, as `.efg` files in `efg/`.

A value is what the first player of the file wins in the payoffs of the file.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "efg"


class Textbook(NamedTuple):
    value: Fraction
    source: str


TEXTBOOK = {
    "kuhn.efg": Textbook(
        Fraction(-1, 18),
        "H. W. Kuhn, A simplified two-person poker, Contributions to the Theory of Games I, 1950.",
    ),
    "myerson.efg": Textbook(
        Fraction(1, 3),
        "R. B. Myerson, Game Theory: Analysis of Conflict, 1991, figure 2.1. Black is raised 1/3 of the time, a "
        "raise is met 2/3 of the time: (5/3 - 1) / 2.",
    ),
    "stripped_down_poker.efg": Textbook(
        Fraction(1, 3),
        "D. H. Reiley, M. B. Urbancic, M. Walker, Stripped-down poker, Journal of Economic Education 39, 2008. "
        "Nobody folds a king, so it is the game of Myerson.",
    ),
    "joker.efg": Textbook(
        Fraction(1, 3),
        "Stripped-down poker; what happens after a card that is never dealt does not matter.",
    ),
    "koller_megiddo_von_stengel.efg": Textbook(
        Fraction(13),
        "D. Koller, N. Megiddo, B. von Stengel, Fast algorithms for finding randomized strategies in game trees, "
        "STOC 1994. Two games of 2 x 2, of value 35/3 and 130/3, and a gift: (35/3 + 130/3 + 2 * 5) / 5.",
    ),
    "software.efg": Textbook(
        Fraction(9),
        "B. von Stengel, Game Theory Basics, 2022, figure 10.1; T. L. Turocy, B. von Stengel, Game theory, 2002. "
        "The sum is 16. D beats C, which leaves ((6, 10), (12, 8)): of value (120 - 48) / 8.",
    ),
    "monty_hall.efg": Textbook(
        Fraction(1, 3),
        "B. von Stengel, Game Theory Basics, 2022, figure 10.12. He who keeps his door wins a third; Monty holds him "
        "to it by opening none, and by many other strategies: the LP is degenerate.",
    ),
    "matching_pennies.efg": Textbook(
        Fraction(0), "J. von Neumann, Zur Theorie der Gesellschaftsspiele, 1928. Both sides are alike."
    ),
    "odd_or_even.efg": Textbook(
        Fraction(1, 12),
        "T. S. Ferguson, Game Theory, part II, Odd or even: ((-2, 3), (3, -4)), of value (9 - 8) / 12. "
        "In decimals, with all that may be left out left out.",
    ),
    "rock_paper_scissors.efg": Textbook(
        Fraction(0), "The payoffs are skew-symmetric, and so the value is 0: J. von Neumann, as above."
    ),
    "endgame.efg": Textbook(
        Fraction(-1, 4),
        "T. S. Ferguson, Game Theory, part II, Basic endgame in poker: ante 1, bet 2, one winning card of four. "
        "((-3/2, 1), (0, -1/2)), of value -(3/4) / 3.",
    ),
    "take_away.efg": Textbook(
        Fraction(-1),
        "T. S. Ferguson, Game Theory, part I, A simple take-away game: who faces a multiple of 4 chips loses.",
    ),
    "inspection.efg": Textbook(
        Fraction(1, 2),
        "M. Dresher, A sampling inspection problem in arms control agreements, RAND RM-2972, 1962; B. von Stengel, "
        "Recursive inspection games, 2016: C(n-1, m) / (C(n, 0) + ... + C(n, m)) with n = 3 and m = 1.",
    ),
}
