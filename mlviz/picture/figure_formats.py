"""The formats of a figure in a file, said once for the dialog, the command line and what writes them."""

FIGURE_FORMATS = {
    ".png": "PNG: pixels, for slides and the web",
    ".svg": "SVG: vectors, for the web",
    ".pdf": "PDF: vectors, for papers",
}
"""Suffix -> what it is for."""
SUFFIXES = " or ".join(", ".join(FIGURE_FORMATS).rsplit(", ", 1))
"""All suffixes as a sentence lists them."""
CM = 96 / 2.54
"""96ths of an inch in a centimetre."""
SHORTEST_SIDE, LONGEST_SIDE = 100.0, 10_000.0
"""Of a figure, in 96ths of an inch."""
