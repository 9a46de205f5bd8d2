"""Kernels: their values, sums, expressions, features and fields on a grid."""
