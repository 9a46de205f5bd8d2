"""Scene files: reading strictly, writing, and telling what is wrong in one sentence."""
