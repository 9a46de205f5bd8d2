"""Regressions by other losses and by probability."""
