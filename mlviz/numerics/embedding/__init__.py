"""Places in few dimensions for samples whose distances or neighbours are given."""
