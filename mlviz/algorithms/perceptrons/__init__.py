"""Methods that learn from one sample at a time."""
