"""Predict, then reveal: what is to be drawn by hand, and how well it does once the method's answer is seen."""
