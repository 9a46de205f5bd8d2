"""Methods whose score is linear in the inputs or in features of them."""
