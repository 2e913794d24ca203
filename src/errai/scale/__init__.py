"""Games that are larger than memory: a trunk that is always there, and subgames that are leased from a store."""
