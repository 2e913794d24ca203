"""Reading with checks, writing under a temporary name, files of compressed blocks. Knows nothing of poker."""
