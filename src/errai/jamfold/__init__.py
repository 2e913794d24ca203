"""Heads-up no-limit hold'em by jam or fold: single hands, charts, proofs, whole tournaments.

    from errai import jamfold
    from errai.jamfold import tournament

    jamfold.solve(10)                           one hand at 10 big blinds, to a HandSolution
    tournament.solve(8000, 300, 600)            a tournament, to a TournamentSolution with proven bounds

`chart.chart`, `prove.prove`, `tree.solve_exactly` and `agent` have the rest.
"""

from errai.jamfold.hand import Hand
from errai.jamfold.single import HandSolution, solve

__all__ = ["Hand", "HandSolution", "solve"]
