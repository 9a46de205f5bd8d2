"""Reads what sentences say: names, numbers with the digits they are told in, sums and products."""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER = r"[-+−]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+−]?\d+)?"
_LABEL = r"\((?:[^()]|\([^()]*\))*\)"
_TERM = re.compile(
    rf"\s*(?P<sign>[-+])?\s*(?P<offset>offset )?(?P<value>\d[\d.]*(?:e[-+]?\d+)?|«[^»]*»)"
    rf"(?P<times>\s*[·×]\s*\(?(?P<factor>-?\d[\d.]*(?:e[-+]?\d+)?)\)?)?"
    rf"(?P<label>\s*{_LABEL}| by (?:the [a-z ]*offset|«[^»]*»)| from the samples)?"
)


@dataclass(frozen=True)
class Told:
    """A number as it stands in a sentence."""

    text: str

    @property
    def value(self) -> float:
        return float(self.text.replace("−", "-").replace(",", ""))

    def half(self, digits: int = 3) -> float:
        """Half a unit of the last of so many digits, or of more where more are told."""
        mantissa = self.text.lower().replace("−", "-").replace(",", "").partition("e")[0]
        told = len(mantissa.strip("+-").replace(".", "").lstrip("0"))
        value = abs(self.value)
        if value == 0:
            return 0.0
        scale = float(f"{value:e}".split("e")[1])
        return float(0.5 * 10 ** (scale - max(digits, told) + 1))

    def says(self, value: float, digits: int = 3) -> bool:
        """Whether the number is that value in the digits told: the last may be rounded from single precision."""
        return abs(self.value - value) <= 1.02 * self.half(digits) + 1e-12


@dataclass(frozen=True)
class Term:
    """One summand: a value, or a product of two numbers, and the words beside it."""

    value: float
    half: float
    factors: tuple[float, float] | None
    label: str


@dataclass(frozen=True)
class Sum:
    """``left = first + second ...``; `open` where smaller terms are left out."""

    left: Told
    terms: tuple[Term, ...]
    open: bool

    @property
    def adds_up(self) -> bool:
        slack = self.left.half() + sum(term.half for term in self.terms)
        return self.open or abs(self.left.value - sum(term.value for term in self.terms)) <= 1.001 * slack + 1e-12


def plain(text: str, classes: tuple[str, ...] = (), inputs: tuple[str, ...] = ()) -> str:
    """The sentence with plain signs and spaces, classes as «c0» and inputs as «x0»: no digit in a name is read."""
    tokens = [(name, f"«c{code}»") for code, name in enumerate(classes)]
    tokens += [(name, f"«x{j}»") for j, name in enumerate(inputs)]
    text = text.replace("−", "-").replace("\u00a0", " ")
    if not tokens:
        return text
    known = dict(tokens)
    longest = "|".join(re.escape(name) for name in sorted(known, key=len, reverse=True))
    return re.sub(rf"(?<![\w-])(?:{longest})(?![\w-])", lambda found: known[found[0]], text)


def sums(text: str) -> list[Sum]:
    """The equations in a plain sentence whose right side is a sum of more than one term, or a product."""
    found = []
    for match in re.finditer(rf"({NUMBER}) = ", text):
        terms, at = [], match.end()
        while (term := _TERM.match(text, at)) and (term["sign"] or not terms):
            at = term.end()
            terms.append(_term(term))
        if len(terms) > 1 or any(term.factors for term in terms):
            found.append(Sum(Told(match[1]), tuple(terms), "smaller terms" in text[at : at + 20]))
    return found


_IN_WORDS = {
    (1, -1, 1): r"f\(x\) = (#): bumps for .* add (#), those for .* take (#), the offset is (#)",
    (1, 1, 1): r"f\(x\) = (#),.* Support vectors of .* add (#), those of .* (#), the offset (#)\.",
}
"""The signs of the parts, and how they are told: # is a number."""


def sums_in_words(text: str) -> list[Sum]:
    """The sums that a plain sentence tells without signs between the parts: of bumps, and of support vectors."""
    found = []
    for signs, pattern in _IN_WORDS.items():
        for match in re.finditer(pattern.replace("#", NUMBER), text):
            left, *parts = map(Told, match.groups())
            terms = [Term(sign * part.value, part.half(), None, "") for sign, part in zip(signs, parts, strict=True)]
            found.append(Sum(left, tuple(terms), open=False))
    return found


def _term(match: re.Match[str]) -> Term:
    sign = -1.0 if match["sign"] == "-" else 1.0
    first = Told(match["value"])
    label = (match["label"] or "").strip()
    if match["factor"] is None:
        return Term(sign * first.value, first.half(), None, label)
    second = Told(match["factor"])
    half = abs(first.value) * second.half() + abs(second.value) * first.half()
    return Term(sign * first.value * second.value, half, (sign * first.value, second.value), label)


def numbers_after(words: str, text: str) -> list[Told]:
    """The numbers that follow these words (a pattern)."""
    return [Told(found) for found in re.findall(rf"{words}({NUMBER})", text)]


def numbers_before(words: str, text: str) -> list[Told]:
    """The numbers that stand before these words (a pattern)."""
    return [Told(found) for found in re.findall(rf"({NUMBER}){words}", text)]
