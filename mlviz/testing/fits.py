"""Checks of fits: what a method learns is its own doing alone, is the same every time, and holds at every place."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from functools import partial
from typing import Any

import numpy as np

from mlviz.algorithms import CannotFit
from mlviz.draw.marks import Mark
from mlviz.numerics.arrays import AnyArray, Array
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from mlviz.testing.check import (
    Case,
    DoesNotApply,
    Target,
    answers,
    degenerate,
    grid_over,
    is_looked_at,
    of_cases,
    ordinary,
    require,
    require_answers_close,
    require_close,
    require_refusal,
    settings,
    word,
)

_PREPROCESSING = ("none", "standardize")
_FITTED = ("on a lattice", "codes that are not 0 and 1")
"""Degenerate samples that every method can fit."""
_MOST_STEPS = 200
"""So many steps are kept: what is changed in place is changed by then."""


@of_cases
def leaves_everything_else_alone(case: Case, X: Array, y: Target) -> None:
    """A fit changes neither the samples nor the algorithm, and draws no number but from the `rng` handed in."""
    algorithm, weights = case.algorithm(), np.ones(len(X))
    before = [None if a is None else a.copy() for a in (X, y, weights)]
    for a in (X, y, weights):
        if a is not None:
            a.flags.writeable = False
    state, legacy = random.getstate(), _legacy_state()
    model = algorithm.fit(X, y, sample_weight=weights)
    for _ in algorithm.steps(X, y, np.random.default_rng(0), weights):
        pass
    answers(model, X, case)
    model.facts()
    for name, a, b in zip(("X", "y", "sample_weight"), (X, y, weights), before, strict=True):
        require(a is b is None or np.array_equal(a, b), f"the fit changes {name}")  # type: ignore[arg-type]
    require(algorithm == case.algorithm(), "the fit changes the algorithm")
    require(random.getstate() == state, "the fit draws from Python's own random numbers, not from rng")
    require(_legacy_state() == legacy, "the fit draws from NumPy's global random numbers, not from rng")


def _legacy_state() -> list[Any]:
    state: Any = np.random.get_state()  # noqa: NPY002
    return [np.array(part).tolist() for part in state]


@of_cases
def gives_a_frozen_model_of_its_own(case: Case, X: Array, y: Target) -> None:
    """A model can't be changed, and does not change with the array it was fitted on."""
    given = X.copy()
    model = case.algorithm().fit(given, y)
    before = answers(model, X, case)
    given[:] = 0
    require(
        np.array_equal(answers(model, X, case), before),
        "its model changes with the array that was given: copy what is kept",
    )
    require_refusal(dataclasses.FrozenInstanceError, lambda: setattr(model, "something", 1), "its model is not frozen")


@of_cases
def keeps_every_step_as_it_was(case: Case, X: Array, y: Target) -> None:
    """What the model of a step answers, when the fit is over, is what it answered when it was yielded."""
    places = X[:12]
    steps = [
        (model, answers(model, places, case))
        for model in itertools.islice(case.algorithm().steps(X, y, np.random.default_rng(0)), _MOST_STEPS)
    ]
    for t, (model, before) in enumerate(steps):
        require(
            np.array_equal(answers(model, places, case), before),
            f"the model of step {t} changes while the fit goes on: copy what is kept",
        )


@of_cases
def gives_the_same_model_for_the_same_seed(case: Case, X: Array, y: Target) -> None:
    """Two fits of one seed agree to the last digit, and so do the last of the steps and the fit."""
    places = grid_over(np.column_stack((X, X))[:, :2]).points()[:, : case.d]
    for seed in (0, 7):
        model = case.algorithm().fit(X, y, seed=seed)
        *_, last = case.algorithm().steps(X, y, np.random.default_rng(seed))
        for what, other in (("a second fit", case.algorithm().fit(X, y, seed=seed)), ("the last step", last)):
            require(
                np.array_equal(answers(other, places, case), answers(model, places, case)),
                f"{what} of seed {seed} answers otherwise than the fit",
            )
            require(other.facts() == model.facts(), f"{what} of seed {seed} has other facts than the fit")


