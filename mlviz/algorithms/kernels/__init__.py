"""Methods that are sums of kernels, and what kernel methods share."""
