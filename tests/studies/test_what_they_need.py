"""Why a study does not apply to a method: the reason names what it needs, is true, and is the same everywhere."""

import functools
import re

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.cli import main
from mlviz.data.generators.catalog import Blobs
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies

DATA = Blobs(n_samples=20).generate(0)
TOLD_HOW_MANY = {"n_clusters", "n_components"}


def predicts(*tasks):
    return lambda pipeline: not set(tasks).isdisjoint(pipeline.algorithm.tasks)


@functools.cache
def tells_a_density(pipeline):
    if predicts("classification", "regression")(pipeline):
        return True
    model = pipeline.fit(DATA.X, None, 0)
    return hasattr(model.inner, "score_samples") and pipeline.algorithm.field != "predict"


def told_how_many(pipeline):
    names = {parameter.name for parameter in pipeline.algorithm.parameters() if pipeline.algorithm.matters(parameter)}
    return predicts("clustering")(pipeline) and not names.isdisjoint(TOLD_HOW_MANY)


def shows_inputs(pipeline):
    return pipeline.preprocessing != "principal-components"


NEEDS = {
    "a method that predicts classes": predicts("classification"),
    "a method that predicts classes or values": predicts("classification", "regression"),
    "a method that predicts classes or values, or tells a density": tells_a_density,
    "a method that finds clusters": predicts("clustering"),
    "a method that is told how many clusters to find": told_how_many,
    "a method that has a BIC and an AIC": lambda pipeline: pipeline.algorithm.id == "gmm",
    "the inputs themselves on the axes": shows_inputs,
    "the preprocessing 'standardize', to leave it out": lambda pipeline: pipeline.preprocessing == "standardize",
    "the preprocessing 'whiten', to leave it out": lambda pipeline: pipeline.preprocessing == "whiten",
}
"""What a study may need, and whether a pipeline has it."""
INSTEAD = {
    "predicts classes": predicts("classification"),
    "predicts values": predicts("regression"),
    "predicts classes and predicts values": lambda pipeline: (
        {"classification", "regression"} <= set(pipeline.algorithm.tasks)
    ),
    "finds clusters": predicts("clustering"),
    "finds their number itself": lambda pipeline: predicts("clustering")(pipeline) and not told_how_many(pipeline),
    "has none": lambda pipeline: pipeline.algorithm.id != "gmm",
    "estimates a density": predicts("density estimation"),
    "reduces the number of dimensions": predicts("decomposition"),
    "principal components project them": lambda pipeline: not shows_inputs(pipeline),
}
"""What a method or a preprocessing may do instead."""
PIPELINES = [
    *(
        Pipeline(kind(), made)
        for kind in registry().values()
        for made in ("none", "standardize", "principal-components")
    ),
]


def parts(lack):
    """The need and what there is instead."""
    need, instead = re.fullmatch(r"needs (.+); (.+)", lack).groups()
    return need, instead


@pytest.mark.parametrize("study", [kind() for kind in studies().values()], ids=lambda study: study.id)
def test_the_reason_names_a_need_that_the_pipeline_has_not(study):
    lacks = {pipeline: study.lack(pipeline) for pipeline in PIPELINES}
    needs = {parts(lack)[0] for lack in lacks.values() if lack}
    for pipeline, lack in lacks.items():
        assert study.applies(pipeline) == (not lack)
        if not lack:
            assert all(NEEDS[need](pipeline) for need in needs), f"{pipeline} has not what {study.id} needs of others"
            continue
        need, instead = parts(lack)
        assert not NEEDS[need](pipeline), lack
        if instead.startswith("this one, "):
            who, instead = re.fullmatch(r"this one, (.+), ([^,]+)", instead).groups()
            assert who == pipeline.algorithm.label
        if instead.startswith("this one is "):
            assert instead == f"this one is {pipeline.preprocessing!r}"
        else:
            assert INSTEAD[instead](pipeline), lack


LACKED = [
    (kind, method)
    for kind in studies().values()
    if not kind.by_layer
    for method in [id for id, other in registry().items() if not kind().applies(Pipeline(other()))][:1]
]


@pytest.mark.parametrize(("study", "method"), LACKED, ids=lambda value: getattr(value, "id", value))
def test_it_is_said_in_python_and_on_the_command_line(study, method, capsys):
    pipeline = Pipeline(registry()[method]())
    lack = study().lack(pipeline)
    y = np.asarray(DATA.labels) if "classification" in pipeline.algorithm.tasks else None
    with pytest.raises(CannotFit, match=re.escape(f"The study \u201c{study.label}\u201d {lack}.")):
        list(study().run(pipeline, DATA.X, y))
    assert main(["study", "--study", study.id, "--generator", "blobs", "--algorithm", method]) != 0
    assert f"the study {study.id} {lack}" in capsys.readouterr().err
