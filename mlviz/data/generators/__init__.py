"""Sources of samples that know the truth."""
