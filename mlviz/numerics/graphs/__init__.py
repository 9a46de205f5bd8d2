"""Graphs whose nodes are samples: their weights, their Laplacians and what it costs to cut them."""
