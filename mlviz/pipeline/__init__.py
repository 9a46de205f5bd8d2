"""What serves every learner, written once: preprocessing and the reduction of several classes to two."""
