"""Pictures of places far from the samples, and of samples near the ends of floating point: no warning, no missing
number. Warnings are errors in tests.
"""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Field
from mlviz.numerics.grid import Grid, as_dtype
from mlviz.picture.render import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel
from tests.sweep import sweep

pytestmark = pytest.mark.slow

METHODS = registry()
POWERS = {"kernel": "expression", "expression": "polynomial(9, 1e6)"}
CASES: list[tuple[str, dict[str, str]]] = [(name, {}) for name in METHODS] + [
    (name, POWERS) for name, method in METHODS.items() if "expression" in [p.name for p in method.parameters()]
]
SCALES = [(1.0, 1.0), (1e-50, 1e50), (1e-300, 1e-300)]


def samples(scale: tuple[float, float], classes: int) -> Dataset:
    X = np.random.default_rng(1).normal(size=(18, 2))
    X[9:] += 1.5
    return Dataset(X * scale, np.arange(18) * classes // 18)


@sweep("case, classes, scale, far", CASES, [2, 3], SCALES, [4.0, 9e99])
def test_pictures_far_from_the_samples_have_numbers_everywhere(case, classes: int, scale, far: float) -> None:
    name, values = case
    scene = default_scene().replace(dataset=samples(scale, classes), panels=(Panel(Pipeline(METHODS[name](**values))),))
    scene = scene.with_view(limits=(-far, far, -far, far), probe=(far, far / 2), slice=(-far, -1.0, far, 1.0))
    (picture,) = draw(scene, [(60, 50)], 40)
    for mark in picture.plot.marks:
        if isinstance(mark, Field):
            assert np.isfinite(mark.strength).all()
    if picture.explanation is not None:
        assert "nan" not in picture.explanation.sentence


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_beyond_a_precision_are_its_ends_and_none_is_zero(dtype: type) -> None:
    kept = as_dtype(np.array([1.5, np.inf, -np.inf, np.nan, -1e300]), dtype)
    assert kept.dtype == dtype and np.isfinite(kept).all()
    assert kept[0] == 1.5 and kept[3] == 0
    assert kept[1] == -kept[2] > 1e30
    assert np.isfinite(1e5 * kept).all()


def test_a_grid_in_other_units_has_places_everywhere() -> None:
    scaled = Grid.over((-9e99, 9e99, -1.0, 1.0), 5, 5).scaled((1e300, 1.0), (0.0, 2.0))
    assert np.isfinite(scaled.x).all() and (np.diff(scaled.x) >= 0).all()
    np.testing.assert_array_equal(scaled.y, [1.0, 1.5, 2.0, 2.5, 3.0])
