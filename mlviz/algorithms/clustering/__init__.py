"""Methods that group samples without a target."""
