"""Densities: Gaussians, mixtures, kernels and known ones; and clusters by their means and modes."""