@of_cases
def does_not_look_at_the_order_of_the_rows(case: Case, X: Array, y: Target) -> None:
    """Shuffled samples give the same model."""
    if case.algorithm.traits.order_matters:
        raise DoesNotApply("it says that the order matters")
    places = ordinary(case, 60, seed=9)[0]
    model = case.algorithm().fit(X, y)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(X))
        shuffled = case.algorithm().fit(X[order], None if y is None else y[order])
        found, expected = (answers(one, places, case) for one in (shuffled, model))
        require_answers_close(case, found, expected, "shuffled samples give another model")


@of_cases
def takes_weights_as_repeated_rows(case: Case, X: Array, y: Target) -> None:
    """A sample of weight 2 counts as two samples, and weights of 1 as none."""
    if not case.algorithm.traits.weighted:
        raise DoesNotApply("it takes no weights")
    places = ordinary(case, 60, seed=9)[0]
    weights = np.random.default_rng(3).integers(0, 4, len(X))
    repeated = np.repeat(X, weights, axis=0), None if y is None else np.repeat(y, weights)
    for counts, same, what, within in (
        (weights, repeated, "weights are not repeated rows", 1e-5),
        (np.ones(len(X)), (X, y), "weights of 1 are not the same as none", 1e-6),
    ):
        models = case.algorithm().fit(X, y, sample_weight=counts), case.algorithm().fit(*same)
        found, expected = (answers(model, places, case) for model in models)
        require_answers_close(case, found, expected, what, within)


@partial(of_cases, apart=4.0)
def answers_by_its_argument(case: Case, X: Array, y: Target) -> None:
    """What a model says depends on the places asked about, each by itself."""
    says = getattr(case.algorithm().fit(X, y), word(case))
    everywhere = says(X)
    require(len(np.unique(everywhere)) > 1, f"{word(case)} says the same everywhere")
    require_close(says(X[:1]), everywhere[:1], 1e-12, f"{word(case)} of one sample is not what it says of all")
    require_close(says(X[::-1]), everywhere[::-1], 1e-12, f"{word(case)} goes by the order of its argument")
    require(len(says(X[:0])) == 0, f"{word(case)} of no place is not empty")


@partial(of_cases, n=60)
def mirrors_its_field_on_grids(case: Case, X: Array, y: Target) -> None:
    """`on_grid` gives the field at the nodes; in float32 no boundary moves by more than a pixel."""
    if case.d != 2 or case.algorithm().fit(X, y).field is None:
        raise DoesNotApply("it has no field on the plane")
    ways = [values for values, must in settings(case.algorithm) if must and is_looked_at(case, str(values))]
    for values in ({}, *ways):
        try:
            model = case.algorithm(**values).fit(X, y)
        except CannotFit:
            continue
        grid = Grid.over((-4, 4, -3, 5), *((80, 60) if values else (160, 120)))
        field = model.on_grid(grid)
        require(field.shape[:2] == grid.shape, f"on_grid of {values} has the shape {field.shape}")
        mirror = np.asarray(getattr(model, model.field)(grid.points())).reshape(field.shape)
        within = 1e-6 * max(float(np.abs(mirror).max()), 1e-300)
        require_answers_close(case, field, mirror, f"on_grid of {values} is not its {model.field}", within)
        single = model.on_grid(grid, np.float32)
        if case.task in ("regression", "density estimation"):
            require_close(
                single, field, 1e-3 * float(np.ptp(field)) + 1e-6, f"in float32, on_grid of {values} is another curve"
            )
        else:
            require(
                _near(_regions(single), _regions(field)),
                f"in float32, on_grid of {values} moves a boundary by more than a pixel",
            )


def _regions(field: AnyArray) -> AnyArray:
    if field.ndim == 3:
        return np.asarray(np.argmax(field, axis=-1))
    return field if field.dtype.kind in "iu" else (field > 0).astype(int)


def _near(found: AnyArray, expected: AnyArray) -> bool:
    """Whether, where they differ, the expected region is no farther than one node away."""
    padded = np.pad(expected, 1, mode="edge")
    ny, nx = expected.shape
    near = [padded[i : i + ny, j : j + nx] == found for i, j in itertools.product(range(3), range(3))]
    return bool(np.any(near, axis=0).all())


