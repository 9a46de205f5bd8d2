"""Weights of classes, thresholds and preprocessing are in all that is drawn and told, not in some of it.

Shares and numbers of samples are counted whatever the samples weigh, and C stays what was chosen; every boundary is
where the decision has it; what is drawn for standardized inputs has the sizes that it has on the canvas.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.weights import Weights
from tests.sweep import sweep
from tests.truth.reading import Told
from tests.truth.scenes import CLASSIFIERS, CODES, Case, direct_or_not, drawing, looked_at, samples, scene_of

WEIGHTS = {
    "by hand": Weights(balance="by hand", class_weight=(1.0, 5.0, 0.3)),
    "balanced": Weights(balance="balanced"),
    "upsample": Weights(balance="upsample"),
    "none": Weights(),
}
UNEVEN = np.delete(np.arange(40), [1, 3, 5, 9, 13, 21, 22, 28])
"""So that the classes are not of one size."""
MACHINES = ("svm", "smo", "l1-svm")


def weighted(name, weights, codes="0 1", **values):
    """The classes of the samples that are fitted, and the model."""
    case = Case(name, codes, n=40)
    data = samples(case)
    pipeline = replace(case.pipeline, weights=WEIGHTS[weights]).for_codes(range(len(CODES[codes])))
    pipeline = replace(pipeline, algorithm=pipeline.algorithm.replace(**values))
    return data.labels[UNEVEN], pipeline.fit(data.X[UNEVEN], data.labels[UNEVEN])


@pytest.mark.parametrize("codes", ["1 2", "3 7 12"])
@pytest.mark.parametrize("longer", [0, 9])
def test_the_caption_has_one_weight_and_one_prior_for_each_class_there_is(codes, longer):
    """Those of these classes, whatever classes a data set lacks."""
    numbers = tuple(float(k) for k in range(1, max(CODES[codes]) + 2 + longer))
    case = Case("lda", codes, values=(("prior", "priors by hand"), ("priors", numbers)))
    scene = case.scene()
    pipeline = case.pipeline.replace(weights=Weights(balance="by hand", class_weight=numbers))
    shown = looked_at(case, scene.replace(panels=(replace(scene.panels[0], pipeline=pipeline),)))
    mine = [f"{numbers[code]:g}" for code in CODES[codes]]
    assert f"class weights {' : '.join(mine)};" in shown.picture.caption
    assert f"proportions = {':'.join(mine)}," in shown.picture.caption


COUNTED = r"(Share|Number) of (the )?samples|How many samples"


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_shares_and_numbers_of_samples_are_counted(name, weights):
    known = {p.name for p in registry()[name].parameters()}
    judging = {key: value for key, value in (("leave_one_out", True), ("window", "box")) if key in known}
    y, model = weighted(name, weights, **judging)
    facts = model.told_facts()
    for label, fact in facts.items():
        if re.match(COUNTED, fact.help) and isinstance(fact.value, (int, float)) and "would draw" not in fact.help:
            whole = len(y) if fact.unit == "share" or "on average" in fact.help else 1
            assert fact.value * whole == pytest.approx(round(fact.value * whole), abs=1e-9), label
    error, alone, bound = (
        facts[label].value if label in facts else None
        for label in ("training error", "leave-one-out error", "leave-one-out bound")
    )
    if bound is not None:
        assert bound == pytest.approx(facts["support vectors"].value / len(y))
        assert alone is None or error <= alone <= bound


@sweep("codes, name, weights", ["0 1", "3 7 12"], MACHINES, WEIGHTS)
def test_what_is_called_c_is_the_c_that_was_chosen(name, weights, codes):
    direct = direct_or_not(name) if codes == "3 7 12" else {}
    _, model = weighted(name, weights, codes, **({} if "no" in direct else direct))
    machines = [part.model for part in model.parts] or [model.inner]
    machines = [getattr(machine, "machine", machine) for machine in machines]
    chosen = getattr(model.inner, "C", 1.0)
    even = weights == "none"
    for machine in machines:
        assert machine.bound_name in (("C", "1/n") if even else ("C·weight", "weight/n", "C", "1/n"))
        bound = getattr(machine, "bound", None)
        if bound is None:
            continue
        for row in machine.support:
            told = machine.explain(machine.X[row]).sentence
            name_of_bound, number = re.search(r"(C·weight|C) = ([\d.e+-]*\d)", told).groups()
            assert Told(number).says(bound[row]), told
            assert name_of_bound == "C·weight" or Told(number).says(chosen), told
            assert (
                not (found := re.search(r"alpha = ([\d.e+-]*\d) of", told))
                or Told(found[1]).value <= Told(number).value
            ), told


PREPROCESSINGS = ("none", "standardize", "whiten", "principal-components")


@pytest.mark.parametrize("preprocessing", PREPROCESSINGS)
def test_squares_have_the_area_of_the_squared_residuals_on_the_canvas(preprocessing):
    case = Case("linear-regression", task="regression", d=1, preprocessing=preprocessing)
    data = samples(case)
    data = replace(data, X=data.X * (3.3, 1.0))
    shown = looked_at(case, scene_of(case, data))
    (squares,) = shown.with_role("square")
    residuals = shown.y - shown.model.predict(shown.X)
    sides = np.array([np.ptp(square, axis=0) for square in squares.vertices])
    np.testing.assert_allclose(sides[:, 0], sides[:, 1])
    assert sides.prod(axis=1).sum() == pytest.approx(float(residuals @ residuals))


CUTS = [
    Case(name, preprocessing=preprocessing, values=(("kernel", "linear"),) * (name == "svm"))
    for name in ("perceptron", "kernel-perceptron", "svm-sgd", "rls-classifier", "svm", "nearest-centroid")
    for preprocessing in ("none", "standardize")
]


def cut(case, share):
    """The scene of a case with a threshold, as a share of the scores' size, and the models of its steps."""
    scene = case.scene()
    rows = np.flatnonzero(scene.dataset.active & ~scene.dataset.held_out)
    X, y = scene.dataset.X[rows], scene.dataset.labels[rows]
    tau = share * _size(case.pipeline.fit(X, y, seed=scene.seed), X)
    pipeline = replace(case.pipeline, decision=Decision(rule="threshold", threshold=tau))
    scene = scene.replace(panels=(replace(scene.panels[0], pipeline=pipeline),))
    # The same model comes again where a method only wants to be interrupted: that is no step.
    return scene, tau, X, list(dict.fromkeys(pipeline.steps(X, y, scene.seed)))


