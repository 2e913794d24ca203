"""`python -m errai` is the `errai` command."""

from errai.cli.main import main

if __name__ == "__main__":
    main()
