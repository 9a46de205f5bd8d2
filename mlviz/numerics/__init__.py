"""Arrays in, arrays out: grids, kernels, distances, solvers. Knows no algorithm."""
