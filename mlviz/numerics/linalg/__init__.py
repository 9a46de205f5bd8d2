"""Linear systems: factors, least squares, ridge regression, definiteness."""
