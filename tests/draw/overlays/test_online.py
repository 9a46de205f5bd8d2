"""What the charts of mistakes say."""

import numpy as np

from mlviz.algorithms.perceptrons.perceptron import Perceptron
from mlviz.draw.layer import Context
from mlviz.draw.overlays import online


def test_the_bound_has_its_number_in_the_legend():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(0, 0.4, (40, 2)) + 3.0 * y[:, None] - 1
    model = Perceptron().fit(X, y)
    plot = online.mistakes_so_far_chart.draw(model, Context(X, y, np.arange(40), Perceptron(), "classification"))
    (bound,) = [mark for mark in plot.marks if mark.role == "reference"]
    assert bound.label == f"bound (R/γ)² = {model.bound:.3g}" and (bound.xy[:, 1] == model.bound).all()
