"""Mean shift (Fukunaga and Hostetler 1975; Cheng 1995; Comaniciu and Meer 2002)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, Code, Traits, last_until
from mlviz.algorithms.checking import refuse_distant
from mlviz.algorithms.clustering.mean_shift import pictures
from mlviz.algorithms.clustering.mean_shift.model import MOST_SAMPLES, MeanShiftModel, ShiftedSamples
from mlviz.algorithms.traits import Trial
from mlviz.draw.inks import ACCENT, CANVAS, RoleInk
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.density.mean_shift import KERNELS
from mlviz.spec import choice, real

_DRAFTED = 60
"""So many samples climb while one is moved."""


@dataclass(frozen=True)
class MeanShift(Algorithm):
    """Each sample climbs to where samples are densest; those that arrive at the same place are one cluster.

    From every sample a place starts, and all of them move at once, again and again, to the weighted mean of the
    samples about them, m(x) = Σᵢ k(x − xᵢ) xᵢ / Σᵢ k(x − xᵢ). The kernel says what counts, h being the bandwidth:

        Gaussian     exp(−|x − xᵢ|² / (2h²))
        flat         1 up to the distance h, then 0

    The shift m(x) − x points uphill on the density that the kernel estimates; with a flat kernel, on that of
    Σᵢ 1 − |x − xᵢ|²/h² over the samples within h. It is long where there are few samples and short near a mode, a
    maximum, where it is 0. Modes closer than h are one, the densest of them. How many clusters there are is found: it
    depends on h alone. A small one makes every sample a mode, a large one a single mode for all.

    In the picture: play the steps to see the dots climb; the lines are their paths, the crosses the modes, and the
    lines of equal density (Gaussian kernel) show the hills. The dot in a sample is the cluster where its path ends; on
    the way, all that have come within h of each other are one. The shade, at the end, is the cluster of the nearest
    sample. Point at a place to see the shift from there.

    Reference: D. Comaniciu and P. Meer, Mean shift: a robust approach toward feature space analysis, 2002,
    doi:10.1109/34.1000236; Y. Cheng, Mean shift, mode seeking, and clustering, 1995, doi:10.1109/34.400568.
    """

    id = "mean-shift"
    label = "mean shift"
    family = "Clustering"
    tasks = ("clustering",)
    main = "bandwidth"
    trials = (
        Trial("how the dots climb to the top of each cloud", "blobs"),
        Trial("the long moons fall apart into several hills", "moons", {"bandwidth": 0.5}),
    )
    traits = Traits(follower_differs=True)
    overlays = (
        pictures.regions,
        pictures.density,
        pictures.paths,
        pictures.assignment,
        pictures.climbers,
        pictures.modes,
    )
    inks = {"climber": RoleInk(ACCENT, ACCENT, width=1.0, size=7.0, halo=CANVAS)}

    bandwidth: float = real(
        0.8,
        soft=(0.1, 4.0),
        valid=(1e-9, 1e9),
        log=True,
        label="h",
        help="how wide the kernel is: the standard deviation of a Gaussian one, the radius of a flat one",
    )
    window: str = choice(
        *KERNELS, label="kernel", help="how much a sample counts at a distance: less and less, or the same up to h"
    )

    def steps(
        self, X: Array, y: AnyArray | None, rng: np.random.Generator, sample_weight: Array | None = None
    ) -> Iterator[MeanShiftModel]:
        """Where the samples have climbed to after each round; then the modes, merged."""
        samples = self.prepare(X, sample_weight, MOST_SAMPLES)
        for rounds in samples.climb():
            yield MeanShiftModel(samples, rounds)
        yield MeanShiftModel(samples, rounds, finished=True)

    def prepare(self, X: Array, sample_weight: Array | None, climbing: int) -> ShiftedSamples:
        """The samples, at most so many of which climb."""
        refuse_distant(X)
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        return ShiftedSamples.of(X, weights, self.bandwidth, self.window, climbing)

    def follower(self) -> MeanShiftFollower:
        """One whose drafts let few samples climb."""
        return MeanShiftFollower()

    def code(self, model: MeanShiftModel) -> Code | None:
        """MeanShift, which knows the flat kernel and gives each sample to the nearest mode, wherever it climbs."""
        if self.window != "flat":
            return None
        fit = f"MeanShift(bandwidth={self.bandwidth!r})"
        return Code(("from sklearn.cluster import MeanShift",), (fit,), (), "cluster_centers_")


class MeanShiftFollower:
    """Lets some of the samples climb the density of all, for as long as there is time; the others go with the nearest.

    It remembers nothing.
    """

    def update(
        self, algorithm: MeanShift, X: Array, y: AnyArray | None, sample_weight: Array | None, deadline: float
    ) -> MeanShiftModel:
        """The modes that are found, made exact, and merged."""
        samples = algorithm.prepare(X, sample_weight, _DRAFTED)
        rounds = last_until(deadline, samples.climb())
        return MeanShiftModel(samples, rounds, finished=True)
