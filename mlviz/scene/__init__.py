"""The Scene, its history, its file, and the traces of its fits."""
