"""Small widgets, icons, colours of the window and preferences, used by all other rooms of the window."""
