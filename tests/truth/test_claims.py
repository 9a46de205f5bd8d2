"""One sentence says one thing: the class it opens with, score, place and terms are those of the prediction."""

import re
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.draw.layer import Names
from mlviz.draw.palette import COLOUR_NAMES
from mlviz.numerics.distances import sample_at
from mlviz.pipeline.decisions import Decision, signed_scores
from tests.truth.reading import Told, numbers_after, plain, sums
from tests.truth.scenes import (
    CLASSIFIERS,
    LIMITS,
    Case,
    classifications,
    drawing,
    looked_at,
    regressions,
    samples,
    scene_of,
    seen,
)
from tests.truth.test_sentences import claimed, told

RNG = np.random.default_rng(8)
SPREAD = np.column_stack((RNG.uniform(*LIMITS[:2], 400), RNG.uniform(*LIMITS[2:], 400)))


def places_of(case, n):
    """Places all over the view, those first where the decision, or the votes, part from what the method itself says."""
    shown = seen(case)
    own = shown.model.natural or shown.model
    odd = np.asarray(own.predict(shown.to_inputs(SPREAD))) != shown.predict(SPREAD)
    return [tuple(place) for place in SPREAD[np.argsort(~odd, kind="stable")][:n].tolist()]


DECIDED = [Case(name, decision=rule) for name in CLASSIFIERS for rule in ("threshold", "costs", "reject")]


@pytest.mark.parametrize("case", DECIDED, ids=str)
def test_the_class_that_opens_the_sentence_is_the_one_chosen(case):
    for place in places_of(case, 6):
        text = told(case, place)
        (predicted,) = seen(case).predict([place])
        opening = re.match(r"«c(\d+)»(?:[:,]| \(a tie)", text)
        assert opening is None or int(opening[1]) == predicted, text


VOTES = [
    Case(name, "3 7 12", multiclass="one-vs-one")
    for name in CLASSIFIERS
    if registry()[name].field == "decision_function"
]


def test_the_class_predicted_is_told_where_votes_are_tied():
    tied = 0
    for case in VOTES:
        inner, transform = seen(case).model.inner, seen(case).model.training.transform
        votes = inner.vote_counts([signed_scores(part.model, transform.to_model(SPREAD)) for part in inner.parts])
        for place in SPREAD[votes > 1][:4].tolist():
            tied += 1
            text, (predicted,) = told(case, tuple(place)), seen(case).predict([place])
            assert "votes each" in text
            told_pair = re.search(r"Between .*?: «c(\d+)»", text)
            assert f"«c{predicted}»" in text, text
            assert told_pair is None or int(told_pair[1]) == predicted or "predicted" in text, text
    assert tied


NEAR_SAMPLES = [Case(name) for name in CLASSIFIERS] + [Case("svm", values=(("kernel", "linear"),))]


@pytest.mark.parametrize("case", NEAR_SAMPLES, ids=str)
def test_beside_a_sample_the_score_and_the_class_are_those_of_the_place(case):
    """A hundredth of the view beside a sample, as a hand points."""
    shown = seen(case)
    for x in shown.X:
        place = x + np.array([0.011, -0.009])
        assert sample_at(shown.X, place)[0] is not None
        text = told(case, tuple(place.tolist()))
        assert claimed(text) == shown.predict([place])[0], text
        said = numbers_after(r"f\(x\) = (?:w·x \+ b = )?", text)
        if said and hasattr(shown.model.inner, "decision_function") and " from «x" not in text:
            assert said[0].says(float(shown.model.decision_function(place[None])[0])), text


LINEAR = [
    *(Case(name) for name in ("l1-svm", "logistic", "rls-classifier", "perceptron", "svm-sgd")),
    *regressions(lambda case: case.method == "linear-regression"),
    Case("kernel-ridge", task="regression", d=1, values=(("kernel", "linear"),)),
]


@pytest.mark.parametrize("case", LINEAR, ids=str)
def test_what_an_input_adds_is_told_as_weight_times_value(case):
    """As in f(x) = 2 + 3 · 5 (x1); a product is right to the digits told, and of the place."""
    shown = seen(case)
    transform = shown.model.training.transform
    for place in ((-1.9, -1.1), (2.6, -2.2)):
        text = told(case, place)
        (inputs,) = transform.to_model(np.array([place[: case.d]]))
        for equation in sums(text):
            for term in equation.terms:
                if (name := re.search(r"«x(\d)»", term.label)) is None:
                    continue
                assert term.factors is not None, text
                weight, value = term.factors
                j = int(name[1])
                assert abs(value - inputs[j]) <= 0.006 * abs(inputs[j]) + 1e-9, text
                assert abs(weight - shown.model.inner.coef[j]) <= 0.006 * abs(weight) + 1e-9, text
        assert not re.search(r"[\d.] from «x\d»", text), text


