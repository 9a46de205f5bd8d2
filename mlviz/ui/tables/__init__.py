"""Tables of numbers: the import dialog, its preview, and the table of all points."""
