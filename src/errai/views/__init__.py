"""What people are shown, as plain data and text, for the terminal, the site and whoever else shows it.

games           the built-in games and their sizes
seats           a hand in words: who did what, boards, pots
grid            the 13 x 13 grid of hands
decision        a decision of all hands: its heading, its grid, how often it is what
rows            labels and texts: what a solution is worth, how good it is
extensive       the same for any game, with its strategies
training        a training, and how exploitable a strategy is
jamfold         a hand by jam or fold, and charts
tournament      a tournament by jam or fold
"""
