"""Errai solves two-player poker games and proves how good each solution is."""
