"""Where nothing is painted, no sentence says that a class leads; the caption gives the same reason."""

import re

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.picture import draw
from mlviz.picture.render import Fits
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View

CORNERS = np.array([[-1.0, -1.0], [1.0, -1.0], [0.0, 1.2]])
FAR = [(3.5, 3.0), (-3.6, 3.3), (0.0, -3.7)]
WINNER = re.compile(r"«.*?»(:| wins| is chosen| is predicted)|ahead of")


def narrow_methods():
    """Every classifier, the narrower the better where it has a width; waves end nowhere, however short they are."""
    for name, cls in sorted(registry().items()):
        if "classification" in cls.tasks:
            keys = {parameter.key for parameter in cls.parameters() if name != "random-features"}
            yield name, {"kernel": "gaussian", "sigma": 0.05} if {"kernel", "sigma"} <= keys else {}


def scenes(name, chosen):
    for codes in ((3, 7), (3, 7, 12)):
        data = Dataset(CORNERS[: len(codes)], np.array(codes), class_names=tuple(f"«{c}»" for c in range(13)))
        for way in ("one-vs-rest", "one-vs-one", "direct") if len(codes) > 2 else ("one-vs-rest",):
            for decision in (Decision(), Decision("threshold"))[: 4 - len(codes)]:
                pipeline = Pipeline(registry()[name](**chosen), multiclass=way, decision=decision)
                for probe in FAR:
                    yield Scene(data, (Panel(pipeline),), view=View(probe=probe))


@pytest.mark.parametrize(("name", "chosen"), list(narrow_methods()), ids=[name for name, _ in narrow_methods()])
def test_where_nothing_is_painted_no_class_is_said_to_lead(name, chosen):
    white: set[str] = set()
    fits: Fits = {}
    for scene in scenes(name, chosen):
        (picture,) = draw(scene, ((40, 40),), 21, fits=fits)
        region = next((mark for mark in picture.plot.marks if mark.role == "region"), None)
        if region is None or picture.explanation is None:
            continue
        x, y = scene.view.probe
        row, column = np.abs(region.y - y).argmin(), np.abs(region.x - x).argmin()
        said = picture.explanation.sentence
        nowhere, none = region.strength[row, column] == 0, said.startswith("No class leads here: ")
        assert not (nowhere and WINNER.search(said)) and none == nowhere, said
        if none:
            assert said.removeprefix("No class leads here: ").rstrip(".") in picture.caption
            assert "so no class leads there" in picture.caption
            white.add(scene.panels[0].pipeline.multiclass)
    assert bool(white) == bool(chosen)
