"""The sweep: what holds for every algorithm that is found, each check named after a bug seen in a public library."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import pickle
import random
import re

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, find, registry
from mlviz.draw.marks import Mark
from mlviz.numerics.grid import Grid
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import BadValue
from tests.algorithms.samples import answers, cases, degenerate, grid_over, ordinary, word

EVERY = pytest.mark.parametrize("cls", registry().values(), ids=lambda cls: cls.id)
CASES = pytest.mark.parametrize("case", cases(), ids=str)


def same(case, left, right, atol=1e-6):
    scale = max(1.0, float(np.abs(right).max(initial=0))) if case.task != "clustering" else 1
    np.testing.assert_allclose(np.asarray(left, float) / scale, np.asarray(right, float) / scale, atol=atol)


def settings(cls):
    """The hyperparameters at their ends and every choice, each with what makes it matter; whether it must fit."""
    for p in cls.parameters():
        base = {} if p.when is None else {p.when[0]: p.when[1][0]}
        if p.kind == "choice":
            yield from ((base | {p.name: option}, True) for option in p.options)
        elif p.kind == "flag":
            yield from ((base | {p.name: value}, True) for value in (False, True))
        elif p.kind == "text":
            yield base | {p.name: p.default}, True
        elif p.kind == "per class":
            yield from ((base | {p.name: (end, p.missing)}, True) for end in p.soft)
        else:
            kind = int if p.kind == "integer" else float
            yield from ((base | {p.name: kind(end)}, True) for end in p.soft)
            low, high = p.valid
            low = 1e-12 if low is not None and p.open_low else low
            yield from ((base | {p.name: kind(end)}, False) for end in (low, high) if end is not None)


@EVERY
def test_it_says_what_it_is(cls):
    assert cls.label and cls.family and cls.tasks
    assert len(cls.__doc__) > 300, "the class docstring is the help page"
    assert re.search(r"\b(1[89]|20)\d\d\b", cls.__doc__), "the help page names a reference"
    if cls.parameters():
        assert cls.main in [p.name for p in cls.parameters()]
    for p in cls.parameters():
        assert p.help and p.label
        assert p.kind in ("choice", "flag", "text") or p.soft[0] < p.soft[1]
        assert p.check(p.default) == p.default
        if p.kind in ("real", "integer"):
            assert p.check(p.soft[0]) <= p.default <= p.check(p.soft[1])
    ids = [thing.id for thing in (*cls.overlays, *cls.charts)]
    assert len(set(ids)) == len(ids)


@EVERY
def test_its_file_is_named_after_it(cls):
    assert find(cls.id) is cls
    with pytest.raises(KeyError):
        find(f"{cls.id}-no")


@EVERY
def test_it_is_a_value(cls):
    algorithm = cls()
    assert algorithm == cls() and hash(algorithm) == hash(cls())
    assert pickle.loads(pickle.dumps(algorithm)) == algorithm
    for values, _ in settings(cls):
        changed = cls(**values)
        assert cls.from_json(json.loads(json.dumps(changed.to_json(), allow_nan=False))) == changed
        assert changed.caption().startswith(cls.label)
    with pytest.raises(dataclasses.FrozenInstanceError):
        algorithm.label = "other"


@EVERY
def test_a_bad_value_is_refused_by_name(cls):
    for p in cls.parameters():
        bad = [None, {1}, "no such thing", math.nan, math.inf, -math.inf]
        low, high = p.valid
        if p.kind in ("real", "integer"):
            bad += [True, "1"]
            bad += [] if low is None else [low - 1] + ([low] if p.open_low else [])
            bad += [] if high is None else [high + 1]
            bad += [1.5] if p.kind == "integer" else []
        else:
            bad += [0, 1]
        for value in bad:
            with pytest.raises(BadValue, match=f"^{p.key} is"):
                cls(**{p.name: value})
    with pytest.raises(BadValue, match="no parameter"):
        cls.from_json({"no_such_parameter": 1})


@CASES
def test_every_setting_fits(case):
    X, y = ordinary(case, 24, apart=4.0)
    for values, must in settings(case.algorithm):
        try:
            model = case.algorithm(**values).fit(X, y)
        except CannotFit as error:
            if must:
                pytest.fail(f"{values}: {error}")
            continue
        assert np.isfinite(answers(model, X, case)).all(), values


@CASES
def test_a_fit_leaves_everything_else_alone(case):
    X, y = ordinary(case)
    algorithm, weights = case.algorithm(), np.ones(len(X))
    kept = [None if a is None else a.copy() for a in (X, y, weights)]
    for a in (X, y, weights):
        if a is not None:
            a.flags.writeable = False
    state, legacy = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002
    model = algorithm.fit(X, y, sample_weight=weights)
    for _ in algorithm.steps(X, y, np.random.default_rng(0), weights):
        pass
    answers(model, X, case)
    model.facts()
    for a, b in zip((X, y, weights), kept, strict=True):
        np.testing.assert_array_equal(a, b)
    assert algorithm == case.algorithm()
    assert random.getstate() == state
    np.testing.assert_array_equal(np.random.get_state()[1], legacy)  # noqa: NPY002


@CASES
def test_a_model_is_frozen_and_independent_of_the_arrays_given(case):
    X, y = ordinary(case)
    given = X.copy()
    model = case.algorithm().fit(given, y)
    before = answers(model, X, case)
    given[:] = 0
    np.testing.assert_array_equal(answers(model, X, case), before)
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.something = 1


@CASES
def test_the_same_seed_gives_the_same_model_and_the_last_step_is_the_fit(case):
    X, y = ordinary(case)
    for seed in (0, 7):
        model = case.algorithm().fit(X, y, seed=seed)
        again = case.algorithm().fit(X, y, seed=seed)
        *_, last = case.algorithm().steps(X, y, np.random.default_rng(seed))
        place = grid_over(np.column_stack((X, X))[:, :2]).points()[:, : case.d]
        for other in (again, last):
            np.testing.assert_array_equal(answers(other, place, case), answers(model, place, case))
            assert other.facts() == model.facts()


@CASES
def test_the_order_of_the_rows_does_not_matter(case):
    if case.algorithm.traits.order_matters:
        pytest.skip("the order matters")
    X, y = ordinary(case)
    places = ordinary(case, 60, seed=9)[0]
    model = case.algorithm().fit(X, y)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(X))
        shuffled = case.algorithm().fit(X[order], None if y is None else y[order])
        same(case, answers(shuffled, places, case), answers(model, places, case))


@CASES
def test_whole_weights_are_repeated_rows(case):
    if not case.algorithm.traits.weighted:
        pytest.skip("no weights")
    X, y = ordinary(case)
    places = ordinary(case, 60, seed=9)[0]
    weights = np.random.default_rng(3).integers(0, 4, len(X))
    weighted = case.algorithm().fit(X, y, sample_weight=weights)
    repeated = case.algorithm().fit(np.repeat(X, weights, axis=0), None if y is None else np.repeat(y, weights))
    same(case, answers(weighted, places, case), answers(repeated, places, case), atol=1e-5)
    same(case, answers(case.algorithm().fit(X, y, sample_weight=np.ones(len(X))), places, case),
         answers(case.algorithm().fit(X, y), places, case))  # fmt: skip


@EVERY
def test_the_field_declared_is_that_of_the_models_for_the_first_task(cls):
    case = next(case for case in cases() if case.algorithm is cls and case.task == cls.tasks[0])
    X, y = ordinary(case)
    assert cls().fit(X, y).field == cls.field


@CASES
def test_the_answer_depends_on_its_argument(case):
    X, y = ordinary(case, apart=4.0)
    model = case.algorithm().fit(X, y)
    says = getattr(model, word(case))
    everywhere = says(X)
    assert len(np.unique(everywhere)) > 1
    np.testing.assert_allclose(says(X[:1]), everywhere[:1], atol=1e-12)
    np.testing.assert_allclose(says(X[::-1]), everywhere[::-1], atol=1e-12)
    assert len(says(X[:0])) == 0


@CASES
def test_the_field_is_its_mirror_and_in_float32_no_boundary_moves_by_more_than_a_pixel(case):
    if case.d != 2 or case.algorithm.field is None:
        pytest.skip("no field on the plane")
    X, y = ordinary(case, 60)
    for values in ({}, *(values for values, must in settings(case.algorithm) if must)):
        try:
            model = case.algorithm(**values).fit(X, y)
        except CannotFit:
            continue
        grid = Grid.over((-4, 4, -3, 5), 160, 120)
        field = model.on_grid(grid)
        mirror = np.asarray(getattr(model, model.field)(grid.points())).reshape(field.shape)
        assert field.shape[:2] == grid.shape
        same(case, field, mirror, atol=1e-6 * max(float(np.abs(mirror).max()), 1e-300))
        single = model.on_grid(grid, np.float32)
        if case.task == "regression":
            np.testing.assert_allclose(single, field, atol=1e-3 * float(np.ptp(field)) + 1e-6)
        else:
            assert_regions_agree(regions(single), regions(field), values)


def regions(field):
    if field.ndim == 3:
        return np.argmax(field, axis=-1)
    return field if field.dtype.kind in "iu" else (field > 0).astype(int)


def assert_regions_agree(found, expected, what):
    """Where they differ, the expected region is no farther than one node away."""
    padded = np.pad(expected, 1, mode="edge")
    ny, nx = expected.shape
    near = [padded[i : i + ny, j : j + nx] == found for i, j in itertools.product(range(3), range(3))]
    assert np.any(near, axis=0).all(), what


@CASES
def test_facts_are_plain(case):
    X, y = ordinary(case)
    for pipeline in (Pipeline(case.algorithm()), Pipeline(case.algorithm(), "standardize")):
        facts = pipeline.fit(X, y).facts()
        assert json.loads(json.dumps(facts, allow_nan=False)) == facts
        assert {type(value) for value in facts.values()} <= {int, float, str, bool}, facts


@CASES
@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_degenerate_samples_give_a_model_or_a_sentence(case, preprocessing):
    refused = {}
    for name, X, y in degenerate(case):
        try:
            steps = list(Pipeline(case.algorithm(), preprocessing).steps(X, y))
        except CannotFit as error:
            refused[name] = str(error)
            continue
        for model in (steps[0], steps[-1]):
            assert np.isfinite(answers(model, X, case)).all(), name
            if case.d == 2 and model.field:
                for dtype in (np.float64, np.float32):
                    assert np.isfinite(model.on_grid(grid_over(X), dtype)).all(), name
            for value in model.facts().values():
                assert not isinstance(value, float) or not math.isnan(value), f"{name}: {model.facts()}"
            told = model.explain(X[0])
            assert told is None or (told.sentence and "nan" not in told.sentence), name
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in refused.values()), refused
    assert "no sample" in refused
    if not case.algorithm.traits.multiclass or case.task != "classification":
        refused.pop("one class", None)
    if case.task == "clustering":  # fewer samples than clusters
        refused.pop("two samples", None)
    assert not {"two samples", "on a lattice", "codes that are not 0 and 1"} & set(refused), refused


@CASES
def test_explanations_are_sentences_with_finite_marks(case):
    X, y = ordinary(case)
    model = case.algorithm().fit(X, y)
    for x in (*X[:5], np.full(case.d, 3.5)):
        told = model.explain(x)
        if told is not None:
            assert told.sentence and "nan" not in told.sentence
            assert all(isinstance(mark, Mark) for mark in told.marks)


@CASES
def test_following_the_hand_ends_where_a_fit_does(case):
    if case.algorithm().follower() is None:
        pytest.skip("no follower")
    if case.algorithm.traits.follower_differs:
        pytest.skip("its follower may end elsewhere")
    X, y = ordinary(case)
    rng = np.random.default_rng(11)
    pipeline = Pipeline(case.algorithm())
    follower = pipeline.follower()
    grid = Grid.over((-4, 4, -3, 5), 30, 20)
    for _ in range(15):
        X = X.copy()
        X[rng.integers(len(X))] += 0.5 * rng.normal(size=case.d)
        draft, exact = follower.update(pipeline, X, y), pipeline.fit(X, y)
        same(case, answers(draft, X, case), answers(exact, X, case), atol=1e-5)
        if case.d == 2 and exact.field:
            expected = exact.on_grid(grid)
            np.testing.assert_allclose(
                draft.on_grid(grid), expected, atol=1e-5 * max(1.0, float(np.abs(expected).max()))
            )