def test_the_sums_that_are_read_are_those_that_are_told():
    text = "prediction 17 = 2 + 3 · 5 (x1) - 0.5 · 0 (x2)."
    (equation,) = sums(text)
    assert [term.factors for term in equation.terms] == [None, (3.0, 5.0), (-0.5, 0.0)] and equation.adds_up
    (wrong,) = sums(text.replace("17", "18"))
    assert not wrong.adds_up
    (old,) = sums("class 1: f(x) = -6.46 = -7.52 by «x0» +2.53 by «x1» -1.47 by the offset; 1.41 from the boundary")
    assert len(old.terms) == 3 and old.adds_up
    (kernel,) = sums("f(x) = 0.448 = offset 0.334 + 0.113 from the samples, ahead of «c0» with 0.3")
    assert len(kernel.terms) == 2 and kernel.adds_up
    assert not sums("ahead of «c0» with 0.432 = offset 0.3 + 0.113 from the samples")[0].adds_up
    assert Told("1.5e−05").says(1.502e-5) and not Told("0.45").says(0.46)


MEASURED = [replace(case, preprocessing=kind) for case in map(Case, CLASSIFIERS) for kind in ("none", "standardize")]


@pytest.mark.parametrize("case", MEASURED, ids=str)
def test_the_way_to_the_boundary_ends_on_it_and_is_as_long_as_told(case):
    shown = seen(case)
    for place in places_of(case, 6):
        text = told(case, place)
        said = re.search(r"([\d.e-]+) from the (?:decision )?boundary(?! in feature)", text)
        if said is None:
            continue
        inner, transform = shown.model.inner, shown.model.training.transform
        coef = np.asarray(inner.coef, dtype=float)
        score = float(shown.model.decision_function(np.array([place]))[0])
        assert Told(said[1]).says(abs(score) / float(np.linalg.norm(coef))), text
        told_marks = seen(case, place).picture.explanation.marks
        for mark in told_marks:
            if hasattr(mark, "end") and mark.role in ("neighbour", "now"):
                ends = mark.end if np.allclose(mark.start, place, atol=1e-6) else mark.start
                size = np.linalg.norm(coef * transform.to_model(np.ones((1, 2)) * 3)[0]) + 1
                assert np.abs(shown.model.decision_function(ends)).max() < 1e-6 * size, text


THRESHOLDED = [Case(name, decision="threshold") for name in CLASSIFIERS]


@pytest.mark.parametrize("case", THRESHOLDED, ids=str)
def test_with_a_threshold_the_way_ends_on_the_boundary_drawn(case):
    shown = seen(case)
    tau = shown.model.score_threshold.threshold
    for place in places_of(case, 4):
        if "from the decision boundary" not in told(case, place) and "from the boundary" not in told(case, place):
            continue
        for mark in seen(case, place).picture.explanation.marks:
            if hasattr(mark, "end") and mark.role in ("neighbour", "now") and "feature" not in told(case, place):
                score = shown.model.decision_function(mark.end)
                far = shown.model.decision_function(mark.start)
                assert np.minimum(np.abs(score - tau), np.abs(far - tau)).max() < 1e-6


def test_the_boundary_before_is_where_the_threshold_had_it():
    case, seen_before = Case("perceptron", values=(("order", "given order"),)), 0
    scene = case.scene()
    decided = scene.panels[0].pipeline.replace(decision=Decision(rule="threshold", threshold=0.01))
    scene = scene.replace(panels=(replace(scene.panels[0], pipeline=decided),))
    pictures = [looked_at(case, scene.replace(view=replace(scene.view, step=step))) for step in range(12)]
    for former, now in pairwise(pictures):
        for before, boundary in zip(now.with_role("former boundary"), former.with_role("boundary"), strict=False):
            ends = [np.nanmin(mark.xy, axis=0) for mark in (before, boundary)]
            np.testing.assert_allclose(*ends, atol=1e-4)
            seen_before += 1
    assert seen_before


