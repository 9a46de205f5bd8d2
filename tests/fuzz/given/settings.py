"""Declared values drawn at random, within and at the ends of what they may be."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from mlviz.spec import Declared, Parameter

_FAR = {"integer": 10**6, "real": 1e12}
"""An end of a range that has none."""
_LABOUR = frozenset({"max_iter", "n_init", "fits", "repeats", "references"})
"""What a fit takes in proportion: beyond the slider it takes long, and is meant to."""
_TERMS = ("gaussian({})", "laplacian({})", "exponential({})", "polynomial(2, {})", "linear", "homogeneous(2)", "{}")


def settings(kind: type[Declared], rng: Random, texts: Mapping[str, Callable[[Random], str]] | None = None) -> Any:
    """Values of a class of declared parameters, by their keys as JSON has them; some are left at their defaults.

    `texts` draw those that are texts, by their names; those it does not know keep their default.
    """
    known, chance = {**_TEXTS, **(texts or {})}, rng.choice((0.3, 0.7, 1.0))
    return {p.key: _value(p, rng, known) for p in kind.parameters() if rng.random() < chance}


def _value(parameter: Parameter, rng: Random, texts: Mapping[str, Callable[[Random], str]]) -> Any:
    match parameter.kind:
        case "choice":
            return rng.choice(parameter.options)
        case "flag":
            return rng.random() < 0.5
        case "text":
            return texts[parameter.name](rng) if parameter.name in texts else parameter.default
        case "per class":
            return [_number(parameter, rng) for _ in range(rng.choice((0, 1, 2, 2, 3)))]
        case _:
            return _number(parameter, rng)


def _number(parameter: Parameter, rng: Random) -> float | int:
    whole = parameter.kind == "integer"
    soft, valid, end = parameter.soft, parameter.valid, _FAR["integer" if whole else "real"]
    ends = tuple(own if own is not None else far for own, far in zip(valid, (-end, end), strict=True))
    if parameter.name in _LABOUR:
        ends = (ends[0], soft[1])
    match rng.randrange(10):
        case 0:
            x: float = ends[0]
        case 1:
            x = ends[1]
        case 2 | 3:
            x = rng.choice(soft)
        case _ if parameter.log and soft[0] > 0:
            x = math.exp(rng.uniform(*map(math.log, soft)))
        case _:
            x = rng.uniform(*soft)
    if parameter.open_low and x == valid[0]:
        x = soft[0]
    x = min(max(x, ends[0]), ends[1])
    return round(x) if whole else float(f"{x:.6g}")


def _kernel(rng: Random) -> str:
    terms = [rng.choice(_TERMS).format(rng.choice(("0.5", "1e-3", "3", "100"))) for _ in range(rng.choice((1, 2, 3)))]
    text = "".join(term + rng.choice((" + ", " * ")) for term in terms[:-1]) + terms[-1]
    return rng.choice(("{}", "{}", "0.1*({})", "exp(0.1*({}))", "anova({})", "({})^2")).format(text)


def _places(rng: Random) -> str:
    return " ".join(f"{rng.choice((rng.uniform(-4, 4), 0.0, 1e6)):.4g}" for _ in range(rng.choice((1, 2, 3, 8))))


def _centers(rng: Random) -> str:
    scale = rng.choice((3.0, 0.0, 1e6))
    return "; ".join(
        f"{rng.uniform(-1, 1) * scale:.4g}, {rng.uniform(-1, 1) * scale:.4g}" for _ in range(rng.randrange(5))
    )


_TEXTS: dict[str, Callable[[Random], str]] = {
    **{"expression": _kernel, "knot_places": _places, "center_places": _places, "centers": _centers},
    "low": lambda rng: rng.choice(("", "", "0", "1e-3", "2", "1e9")),
    "high": lambda rng: rng.choice(("", "", "1", "10", "1e9", "-1")),
}
