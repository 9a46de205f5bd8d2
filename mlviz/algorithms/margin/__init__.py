"""Methods that look for a wide margin."""
