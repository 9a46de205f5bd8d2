"""Words over the picture: the field in which they are written."""
