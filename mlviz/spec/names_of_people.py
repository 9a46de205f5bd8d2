"""Words made of names, such as "gaussian": a capital begins them where people read them, though not in files."""

import re

_NAMES = re.compile(r"\b(chebyshev|epanechnikov|euclidean|gaussian|laplacian|manhattan|ward)\b")


def capitalised(words: str) -> str:
    """The words as people read them."""
    return _NAMES.sub(lambda found: found[0].capitalize(), words)
