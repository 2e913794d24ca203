"""Compile the largest kernel, that of training, while the other core lints and runs tests without it.

Without it both workers of `pytest -n 2` meet it at about the same time on a fresh machine, and each compiles it.
"""

from tests.blueprint.games import few_layout, trained

if __name__ == "__main__":
    trained(few_layout(), "linear-br2", 1)
