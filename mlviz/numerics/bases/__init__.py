"""Bases of functions: what a method that is linear in its weights is linear in."""
