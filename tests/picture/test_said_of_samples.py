"""What the picture in words says of samples and regions is what is painted."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.numbers import plain
from mlviz.draw.palette import class_look, class_number
from mlviz.picture import draw
from mlviz.picture.description import summary
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.paint.scene_view import samples_of

SIZE, NODES = (120, 90), 24
RNG = np.random.default_rng(3)
DATA = Dataset(RNG.normal(size=(14, 3)), np.arange(14) % 2 * 3, ("x1", "x2", "x3"), held_out=np.arange(14) == 5)
SHADE = "in the shade of its target"


def cases():
    """Every method in each of its tasks, of one input and of two."""
    for name, cls in sorted(registry().items()):
        for task in cls.tasks:
            for inputs in (("x1",), ("x1", "x3")) if task == "regression" else (None,):
                yield pytest.param(name, task, inputs, id=f"{name}-{task}-{len(inputs or ())}")


def words_of(scene):
    (picture,) = draw(scene, (SIZE,), NODES)
    return picture, plain(summary(scene, 0, picture))


@pytest.mark.parametrize(("name", "task", "inputs"), list(cases()))
def test_the_look_of_samples_is_that_of_the_canvas(name, task, inputs):
    target = {"regression": "x2", "classification": "class"}.get(task)
    panel = Panel(Pipeline(registry()[name]()), inputs, target)
    named = replace(DATA, labels=DATA.labels // 3, class_names=("no", "yes"))
    for data, colours in ((DATA, ()), (named, (1, 6, 2, 3, 4, 5, 0, 7, 8))):
        scene = Scene(data, (panel,), colours=colours)
        if inputs is not None and len(inputs) == 2:
            scene = scene.with_view(axes=("x1", "x3"))
        picture, said = words_of(scene)
        if samples_of(scene, 0).shades is not None:
            values = data.X[:, 1]
            (told,) = re.findall(
                r"^14 points \(in the shade of its x2, from (\S+) to (\S+)\), on average", said, re.MULTILINE
            )
            np.testing.assert_allclose(np.array(told, dtype=float), (values.min(), values.max()), rtol=1e-3)
            continue
        shaded = {row for m in picture.plot.marks if m.role == "target" for row in m.rows.tolist()}
        drawn, expected = samples_of(scene, 0).labels.tolist(), {}
        for row, code in enumerate(drawn):
            look = SHADE if row in shaded else class_look(class_number(code, colours))
            expected.setdefault(code, Counter())[look] += 1
        found = re.findall(r"^(\d+) (?:of (.*?)|points) \((.*?)\), on average", said, re.MULTILINE)
        told = sorted((int(count), tuple(look.split(" or "))) for count, _, look in found)
        wanted = [(sum(looks.values()), tuple(sorted(looks, key=SHADE.__eq__))) for looks in expected.values()]
        assert told == sorted(wanted), said
        classes = {data.class_name(code) for code in np.unique(data.labels).tolist()}
        assert {name for _, name, _ in found} == (classes if len(set(drawn)) > 1 else {""}), said


@pytest.mark.parametrize("way", ["one-vs-rest", "one-vs-one"])
def test_the_shares_told_are_those_painted(way):
    """Where scores are too small for any class to lead, the ground is white and belongs to none."""
    data = Dataset(np.array([(-1.0, -1.0), (1.0, -1.0), (0.0, 1.2)]), [3, 7, 12])
    scene = Scene(data, (Panel(Pipeline(registry()["svm"](sigma=0.05), multiclass=way)),))
    picture, said = words_of(scene)
    (region,) = [mark for mark in picture.plot.marks if mark.role == "region"]
    painted = region.strength > 0
    told = re.findall(r"([\d.]+) % (class \d+|without colour)", re.search("Regions: .*", said)[0])
    wanted = {data.class_name(c): np.mean(painted & (region.classes == c)) for c in (3, 7, 12)}
    wanted["without colour"] = np.mean(~painted)
    assert wanted["without colour"] > 0.5
    assert {name: float(share) for share, name in told} == {
        name: pytest.approx(100 * share, rel=0.01) for name, share in wanted.items() if share
    }


def in_words(data):
    return summary(Scene(data, (Panel(Pipeline(registry()["svm"]())),)), 0, None)


@pytest.mark.parametrize("scale", [1e-9, 0.3, 7.7, 1e9])
@pytest.mark.parametrize("aspect", [1e-7, 1.0, 1e12])
def test_what_rounding_leaves_of_a_mean_is_nothing(scale, aspect):
    side = np.linspace(-2.5, 2.5, 6) * scale
    X = np.stack(np.meshgrid(side, aspect * side), axis=-1).reshape(-1, 2)
    assert ", on average at (0, 0), " in in_words(Dataset(X, [0] * 36))
    still = in_words(Dataset(X * (1, 0) + (0, 0.1 * aspect), [0] * 36))
    assert still.endswith(" by 0."), still


def test_a_coordinate_is_not_small_beside_the_other_one():
    data = Dataset(np.array([(1e15, 2.0), (1e15, 4.0)]), [0, 0])
    assert "on average at (1e+15, 3)" in in_words(data)
