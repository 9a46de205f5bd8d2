"""Agglomerative clustering: which clusters are joined, at which heights, and the tree of it."""
