"""Studies of how far a method is from the truth, where it is known."""
