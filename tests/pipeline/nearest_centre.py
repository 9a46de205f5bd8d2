"""A tiny classifier and a tiny regression for the tests of the pipeline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, Model, ModelFact
from mlviz.algorithms.traits import Traits
from mlviz.draw.layer import Explanation
from mlviz.draw.marks import Points
from mlviz.spec import real


@dataclass(frozen=True, eq=False)
class NearestCentreModel(Model):
    classes: np.ndarray
    coef: np.ndarray
    intercept: float
    field = "decision_function"
    objective: float = 1.0

    def decision_function(self, X):
        return np.asarray(X) @ self.coef + self.intercept

    def predict(self, X):
        return self.classes[(self.decision_function(X) > 0).astype(int)]

    known_facts = (
        ModelFact("length", lambda m: float(np.linalg.norm(m.coef)), "Length of the weights."),
        ModelFact("kind", lambda m: "linear", "What the function is."),
    )

    def explain(self, x, names=None):
        return Explanation("because", (Points("now", np.asarray(x)[None]),))


@dataclass(frozen=True)
class NearestCentre(Algorithm):
    """Two classes, the nearer weighted mean wins."""

    id, label, family, tasks, main = "nearest-centre", "nearest centre", "Classification", ("classification",), "shrink"
    traits = Traits(multiclass=False, playable=False)
    shrink: float = real(1.0, soft=(0.1, 2.0), valid=(0, None), help="how much")

    def steps(self, X, y, rng, sample_weight=None):
        classes = np.unique(y)
        if len(classes) != 2:
            raise CannotFit("Two classes are needed.")
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        low, high = (np.average(X[y == c], axis=0, weights=weights[y == c]) * self.shrink for c in classes)
        yield NearestCentreModel(classes, np.zeros(X.shape[1]), 0.0)
        yield NearestCentreModel(classes, 2 * (high - low), float(low @ low - high @ high))


class CountingFollower:
    calls = 0

    def update(self, algorithm, X, y, sample_weight, deadline):
        type(self).calls += 1
        return algorithm.fit(X, y, sample_weight=sample_weight)


@dataclass(frozen=True)
class Followed(NearestCentre):
    """The same with a follower that counts."""

    def follower(self):
        return CountingFollower()


@dataclass(frozen=True, eq=False)
class MeanModel(Model):
    mean: float
    field = "predict"

    def predict(self, X):
        return np.full(len(X), self.mean)


@dataclass(frozen=True)
class Mean(Algorithm):
    """Predicts the weighted mean."""

    id, label, family, tasks, main = "mean", "mean", "Regression", ("regression",), ""

    def steps(self, X, y, rng, sample_weight=None):
        yield MeanModel(float(np.average(y, weights=sample_weight)))
