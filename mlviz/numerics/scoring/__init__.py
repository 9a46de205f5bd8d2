"""How good predictions are, on which samples that is judged, and which of two methods is the better one."""
