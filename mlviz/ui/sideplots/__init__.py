"""The plots beside the canvas."""
