"""Answers drawn by hand: their marks on the canvas, and how well they do beside the method's own."""
