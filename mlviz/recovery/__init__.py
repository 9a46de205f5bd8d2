"""Copies of unsaved work."""
