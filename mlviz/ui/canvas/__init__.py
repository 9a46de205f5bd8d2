"""The canvas: its layers, mouse, keyboard and the grid of canvases."""
