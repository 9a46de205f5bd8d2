"""The hyperparameters of Gaussian process regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlviz.algorithms.kernels.parameters import KernelMethod
from mlviz.draw.numbers import number
from mlviz.spec import choice, real

MEANS = ("sample mean", "zero mean")


def _as_penalty(settings: Any, n: int) -> str:
    """The penalty of kernel ridge regression that comes to the same."""
    if not n:
        return f"scikit-learn: alpha = {number(settings.noise_variance, 4)}"
    return f"kernel ridge: λ = σₙ²/(n s²) = {number(settings.noise_variance / settings.signal_variance / n, 4)}"


@dataclass(frozen=True)
class GaussianProcessSettings(KernelMethod, abstract=True):
    """A kernel, the variances of signal and noise, and the mean before anything is seen."""

    signal_variance: float = real(
        1.0,
        soft=(0.01, 100.0),
        valid=(1e-12, 1e12),
        log=True,
        help="what the kernel is multiplied by: with a kernel that is 1 at equal places, the square of how far the "
        "function strays from its mean",
    )
    noise_variance: float = real(
        0.1,
        soft=(1e-4, 10.0),
        valid=(1e-12, 1e12),
        log=True,
        help="mean square of the noise that is added to the function at each sample",
        equivalent=_as_penalty,
    )
    mean: str = choice(
        *MEANS,
        help="what the function is about before anything is seen: the mean of the targets, as if they had been centred "
        "for the textbook's zero mean, or zero for targets as they are",
    )
