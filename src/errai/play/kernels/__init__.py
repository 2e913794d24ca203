"""What batches of hands are played with."""
