"""Sentences for people, from words that the command line says without a capital."""

import re

_BEGINS = re.compile(r"[a-z]{2}(?!\S*[_.\[(]\S)")
"""A word; not a symbol, such as k or σ, which is another one as a capital, and no name in code or of a file."""


def sentence(words: str) -> str:
    """The words with a capital at their beginning and a full stop at their end."""
    begun = f"{words[0].upper()}{words[1:]}" if _BEGINS.match(words) else words
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."
