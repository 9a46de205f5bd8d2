"""Controls made from the declared hyperparameters, one file for each kind."""
