"""What an enemy and a bad day do to Errai: damaged files, kills, full disks, two writers, nonsense as input.

    python -m tests.hostile             all of it, minutes: the table of docs/reliability.md
    python -m tests.hostile flips       one part

Each part is a module with `run(scale, seed)`; `make test` runs all of them at a small scale.
"""
