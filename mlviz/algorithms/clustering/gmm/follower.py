"""The Gaussian mixture under a moving hand: EM goes on from the mixture of the frame before."""

from __future__ import annotations

import time
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mlviz.algorithms.clustering.gmm.model import GaussianMixtureModel
from mlviz.numerics.arrays import Array
from mlviz.numerics.density.gaussian_mixture import Gaussians, SamplesInUnits, em_rounds, from_labels, seeds, starts


class Mixture(Protocol):
    """What mixture is looked for."""

    @property
    def n_components(self) -> int:
        """How many Gaussians."""

    @property
    def covariance_type(self) -> str:
        """Of which shapes."""

    def prepare(self, X: Array, sample_weight: Array | None) -> SamplesInUnits:
        """The samples in units; raises `CannotFit`."""


class GaussianMixtureFollower:
    """Keeps the last mixture. Its models end in a local maximum near it, which need not be the one `steps` finds.

    When a component collapses under the hand, the next update starts anew: EM would not free it.
    """

    def __init__(self) -> None:
        self._mixture: Gaussians | None = None

    def start_from(self, model: GaussianMixtureModel) -> None:
        """Go on from that model's mixture."""
        self._mixture = model.mixture.outside(model.data.units)

    def update(
        self,
        algorithm: Mixture,
        X: Array,
        y: NDArray[Any] | None,
        sample_weight: Array | None,
        deadline: float,
    ) -> GaussianMixtureModel:
        """The mixture after as many rounds of EM as there is time for, at least one."""
        former, self._mixture = self._mixture, None  # should the data be refused, the next call starts from nothing
        data = algorithm.prepare(X, sample_weight)
        if former is not None and former.means.shape == (algorithm.n_components, X.shape[1]):
            start = former.inside(data.units)
        else:
            start = _from_nothing(algorithm, data)
        kind = algorithm.covariance_type
        for number, now in enumerate(em_rounds(data, start, kind)):  # noqa: B007
            # The first one is the start itself.
            if number and time.perf_counter() > deadline:
                break
        # One that was collapsed on the screen already may stay: starting anew would make the picture jump.
        if not now.mixture.collapsed or (former is not None and start.collapsed):
            self._mixture = now.mixture.outside(data.units)
        objective = data.likelihood(now.likelihood)
        return GaussianMixtureModel(data, now.mixture, kind, "expectation", objective, settled=now.settled)


def _from_nothing(algorithm: Mixture, data: SamplesInUnits) -> Gaussians:
    rows = seeds(data, algorithm.n_components, np.random.default_rng(0))
    *_, labels = starts(data, rows)
    return from_labels(data, labels, algorithm.n_components, algorithm.covariance_type)
