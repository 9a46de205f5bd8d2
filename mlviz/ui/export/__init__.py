"""The export dialog, and the process that writes the file."""