@pytest.mark.parametrize("decision", ["threshold", "costs", "reject"])
@pytest.mark.parametrize("method", [name for name in CLASSIFIERS if name != "knn"])  # votes may be all or none
def test_a_probability_is_never_told_as_one_or_a_power_of_ten(method, decision):
    case = Case(method, decision=decision)
    for place in ((-9.0, -8.0), (9.0, 8.0), *places_of(case, 4)):
        assert not re.search(r"probability (?:is )?(?:1|0|[\d.]+e-\d+)(?![\d.])", told(case, place)), told(case, place)


def test_every_method_is_asked():
    assert {case.method for case in classifications()} == set(CLASSIFIERS) <= set(registry())


PLAYED = [Case(name) for name in CLASSIFIERS if registry()[name].traits.playable] + [
    Case("smo", values=(("kernel", "linear"),)),
    Case("smo", "1 2", preprocessing="standardize"),
    Case("smo", values=(("kernel", "linear"), ("C", 20.0))),
]


@pytest.mark.parametrize("case", PLAYED, ids=str)
def test_on_the_way_nothing_is_told_that_holds_at_the_end_only(case):
    """At every step: on the margin is who is there, the class told is the one predicted, and sums add up."""
    shown = seen(case)
    names, inputs = shown.data.names(), tuple(shown.model.training.transform.names(shown.data.columns[: case.d]))
    for model in islice(case.pipeline.steps(shown.X, shown.y, np.random.default_rng(0)), 12):
        for x in shown.X[:16]:
            text = plain(model.explain(x, Names(names, inputs)).sentence, names, inputs)
            assert claimed(text) in ("", model.predict(x[None])[0]), text
            assert all(equation.adds_up for equation in sums(text)), text
            if "on its margin" in text:
                off = abs(abs(float(model.decision_function(x[None])[0])) - 1)
                assert ("not yet on its margin" in text) == (off > 1e-2), text
        for name, fact in model.told_facts().items():
            assert not re.search(r"(?<!At the solution )they lie|: the others could be left out", fact.help), name


OFFSETS = [
    Case(name, preprocessing=preprocessing, task=task, d=2, values=(("kernel", kernel), *more))
    for name, task in (
        ("svm", "classification"),
        ("kernel-logistic", "classification"),
        ("kernel-rls", "classification"),
        ("kernel-ridge", "regression"),
    )
    for kernel, more in (
        ("linear", ()),
        ("gaussian", ()),
        ("polynomial", ()),
        ("expression", (("expression", "2*linear"),)),
    )
    for preprocessing in ("none", "standardize")
]


@pytest.mark.parametrize("shift", [0.0, 5.0])
@pytest.mark.parametrize("case", OFFSETS, ids=str)
def test_there_is_one_offset_what_the_bumps_as_they_are_written_leave(case, shift):
    """In the facts, in the sentence and in the chart: f(x) less the sum of coefficients times k(x, x')."""
    data = samples(case)
    data = replace(data, X=data.X + shift * (np.arange(data.X.shape[1]) < case.d))
    shown = looked_at(case, scene_of(case, data))
    inner = shown.model.inner
    part = inner.functions[0] if hasattr(inner, "functions") else inner
    expansion, x = part.expansion, shown.model.training.transform.to_model(shown.X[:1] + 0.3)
    f = float(inner.predict(x)[0] if case.task == "regression" else inner.decision_function(x)[0])
    bumps = expansion.kernel.matrix(x, expansion.centers + expansion.origin)[0] * expansion.coef
    offset, size = f - float(bumps.sum()), float(np.abs(bumps).max())
    if expansion.feature_sum is None:
        np.testing.assert_allclose(expansion.terms(x)[0], bumps, atol=1e-9 * size)
    assert expansion.base == pytest.approx(offset, abs=1e-5 * size)
    facts = shown.picture.facts
    assert "offset" not in facts or facts["offset"].value == pytest.approx(offset, abs=1e-5 * size)
    for plot in drawing(shown.scene).beside(("cut",))["sides"]:
        lines = {mark.role: mark.xy for mark in plot.marks if mark.role in ("offset", "curve")}
        assert "offset" not in lines or lines["offset"][0, 1] == pytest.approx(offset, abs=1e-5 * size)


@pytest.mark.parametrize("method", registry().values(), ids=lambda cls: cls.id)
def test_the_help_calls_the_ends_of_the_scale_by_their_colours(method):
    """The high end is the second colour of the classes, the low end the first."""
    low, high = COLOUR_NAMES[:2]
    for colour, size in re.findall(r"(\w+)\s+where\s+it\s+is\s+(large|small)", method.__doc__):
        assert colour == {"large": high, "small": low}[size]
