"""What is told in the units of the inputs says so where these are standardized."""

import math

import pytest

from mlviz.algorithms import registry
from mlviz.draw.plot import full_limits
from mlviz.picture import draw
from mlviz.testing.check import cases, ordinary
from mlviz.testing.pictures import CANVAS_SIZE, scene_of

FACTOR = 8.0
POWERS = (-2, -1, 1, 2)
"""Of the factor, by which lengths, squares and their inverses grow with the inputs."""


@pytest.mark.parametrize("case", [case for method in registry().values() for case in cases(method)], ids=str)
def test_an_axis_that_grows_with_the_inputs_says_where_they_are_standardized(case):
    """Axes whose limits follow the units of the inputs are found by multiplying all samples."""
    X, y = ordinary(case)
    X = X - X.mean(axis=0)
    algorithm = case.algorithm()
    small, large = (draw(scene_of(case, scale * X, y, algorithm), [CANVAS_SIZE], 20)[0] for scale in (1, FACTOR))
    (told,) = draw(scene_of(case, X, y, algorithm, preprocessing="standardize"), [CANVAS_SIZE], 20)
    larger, standardized = ({side.id: side for side in picture.sides} for picture in (large, told))
    for side in small.sides:
        if side.id not in larger or side.id not in standardized:
            continue
        one, other, seen = full_limits(side), full_limits(larger[side.id]), standardized[side.id]
        for axis, label in ((0, seen.x_label), (2, seen.y_label)):
            ratio = (other[axis + 1] - other[axis]) / (one[axis + 1] - one[axis])
            grows = any(math.isclose(ratio, FACTOR**power, rel_tol=0.01) for power in POWERS)
            assert not grows or "standardized" in label, (side.title, label, ratio)
