"""Hands at a table: agents, matches and what they prove, the ACPC protocol, hand histories."""
