"""Files as a whole: they are written completely or not at all."""
