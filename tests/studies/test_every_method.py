"""Every study of every method in each of its tasks: finite numbers at small sizes, or the reason why there are none."""

import math

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.data.generators.catalog import Blobs, HillRegression, SineRegression, TwoGaussians
from mlviz.draw.plot import full_limits
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as all_studies
from mlviz.studies.question import Source
from mlviz.studies.values import names_of
from tests.sweep import chosen

FEW = 2
"""Of whatever a study repeats or tries: values, fits, folds, draws."""
N = 24
STUDIES = [kind for kind in all_studies().values() if not kind.by_layer]
VALUES = SineRegression(n_samples=N).generate(1)
SURFACE = HillRegression(n_samples=N).generate(1)
CLASSES, GROUPS = TwoGaussians(n_samples=N).generate(1), Blobs(n_samples=N).generate(1)
CASES = [
    *((method, task) for method, kind in registry().items() for task in kind.tasks),
    *((method, "value over the plane") for method, kind in registry().items() if "regression" in kind.tasks),
]

TRIED = chosen([(method, task, kind) for method, task in CASES for kind in STUDIES], fewest=6)
"""Each study is asked of each family and in each task."""


def samples(task):
    """X, y and the source of samples for a task."""
    if task == "regression":
        return VALUES.X[:, :1], VALUES.X[:, 1], Source.usual(VALUES.source)
    if task == "value over the plane":
        return SURFACE.X[:, :2], SURFACE.X[:, 2], Source.usual(SURFACE.source)
    data = CLASSES if task == "classification" else GROUPS
    return data.X, data.labels if task == "classification" else None, Source.usual(data.source)


def small(kind):
    """The study with as few repetitions as it may have, in the place of many."""
    few = {}
    for parameter in kind.parameters():
        if parameter.kind == "integer" and parameter.default > FEW:
            low = parameter.valid[0]
            few[parameter.name] = max(FEW, int(low) if low is not None else FEW)
    return kind(**few)


def finite(result):
    """What of a result is no number, by its name."""
    for name, fact in result.facts().items():
        if isinstance(fact.value, float) and not math.isfinite(fact.value):
            yield f"{name}: {fact.value}"
    for plot in result.plots():
        if not np.isfinite(full_limits(plot)).all():
            yield f"{plot.id}: {full_limits(plot)}"


@pytest.mark.parametrize(("method", "task"), CASES)
def test_every_study_gives_numbers_or_says_why_not(method, task):
    X, y, source = samples(task)
    pipeline, rival = Pipeline(registry()[method]()), Pipeline(registry()[method]())
    answered, refused = [], {}
    tried = [kind for one, told, kind in TRIED if (one, told) == (method, task)]
    for kind in tried:
        study = small(kind)
        try:
            *_, last = study.run(pipeline, X, y, source=source, rival=rival, target="y")
        except CannotFit as error:
            refused[kind.id] = str(error)
            continue
        answered.append(kind.id)
        assert last.complete, kind.id
        assert not [*finite(last)], (kind.id, [*finite(last)])
        for plot in last.plots():
            assert plot.x_label and (plot.y_label or plot.y_ticks), f"an axis of {kind.id} has no label"
        assert (last.table().columns or kind.overlays) and (last.facts() or last.plots()), kind.id
    assert all(said.endswith(".") and len(said.split()) > 4 for said in refused.values()), refused
    if task in ("classification", "regression", "value over the plane"):
        wanted = {"learning-curve", "optimism", "influence", "paired-comparison"}
        wanted |= {"validation-curve"} if names_of(pipeline.algorithm) else set()
        wanted &= {kind.id for kind in tried}
        assert wanted <= {*answered}, wanted - {*answered}


@pytest.mark.parametrize("width", [1e-6, 0.3])
@pytest.mark.parametrize("hyperparameter", names_of(registry()["kde"]()))
def test_where_a_sample_has_no_density_nothing_is_drawn_or_told_of_its_loss(width, hyperparameter):
    pipeline = Pipeline(registry()["kde"](kernel="uniform", width=width))
    answered = 0
    for kind in STUDIES:
        study, chosen = small(kind), "hyperparameter" in {p.name for p in kind.parameters()}
        study = study.replace(hyperparameter=hyperparameter) if chosen else study
        try:
            *_, last = study.run(pipeline, GROUPS.X, None, target="y")
        except CannotFit:
            continue
        answered += 1
        places = [mark.places() for plot in last.plots() for mark in plot.marks]
        assert not [xy for xy in places if np.isinf(xy).any()], kind.id
        assert not [*finite(last)], (kind.id, [*finite(last)])
    assert answered
