"""Guidance: a tour of five steps, and hints in context. Neither changes anything by itself."""
