"""Nearest neighbours, windows around a place, and DBSCAN."""
