"""The papers' programs, tables and figures, each redone by one command."""
