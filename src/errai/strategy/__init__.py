"""A saved strategy: its files, and asking it what to do."""
