"""What studies tell agrees with plain fits, with the canvas, and with itself."""

import numpy as np
import pytest

from mlviz.algorithms import registry as methods
from mlviz.data.generators.catalog import generators
from mlviz.picture import draw
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.fold_fits import FoldFits
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_drawn, with_study
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.splits.edits import split
from mlviz.scene.study_run import StudyRun, asked_studies
from mlviz.studies import registry
from mlviz.studies.question import Samples
from tests.studies.test_every_method import small

FAST = [name for name, method in methods().items() if hasattr(method, "many_fits")]
THRESHOLD = Decision(rule="threshold", threshold=0.8)


def last(study, pipeline, X, y, **more):
    return list(study.run(pipeline, X, y, **more))[-1]


@pytest.mark.parametrize("method", FAST)
@pytest.mark.parametrize("grain", [0, 1])
def test_fits_made_together_are_plain_fits_on_rounded_and_constant_inputs(method, grain):
    rng = np.random.default_rng(grain)
    for d in (1, 2):
        X = np.round(rng.normal(size=(18, d)), grain)
        X[:9] = 1.0  # the first training part has no variation
        values = "classification" not in methods()[method].tasks
        y = rng.normal(size=18) if values else np.arange(18) % 2
        parts = [np.arange(9), np.arange(9, 18), np.arange(18)]
        pipeline = Pipeline(methods()[method]())
        for found in FoldFits([pipeline], X, y, None, parts, 0, "predict").run():
            if found is None or found.values is None:
                continue
            for place, fold in enumerate(found.fold.tolist()):
                plain = pipeline.fit(X[parts[fold]], y[parts[fold]]).predict(X)
                if values:
                    np.testing.assert_allclose(found.values[place], plain, rtol=1e-6, atol=1e-6)
                elif X[parts[fold]].std() > 0:  # else all samples are tied
                    assert (found.values[place] == plain).mean() > 0.9


@pytest.mark.parametrize("name", ["validation-curve", "heat-map", "learning-curve"])
@pytest.mark.parametrize("method", ["gmm", "knn", "kernel-ridge"])
def test_the_ends_of_an_interval_are_on_either_side_of_its_value(name, method):
    data = generators()["sine" if method == "kernel-ridge" else "moons"](n_samples=40).generate(1)
    X, y = (data.X[:, :1], data.X[:, 1]) if method == "kernel-ridge" else (data.X, data.labels)
    few = {"repeats": 4} if name == "learning-curve" else {"values": 3, "folds": 3}
    result = last(registry()[name](**few), Pipeline(methods()[method]()), X, None if method == "gmm" else y)
    table = dict(zip(result.table().names, map(np.array, result.table().columns), strict=True))
    for low in [one for one in table if one.split(" ")[-1] == "low"]:
        part = low.removesuffix("low")
        value = next(
            one
            for one in table
            if one.startswith(part or "test ") and one.split(" ")[-1] not in ("low", "high", "samples")
        )
        known = np.isfinite(table[low])
        assert known.any()
        assert (table[low] <= table[value] + 1e-12)[known].all()
        assert (table[value] <= table[f"{part}high"] + 1e-12)[known].all()


def test_the_line_of_one_standard_error_parts_what_is_accepted_from_what_is_not():
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(centre, 0.6, (14, 2)) for centre in (-3, 0, 3)])
    study = registry()["validation-curve"](hyperparameter="n_components", low="1", high="4")
    result = last(study, Pipeline(methods()["gmm"]()), X, None)
    (plot,) = result.plots()
    lines = [mark for mark in plot.marks if mark.role == "threshold"]
    shown = result.folding.score.shown(result.means[0])
    for line in lines:
        assert shown[result.simplest] >= line.xy[0, 1] - 1e-12


@pytest.mark.parametrize("name", ["variance-lens", "bias-variance"])
def test_fits_to_fresh_samples_have_as_many_of_them_as_the_fit_of_the_canvas(name):
    scene = with_drawn(
        Scene(generators()["moons"]().generate(0), (Panel(Pipeline(methods()["knn"]())),)),
        generators()["moons"](n_samples=60).generate(1),
    )
    scene = with_study(split(scene, 0.5), 0, registry()[name](fits=3))
    (asked,) = asked_studies(scene, 0)
    run = StudyRun(asked)
    run.advance(float("inf"))
    models = run.result.bundle.models if name == "variance-lens" else run.result.bundle().models
    assert {len(model.training.X) for model in models} == {30}


