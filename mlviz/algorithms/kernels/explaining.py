"""What a sum of bumps says at a place, and why: a classifier, or a prediction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from mlviz.algorithms.base import Model
from mlviz.algorithms.targets import decode_targets
from mlviz.draw.layer import Explanation, Names, opened
from mlviz.draw.marks import Mark, Points, Segments
from mlviz.draw.numbers import number, numbers_apart, place, signed, summed
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.distances import reach
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.expansion import Expansion

TERMS_SHOWN = 8
"""So many of the largest terms are shown."""


class SumOfBumps(Protocol):
    """A score as a sum of bumps at centres (m, d)."""

    @property
    def expansion(self) -> Expansion:
        """The sum."""

    @property
    def centers(self) -> Array:
        """(m, d)."""

    def predict(self, X: Array) -> Array:
        """The scores (n,) at the rows of X."""


class KernelCurveModel(Model):
    """A regression whose prediction is a sum over places in the kernel."""

    expansion: Expansion
    spread: float

    @property
    def cost(self) -> int:  # type: ignore[override]
        """That of the sum."""
        return self.expansion.cost

    @property
    def coef(self) -> Array | None:
        """The weights (d,) with the linear kernel, else None."""
        return self.expansion.linear_weights

    @property
    def intercept(self) -> float:
        """The offset b."""
        return self.expansion.base

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The predicted values at every node, (ny, nx)."""
        return self.expansion.on_grid(grid, dtype, finest=1e-4 * self.spread)


def explained_class(
    functions: Sequence[SumOfBumps], classes: AnyArray, x: Array, names: Names, stands: str
) -> Explanation:
    """The score at x (d,) as offset and terms, the largest of which are named and shown.

    There is one function for two classes, else one a class; what `stands` at their centres is a sample or a centre.
    """
    scores = np.array([part.predict(x[None])[0] for part in functions])
    winner = int(decode_targets(scores[:, None])[0])
    part = functions[winner] if len(functions) > 1 else functions[0]
    f, base = float(scores[winner] if len(scores) > 1 else scores[0]), part.expansion.base
    name, score, ahead = names.of_class(classes[winner]), number(f, beside=1.0), ""
    if len(scores) > 1:
        second = int(np.argmax(np.where(np.arange(len(scores)) == winner, -np.inf, scores)))
        score, behind = numbers_apart(f, scores[second], beside=1.0)
        ahead = f", ahead of {names.of_class(classes[second])} with {behind}"
    if part.expansion.feature_sum is not None:  # no term of a sample has digits that mean anything
        return opened(name, lambda threshold: Explanation(f"f(x) = {score}{ahead}."))
    terms = part.expansion.terms(x[None])[0]
    size = max(1.0, float(np.abs(terms).max()))
    f, base, rest = summed(base, f - base, beside=size)
    score = score if ahead else number(f)
    told = f"f(x) = {score} = offset {number(base)} {signed(rest, ' ')} from the {stands}s{ahead}"
    parts = np.array(summed(*terms.tolist(), beside=1.0)[1:])
    largest = np.argsort(-np.abs(parts), kind="stable")[:TERMS_SHOWN]
    largest = largest[parts[largest] != 0]
    if len(largest):
        away = number(float(np.linalg.norm(x - part.centers[largest[0]])), beside=reach(x, part.centers))
        told += f"; the largest part, {number(parts[largest[0]])}, is that of the {stands} {away} away"
    # Of several classes, a negative part speaks for all others.
    roles = [f"vote {c}" for c in classes] if len(functions) == 1 else ["vote", f"vote {classes[winner]}"]
    marks = _evidence(x, part.centers[largest], terms[largest], roles)
    return opened(name, lambda threshold: Explanation(f"{told}.", marks, measured=True))


def _evidence(x: Array, places: Array, terms: Array, roles: Sequence[str]) -> tuple[Mark, ...]:
    """Rings whose area is the size of the terms, of negative and positive ones, and what joins them with the place."""
    if len(x) != 2 or not len(terms):
        return ()
    size = 2.5 * np.sqrt(np.abs(terms) / np.abs(terms).max())
    links = Segments("neighbour", places, np.tile(x, (len(places), 1)))
    kinds = zip(roles, ("negative", "positive"), (terms < 0, terms > 0), strict=True)
    rings = ((role, f"size of a {word} part", mine) for role, word, mine in kinds if mine.any())
    return links, *(Points(role, places[mine], size[mine], label=label) for role, label, mine in rings)


def told_terms(value: float, offset: float, terms: Array, whose: str, places: Array | None) -> tuple[str, int | None]:
    """The prediction as an offset and terms (m,), and which of them is the largest; None where it adds nothing.

    The largest is named by its place, where there are `places` (m, d).
    """
    largest = int(np.argmax(np.abs(terms)))
    value, base, rest = summed(offset, value - offset, beside=abs(float(terms[largest])))
    told = f"prediction {number(value, 4)} = offset {number(base, 4)} {signed(rest, ' ', 4)} from the {whose}"
    _, _, part = summed(offset, float(terms[largest]))
    if part and places is not None:
        told += f"; the largest part, {number(part, 4)}, from the one at {place(places[largest])}"
    return told, largest if part else None
