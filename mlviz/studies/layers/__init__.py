"""Studies that draw another fit on the canvas; each is asked by switching its overlay on."""