@of_cases
def gives_plain_facts(case: Case, X: Array, y: Target) -> None:
    """Facts are plain numbers, texts and flags, also through a pipeline."""
    for preprocessing in _PREPROCESSING:
        facts = Pipeline(case.algorithm(), preprocessing).fit(X, y).facts()
        require(json.loads(json.dumps(facts, allow_nan=False)) == facts, f"the facts are no JSON: {facts}")
        require(
            {type(value) for value in facts.values()} <= {int, float, str, bool},
            f"the facts are not all plain: {facts}",
        )


@of_cases
def meets_degenerate_samples(case: Case, *_: Any) -> None:
    """Samples that break programs give finite models or a sentence, as they are and standardized in turn.

    What can be fitted is fitted. The other way round they are drawn, by another check.
    """
    for k, (name, X, y) in enumerate(degenerate(case)):
        if not is_looked_at(case, name):
            continue
        steps, refusal = [], None
        try:
            steps = list(Pipeline(case.algorithm(), _PREPROCESSING[k % 2]).steps(X, y))
        except CannotFit as error:
            refusal = str(error)
        check_refusal(refusal, case, name)
        for model in (*steps[:1], *steps[-1:]):
            check_finite(model, X, case, name)


def check_refusal(refusal: str | None, case: Case, name: str) -> None:
    """Raise AssertionError where degenerate samples are refused without need, or not in a sentence."""
    require(refusal or name != "no sample", "it fits where there is no sample")
    if refusal is not None:
        require(
            refusal[0].isupper() and refusal.endswith("."),
            f"{name}: what it says is no sentence: {refusal}",
        )
        # Two samples are fewer than clusters.
        fitted = [*_FITTED, *([] if case.task == "clustering" else ["two samples"])]
        require(name not in fitted, f"{name}: it refuses what can be fitted: {refusal}")


def check_finite(model: Any, X: Array, case: Case, name: str) -> None:
    """Raise AssertionError where a model of degenerate samples X (n, d) answers with what is no number."""
    require(np.isfinite(answers(model, X, case)).all(), f"{name}: its answers are not finite")
    if case.d == 2 and model.field:
        for dtype in (np.float64, np.float32):
            require(
                np.isfinite(model.on_grid(grid_over(X), dtype)).all(),
                f"{name}: its field is not finite in {dtype.__name__}",
            )
    for fact, value in model.facts().items():
        require(not isinstance(value, float) or not np.isnan(value), f"{name}: the fact {fact!r} is not a number")
    told = model.explain(X[0])
    if told is not None:
        require(told.sentence and "nan" not in told.sentence, f"{name}: it explains a place so: {told.sentence}")


@of_cases
def explains_in_sentences(case: Case, X: Array, y: Target) -> None:
    """What it says of a place is a sentence with marks."""
    model = case.algorithm().fit(X, y)
    for x in (*X[:5], np.full(case.d, 3.5)):
        told = model.explain(x)
        if told is not None:
            require(told.sentence and "nan" not in told.sentence, f"it explains {x} so: {told.sentence}")
            require(all(isinstance(mark, Mark) for mark in told.marks), f"it explains {x} by what is no mark")


@of_cases
def follows_the_hand_to_where_a_fit_ends(case: Case, X: Array, y: Target) -> None:
    """After each of 15 moves of a sample the follower's model is that of a fit from nothing."""
    if case.algorithm().follower() is None:
        raise DoesNotApply("it has no follower")
    if case.algorithm.traits.follower_differs:
        raise DoesNotApply("it says that its follower may end elsewhere")
    grid, what = Grid.over((-4, 4, -3, 5), 30, 20), "after a move its follower and a fit differ"
    rng = np.random.default_rng(11)
    pipeline = Pipeline(case.algorithm())
    follower: Any = pipeline.follower()
    require(follower is not None, "its follower is not used by a pipeline")
    for _ in range(15):
        X = X.copy()
        X[rng.integers(len(X))] += 0.5 * rng.normal(size=case.d)
        draft, exact = follower.update(pipeline, X, y), pipeline.fit(X, y)
        require_answers_close(case, answers(draft, X, case), answers(exact, X, case), what, 1e-5)
        if case.d == 2 and exact.field:
            expected = exact.on_grid(grid)
            require_close(draft.on_grid(grid), expected, 1e-5 * max(1.0, float(np.abs(expected).max())), what)
