"""How exploitable a strategy is in the unabstracted game: true best responses, exact or from a sample of flops."""
