"""Methods that look for directions in the inputs."""
