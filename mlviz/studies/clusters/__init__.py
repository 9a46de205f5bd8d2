"""Studies of clusters: how many there should be, and whether they are those that somebody had in mind."""
