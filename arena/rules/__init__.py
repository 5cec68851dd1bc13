"""The rules of the game: pure, without clock, files or global randomness."""
