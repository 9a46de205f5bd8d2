"""Algorithms that no one would want, for the tests of trace, engine and worker."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit, Model, ModelFact
from mlviz.algorithms.traits import Traits
from mlviz.draw.layer import Chart, Overlay
from mlviz.draw.marks import Points
from mlviz.draw.plot import Plot
from mlviz.spec import flag, integer, real, text


@dataclass(frozen=True, eq=False)
class StepModel(Model):
    """Knows which step it is, and the places it was given."""

    number: int
    X: np.ndarray
    ballast: np.ndarray
    classes: np.ndarray
    field = "decision_function"

    @property
    def objective(self):
        return 1.0 / (1 + self.number)

    @property
    def stage(self):
        return "odd" if self.number % 2 else "even"

    def decision_function(self, X):
        return X[:, 0] + X[:, 1]

    def predict(self, X):
        return np.where(self.decision_function(X) > 0, self.classes[-1], self.classes[0])

    known_facts = (
        ModelFact("number", lambda m: m.number, "Number of the step."),
        ModelFact("qt", lambda m: any(name.startswith("PySide6") for name in sys.modules), "Whether Qt is there."),
    )


def _where(model, context):
    # With a name of its own for each array, so that tests see what an overlay was given.
    return (Points("support vector", context.X[:, :2], rows=context.rows), Points("center", np.array([[1.0, 2.0]])))


where = Overlay("where", "samples", _where)
extra = Overlay("extra", "extra", lambda model, context: (Points("now", np.zeros((1, 2))),), shown=False)


def _steps_chart(model, context):
    return Plot("history", "History", "step", "objective", ()) if len(context.history) > 1 else None


@dataclass(frozen=True)
class Stepping(Algorithm):
    """Yields many models."""

    id, label, family, tasks, main = "stepping", "stepping", "Odd", ("classification",), "n"
    overlays = (where, extra)
    charts = (Chart("history", "history", _steps_chart),)
    n: int = integer(10, soft=(1, 100), valid=(0, None), help="how many steps")
    pause: float = real(0.0, soft=(0, 1), valid=(0, None), help="seconds a step takes")
    ballast: int = integer(0, soft=(0, 1), valid=(0, None), help="numbers that each model carries")
    wrong: bool = flag(False, help="fails in the middle")

    def steps(self, X, y, rng, sample_weight=None):
        for number in range(self.n):
            if self.wrong and number == self.n // 2:
                raise ZeroDivisionError("what a pity")
            if self.pause:
                time.sleep(self.pause)
            yield StepModel(number, X, rng.normal(size=self.ballast), np.unique(y))


class SteppingFollower:
    def update(self, algorithm, X, y, sample_weight, deadline):
        if len(X) == 3:
            raise CannotFit("Three is a crowd.")
        if len(X) == 4:
            raise ZeroDivisionError("a bug")
        return StepModel(1000 + len(X), X, np.zeros(0), np.unique(y))


@dataclass(frozen=True)
class Followed(Stepping):
    """The same with a follower."""

    id, label = "followed", "followed"
    traits = Traits(playable=False)

    def follower(self):
        return SteppingFollower()


@dataclass(frozen=True)
class Hanging(Stepping):
    """Never comes back."""

    id, label = "hanging", "hanging"

    def steps(self, X, y, rng, sample_weight=None):
        time.sleep(1e6)
        yield StepModel(0, X, np.zeros(0), np.unique(y))


@dataclass(frozen=True)
class StudyHanging(Stepping):
    """Never comes back from inputs that were not standardized, or dies of them: its study does, and not its own fit."""

    id, label = "study-hanging", "hanging in a study"
    dies: bool = flag(False, help="dies instead")

    def steps(self, X, y, rng, sample_weight=None):
        if not np.allclose(X.mean(axis=0), 0):
            if self.dies:
                os._exit(7)
            time.sleep(1e6)
        yield from super().steps(X, y, rng, sample_weight)


@dataclass(frozen=True)
class Dying(Stepping):
    """Takes its process down: the first time, or every time."""

    id, label = "dying", "dying"
    witness: str = text("", grammar=str, numbers=lambda _: (), help="path of a file that it leaves when it dies")
    always: bool = flag(False, help="every time")

    def steps(self, X, y, rng, sample_weight=None):
        if self.always or not Path(self.witness).exists():
            Path(self.witness).touch()
            os._exit(7)
        yield StepModel(0, X, np.zeros(0), np.unique(y))
