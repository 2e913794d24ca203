"""Both sides of the ACPC match protocol 2.0.0 over TCP."""