@pytest.mark.parametrize("name", ["influence", "stability"])
@pytest.mark.parametrize("method", ["lda", "knn"])
def test_a_sample_of_weight_two_is_two_samples(name, method):
    data = generators()["two-gaussians"](n_samples=20).generate(2)
    weights = np.ones(20)
    weights[3] = 2.0
    pipeline = Pipeline(methods()[method]())
    weighed = last(registry()[name](), pipeline, data.X, data.labels, sample_weight=weights)
    rows = np.append(np.arange(20), 3)
    twice = last(registry()[name](), pipeline, data.X[rows], data.labels[rows])
    one, two = (dict(zip(one.places.tolist(), one.influences, strict=True)) for one in (weighed, twice))
    for place in set(range(20)) - {3}:
        assert abs(one[place] - two[place]) < 2e-3


def test_a_held_out_class_that_the_fit_has_not_seen_is_no_false_negative_of_another():
    X = np.array([(0, 0), (0, 1), (1, 0), (1, 1), (0.4, 0.4), (0.6, 0.5)], dtype=float)
    y = np.array([0, 0, 1, 1, 0, 1])
    test = Samples(np.array([(0, 0.2), (1, 0.2), (0, 0.9)]), np.array([0, 1, 2]), np.arange(6, 9))
    result = last(registry()["score-histogram"](), Pipeline(methods()["lda"]()), X, y, test=test)
    assert result.facts()["false negatives"].value == 0


@pytest.mark.parametrize("classes", [2, 3])
def test_a_bar_lights_as_many_samples_as_it_counts(classes):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 2))
    y = np.arange(40) % classes
    test = Samples(rng.normal(size=(30, 2)), np.arange(30) % (classes + 1), np.arange(40, 70))
    result = last(registry()["score-histogram"](), Pipeline(methods()["lda"]()), X + y[:, None], y, test=test)
    (plot,) = result.plots()
    counts = result.histogram.counts.sum(axis=0)
    assert [len(area.rows) for area in plot.areas] == counts[counts > 0].tolist()


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, study in registry().items()
        if not study.by_layer and study().applies(Pipeline(methods()["lda"]()))
    ],
)
def test_a_study_follows_the_decision_or_says_that_it_does_not(name):
    study = small(registry()[name])
    pipeline = Pipeline(methods()["lda"]()).replace(decision=THRESHOLD)
    scene = Scene(generators()["two-gaussians"](n_samples=40).generate(1), (Panel(pipeline), Panel(pipeline)))
    (picture, _) = draw(with_study(scene, 0, study), [(200, 200)] * 2, 60)
    (told,) = picture.studies
    assert told.message == "" and study.decides != ("decision" in told.facts)
    data = scene.dataset
    more = {"source": data.source, "rival": Pipeline(methods()["knn"]())}
    if not study.decides:
        both = Pipeline(methods()["lda"]()), pipeline
        plain, decided = (last(study, one, data.X, data.labels, **more).table() for one in both)
        assert plain == decided


def test_adopting_an_offer_of_the_roc_never_raises_the_cost_of_the_canvas():
    for seed in range(6):
        data = generators()["two-gaussians"](n_samples=40, sigma=1.5).generate(seed)
        for decision in (
            Decision(rule="costs", cost_fp=1.0, cost_fn=2.0, reject=True, reject_cost=0.2),
            Decision(rule="costs", cost_fp=1.0, cost_fn=2.0),
            THRESHOLD,
        ):
            pipeline = Pipeline(methods()["logistic"]()).replace(decision=decision)
            result = last(registry()["roc"](), pipeline, data.X, data.labels)
            facts = pipeline.fit(data.X, data.labels).facts()
            if "mean cost" in result.facts() and "mean cost" in facts:
                np.testing.assert_allclose(result.facts()["mean cost"].value, facts["mean cost"], rtol=1e-9)
            assert not (decision.reject_band is not None and result.offers())
