"""Minima of sums of losses of residuals."""
