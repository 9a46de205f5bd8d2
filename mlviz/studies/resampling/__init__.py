"""Studies of what a fit owes to chance: fits on other samples of the same kind."""
