"""Where the samples say nothing, that is said; and no class is better for being the first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.base import last_until
from mlviz.data.dataset import Dataset
from mlviz.pipeline.decisions import Decision
from mlviz.scene.scene import View
from tests.sweep import each, share, sweep, trials
from tests.truth.scenes import (
    CLASSIFIERS,
    CLUSTERINGS,
    LIMITS,
    REGRESSIONS,
    Case,
    classifications,
    drawn,
    looked_at,
    samples,
    scene_of,
)
from tests.truth.test_regions import ground

RNG = np.random.default_rng(3)
SOME = RNG.normal(0, 1, (8, 2))
PLACES = np.column_stack((RNG.uniform(*LIMITS[:2], 60), RNG.uniform(*LIMITS[2:], 60)))
CORNERS = np.array([(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)])
ALTERNATE = np.arange(8) % 2
ODD = {
    "one place": (np.tile([[0.3, 0.2]], (8, 1)), ALTERNATE),
    "a line": (np.column_stack((np.arange(8.0), 2 * np.arange(8.0))) / 4 - 1, ALTERNATE),
    "opposite corners": (CORNERS, np.array([0, 1, 1, 0])),
    "equal points": (np.repeat(SOME[:4], 2, axis=0), ALTERNATE),
    "two places": (np.array([(0.0, 0.0), (0, 0), (1, 1), (1, 1)]), np.array([0, 1, 0, 1])),
}
TIED = 1e-9
"""Scores that are no larger are rounding."""


def fitted(method, X, y, **how):
    """The model, or why there is none."""
    pipeline = replace(Case(method, task="none" if y is None else "classification").pipeline, **how)
    try:
        return pipeline.fit(X, y)
    except CannotFit as error:
        return str(error)


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_a_single_class_is_refused_or_said(method):
    model = fitted(method, SOME, np.zeros(8, dtype=int))
    assert isinstance(model, str) or model.caveat


@sweep("method, kind", CLASSIFIERS, ODD)
def test_what_tells_the_classes_apart_is_more_than_their_order(method, kind):
    """Refused, said in the caption, or the classes are told apart: swapped ones swap the picture."""
    X, y = ODD[kind]
    model = fitted(method, X, y)
    if isinstance(model, str):
        assert model.endswith(".")
        return
    swapped = fitted(method, X, 1 - y)
    differing = model.predict(PLACES) != swapped.predict(PLACES)
    ask = getattr(model.inner, "decision_function", None)
    sure = np.abs(ask(PLACES)).max() > TIED if ask else True
    assert model.caveat or (differing.mean() > 0.97 and sure)


NOT_TWO = np.array([0, 1, 2] * 4)
TOLD = {
    "three of one class and two of the other at each place": (
        np.repeat(SOME[:3], 5, axis=0),
        np.array([0, 0, 0, 1, 1] * 3),
    ),
    "three classes at each place": (np.repeat(SOME[:4], 3, axis=0), NOT_TWO),
    "two of three classes at the same places": (
        np.vstack((np.repeat(SOME[:4], 2, axis=0), SOME[:4] + 9)),
        np.array([0, 1] * 4 + [2] * 4),
    ),
    "three classes at one place": (np.tile([[1e6, -3.0]], (12, 1)), NOT_TWO),
    "two classes of three at one place": (np.tile([[0.0, 0.0]], (8, 1)), 2 * ALTERNATE),
}
"""Samples of which each method must say that they tell classes apart by nothing, or nothing at all."""


@sweep("method, kind, preprocessing", CLASSIFIERS, TOLD, ["none", "standardize", "whiten"])
def test_classes_that_nothing_tells_apart_are_told(method, kind, preprocessing):
    X, y = TOLD[kind]
    model = fitted(method, X, y, preprocessing=preprocessing)
    assert isinstance(model, str) or model.caveat


def test_samples_on_a_line_are_told():
    """Beside it every method only guesses."""
    line, rng = ODD["a line"][0], np.random.default_rng(0)
    flat = np.column_stack((rng.normal(size=(9, 2)), np.full(9, 3.0)))
    for method in REGRESSIONS:
        pipeline = Case(method, task="regression").pipeline
        assert "on a line" in pipeline.fit(line, line[:, 0] ** 2).caveat
        assert "2 of 3 directions" in pipeline.fit(flat, flat[:, 0]).caveat
        assert "line" not in pipeline.fit(rng.normal(size=(9, 2)), np.arange(9.0)).caveat
        assert "line" not in pipeline.fit(line[:, :1], np.arange(8.0)).caveat
    for method in CLASSIFIERS:
        for preprocessing in ("none", "standardize", "whiten"):
            assert "line" in fitted(method, line, np.repeat([0, 1], 4), preprocessing=preprocessing).caveat


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_ordinary_samples_have_no_such_caveat(method):
    """A sentence that stands under every picture says nothing."""
    for classes in (2, 3):
        y = np.arange(60) % classes
        X = np.random.default_rng(1).normal(0, 0.7, (60, 2)) + 4 * np.column_stack((y, y % 2))
        told = fitted(method, X, y).caveat
        assert not any(word in told for word in ("nothing", "tied", "same everywhere", "one place"))


def test_even_neighbours_say_where_they_are_tied():
    """Two neighbours of two classes have no majority; with three there is always one."""
    X, y = np.random.default_rng(2).normal(0, 1, (40, 2)), np.arange(40) % 2
    knn = registry()["knn"]
    assert "tied" in replace(Case("knn").pipeline, algorithm=knn(n_neighbors=2)).fit(X, y).caveat
    assert not replace(Case("knn").pipeline, algorithm=knn(n_neighbors=3)).fit(X, y).caveat


def swapped_of(case, codes, new):
    """The samples of a case with other codes for its classes."""
    data = samples(case)
    table = dict(zip(codes, new, strict=True))
    return Dataset(
        data.X,
        np.array([table[code] for code in data.labels.tolist()]),
        held_out=data.held_out,
        active=data.active,
    )


TWO = classifications(lambda case: case.codes in ("0 1", "1 2") and case.decision == "natural")
TWO += [replace(c, preprocessing="none") for c in TWO]
TRADED = Decision(rule="costs", cost_fp=1.0, cost_fn=3.0)


@pytest.mark.parametrize("case", TWO, ids=str)
def test_swapped_classes_swap_the_picture(case):
    codes = (0, 1) if case.codes == "0 1" else (1, 2)
    first = looked_at(case, case.scene())
    second = looked_at(case, scene_of(case, swapped_of(case, codes, codes[::-1])))
    mine, theirs = ground(first, "region"), ground(second, "region")
    assert np.mean(sum(codes) - theirs.classes.astype(int) == mine.classes) > 0.985
    crosses = [sorted(r for m in s.with_role("misclassified") for r in m.rows.tolist()) for s in (first, second)]
    assert crosses[0] == crosses[1] or case.method == "knn"


@pytest.mark.parametrize("method", CLASSIFIERS)
def test_swapped_classes_and_costs_swap_the_decision(method):
    X, y = samples(Case(method)).X, samples(Case(method)).labels
    model = fitted(method, X, y, decision=Decision(rule="costs", cost_fp=3.0, cost_fn=1.0))
    other = fitted(method, X, 1 - y, decision=TRADED)
    assert np.mean(model.predict(PLACES) == 1 - other.predict(PLACES)) > 0.97


RANDOM = ("svm-sgd", "random-features", "rbf-network")
"""Each of their binary models has random numbers of its own."""
SEVERAL = classifications(
    lambda case: case.codes == "3 7 12" and case.method not in RANDOM and "perceptron" not in case.method
)


@pytest.mark.parametrize("case", SEVERAL, ids=str)
def test_other_codes_for_classes_are_only_other_names(case):
    """The order of the codes decides between equal votes alone."""
    old, new = (3, 7, 12), (12, 3, 7)
    first = looked_at(case, case.scene())
    second = looked_at(case, scene_of(case, swapped_of(case, old, new)))
    table = dict(zip(new, old, strict=True))
    theirs = np.array([table[code] for code in second.predict(PLACES).tolist()])
    assert np.mean(theirs == first.predict(PLACES)) > (0.8 if case.method == "knn" else 0.97)


@pytest.mark.parametrize(
    ("k", "X"),
    [(3, [(0, 0), (0, 0), (0, 0), (4, 4), (4.1, 3.9)]), (2, ODD["a line"][0]), (2, np.repeat(SOME[:3], 3, axis=0))],
    ids=["three at one place", "a line", "three places"],
)
def test_collapsed_components_are_told(k, X):
    model = replace(Case("gmm", task="clustering").pipeline, algorithm=registry()["gmm"](n_components=k)).fit(X)
    assert model.caveat


@pytest.mark.parametrize(
    "method", [method for method in CLUSTERINGS if registry()[method].main in ("n_clusters", "n_components")]
)
def test_more_clusters_than_places_are_refused_or_said(method):
    model = fitted(method, np.repeat(SOME[:1], 8, axis=0), None)
    assert isinstance(model, str) or model.caveat


@pytest.mark.parametrize("method", REGRESSIONS)
def test_targets_at_a_single_place_are_refused_or_said(method):
    try:
        model = Case(method, task="regression").pipeline.fit(np.tile([[0.3, 0.2]], (8, 1)), np.arange(8.0))
    except CannotFit:
        return
    assert model.caveat


def test_the_kernel_perceptron_is_done_only_when_all_is_right():
    """Where it says nothing of mistakes that are left, there are none."""
    for seed in trials(40):
        rng = np.random.default_rng(seed)
        X = np.rint(2 * rng.normal(size=(8, 2))) / 2
        y = rng.integers(0, 2, 8)
        if len(np.unique(y)) < 2:
            continue
        for kernel in ("linear", "polynomial", "gaussian"):
            algorithm = registry()["kernel-perceptron"](kernel=kernel)
            model = last_until(np.inf, replace(Case("kernel-perceptron").pipeline, algorithm=algorithm).steps(X, y))
            assert model.rating.named[1] == 0 or model.caveat, (seed, kernel)


@each("scale, kernel", [1e-6, 1e-3, 1e3, 1e6], ["linear", "polynomial", "gaussian"])
def test_the_kernel_perceptron_is_right_whatever_the_size_of_its_sums(scale, kernel):
    """What is rounded to nothing in an answer is no success while learning."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        X, y = scale * rng.normal(size=(12, 2)), np.arange(12) % 2
        for sigma in (scale, 0.05):
            algorithm = registry()["kernel-perceptron"](kernel=kernel, sigma=sigma, max_iter=200)
            model = replace(Case("kernel-perceptron").pipeline, algorithm=algorithm).fit(X, y)
            assert model.rating.named[1] == 0 or model.caveat, seed


