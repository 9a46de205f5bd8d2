"""What goes onto the disk: files are written completely or not at all, and warnings go into the log."""
