"""Nearest neighbours and windows around a place."""
