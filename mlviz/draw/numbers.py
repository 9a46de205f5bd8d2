"""How a number is written on the screen: with the true minus, which is as wide as a plus."""

from __future__ import annotations

MINUS = "−"


def number(value: float, digits: int = 4) -> str:
    """A number with so many significant digits."""
    return signed(f"{value:.{digits}g}")


def signed(text: str) -> str:
    """A written number with the true minus."""
    return text.replace("-", MINUS)


def plain(text: str) -> str:
    """The same words with the minus that every terminal and program can read."""
    return text.replace(MINUS, "-")
