"""The EM algorithm for mixtures of Gaussians (Dempster, Laird, Rubin 1977), soft or hard (Celeux and Govaert 1992)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mlviz.numerics.arrays import Array
from mlviz.numerics.density.gaussian_mixture import (
    ROUNDS,
    TOLERANCE,
    Gaussians,
    SamplesInUnits,
    moments_expected,
    of_moments,
    one_hot,
)

_ROUNDING = 1e-9
"""Logarithms of densities that differ by less, as a share of their size, are as large."""


class EMRound(NamedTuple):
    """A mixture, its log-likelihood in units, and whether EM has settled there.

    Of hard assignments it is the classification likelihood: each sample counts with its own component alone.
    """

    mixture: Gaussians
    likelihood: float
    settled: bool


def hard_expectation(data: SamplesInUnits, mixture: Gaussians) -> tuple[Array, float]:
    """Each of the sorted samples with its likeliest component alone, (k, n), and the classification likelihood.

    Of components that are as likely but for rounding, such as two in one place, it is with the first.
    """
    joint = mixture.coefficients @ data.monomials
    largest = joint.max(axis=0)
    labels = (joint >= largest - _ROUNDING * np.maximum(1.0, np.abs(largest))).argmax(axis=0)
    return one_hot(labels, len(joint)), float(data.samples.weights @ largest)


def _hard_moments(data: SamplesInUnits, mixture: Gaussians) -> tuple[Array, float]:
    responsibilities, likelihood = hard_expectation(data, mixture)
    return responsibilities @ data.weighted.T, likelihood


def em_rounds(
    data: SamplesInUnits, mixture: Gaussians, kind: str, hard: bool = False, most: int = ROUNDS
) -> Iterator[EMRound]:
    """EM from a mixture: the start, and what each round makes of it, up to `most` rounds."""
    reached = -np.inf
    expect = _hard_moments if hard else moments_expected
    for _ in range(min(most, data.most_rounds(len(mixture.weights)))):
        moments, likelihood = expect(data, mixture)
        settled = likelihood - reached < TOLERANCE * data.total
        yield EMRound(mixture, likelihood, settled)
        if settled:
            return
        reached = likelihood
        mixture = of_moments(data, moments, kind)
