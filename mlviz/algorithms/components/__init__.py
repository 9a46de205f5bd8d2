"""Methods that look for directions in the inputs, or in the feature space of a kernel."""
