"""What is true of samples that a generator draws in classes: how probable each class is at each place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.density.known_densities import KnownDensity, Limits
from mlviz.numerics.grid import Grid
from mlviz.spec.brief import Brief

_ACROSS_RIM = 4
"""Fewer nodes across the rim may miss a good part of it."""


@dataclass(frozen=True, eq=False)
class ClassTruth(Brief):
    """The densities of k classes, and what spoils them: wrong labels, and samples that are thrown to a rim."""

    densities: tuple[KnownDensity, ...]
    shares: Array
    """(k,) how many of the samples are of each class, before labels go wrong."""
    label_noise: float
    outliers: float
    rim: tuple[float, float]
    """Outliers are anywhere between two squares about 0, of these half widths, at random as far out, then along it."""

    @property
    def limits(self) -> Limits:
        """The rectangle (x0, x1, y0, y1) beyond which there is next to nothing."""
        parts = [density.limits for density in self.densities if self.outliers < 1]
        if self.outliers > 0:
            parts.append((-self.rim[1], self.rim[1], -self.rim[1], self.rim[1]))
        x0, x1, y0, y1 = zip(*parts, strict=True)
        return min(x0), max(x1), min(y0), max(y1)

    @property
    def finest(self) -> float:
        """How fine the nodes of a grid must be to see all of it."""
        finest = [density.finest for density in self.densities if self.outliers < 1]
        if self.outliers > 0:
            finest.append((self.rim[1] - self.rim[0]) / _ACROSS_RIM)
        return min(finest)

    def on_grid(self, grid: Grid) -> Array:
        """The density of each class times how probable it is, (k, ny, nx)."""
        clean = np.stack([self._thrown(share * d.on_grid(grid), share, grid) for share, d in self._parts])
        if len(clean) < 2:
            return clean
        others = reduce(np.add, clean) - clean
        return np.asarray((1 - self.label_noise) * clean + self.label_noise / (len(clean) - 1) * others)

    @property
    def _parts(self) -> list[tuple[float, KnownDensity]]:
        return list(zip(self.shares.tolist(), self.densities, strict=True))

    def _thrown(self, density: Array, share: float, grid: Grid) -> Array:
        """With that share of the samples' outliers."""
        if not self.outliers > 0:
            return density
        low, high = self.rim
        x, y = np.abs(grid.x), np.abs(grid.y)[:, None]
        out, half = np.maximum(x, y), np.where(x >= y, _step(grid.x), _step(grid.y)) / 2
        # Where an edge of the rim goes through a cell, so much of the cell is on it: sums over cells miss nothing.
        covered = np.maximum(np.minimum(out + half, high) - np.maximum(out - half, low), 0.0) / (2 * half)
        # Each of the four sides is as long as twice the distance.
        on_rim = covered / (8 * (high - low) * np.clip(out, low, high))
        return np.asarray((1 - self.outliers) * density + self.outliers * share * on_rim)


def _step(nodes: Array) -> float:
    """How far evenly spaced nodes are apart; of a single one next to nothing."""
    return max(float(np.ptp(nodes)) / max(len(nodes) - 1, 1), 1e-9)
