"""Marks to pixels: one painter for the screen and for files."""
