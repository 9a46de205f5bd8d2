"""Any scene that there may be, for the tests of its file."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.pipeline.weights import Weights
from mlviz.scene.scene import Panel, Scene, View

REAL = st.floats(-1e300, 1e300)
IN_SIGHT = st.floats(-1e100, 1e100)
NAME = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=8)
CLASS_NAME = NAME.filter(lambda name: name.strip() and " ".join(name.splitlines()) == name)


@st.composite
def declared(draw: Any, cls: Any) -> Any:
    values: dict[str, Any] = {}
    for p in cls.parameters():
        if p.kind == "choice":
            values[p.name] = draw(st.sampled_from(p.options))
        elif p.kind == "flag":
            values[p.name] = draw(st.booleans())
        elif p.kind == "integer":
            values[p.name] = draw(st.integers(*map(int, p.soft)))
        elif p.kind == "text":
            values[p.name] = p.default
        elif p.kind == "per class":
            values[p.name] = draw(st.lists(st.floats(*p.soft), max_size=9).map(tuple))
        else:
            values[p.name] = draw(st.floats(*p.soft))
    return cls(**values)


@st.composite
def scenes(draw: Any) -> Scene:
    names = draw(st.lists(NAME, min_size=3, max_size=5, unique=True))
    columns, class_column = tuple(names[1:]), names[0]
    n = draw(st.integers(0, 6))
    X = draw(st.lists(st.lists(REAL, min_size=len(columns), max_size=len(columns)), min_size=n, max_size=n))
    masks = st.lists(st.booleans(), min_size=n, max_size=n)
    kind = draw(st.none() | st.sampled_from(list(generators().values())))
    source = None if kind is None else draw(declared(kind)).replace(seed=draw(st.integers(0, 2**40)))
    labels = draw(st.lists(st.integers(0, 8), min_size=n, max_size=n))
    class_names = tuple(draw(st.lists(CLASS_NAME, max_size=4)))
    data = Dataset(
        np.array(X).reshape(n, len(columns)),
        labels,
        columns,
        class_column,
        class_names,
        draw(masks),
        draw(masks),
        source,
    )
    panels = []
    for _ in range(draw(st.integers(1, 3))):
        algorithm = draw(declared(draw(st.sampled_from(list(registry().values())))))
        weights, decision = draw(declared(Weights)), draw(declared(Decision))
        if decision.rule == "costs":
            weights = weights.replace(balance="none")
        pipeline = Pipeline(
            algorithm,
            preprocessing=draw(st.sampled_from(sorted(preprocessings()))),
            multiclass=draw(st.sampled_from(["auto", "direct", "one-vs-rest", "one-vs-one"])),
            weights=weights,
            decision=decision,
        )
        overlays = [overlay.id for overlay in pipeline.possible_overlays]
        inputs = draw(st.none() | st.lists(st.sampled_from(columns), min_size=1, unique=True).map(tuple))
        target = draw(st.none() | st.sampled_from(names))
        hidden = draw(st.none() | st.sets(st.sampled_from(overlays)).map(tuple))
        left = draw(st.sets(st.sampled_from(sorted(registry())), max_size=2)) - {pipeline.algorithm.id}
        remembered = tuple(draw(declared(registry()[method])) for method in sorted(left))
        panels.append(Panel(pipeline, inputs, target, hidden, remembered))
    low, high = draw(st.floats(-1e9, 0)), draw(st.floats(1e-3, 1e9))
    view = View(
        axes=draw(st.none() | st.tuples(st.sampled_from(columns), st.sampled_from(columns))),
        limits=(low, high, low, high),
        equal=draw(st.booleans()),
        step=draw(st.none() | st.integers(0, 10**6)),
        probe=draw(st.none() | st.tuples(IN_SIGHT, IN_SIGHT)),
        slice=draw(st.none() | st.tuples(IN_SIGHT, IN_SIGHT, IN_SIGHT, IN_SIGHT)),
    )
    colours = tuple(draw(st.permutations(range(9))))
    return Scene(data, tuple(panels), draw(st.integers(0, 2**62)), view, () if colours == tuple(range(9)) else colours)


def assert_same(a: Scene, b: Scene) -> None:
    for name in ("X", "labels", "held_out", "active"):
        np.testing.assert_array_equal(getattr(a.dataset, name), getattr(b.dataset, name))
    for name in ("columns", "class_column", "class_names", "source"):
        assert getattr(a.dataset, name) == getattr(b.dataset, name)
    for name in ("panels", "seed", "view", "colours", "attempts", "hides_answer", "notes", "strokes"):
        assert getattr(a, name) == getattr(b, name)
