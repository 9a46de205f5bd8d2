"""Samples and canvases of any size have a picture, or a sentence: a warning of NumPy's would be an error here."""

from dataclasses import replace

import pytest

from mlviz.scene.scene import View
from tests.truth.scenes import CLASSIFIERS, CLUSTERINGS, LIMITS, REGRESSIONS, Case, drawn, samples, scene_of

SIZES = (1e-300, 1e-80, 1.0, 1e140)
CANVASES = (1e-80, 1e100, 1e300)
CASES = [Case(method, n=20) for method in CLASSIFIERS]
CASES += [Case(method, task="regression", n=20) for method in REGRESSIONS]
CASES += [Case(method, task="clustering", n=20) for method in CLUSTERINGS]


@pytest.mark.parametrize("preprocessing", ["none", "standardize", "whiten"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_samples_and_canvases_of_any_size_are_drawn(case, preprocessing):
    case = replace(case, preprocessing=preprocessing)
    data = samples(case)
    for size in SIZES:
        scene = scene_of(case, replace(data, X=data.X * size))
        for unit in {size, *CANVASES}:
            x0, x1, y0, y1 = (unit * limit for limit in LIMITS)
            view = View(limits=(x0, x1, y0, y1), equal=False, probe=(0.3 * unit, 0.2 * unit))
            picture = drawn(replace(scene, view=view))
            assert picture.message is None or picture.message.endswith(".")
