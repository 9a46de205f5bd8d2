"""Choosing data: generators, shipped tables and presets."""
