"""Methods that ask the samples around a place."""
