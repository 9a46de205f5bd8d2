"""Kernels written as text, such as ``gaussian(0.5) + 0.1*linear^2``.

    sum     = product { ("+" | "-") product }
    product = ["-"] power { "*" ["-"] power }
    power   = kernel [ "^" whole number ]
    kernel  = number | name [ "(" number { "," number } ")" ] | ("exp" | "anova") "(" sum ")" | "(" sum ")"

A number is the constant kernel, so that times a kernel it scales it. A minus sign is understood, though what comes of
it need not be positive semidefinite.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from mlviz.numerics.kernels import algebra
from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.composite import Anova, Constant, Exp
from mlviz.spec import BadValue, NumberInText
from mlviz.spec.outside import quoted, told

LONGEST_EXPRESSION = 200
_DEEPEST = 8
_HIGHEST_POWER = 9
_HIGHEST_DEGREE = 12
"""Of the polynomial that the whole kernel contains."""
_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<word>[A-Za-z_]\w*)|(?P<sign>[-+*^(),])|(?P<space>\s+)|(?P<end>\Z)|(?P<unknown>.)"
)


class BadExpression(BadValue):
    """A text that is no kernel; the message says what is wrong where."""


@dataclass(frozen=True)
class Argument:
    """A number in the text: what it is called, in short too, what it may be, and the range of its slider."""

    name: str
    short: str
    lowest: float
    highest: float
    soft: tuple[float, float]
    log: bool = False
    whole: bool = False


_WIDTH = Argument("width", "σ", 1e-9, 1e9, (0.05, 20.0), log=True)
_DEGREE = Argument("degree", "m", 1, _HIGHEST_POWER, (1, _HIGHEST_POWER), whole=True)
_CONSTANT = Argument("constant", "c", 0.0, 1e6, (0.0, 10.0))
_NUMBER_BEFORE = Argument("number", "number", 1e-9, 1e9, (0.01, 100.0), log=True)
_POWER = Argument("power", "power", 1, _HIGHEST_POWER, (1, _HIGHEST_POWER), whole=True)

KernelMaker = Callable[..., Kernel]
_SIMPLE: dict[str, tuple[tuple[Argument, ...], KernelMaker, str]] = {
    "linear": ((), Linear, "linear"),
    "gaussian": ((_WIDTH,), Gaussian, "gaussian(0.5)"),
    "laplacian": ((_WIDTH,), Laplacian, "laplacian(0.5)"),
    "exponential": ((_WIDTH,), Exponential, "exponential(0.5)"),
    "polynomial": ((_DEGREE, _CONSTANT), lambda m, c: Polynomial(int(m), c), "polynomial(3, 1)"),
    "homogeneous": ((_DEGREE,), lambda m: Polynomial(int(m), 0.0), "homogeneous(2)"),
}
_OF_A_KERNEL: dict[str, KernelMaker] = {"exp": Exp, "anova": Anova}


@lru_cache(maxsize=256)
def parse(text: str) -> Kernel:
    """The kernel that the text says; raises `BadExpression`."""
    return _Reader(text).kernel()


def numbers(text: str) -> tuple[NumberInText, ...]:
    """The numbers in a text that is a kernel, from left to right."""
    reader = _Reader(text)
    reader.kernel()
    times, met = Counter(number.label for number in reader.numbers), Counter[str]()
    for i, number in enumerate(reader.numbers):
        met[number.label] += 1
        if times[number.label] > 1:
            reader.numbers[i] = replace(number, label=f"{number.label} {met[number.label]}")
    return tuple(reader.numbers)


class _Reader:
    """Reads a text from left to right; `numbers` are those met so far."""

    def __init__(self, text: str) -> None:
        self.numbers: list[NumberInText] = []
        if len(text) > LONGEST_EXPRESSION:
            raise _wrong(f"it is longer than {LONGEST_EXPRESSION} characters")
        self._tokens = [token for token in _TOKEN.finditer(text) if token.lastgroup != "space"]
        for token in self._tokens:
            if token.lastgroup == "unknown":
                raise _wrong(f"{quoted(token[0])} is not understood at character {token.start() + 1}")
        self._at, self._depth = 0, 0

    def kernel(self) -> Kernel:
        """The kernel of the whole text."""
        kernel = self._sum()
        token, place = self._next, f"at character {self._next.start() + 1}"
        if token[0] == ")":
            raise _wrong(f"no bracket is open that ) {place} would close")
        if token.lastgroup != "end":
            raise _wrong(f"+, -, * or ^ is expected before {told(token[0])} {place}")
        if algebra.degree(kernel) > _HIGHEST_DEGREE:
            raise _wrong(f"its polynomial is of degree {algebra.degree(kernel)}, more than {_HIGHEST_DEGREE}")
        with np.errstate(all="ignore"):
            if not np.isfinite(kernel.diagonal(np.array([[0.0], [1.0]]))).all():
                raise _wrong("its numbers are too large to compute with")
        largest = max(map(abs, algebra.numbers(kernel)))
        if largest > _NUMBER_BEFORE.highest:
            raise _wrong(f"its numbers make {largest:.3g} together, more than {_NUMBER_BEFORE.highest:g}")
        return kernel

    @property
    def _next(self) -> re.Match[str]:
        return self._tokens[self._at]

    def _take(self, signs: str) -> re.Match[str] | None:
        """The next token, if it is one of those signs."""
        if self._next.lastgroup == "sign" and self._next[0] in signs:
            self._at += 1
            return self._tokens[self._at - 1]
        return None

    def _demand(self, sign: str, why: str) -> None:
        if self._take(sign) is None:
            raise _wrong(
                f"{'a comma' if sign == ',' else sign} is expected {why} at character {self._next.start() + 1}"
            )

    def _sum(self) -> Kernel:
        total = self._product()
        while sign := self._take("+-"):
            product = self._product()
            total = algebra.plus(total, algebra.scaled(product, -1.0) if sign[0] == "-" else product)
        return total

    def _product(self) -> Kernel:
        negative = self._take("-") is not None
        product = self._power()
        while self._take("*"):
            negative ^= self._take("-") is not None
            product = algebra.times(product, self._power())
        return algebra.scaled(product, -1.0) if negative else product

    def _power(self) -> Kernel:
        base = self._kernel()
        if self._take("^") is None:
            return base
        exponent = int(self._number(_POWER))
        if self._take("^"):
            raise _wrong(f"one power follows another at character {self._next.start()}: use brackets")
        try:
            return algebra.power(base, exponent)
        except OverflowError:
            raise _wrong("its numbers are too large to compute with") from None

    def _kernel(self) -> Kernel:
        token = self._next
        if token.lastgroup == "number":
            return Constant(self._number(_NUMBER_BEFORE))
        if self._take("("):
            return self._bracketed(self._sum)
        if token.lastgroup != "word":
            raise _wrong(f"a kernel is expected {self._after()} at character {token.start() + 1}")
        self._at += 1
        name = token[0].lower()
        if name in _OF_A_KERNEL:
            self._demand("(", f"after {name}, with a kernel in it,")
            return _OF_A_KERNEL[name](self._bracketed(self._sum))
        if name not in _SIMPLE:
            raise _wrong(
                f"{told(token[0])} at character {token.start() + 1} is none of {', '.join((*_SIMPLE, *_OF_A_KERNEL))}"
            )
        arguments, make, example = _SIMPLE[name]
        if not arguments:
            return make()
        self._demand("(", f"after {name}, as in {example},")
        return self._bracketed(lambda: make(*self._arguments(name, arguments, f"in {name}, as in {example},")))

    def _bracketed(self, inside: Callable[[], Kernel]) -> Kernel:
        """What stands after an opening bracket, up to the one that closes it."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _wrong(f"more than {_DEEPEST} brackets are open at character {self._next.start()}")
        kernel = inside()
        self._demand(")", "to close the bracket")
        self._depth -= 1
        return kernel

    def _arguments(self, name: str, arguments: tuple[Argument, ...], why: str) -> list[float]:
        found = [self._number(arguments[0], name)]
        for argument in arguments[1:]:
            self._demand(",", why)
            found.append(self._number(argument, name))
        return found

    def _number(self, argument: Argument, owner: str = "") -> float:
        token = self._next
        if token.lastgroup != "number":
            raise _wrong(f"a number, the {argument.name}, is expected {self._after()} at character {token.start() + 1}")
        self._at += 1
        value, place = float(token[0]), f"at character {token.start() + 1}"
        if argument.whole and not value.is_integer():
            raise _wrong(f"the {argument.name} {place} is a whole number, not {told(token[0])}")
        if not argument.lowest <= value <= argument.highest:
            limits = f"from {argument.lowest:g} to {argument.highest:g}"
            raise _wrong(f"the {argument.name} {place} is a number {limits}, not {told(token[0])}")
        label = f"{owner} {argument.short}".strip()
        self.numbers.append(NumberInText(*token.span(), value, label, argument.soft, argument.log, argument.whole))
        return value

    def _after(self) -> str:
        return f"after {told(self._tokens[self._at - 1][0])}" if self._at else "at the start,"


def _wrong(what: str) -> BadExpression:
    return BadExpression(f"expression is not a kernel: {what}.")
