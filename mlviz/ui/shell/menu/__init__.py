"""The table of commands, and what they do."""
