"""Studies in the window: asking them, their settings and numbers beside their plots."""
