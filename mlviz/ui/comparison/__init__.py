"""The table under several canvases, and what lays one hyperparameter out in several of them."""
