"""The words around a picture: facts, captions, legends and explanations say what they mean, and mean it."""

from itertools import pairwise

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.legend import entries
from mlviz.draw.numbers import number, typographic
from mlviz.picture import draw
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.scene import Panel, Scene, View
from mlviz.scene.splits.edits import split

NODES = 40
"""Nodes along a side: words do not hang on how fine the shades are."""
rng = np.random.default_rng(3)
LABELS = np.arange(100) % 5
AROUND = 2.2 * np.array([(np.cos(a), np.sin(a)) for a in np.arange(5) * 1.2566])
FIVE = Dataset(rng.normal(0, 0.8, (100, 2)) + AROUND[LABELS], LABELS, class_names=("ant", "bee", "cow", "doe", "emu"))
TWO = Dataset(FIVE.X[LABELS < 2], LABELS[LABELS < 2], class_names=("ant", "bee"))
THREE = Dataset(FIVE.X[LABELS < 3], LABELS[LABELS < 3], class_names=("ant", "bee", "cow"))


FITS = {}
"""What has been fitted, so that a probe elsewhere does not fit it again."""


def picture(method, data=FIVE, probe=None, values=None, **settings):
    pipeline = Pipeline(registry()[method](**(values or {})), **settings)
    scene = Scene(data, (Panel(pipeline, hidden=()),), view=View(probe=probe))
    return draw(scene, [(200, 200)], NODES, fits=FITS)[0]


@pytest.mark.parametrize("method", ["logistic", "kernel-logistic"])
def test_the_legend_names_the_class_of_the_model_drawn(method):
    for name, place in zip(FIVE.class_names, AROUND, strict=True):
        told = " ".join(e.label for e in entries(picture(method, probe=place, multiclass="one-vs-rest").plot.marks))
        assert f"probability of {name} against all others" in told
        told = [e.label for e in entries(picture(method, probe=place, multiclass="one-vs-one").plot.marks)]
        (told,) = (label for label in told if label.startswith("probability of"))
        assert " against " in told and name in told and "all others" not in told


def test_errors_of_each_class_are_always_told():
    two = {name: fact.value for name, fact in picture("lda", TWO).facts.items()}
    model = registry()["lda"]().fit(TWO.X, TWO.labels)
    wrong = model.predict(TWO.X) != TWO.labels
    assert two["positive class"] == "bee"
    assert two["false positives"] == int(wrong[TWO.labels == 0].sum())
    assert two["false negative rate"] == pytest.approx(wrong[TWO.labels == 1].mean())
    facts = picture("lda").facts
    wrong = registry()["lda"]().fit(FIVE.X, FIVE.labels).predict(FIVE.X) != FIVE.labels
    assert [facts[f"wrong in {name}"].value for name in FIVE.class_names] == [
        f"{wrong[FIVE.labels == code].sum()} of 20" for code in range(5)
    ]


def test_one_vs_one_tells_votes_and_the_pair():
    told = picture("logistic", probe=AROUND[3], multiclass="one-vs-one").explanation.sentence
    assert told.startswith("doe wins 4 of 4 votes. Between ") and ": doe with probability" in told


def test_captions_name_how_several_classes_are_met():
    linear = {"kernel": "linear"}
    assert "; softmax; " in picture("logistic").caption and "softmax" not in picture("logistic", TWO).caption
    assert "; Crammer-Singer; " in picture("svm", values=linear, multiclass="direct").caption
    assert "; one-vs-one; " in picture("svm", values=linear).caption
    assert "; direct; " in picture("lda", multiclass="direct").caption and "direct" not in picture("lda").caption


def test_captions_have_proportions_of_every_class():
    def by_hand(*priors):
        return picture("qda", THREE, values={"prior": "priors by hand", "priors": priors}).caption

    assert "proportions all 1" in by_hand() and "proportions = 1:4:1" in by_hand(1, 4)


def test_explanations_that_measure_say_in_what():
    words = "Measured in the standardized inputs."
    # Weights and densities have the units of the inputs as well as lengths.
    measuring = ("knn", "parzen", "nearest-centroid", "perceptron", "kmeans", "pca", "logistic", "lda", "qda", "gmm")
    for method in measuring:
        assert picture(method, TWO, (0.3, 0.2), preprocessing="standardize").explanation.sentence.endswith(words)
        assert words not in picture(method, TWO, (0.3, 0.2)).explanation.sentence
    assert words not in picture("kernel-perceptron", TWO, (0.3, 0.2), preprocessing="standardize").explanation.sentence
    thresholded = picture("knn", TWO, (0.3, 0.2), preprocessing="standardize", decision=Decision(rule="threshold"))
    assert thresholded.explanation.sentence.endswith(f"is chosen. {words}")


