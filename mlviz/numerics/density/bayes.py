"""The Bayes error: how often even the best decision is wrong, since classes overlap.

L. Devroye, L. Györfi and G. Lugosi, A Probabilistic Theory of Pattern Recognition (1996), chapter 2: it is the integral
of all joint densities but the largest one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mlviz.numerics.arrays import Array, Labels
from mlviz.numerics.density.known_densities import Limits
from mlviz.numerics.grid import Grid


class Integral(NamedTuple):
    """A value that was summed up, and how far off it may be."""

    value: float
    error: float


def midpoints(limits: Limits, nodes: int) -> Grid:
    """The middles of so many cells along each side."""
    x0, x1, y0, y1 = limits
    half = (np.arange(nodes) + 0.5) / nodes
    return Grid(x0 + (x1 - x0) * half, y0 + (y1 - y0) * half)


def share_of(part: Array, whole: Array) -> Integral:
    """The share that one function has of the integral of another one, both given at midpoints (ny, nx).

    Both numbers are multiples of six. Each fourth node by itself is a lattice of its own, and so is each ninth one;
    these differ by more than their mean is off. The four alone may be mirror images, which err alike.
    """
    value = float(part.sum() / whole.sum())
    starts = [(i, j, n) for n in (2, 3) for i in range(n) for j in range(n)]
    parts = [part[i::n, j::n].sum() / whole[i::n, j::n].sum() for i, j, n in starts]
    return Integral(value, float(np.abs(np.array(parts) - value).max()))


def bayes_error(joint: Array) -> Integral:
    """The Bayes error of joint densities (k, ny, nx) at midpoints."""
    whole = joint.sum(axis=0)
    # What is less than the rounding of sums is no overlap.
    return share_of(np.maximum(whole - joint.max(axis=0), 0.0), whole)


def true_error(joint: Array, told: Labels) -> Integral:
    """How often a decision is wrong that tells the class of that number, (ny, nx), at midpoints; -1 is none of them."""
    whole = joint.sum(axis=0)
    right = np.where(told >= 0, np.take_along_axis(joint, np.maximum(told, 0)[None], axis=0)[0], 0.0)
    return share_of(whole - right, whole)


def holding(density: Array, share: float) -> float:
    """The level above which a density at midpoints holds that share of all: its region of highest density."""
    falling = np.sort(density, axis=None)[::-1]
    held = np.cumsum(falling)
    return float(falling[min(int(np.searchsorted(held, share * held[-1])), len(falling) - 1)])
