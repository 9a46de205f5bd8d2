"""Learning from mistakes: with very many samples it ends, and says so."""

import numpy as np
import pytest

from mlviz.algorithms.perceptrons.kernel_perceptron import KernelPerceptron
from mlviz.algorithms.perceptrons.perceptron import Perceptron
from mlviz.numerics.convex import online_learning
from mlviz.pipeline.pipeline import Pipeline


def test_from_very_many_samples_no_more_is_learned_after_so_many_mistakes(monkeypatch):
    monkeypatch.setattr(online_learning, "_MOST_MISTAKES", 700)
    rng = np.random.default_rng(0)
    for n, many in ((2500, False), (2501, True)):
        X, y = rng.normal(size=(n, 2)), np.arange(n) % 2
        model = Pipeline(Perceptron(max_iter=2)).fit(X, y)
        told = "stopped after 700 mistakes, in epoch 1" if many else "stopped after 2 epochs"
        assert told in model.caveat
        assert (model.inner.mistakes == 700) is many


@pytest.mark.parametrize("apart", [0.0, 6.0])
def test_a_hundred_thousand_samples_take_no_more_mistakes_than_that(apart):
    y = np.arange(100_000) % 2
    X = np.random.default_rng(1).normal(size=(100_000, 2)) + apart * y[:, None]
    assert Perceptron().fit(X, y).mistakes <= online_learning._MOST_MISTAKES


@pytest.mark.parametrize("method", [Perceptron(), KernelPerceptron(sigma=0.3)], ids=lambda method: method.id)
def test_the_models_of_several_classes_share_the_mistakes(method, monkeypatch):
    monkeypatch.setattr(online_learning, "_MOST_OF_ALL", 600)
    y = np.arange(1500) % 3  # pairs of 1000, three of them
    X = np.random.default_rng(0).normal(size=(1500, 2)) + y[:, None] / 2
    model = Pipeline(method).fit(X, y)
    assert [part.model.mistakes for part in model.parts] == [200] * 3
    assert "stopped after 200 mistakes" in model.caveat
    monkeypatch.setattr(online_learning, "_MANY", 3000)
    assert "mistakes, in epoch" not in Pipeline(method.replace(max_iter=2)).fit(X, y).caveat