@pytest.mark.parametrize("share", [0.0, 0.08])
@pytest.mark.parametrize("case", CUTS, ids=str)
def test_every_boundary_is_where_the_decision_has_it(case, share):
    """The one before and the exact one beside it, and what stands upright on it."""
    scene, tau, X, models = cut(case, share)
    former_steps = [k for k, model in enumerate(models) if getattr(model.inner, "former", None) is not None][:5]
    before = []
    for step in {*former_steps, len(models) - 1, len(models) // 2}:
        shown, now = looked_at(case, scene.with_view(step=step)), models[step]
        whose = {"boundary": now, "former boundary": models[step - 1]}
        if (problem := getattr(now.inner, "problem", None)) is not None:
            whose["exact boundary"] = now.training.transform.to_model, problem.exact
        for role, model in whose.items():
            for mark in shown.with_role(role):
                places = mark.xy[np.isfinite(mark.xy).all(axis=1)]
                # Lines are traced as if fields were straight in a cell of the grid.
                near = (0.02 if case.method == "kernel-perceptron" else 1e-4) * _size(model, X)
                np.testing.assert_allclose(_scores(model, places), tau, atol=near)
        for mark in shown.with_role("weights"):
            if hasattr(mark, "start") and case.method != "rls-classifier":
                np.testing.assert_allclose(_scores(now, mark.start), tau, atol=1e-6 * _size(now, X))
        before += shown.with_role("former boundary")
    assert bool(before) == bool(former_steps)


def _scores(whose, places):
    if isinstance(whose, tuple):
        to_model, model = whose
        return model.decision_function(to_model(places))
    return whose.decision_function(places)


def _size(whose, X):
    return float(np.abs(_scores(whose, X)).max())


@pytest.mark.parametrize("share", [0.0, 0.3])
@pytest.mark.parametrize("case", [case for case in CUTS if case.method == "rls-classifier"], ids=str)
def test_the_boundary_in_a_chart_of_the_samples_is_that_of_the_decision(case, share):
    scene, tau, _, _ = cut(case, share)
    shown = looked_at(case, scene)
    (chart,) = [plot for plot in drawing(scene).beside()["sides"] if plot.id == "whitened"]
    (line,) = [mark for mark in chart.marks if mark.role == "boundary"]
    codes = np.unique(shown.y)
    dots = {mark.role: mark.xy for mark in chart.marks}
    theirs = np.concatenate([dots[f"dot {code}"] for code in codes])
    mine = np.concatenate([shown.X[shown.y == code] for code in codes])
    back, *_ = np.linalg.lstsq(np.column_stack((theirs, np.ones(len(theirs)))), mine, rcond=None)
    places = np.column_stack((line.xy, np.ones(len(line.xy)))) @ back
    np.testing.assert_allclose(_scores(shown.model, places[np.isfinite(places).all(axis=1)]), tau, atol=1e-4)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", ["perceptron", "kernel-perceptron"])
def test_copies_of_a_sample_are_shown_as_the_one_that_it_is(name, weights):
    """A method that can't weigh its samples learns from copies: nothing is drawn or counted once for each of them."""
    case = Case(name)
    scene = case.scene()
    pipeline = case.pipeline.replace(weights=WEIGHTS[weights])
    shown = looked_at(case, scene.replace(panels=(replace(scene.panels[0], pipeline=pipeline),)))
    model, marks = shown.model, shown.with_role("mistaken")
    mistakes = np.bincount(model.training.rows[_given(model)], model.inner.counts, len(shown.y)).astype(int)
    (rings,) = [mark for mark in marks if mark.rows is not None]
    assert rings.rows.tolist() == shown.rows[mistakes > 0].tolist()
    for mark in marks:
        if hasattr(mark, "words"):
            assert list(map(int, mark.words)) == mistakes[mistakes > 0].tolist()
    for k, x in enumerate(shown.X):
        told = model.explain(x).sentence
        times = re.search(r"misclassified (once|twice|\d+ times) when visited", told)
        assert ({"once": 1, "twice": 2}.get(times[1], times[1].split()[0]) if times else 0) in (
            mistakes[k],
            str(mistakes[k]),
        )
    if (fact := shown.picture.facts.get("samples with mistakes")) is not None:
        assert fact.value == (mistakes > 0).sum()
        assert f"a sum over {fact.value} samples" in told


def _given(model):
    """Which of the samples each row is that the algorithm was given."""
    rows = model.training.resampled_rows
    return np.arange(len(model.training.X)) if rows is None else rows


WEIGHING = [Case(name) for name in ("logistic", "l1-svm")] + [Case("linear-regression", task="regression", d=2)]
WEIGHING += [Case("linear-regression", task="regression", d=2, values=(("penalty", "L2"),))]


@pytest.mark.parametrize("case", WEIGHING, ids=str)
def test_charts_of_weights_say_of_which_inputs_they_are(case):
    """Beside them the slopes are those along the axes, which are others where the inputs are standardized."""
    found = set()
    for preprocessing in ("none", "standardize"):
        shown = looked_at(
            replace(case, preprocessing=preprocessing), replace(case, preprocessing=preprocessing).scene()
        )
        for plot in drawing(shown.scene).beside(("weights", "path", "loss surface"))["sides"]:
            told = " ".join((plot.title, plot.x_label, plot.y_label))
            assert ("standardized" in told) == (preprocessing == "standardize"), told
            found.add(plot.id)
    assert found


@pytest.mark.parametrize("weights", WEIGHTS)
def test_votes_that_weigh_differently_are_told_to(weights):
    _, model = weighted("knn", weights)
    for x in model.training.X[:20]:
        told = model.explain(x).sentence
        count = re.search(r"[Tt]he (\d+|one) nearest samples? votes?", told)[1]
        shares = re.findall(r"([\d.]+)[\s\u00a0]?% class", told)
        k = 1 if count == "one" else int(count)
        by_count = all(abs(k * float(part) / 100 - round(k * float(part) / 100)) < 0.02 for part in shares)
        assert by_count or "by weight" in told, told