def test_layers_with_nothing_to_draw_say_why():
    overlays = {o.id: o for o in Pipeline(registry()["knn"](), decision=Decision()).possible_overlays}
    cells, open_areas = overlays["cells"], overlays["ambiguous"]
    assert cells.idle(registry()["knn"](), 3) and not cells.idle(registry()["knn"](n_neighbors=1), 3)
    assert cells.idle(registry()["knn"](n_neighbors=1, metric="manhattan"), 3)
    assert open_areas.idle(registry()["svm"](), 2) and not open_areas.idle(registry()["svm"](), 3)


@pytest.mark.parametrize("method", ["svm", "smo"])
def test_what_is_called_free_is_visibly_below_its_bound(method):
    some = np.random.default_rng(0).normal(size=(60, 2))
    for y in (np.arange(60) % 2, (np.arange(60) % 3 > 0).astype(int)):
        for sigma in (0.3, 0.05, 0.01, 0.001):
            model = registry()[method](sigma=sigma).fit(some, y)
            for row in range(60):
                told = model.explain(some[row]).sentence
                if "Free support vector" in told:
                    assert not model.at_bound[row] and float(told.split("alpha = ")[1].split(" of ")[0]) < 1


def test_the_leave_one_out_bound_is_told_at_the_solution_alone():
    models = list(registry()["smo"]().steps(TWO.X, TWO.labels, np.random.default_rng(0)))
    told = ["leave-one-out bound" in model.facts() for model in models]
    assert told[-1] and told == [model.settled for model in models] and not all(told)


def test_above_the_minimum_is_a_difference_of_objectives():
    slow = registry()["logistic"](solver="gradient, fixed step", max_iter=20).fit(TWO.X, TWO.labels)
    exact = registry()["logistic"]().fit(TWO.X, TWO.labels)
    assert slow.facts()["above the minimum"] == pytest.approx(slow.objective - exact.objective, abs=1e-9)
    descent = registry()["svm-sgd"](max_iter=2).fit(TWO.X, TWO.labels)
    facts = descent.facts()
    assert facts["above the minimum"] == pytest.approx(facts["objective"] - facts["exact minimum"], abs=1e-12)


def test_stages_say_what_lies_in_a_step():
    models = list(registry()["svm-sgd"](max_iter=10).steps(TWO.X, TWO.labels, np.random.default_rng(0)))
    for before, model in pairwise(models):
        first, last = before.steps + 1, model.steps
        which = f"batch {last:,}" if first == last else f"batches {first:,} to {last:,}"
        assert model.stage == f"{which} of {models[-1].steps:,}"
    assert any(model.stage.startswith("batches ") for model in models)
    models = list(registry()["perceptron"](max_iter=200).steps(TWO.X, TWO.labels, np.random.default_rng(0)))
    whole = [model for model in models if model.stage.startswith("whole epoch ")]
    assert len(whole) > 3
    assert all(b.visit.visits - a.visit.visits == 40 for a, b in pairwise(whole))


@pytest.mark.parametrize("given", [(5.0,), (5.0, 1.0), (5.0, 1.0, 3.0)])
def test_the_weights_of_the_classes_that_there_are(given):
    weights = Weights(balance="by hand", class_weight=given)
    assert weights.in_words(20.0, 2) == "class weights 5 : 1"
    assert weights.in_words(20.0, 3) == f"class weights 5 : 1 : {given[2] if len(given) > 2 else 1:g}"


UNTOLD = [kind for kind in registry().values() if not {"classification", "regression"} & set(kind.tasks)]


FAR_APART = np.vstack([AROUND[code] * 100 + rng.normal(size=(12, 2)) for code in range(2)])


@pytest.mark.parametrize("X", [TWO.X, FAR_APART], ids=["overlapping", "far apart"])
@pytest.mark.parametrize("method", UNTOLD, ids=lambda method: method.id)
def test_captions_tell_the_objective_where_there_is_no_error_to_tell(method, X):
    """In the digits of the fact of that name, and no rounding as if it were a result."""
    data = Dataset(X, np.zeros(len(X), dtype=int))
    model, found = Pipeline(method()).fit(X).inner, picture(method.id, data)
    objective, name = model.objective, model.objective_name
    told = [words for words in found.caption.split("; ") if words.startswith(name)]
    assert len(told) == np.isfinite(objective)
    if told:
        rounding = abs(objective) < 1e-20
        assert told == [typographic(f"{name} {number(0.0 if rounding else objective, 4)}")]
        assert name not in found.facts or told == [f"{name} {found.facts[name]}"]


@pytest.mark.parametrize("method", UNTOLD, ids=lambda method: method.id)
def test_captions_tell_how_samples_were_held_out_where_a_model_is_tested_by_them(method):
    scene = Scene(Dataset(TWO.X, np.zeros(len(TWO.X), dtype=int)), (Panel(Pipeline(method())),))
    (found,) = draw(split(scene, 0.3), [(200, 200)], NODES)
    tested = any(name.startswith("test ") for name in found.facts)
    assert ("held out: 30" in found.caption) == tested == ("test log-likelihood" in found.caption)
