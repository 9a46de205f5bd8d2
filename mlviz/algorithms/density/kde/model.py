"""The model of a kernel density estimate: the samples, a kernel and a width."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from mlviz.algorithms.base import Model, ModelFact
from mlviz.draw.layer import UNNAMED, Explanation, Names
from mlviz.draw.marks import Lines, Mark, Text
from mlviz.draw.numbers import counted, number, numbers_apart
from mlviz.numerics.arrays import AnyArray, Array, Mask
from mlviz.numerics.density.gridded_density import GriddedDensity
from mlviz.numerics.density.kernel_density import GAUSSIAN, JUMPING_KERNELS, KernelDensity
from mlviz.numerics.density.kernel_width import SCOTT, SILVERMAN, rule_of_thumb
from mlviz.numerics.distances import pairwise, sphere
from mlviz.numerics.grid import Grid, as_dtype

_DRAWN = 500
"""So many samples of the estimate tell how large its densities are."""
_BELOW = 1e-3
"""So much smaller is a density that is below another one, as a logarithm, where it has few different values."""
_QUADRATURE_NODES = 300
"""Nodes along each side where the density is summed up."""
_COARSEST = {GAUSSIAN: 1.0}
"""The largest distance of those nodes, in widths; for kernels that end `_COARSEST_BOUNDED`."""
_COARSEST_BOUNDED = 0.1
_QUANTILE_NODES, _COARSEST_OF_QUANTILE = 160, 0.25
"""The same where a quantile of the density is read from its values."""


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelDensityModel(Model):
    """The estimate, and all samples X (n, d) with their weights (n,)."""

    estimate: KernelDensity
    """That of the samples with a weight above 0, in the order of their places; in many inputs, of some of very many."""
    gridded: GriddedDensity | None
    """The same on a lattice, which answers instead of it; None where there are not too many samples."""
    X: Array
    weights: Array
    outlier_share: float
    caveat: str
    at_samples: Array | None = None
    """The log-density at each sample, (n,), where it was worked out with the fit, since that takes long."""

    field = "density"

    known_facts = (
        ModelFact("width", lambda m: m.estimate.width, "The width h of the kernels."),
        ModelFact(
            "log-likelihood",
            lambda m: m.log_likelihood,
            "Logarithm of the density of all samples together; it grows without bound as the width goes to 0, since "
            "each sample has its own kernel upon it.",
        ),
        ModelFact(
            "leave-one-out log-likelihood",
            lambda m: m.left_out_log_likelihood,
            "The same, each sample by the kernels of the others only: largest for a width that suits new samples too. "
            "It is minus infinity where a sample is out of reach of all others.",
        ),
        ModelFact(
            "outliers",
            lambda m: None if m.is_outlier is None else int(m.is_outlier.sum()),
            "Number of samples whose leave-one-out density is lower than at all but the chosen share of what the "
            "estimate would draw.",
        ),
        ModelFact(
            SCOTT,
            lambda m: rule_of_thumb(m.X, m.weights, m.estimate.kernel, SCOTT) or None,
            "The width that this rule of thumb takes: s n^(−1/(d + 4)), times what the kernel must be wider than a "
            "Gaussian.",
            level="more",
        ),
        ModelFact(
            SILVERMAN,
            lambda m: rule_of_thumb(m.X, m.weights, m.estimate.kernel, SILVERMAN) or None,
            "The width that this rule of thumb takes: s (4/((d + 2) n))^(1/(d + 4)), times what the kernel must be "
            "wider than a Gaussian.",
            level="more",
        ),
        ModelFact(
            "integral of the density",
            lambda m: m.integral,
            "Summed up at the nodes of a grid about all samples; it is 1, but for what such a sum misses.",
            level="solver",
        ),
    )

    @property
    def kernel(self) -> str:
        """The name of the kernel."""
        return self.estimate.kernel

    @property
    def width(self) -> float:
        """The width of the kernels."""
        return self.estimate.width

    @property
    def cost(self) -> int:  # type: ignore[override]
        """An exponential or a root for each sample."""
        return 20 if self.gridded is not None else 4 * len(self.estimate.X)

    @property
    def jumps(self) -> bool:  # type: ignore[override]
        """Where samples come within reach of a uniform kernel."""
        return self.kernel in JUMPING_KERNELS

    def score_samples(self, X: Array) -> Array:
        """The logarithm of the density at places (q, d), (q,); minus infinity where no kernel reaches."""
        places = np.asarray(X, dtype=np.float64)
        if self.gridded is None:
            return self.estimate.log_density(places)
        with np.errstate(divide="ignore"):
            return np.log(self.gridded.density(places))

    def density(self, X: Array) -> Array:
        """The density at places (q, d), (q,)."""
        with np.errstate(over="ignore"):
            return as_dtype(np.exp(self.score_samples(X)), np.float64)

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray:
        """The density at every node, (ny, nx)."""
        return (self.gridded or self.estimate).on_grid(grid, dtype)

    @cached_property
    def drawn_log_densities(self) -> Array:
        """The log-densities of samples that are drawn from the estimate, rising."""
        places = self.estimate.draw(_DRAWN, np.random.default_rng(0))
        found = np.sort(self.score_samples(places))
        return np.asarray(found[np.isfinite(found)])

    @cached_property
    def _quantile_on_nodes(self) -> float | None:
        """That level by the density at the nodes of a grid; None for more than two inputs, or where these are too few.

        Few of those drawn are below a small share, so that their quantile is a matter of chance.
        """
        nodes, step = self._nodes(_QUANTILE_NODES)
        if nodes is None or not step.max() <= self.width * _COARSEST.get(self.kernel, _COARSEST_OF_QUANTILE):
            return None
        falling = np.sort(self._on_nodes(nodes).ravel())[::-1]
        # What is beyond the nodes is below all that is on them.
        above = np.searchsorted(np.cumsum(falling) * step.prod(), 1 - self.outlier_share)
        density = float(falling[min(int(above), len(falling) - 1)])
        return float(np.log(density)) if density > 0 else None

    def _nodes(self, count: int) -> tuple[list[Array] | None, Array]:
        """So many nodes along each of at most two inputs, as far as kernels reach, and the steps between them."""
        low, high = self.estimate.X.min(axis=0) - self.estimate.reach, self.estimate.X.max(axis=0) + self.estimate.reach
        steps = (high - low) / (count - 1)
        if len(low) > 2:
            return None, steps
        return [np.linspace(a, b, count) for a, b in zip(low, high, strict=True)], steps

    def _on_nodes(self, nodes: list[Array]) -> Array:
        """The density there."""
        return np.asarray(self.density(nodes[0][:, None]) if len(nodes) == 1 else self.on_grid(Grid(*nodes)))

    @property
    def outlier_level(self) -> float:
        """The log-density that only the outlier share of what the estimate would draw stays below."""
        level = self._quantile_on_nodes
        if level is None:
            level = float(np.quantile(self.drawn_log_densities, self.outlier_share))
        # Where the density jumps, whole regions have that very value, but for rounding.
        return level - _BELOW if self.jumps else level

    @cached_property
    def left_out_log_densities(self) -> Array | None:
        """The log-density at each sample by all others, (n,); None where there are no others, or too many."""
        if not self._several or self.gridded is not None or self.sampled:
            return None
        return KernelDensity(self.X, self.weights, self.kernel, self.width).left_out_log_density()

    @cached_property
    def is_outlier(self) -> Mask | None:
        """Whether the density at each sample by all others is small, (n,); None where that is not known."""
        if self.gridded is None:
            return None if self.left_out_log_densities is None else self.left_out_log_densities < self.outlier_level
        own = np.minimum(self.weights, 1.0)
        total = float(self.weights.sum())
        left_out = total * self.gridded.density(self.X) - own * np.exp(self.estimate.log_unit) * total
        return np.asarray(left_out < np.exp(self.outlier_level) * (total - own))

    @property
    def _several(self) -> bool:
        """Whether there are at least two samples."""
        return float(self.weights.sum() - self.weights.max()) > 0 or float(self.weights.max()) >= 2

    @property
    def sampled(self) -> bool:
        """Whether some samples stand for all."""
        return self.gridded is None and len(self.estimate.X) < int(np.count_nonzero(self.weights))

    @cached_property
    def log_likelihood(self) -> float | None:
        """The weighted sum of the samples' log-densities; None where these are still to be worked out."""
        if self.sampled and self.at_samples is None:
            return None
        counted = self.weights > 0
        known = self.score_samples(self.X[counted]) if self.at_samples is None else self.at_samples[counted]
        return float(self.weights[counted] @ known)

    @property
    def left_out_log_likelihood(self) -> float | None:
        """The same, each by all others."""
        left_out, counted = self.left_out_log_densities, self.weights > 0
        return None if left_out is None else float(self.weights[counted] @ left_out[counted])

    @property
    def integral(self) -> float | None:
        """The integral by the trapezoidal rule; None for more than two inputs, or where nodes can't be dense enough."""
        nodes, steps = self._nodes(_QUADRATURE_NODES)
        if nodes is None or not steps.max() <= self.width * _COARSEST.get(self.kernel, _COARSEST_BOUNDED):
            return None
        return float((self._on_nodes(nodes) * steps.prod()).sum())

    def explain(self, x: Array, names: Names = UNNAMED) -> Explanation:
        """The density at a place, and how many samples are near."""
        log_density = float(self.score_samples(x[None])[0])
        told_density, level = numbers_apart(log_density, self.outlier_level)
        near = int((pairwise(x[None], self.X)[0] <= self.width * (1 + 1e-9)).sum())
        told = (
            f"{near:,} of {counted(len(self.X), 'sample')} within h = {number(self.width)}; log p(x) = {told_density}"
        )
        if log_density < self.outlier_level:
            told += f", below {level}: a low density"
        marks: tuple[Mark, ...] = ()
        if len(x) == 2:
            radii = (1, 2) if self.kernel == GAUSSIAN else (1,)
            rims = tuple(Lines("neighbour", sphere(x, k * self.width, "euclidean")) for k in radii)
            tops = x + np.array([(0.0, k * self.width) for k in radii])
            marks = *rims, Text("neighbour", tops, ("h", "2h")[: len(radii)], centered=True)
        return Explanation(f"{told}.", marks, measured=True)
