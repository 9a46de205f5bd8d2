"""Solvers of the quadratic programs of support vector machines."""
