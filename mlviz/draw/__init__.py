"""Pictures as data: marks, plots, palette, overlays, charts. NumPy and contourpy, no Qt, no Dataset."""
