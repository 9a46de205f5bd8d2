"""Smooth and piecewise smooth convex minimisation, and online learning."""
