"""What is written beside the upright axis of a side plot has room there."""

import pytest

from mlviz.algorithms import registry
from mlviz.picture import draw
from mlviz.testing.check import cases, ordinary
from mlviz.testing.pictures import scene_of

MOST = 21
"""More letters are cut off in a small side plot."""
REGRESSIONS = [method for method in registry().values() if "regression" in method.tasks]
CASES = [case for method in REGRESSIONS for case in cases(method) if case.task == "regression"]
PENALTIES = ("none", "L2", "L1", "elastic net", "loss budget")
SETTINGS = {
    "linear-regression": (
        *({"penalty": penalty} for penalty in PENALTIES),
        *({"penalty": penalty, "solver": "coordinate descent"} for penalty in PENALTIES[:4]),
    )
}


@pytest.mark.parametrize("preprocessing", ["none", "standardize", "whiten"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_names_of_upright_axes_are_short(case, preprocessing):
    settings = SETTINGS.get(case.algorithm.id, ({},))
    for algorithm in (case.algorithm(**setting) for setting in settings):
        (picture,) = draw(scene_of(case, *ordinary(case), algorithm, preprocessing=preprocessing), [(300, 200)], 16)
        for plot in picture.sides:
            assert len(plot.y_label) <= MOST, plot.title
            if plot.id in ("ball", "path") and preprocessing == "standardize":
                assert plot.y_label.endswith(", standardized")
