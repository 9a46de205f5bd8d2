"""Densities of samples without a target, by other means than clusters."""
