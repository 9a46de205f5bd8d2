"""Sentences for people, from words that the command line says without a capital."""

import re

_BEGINS = re.compile(r"a(?= [a-z])|[a-z]{2}(?!\S*[_.\[(]\S)")
"""A word; not a symbol, such as k or σ, which is another one as a capital, and no name in code or of a file."""


def with_capital(words: str) -> str:
    """The words with a capital at their beginning, where a word stands there."""
    return f"{words[0].upper()}{words[1:]}" if _BEGINS.match(words) else words


def sentence(words: str) -> str:
    """The same with a full stop at their end."""
    begun = with_capital(words)
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."
