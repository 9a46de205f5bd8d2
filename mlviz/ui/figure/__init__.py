"""The picture as a file: the figure that is laid out, and the formats it is written in."""
