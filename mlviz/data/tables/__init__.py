"""Reading, decoding, editing and shipping tables."""
