"""What linear regression minimises, and its minimum: from samples and functions to weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.bases import TOO_LARGE
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.convex.elastic_net import ElasticNet
from mlviz.numerics.convex.lasso_path import Path, elastic_net_path, homotopy, net_minimum
from mlviz.numerics.linalg.columns import centred_columns, compressed_columns, weighed_columns
from mlviz.numerics.linalg.least_squares import Solution, least_squares, solved_columns
from mlviz.numerics.linalg.spectrum import Spectrum
from mlviz.numerics.pauses import ENTRIES, Work, blocks, finished
from mlviz.numerics.sampling import subsample
from mlviz.numerics.standardizing import weighted_mean
from mlviz.spec.brief import Brief

_MANY = 2 * ENTRIES
"""With more numbers in the terms of all samples they are worked out some at a time."""
_MANY_TERMS = 150
"""An L1 penalty on more terms than this may take seconds."""
_DRAFT, _FEWEST = 2000, 200
"""So many samples tell a first answer meanwhile, fewer of many terms, but so many in any case."""
_PRODUCTS = 100_000_000
"""A solution that takes more products than this is awaited with a draft: about 0.1 s, and four times that where it
takes singular values."""
_DRAFT_RIDGE = 1e-4
"""The least ridge of a draft by fewer samples than twice its terms: without any it would swing between them."""
_FAR = 1e12
"""Where w = 0 is within a budget, solvers go down with a ridge of so many times the largest square of a singular
value."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionProblem(Brief):
    """Minimise sum_i weights_i (y_i − w.φ(x_i) − b)² + l1 |w|₁ + l2 |w|² over w (p,) and b.

    φ are the functions of the basis times its `unit`: w is what a penalty acts on. Weights for the functions as they
    are, ``w * unit``, are called `coef`, as in a `Solution`.
    """

    basis: Basis
    X: Array
    """(n, d)."""
    y: Array
    weights: Array
    """(n,) summing to one."""
    total: float
    """How many samples these stand for: the sum of the weights that they were given."""
    l1: float = 0.0
    l2: float = 0.0
    budget: float | None = None
    """The mean squared residual that |w|² is made smallest for; then `l2` is the penalty that comes to the same."""
    drawn_from: int = 0
    """Of how many samples these are some, for a draft; 0 where they are all."""
    flat: bool = False
    """Whether w = 0 is within the budget: then it is the minimum, which no `l2` comes to."""

    @property
    def strength(self) -> float:
        """λ: that of both penalties together."""
        return self.l1 + self.l2

    @property
    def l1_ratio(self) -> float:
        """The share of `l1` in it."""
        return self.l1 / self.strength if self.strength else 0.0

    @property
    def terms(self) -> Array:
        """The functions of the basis at the samples, (n, p); 0 for those that do not reach any of them."""
        return self._reached(self.basis.terms(self.X))

    @property
    def penalized_terms(self) -> Array:
        """The same times their units: w belongs to them."""
        return self._reached(self.basis.penalized_terms(self.X))

    def _reached(self, terms: Array) -> Array:
        reach = self.basis.reach
        # No mean of squares is larger than the largest of them, and it is found sooner.
        if reach and np.einsum("ij,ij->j", terms, terms).min(initial=np.inf) < len(terms) * reach**2:
            terms[:, np.abs(terms).max(axis=0) < reach] = 0.0
        return terms

    @property
    def many(self) -> bool:
        """Whether the terms are worked out some samples at a time, and never all of them kept."""
        return len(self.X) * self.basis.size > _MANY

    @property
    def slow(self) -> bool:
        """Whether the minimum may take long whatever the number of samples: an L1 penalty on many terms."""
        return self.l1 > 0 and self.basis.size > _MANY_TERMS

    @property
    def costly(self) -> bool:
        """Whether the equations take so long to solve that a draft comes before: of many terms and samples."""
        n, p = len(self.X), self.basis.size
        return n * p * min(n, p) > _PRODUCTS

    def without_weights(self) -> Solution:
        """What there is to show before: the mean of the targets."""
        return Solution(np.zeros(self.basis.size), weighted_mean(self.y, self.weights), 0)

    def compressed(self) -> Work[tuple[Array, Array, Array]]:
        """Work out B (m, p), t (m,) and the means (p,) of the terms: as many losses in far fewer rows than samples."""
        reach, p = np.zeros(self.basis.size), self.basis.size
        if self.basis.reach:
            for rows in blocks(len(self.X), p):
                np.maximum(reach, np.abs(self.basis.terms(self.X[rows])).max(axis=0), out=reach)
                yield
        seen = self.basis.unit * (reach >= self.basis.reach)
        found = yield from compressed_columns(
            lambda rows: self.basis.terms(self.X[rows]) * seen, p, self.y, self.weights
        )
        self.__dict__["_reduced"] = found  # computed in steps instead of all at once
        return found

    @cached_property
    def _reduced(self) -> tuple[Array, Array, Array]:
        if self.many:
            return finished(self.compressed())
        return centred_columns(self.penalized_terms, self.y, self.weights)

    @property
    def columns(self) -> tuple[Array, Array]:
        """B (m, p) and t (m,): the objective is |t − B w|² and the penalty, b being the best one; m <= n."""
        return self._reduced[:2]

    @property
    def mean(self) -> Array:
        """The mean of the functions (p,) over the samples."""
        # Both are the same numbers: where one is known the other need not be worked out.
        return self._net[1] if "_net" in self.__dict__ else self._reduced[2]

    @cached_property
    def _net(self) -> tuple[ElasticNet, Array]:
        if self.many:
            B, t, mean = self._reduced
        else:
            B, t, mean, *_ = weighed_columns(self.penalized_terms, self.y, self.weights)
        return ElasticNet.of(B, t, self.l1, self.l2), mean

    @property
    def net(self) -> ElasticNet:
        """The problem in the weights alone."""
        return self._net[0]

    @cached_property
    def spectrum(self) -> Spectrum:
        """Its singular values."""
        return Spectrum.of(*self.columns)

    def penalty(self, w: Array) -> float:
        """That of weights w (p,)."""
        return self.l1 * float(np.abs(w).sum()) + self.l2 * float(w @ w)

    def within(self, budget: float) -> RegressionProblem:
        """The one whose minimum has the smallest |w| of all with a mean squared residual of at most so much."""
        ridge = self.spectrum.ridge_for(budget)
        flat = bool(np.isinf(ridge))
        if flat:
            ridge = _FAR * (float(self.spectrum.values.max(initial=0.0)) ** 2 or 1.0)
        found = replace(self, l2=ridge, budget=budget, flat=flat)
        found.__dict__["_reduced"] = self._reduced  # the penalty makes no difference to it
        return found

    def of_some(self) -> RegressionProblem:
        """The one of few of the samples, spread over all of them."""
        n, p = len(self.X), self.basis.size
        quick = max(_FEWEST, int(max(_PRODUCTS / p**2, (_PRODUCTS / p) ** 0.5) / 2))
        chosen = subsample(np.lexsort(self.X.T[::-1]), min(_DRAFT, quick))
        weights = self.weights[chosen]
        share = float(weights.sum())
        l2 = self.l2 if self.l1 or len(chosen) >= 2 * p else max(self.l2, _DRAFT_RIDGE)
        part = replace(self, X=self.X[chosen], y=self.y[chosen], weights=weights / share)
        return replace(part, total=self.total * share, drawn_from=n, l2=l2)

    def solved(self) -> Work[Solution]:
        """Work out the minimum; raises `CannotFit`."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            if self.many and "_reduced" not in self.__dict__:
                yield from self.compressed()
            if self.l1:
                found = yield from self._sparse()
            elif self.many:
                found = self._dense()
            else:
                basis, given = self.basis, (self.terms, self.y, self.weights)
                found = least_squares(*given, basis.unit, self.l2, basis.digits, basis.constants)
        if self.flat:
            found = Solution(np.zeros(len(found.coef)), weighted_mean(self.y, self.weights), found.rank)
        if not np.isfinite(found.intercept) or not np.isfinite(found.coef).all():
            raise CannotFit(TOO_LARGE)
        return found

    def _dense(self) -> Solution:
        """That of the triangle which stands for very many samples."""
        B, t = self.columns
        if not np.isfinite(B).all():
            raise CannotFit(TOO_LARGE)
        basis = self.basis
        w, rank = solved_columns(B[:-1], t[:-1], float(np.abs(self.y).max()), self.l2, basis.digits, basis.constants)
        return Solution(w * self.basis.unit, weighted_mean(self.y, self.weights) - float(self.mean @ w), rank)

    def _sparse(self) -> Work[Solution]:
        if not np.isfinite(self.net.H).all() or not np.isfinite(self.net.c).all():
            raise CannotFit(TOO_LARGE)
        w = yield from net_minimum(self.net)
        offset = weighted_mean(self.y, self.weights) - float(self.mean @ w)
        return Solution(w * self.basis.unit, offset, int((w != 0).sum()))

    def path(self, strengths: Array) -> Array:
        """The weights w for other strengths (m,) of the same penalty: (m, p)."""
        if not self.l1:
            return self.spectrum.path(strengths)
        if not self.l2:
            return self.corners(float(strengths.min())).at(strengths)
        order = np.argsort(-strengths, kind="stable")
        found = np.empty((len(strengths), len(self.net.c)))
        found[order] = finished(elastic_net_path(self.net, strengths[order], self.l1_ratio))
        return found

    def corners(self, least: float) -> Path:
        """The whole path of an L1 penalty down to a strength."""
        return finished(homotopy(self.net, least))
