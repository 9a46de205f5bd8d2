"""Bias and variance: what fits on other samples from the same source miss together, and how far they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import CannotFit
from mlviz.data.generators.base import RegressionGenerator
from mlviz.draw.layer import Context, overlay
from mlviz.draw.marks import Mark
from mlviz.numerics.arrays import Array
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import choice, integer
from mlviz.studies.question import Question, Result, Samples, Source
from mlviz.studies.resampling.base import ResamplingStudy
from mlviz.studies.resampling.bias_variance_result import BiasVarianceResult, Fits
from mlviz.studies.resampling.drawing import fitted_to, fresh_seeds
from mlviz.studies.values import NUMBERS, Tried, at_default, names_of, parameter_name, parameter_of

_TEST_SAMPLES = 1000
"""The risk is measured on so many fresh samples."""
_STREAM = 98
"""Sets the seed of the test samples apart from those of the fits."""


@overlay("bias-variance bundle", "bundle of fits", "the fits to other samples at the value nearest to the present one")
def bundle_overlay(result: BiasVarianceResult, context: Context) -> Sequence[Mark]:
    middle = "their mean" if context.line is not None else "where most of them change"
    return result.bundle().marks(context, result.question.pipeline.decision, "fits on fresh samples", middle)


@dataclass(frozen=True)
class BiasVariance(ResamplingStudy):
    """Fits to many sets of samples from the known source, for values of one hyperparameter.

    For values the squared error is bias² + variance + noise (S. Geman, E. Bienenstock and R. Doursat, Neural
    Computation 4 (1992), 1-58); the share of wrong classes has no such sum.
    """

    id = "bias-variance"
    label = "bias and variance"
    of_source = True
    random = True
    help = "what fits to many sets of samples from the source miss together, and how far they differ"
    overlays = (bundle_overlay,)
    hyperparameter: str = parameter_name()
    values: int = integer(10, soft=(2, 30), valid=(2, 200), help="number of values of the hyperparameter")
    fits: int = integer(30, soft=(5, 100), valid=(2, 1000), help="number of sets of samples")
    inputs: str = choice(
        "drawn anew",
        "as they are",
        help="whether each set has inputs of its own, or those of the points with new noise",
    )

    def choices(self, pipeline: Pipeline) -> dict[str, tuple[str, ...]]:
        """The hyperparameters that are numbers."""
        return {"hyperparameter": names_of(pipeline.algorithm, NUMBERS)}

    def rests_on(self, pipeline: Pipeline) -> Pipeline:
        """All but the hyperparameter that is varied."""
        return at_default(pipeline, self.hyperparameter)

    def steps(self, question: Question) -> Iterator[Result]:
        """Yield the curves as they settle: one more fit for each value after the other."""
        source = question.source
        if source is None:
            raise CannotFit("The truth is not known: draw the points with a generator, and leave them as they are.")
        axis = Tried.over(parameter_of(question.pipeline.algorithm, self.hyperparameter, NUMBERS), self.values)
        fits = _no_fits(source, axis, question)
        pipelines = axis.pipelines(question.pipeline)
        exact = _exact_risk(source, pipelines, fits, question)
        total = self.fits * len(pipelines)
        result = _result(question, fits, exact, 0, total)
        for number, samples in enumerate(self._samples(source, question)):
            for v, pipeline in enumerate(pipelines):
                model = yield from fitted_to(question.replace(pipeline=pipeline), samples, result)
                fits.models[v].append(model)
                fits.predictions[v].append(np.asarray(model.predict(fits.X_test)))
                error = model.rating.named
                fits.training_errors[v].append(error[1] if error else float("nan"))
                done = number * len(pipelines) + v + 1
                result = _result(question, fits, exact, done, total)
                yield result

    def _samples(self, source: Source, question: Question) -> Iterator[Samples]:
        for seed in fresh_seeds(question.seed, self.fits):
            if self.inputs == "drawn anew":
                yield source.draw(seed, len(question.X))
            else:
                yield _with_new_noise(source, question, seed)


def _result(question: Question, fits: Fits, exact: Array | None, done: int, total: int) -> BiasVarianceResult:
    counts = tuple(map(len, fits.models))
    return BiasVarianceResult(question, fits=fits, counts=counts, exact=exact, done=done, total=total)


def _no_fits(source: Source, axis: Tried, question: Question) -> Fits:
    generator = source.generator
    (seed,) = np.random.default_rng([question.seed, _STREAM]).integers(2**31, size=1).tolist()
    X, y, _ = source.draw(seed, _TEST_SAMPLES)
    assert y is not None
    if source.target is None:
        return Fits(axis, X, y, None, 0.0)
    values = source.values
    if values is None:
        arrow = generator.arrow if isinstance(generator, RegressionGenerator) else "its values"
        raise CannotFit(f"The true function is known for {arrow} only, as the example was drawn.")
    if generator.outliers > 0:
        raise CannotFit("With outliers the error is not bias² + variance + noise: draw the example without them.")
    return Fits(axis, X, y, values.true_values(X), values.noise**2)


def _with_new_noise(source: Source, question: Question, seed: int) -> Samples:
    generator = source.generator
    if not isinstance(generator, RegressionGenerator) or source.target is None:
        raise CannotFit("Classes are drawn with their points: their inputs can't stay as they are.")
    noise = np.random.default_rng(seed).normal(0, generator.noise, len(question.X))
    return Samples(question.X, generator.true_values(question.X) + noise)


def _exact_risk(source: Source, pipelines: Sequence[Pipeline], fits: Fits, question: Question) -> Array | None:
    """Of k nearest neighbours the risk over the inputs as they are, (v,): noise + bias² + noise / k at each place.

    T. Hastie, R. Tibshirani and J. Friedman, The Elements of Statistical Learning (2009), section 7.3.
    """
    generator = source.generator
    algorithm = pipelines[0].algorithm
    if algorithm.id != "knn" or fits.truth is None or getattr(algorithm, "weights", "") != "uniform":
        return None
    assert isinstance(generator, RegressionGenerator)
    means = generator.true_values(question.X)
    risks = []
    for pipeline, k in zip(pipelines, fits.axis.values, strict=True):
        if fits.axis.name != "n_neighbors":
            k = getattr(pipeline.algorithm, "n_neighbors")  # noqa: B009
        model = pipeline.fit(question.X, means, question.seed)
        bias = np.asarray(model.predict(fits.X_test)) - fits.truth
        risks.append(fits.noise + float((bias**2).mean()) + fits.noise / min(int(k), len(question.X)))
    return np.array(risks)
