"""Curves of errors show what is of use: a fit that explodes does not make all others look alike."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import Blobs, SineRegression
from mlviz.draw.marks import Lines, Segments
from mlviz.draw.plot import full_limits
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies
from mlviz.studies.question import Source
from tests.sweep import each

CURVES = ("bias-variance", "learning-curve", "validation-curve")
"""The studies with an axis of errors that a fit can miss by any amount."""


def plot_of(study, method, X, y, source=None, **settings):
    *_, result = studies()[study]().run(Pipeline(registry()[method](**settings)), X, y, source=source)
    return result.plots()[0]


def shown_share(plot, useful):
    """Which share of the height is that of the errors that are of use."""
    _, _, low, high = full_limits(plot)
    return useful / (high - low)


@each("n, degree, study", [14, 25], [3, 5], CURVES)
def test_errors_of_use_fill_the_axis(study, degree, n):
    data = SineRegression(n_samples=n).generate(1)
    y = data.X[:, 1]
    plot = plot_of(
        study, "linear-regression", data.X[:, :1], y, Source.usual(data.source), basis="polynomial", degree=degree
    )
    curve = next(mark for mark in plot.marks if isinstance(mark, Lines) and mark.role == "curve")
    guessed = y.var() if plot.y_label == "squared error" else y.std()
    assert shown_share(plot, max(guessed, curve.xy[:, 1].min())) > 1 / 3
    x0, x1, _, high = full_limits(plot)
    assert curve.xy[:, 1].min() < high and x0 < curve.xy[:, 0].min() and curve.xy[:, 0].max() < x1


def test_log_losses_of_use_fill_the_axis():
    data = Blobs(n_samples=30).generate(1)
    labels = np.where(np.arange(30) % 7 == 0, (data.labels + 1) % 3, data.labels)
    *_, result = studies()["validation-curve"](score="log loss").run(Pipeline(registry()["qda"]()), data.X, labels)
    assert shown_share(result.plots()[0], np.log(3)) > 1 / 3


@pytest.mark.parametrize(
    ("study", "method"), [("validation-curve", "svm"), ("learning-curve", "svm"), ("validation-curve", "kde")]
)
def test_what_has_a_bound_is_seen_whole(study, method):
    data = Blobs(n_samples=40).generate(1)
    plot = plot_of(study, method, data.X, None if method == "kde" else data.labels)
    _, _, low, high = full_limits(plot)
    for mark in plot.marks:
        heights = (
            np.concatenate((mark.start[:, 1], mark.end[:, 1])) if isinstance(mark, Segments) else mark.places()[:, 1]
        )
        heights = heights[np.isfinite(heights)]
        assert not len(heights) or (low <= heights.min() and heights.max() <= high)


@pytest.mark.parametrize("scale", [0.0, 1e-9, 1e9])
def test_the_best_value_is_in_sight_at_any_scale(scale):
    data = SineRegression(n_samples=16).generate(2)
    y = data.X[:, 1] * scale
    plot = plot_of("validation-curve", "linear-regression", data.X[:, :1], y, basis="polynomial", degree=3)
    best = next(mark for mark in plot.marks if mark.label.startswith("best"))
    _, _, low, high = full_limits(plot)
    assert low <= best.places()[0, 1] <= high
