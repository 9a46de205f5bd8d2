"""Densities: Gaussians, mixtures, moments of classes, and the means of k-means."""
