"""Errai from Python: the functions that `import errai` offers, and that the command line calls.

    solving         solve, endgame, resume, load
    training        abstract, train, resume_training
    measuring       exploit
    tournaments     tournament

Nothing is printed: pass a `monitor` (errai.Monitor) to be told how it goes or to stop it. What is stopped returns
what it has, with `finished` False; where there is nothing to return it raises a StoppedError. What a user did wrong
is an ErraiError of one line.
"""