FAR_APART = Dataset(np.array([(0.0, 0.0), (1, 0), (20, 20), (21, 20)]), np.array([0, 0, 1, 1]))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_ground_without_colour_is_not_without_a_word(name):
    scene = scene_of(Case(name), FAR_APART)
    shown = looked_at(Case(name), scene.with_view(limits=(-8.0, 28.0, -8.0, 28.0)))
    empty = ground(shown, "region").strength == 0
    assert ("part without colour" in shown.picture.caption) == bool(empty.any() and not empty.all())
    assert name != "kernel-perceptron" or empty.any()


SIZES = (1e-300, 1e-80, 1.0, 1e140)
CANVASES = (1e-80, 1e100, 1e300)
SMALL_CASES = [Case(method, n=20) for method in CLASSIFIERS]
SMALL_CASES += [Case(method, task="regression", n=20) for method in REGRESSIONS]
SMALL_CASES += [Case(method, task="clustering", n=20) for method in CLUSTERINGS]


@sweep("case, preprocessing", SMALL_CASES, ["none", "standardize", "whiten"])
def test_samples_and_canvases_of_any_size_are_drawn(case, preprocessing):
    """Or there is a sentence: a warning of NumPy's would be an error here."""
    case = replace(case, preprocessing=preprocessing)
    data = samples(case)
    for size in SIZES:
        scene = scene_of(case, replace(data, X=data.X * size))
        for unit in share(dict.fromkeys((size, *CANVASES)), f"{case} {size}", 2):
            x0, x1, y0, y1 = (unit * limit for limit in LIMITS)
            view = View(limits=(x0, x1, y0, y1), equal=False, probe=(0.3 * unit, 0.2 * unit))
            picture = drawn(replace(scene, view=view))
            assert picture.message is None or picture.message.endswith(".")
