"""What serves every learner, written once: preprocessing, weights, several classes from two, and decisions."""
