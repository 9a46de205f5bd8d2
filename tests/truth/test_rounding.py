"""No number that is told is what rounding has left of larger ones, in facts, captions and sentences alike."""

from __future__ import annotations

import re

import numpy as np

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.numerics.standardizing import weighted_mean
from mlviz.picture.render import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import sweep

RNG = np.random.default_rng(5)
LINE = np.sort(RNG.uniform(-3, 3, 24))
TARGETS = {
    "sevenths": np.full(24, 5 / 7),
    "tenths": np.full(24, 0.1),
    "line": 0.3 + 0.7 * LINE,
    "falling line": 4.0 - LINE / 3,
    "wave": np.sin(2 * LINE),
}
SHIFTS = (0.0, 1e6, -1e6)
METHODS = [name for name, cls in registry().items() if "regression" in cls.tasks]
_FINE = 1e-13


def settings(name):
    """The method as it is, and with the least penalty, and linear where it has kernels."""
    cls = registry()[name]
    yield cls()
    for parameter in cls.parameters():
        if parameter.name == "kernel" and "linear" in parameter.options:
            yield cls(kernel="linear")
        if parameter.name == "window":
            yield from (cls(window=window) for window in parameter.options)


@sweep("name, kind, shift, preprocessing", METHODS, TARGETS, SHIFTS, ["none", "standardize"])
def test_no_number_told_is_a_rounding_error(name, kind, shift, preprocessing):
    y = TARGETS[kind] + shift
    for algorithm in settings(name):
        data = Dataset(np.column_stack((LINE, y)), np.zeros(len(y), dtype=int))
        panel = Panel(Pipeline(algorithm, preprocessing=preprocessing), inputs=("x1",), target="x2")
        limits = (-4.0, 4.0, float(y.min()) - 1, float(y.max()) + 1)
        scene = Scene(data, (panel,), view=View(limits=limits, probe=(LINE[3], float(y[3]))))
        (picture,) = draw(scene, [(300, 240)], 40)
        assert picture.message is None
        # The solver's own facts say how exact it was, which is a rounding error.
        facts = {key: fact for key, fact in picture.facts.items() if fact.level == "lesson"}
        values = [fact.value for fact in facts.values() if isinstance(fact.value, float)]
        assert all(
            value == 0 or abs(value) > _FINE * float(np.abs(y).max()) ** (1 if shift else 2) for value in values
        ), facts
        said = " ".join([picture.caption, picture.explanation.sentence, *map(str, facts.values())])
        powers = [int(power) for power in re.findall(r"\de[-−](\d+)", said)]
        assert not powers or max(powers) < 13, said
        if "tenths" in kind or "sevenths" in kind:
            assert "training RMSE 0" in picture.caption.split(";")[-1] or "training RMSE 0;" in picture.caption


def test_the_mean_of_equal_numbers_is_theirs():
    share = RNG.dirichlet(np.ones(37))
    for value in (1 / 3, 0.1, 1e6 + 0.7, -5 / 7e5):
        assert weighted_mean(np.full(37, value), share) == value
