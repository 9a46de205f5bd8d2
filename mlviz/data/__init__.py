"""Data sets, the generators that make them, reading and writing tables."""
