"""The panel beside the canvas: methods, hyperparameters, overlays and facts."""
