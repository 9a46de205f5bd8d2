"""What the facts mean that several methods have."""

from __future__ import annotations

from mlviz.draw.facts import FactKind

WEIGHT_LENGTH = FactKind(
    "|w|", "Length of the weight vector, without the offset: the shorter it is, the calmer the function."
)
GAMMA = FactKind("gamma", "The kernel's width in the other convention in use: exp(−γ|x − x'|²) with γ = 1/(2σ²).")
LAMBDA = FactKind(
    "lambda",
    "Regularization strength where the objective is the mean loss plus λ|w|², n being the samples of a model.",
)
WRONG_WHEN_LEFT_OUT = FactKind(
    "leave-one-out error",
    "Share of samples that are wrong when the fit is made without them; nλ stays as it is.",
    unit="share",
)
SAMPLES_STORED = FactKind("samples stored", "The model is these samples: nothing else is learned.")
EPOCHS = FactKind("epochs", "Rounds over all samples that were begun.")
