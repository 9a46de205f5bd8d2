"""Facts that the models of several methods have."""

from __future__ import annotations

import numpy as np

from mlviz.algorithms.base import ModelFact
from mlviz.numerics.kernels.base import Gaussian

WEIGHT_LENGTH = ModelFact(
    "|w|",
    lambda m: float(np.linalg.norm(m.coef)) if m.coef.ndim == 1 else None,
    "Length of the weight vector, without the offset: the shorter it is, the calmer the function.",
)
GAMMA = ModelFact(
    "gamma",
    lambda m: 1 / (2 * m.expansion.kernel.sigma**2) if isinstance(m.expansion.kernel, Gaussian) else None,
    "The kernel's width in the other convention in use: exp(−γ|x − x'|²) with γ = 1/(2σ²).",
)
LAMBDA = ModelFact(
    "lambda",
    lambda m: m.lambda_ or None,
    "Regularization strength where the objective is the mean loss plus λ|w|², n being the samples of a model.",
)
WRONG_WHEN_LEFT_OUT = ModelFact(
    "leave-one-out error",
    lambda m: m.leave_one_out_error,
    "Share of samples that are wrong when the fit is made without them; nλ stays as it is.",
    unit="share",
)
SAMPLES_STORED = ModelFact("samples stored", lambda m: len(m.X), "The model is these samples: nothing else is learned.")
EPOCHS = ModelFact("epochs", lambda m: m.visit.epoch if m.visit else 0, "Rounds over all samples that were begun.")
LEFT_OUT = ModelFact(
    "left out of the kernel",
    lambda m: m.left_out or None,
    "Share of the kernel's trace at the samples that the centres do not represent.",
    level="solver",
)
RESIDUAL = ModelFact(
    "residual of the equations",
    lambda m: m.residual,
    "Largest relative error with which the solution fulfils its equations.",
    level="solver",
)
