"""Marks on samples belong to these: they are where the samples are, follow them, and mean what the legend says."""

import re
from dataclasses import replace

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.scene.canvas_axes import axes_of
from tests.sweep import trials
from tests.truth.scenes import (
    CLASSIFIERS,
    LIMITS,
    Case,
    classifications,
    everything,
    looked_at,
    samples,
    scene_of,
    seen,
)

ALL = everything()
SOME = everything(lambda case: case.preprocessing != "principal-components")


def tied(shown):
    """Role, row of the data set, place and size of everything that is tied to a sample."""
    found = []
    for mark in shown.marks:
        if mark.rows is not None:
            places = getattr(mark, mark.in_data[0])
            sizes = mark.sizes() if hasattr(mark, "sizes") else np.ones(len(places))
            found += list(zip([mark.role] * len(places), mark.rows.tolist(), places, sizes, strict=True))
    return found


def assert_on_samples(shown):
    where = axes_of(shown.scene, 0).places(shown.data)
    for role, row, place, _ in tied(shown):
        # What judges a prediction is told of held-out samples too, nothing of those that are switched off.
        assert row in shown.rows or (role in ("misclassified", "residual") and shown.data.test[row]), role
        if np.isfinite(place).all():
            np.testing.assert_allclose(place, where[row], atol=1e-9, err_msg=role)


@pytest.mark.parametrize("case", ALL, ids=str)
def test_marks_are_where_their_samples_are(case):
    shown = seen(case, (0.15, 0.2))
    assert_on_samples(shown)


@pytest.mark.parametrize("case", SOME, ids=str)
def test_marks_go_where_their_sample_goes(case):
    """One sample is moved and all is fitted again: its marks are at the new place, and those of others stay.

    Only the cross of one that is predicted rightly there is gone.
    """
    shown = seen(case)
    marked = {row for _, row, _, _ in tied(shown) if row in shown.rows}
    if not marked:
        return
    row, step = min(marked), np.array([0.02, -0.013])
    data = shown.data.move([row], shown.data.X[row, :2] + step)
    after = looked_at(case, scene_of(case, data))
    assert_on_samples(after)
    had, has = ({role for role, at, _, _ in tied(one) if at == row} for one in (shown, after))
    if not has:
        (said,) = after.model.predict(data.X[[row]][:, : case.d])
        assert had == {"misclassified"} and said == data.labels[row]
    np.testing.assert_array_equal(np.delete(data.X, row, axis=0), np.delete(shown.data.X, row, axis=0))


STILL = everything(lambda case: not registry()[case.method].traits.order_matters)


@pytest.mark.parametrize("case", STILL, ids=str)
def test_shuffled_samples_take_their_marks_along(case):
    data = samples(case)
    order = np.random.default_rng(1).permutation(len(data))
    shuffled = Dataset(
        data.X[order],
        data.labels[order],
        data.columns,
        class_names=data.class_names,
        held_out=data.held_out[order],
        active=data.active[order],
    )
    # The way of SMO to its end hangs on rounding, which the preprocessing makes otherwise in another order.
    on_the_way = ("now", "visited") if case.method == "smo" and case.preprocessing != "none" else ()
    mine, theirs = (
        [one for one in tied(shown) if one[0] not in on_the_way]
        for shown in (seen(case), looked_at(case, scene_of(case, shuffled)))
    )
    first = sorted((re.sub(r"\d+", "", role), row, round(float(size), 4)) for role, row, _, size in mine)
    second = sorted((re.sub(r"\d+", "", role), int(order[row]), round(float(size), 4)) for role, row, _, size in theirs)
    assert first == second


def rows_of(shown, *roles):
    return sorted(row for role, row, _, _ in tied(shown) if role in roles)


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_crosses_are_on_the_samples_predicted_wrongly(case):
    shown = seen(case)
    judged = np.flatnonzero(shown.data.active)  # held out or not
    said = np.asarray(shown.model.predict(shown.data.X[judged][:, : case.d]))
    wrong = judged[(said != shown.data.labels[judged]) & (said != -1)]
    assert rows_of(shown, "misclassified") == wrong.tolist()


def binary_of(shown):
    """The rows, signs and scores of each machine of two classes that a model is made of."""
    model = shown.model
    inputs = model.training.transform.to_model(shown.X)
    if not model.parts:
        yield shown.rows, np.where(shown.y == model.classes[1], 1, -1), model.inner.decision_function(inputs)
    for part in model.parts:
        y = shown.y[part.rows]
        signs = np.where(y == part.positive, 1, -1)
        yield shown.rows[part.rows], signs, part.model.decision_function(inputs[part.rows])


MACHINES = classifications(lambda case: case.method in ("svm", "smo", "l1-svm") and case.multiclass != "direct")


@pytest.mark.parametrize("case", MACHINES, ids=str)
def test_rings_are_on_the_support_vectors(case):
    """By what they are: free ones on their margin, those at the bound within it, all others outside."""
    shown = seen(case)
    free, bound = rows_of(shown, "support vector"), rows_of(shown, "bound support vector")
    expected_free, expected_bound, loose = [], [], 2e-3 if case.method == "smo" else 1e-4
    edge = []
    for rows, signs, scores in binary_of(shown):
        margin = signs * scores
        edge += rows[np.abs(margin - 1) <= loose].tolist()
        expected_bound += rows[margin < 1 - loose].tolist()
    for row in expected_bound:
        assert bound.count(row) >= expected_bound.count(row)
    rest = sorted(set(free) - set(edge))
    assert not rest, f"free support vectors off their margin: {rest}"
    assert set(bound) <= set(expected_bound) | set(edge) and not expected_free


@pytest.mark.parametrize("case", [case for case in MACHINES if case.preprocessing == "none"], ids=str)
def test_slack_goes_from_its_sample_to_the_margin(case):
    shown = seen(case, (0.15, 0.2))
    marks = shown.with_role("slack")
    machines = list(binary_of(shown))
    for mark in marks:
        for row, end in zip(mark.rows, mark.end, strict=True):
            fits = False
            for part, (rows, signs, scores) in zip(shown.model.parts or (None,), machines, strict=True):
                if row in rows:
                    at = int(np.flatnonzero(rows == row)[0])
                    f = (shown.model.inner if part is None else part.model).decision_function(end[None])[0]
                    fits |= signs[at] * scores[at] < 1 and abs(f - signs[at]) < 5e-3
            assert fits, f"the slack of sample {row} ends at {end}"
    if len(machines) == 1 and case.method != "smo":
        rows, signs, scores = machines[0]
        found = rows_of(shown, "slack")
        assert set(found) <= set(rows[signs * scores < 1].tolist())


@pytest.mark.parametrize("case", classifications(lambda case: "perceptron" in case.method), ids=str)
def test_rings_of_mistakes_are_larger_the_more_there_were(case):
    shown = seen(case)
    models = [(part.rows, part.model) for part in shown.model.parts] or [(np.arange(len(shown.X)), shown.model.inner)]
    counts = [(shown.rows[rows], model.counts) for rows, model in models]
    expected = sorted(row for rows, count in counts for row in rows[count > 0].tolist())
    assert rows_of(shown, "mistaken") == expected
    rings = [mark for mark in shown.with_role("mistaken") if mark.rows is not None]
    for mark, (rows, count) in zip(rings, [(r, c) for r, c in counts if c.any()], strict=True):
        number = dict(zip(rows.tolist(), count.tolist(), strict=True))
        order = np.argsort([number[row] for row in mark.rows.tolist()], kind="stable")
        assert (np.diff(mark.size[order]) >= 0).all()
        by_number = {number[row]: size for row, size in zip(mark.rows.tolist(), mark.size.tolist(), strict=True)}
        assert len(set(by_number.values())) == len(by_number) or max(by_number.values()) == 2.4


@pytest.mark.parametrize("name", [name for name in CLASSIFIERS if "prior" in str(registry()[name].parameters())])
def test_outliers_are_where_the_density_is_below_its_level(name):
    case = Case(name, "names", values=(("outlier_share", 0.15),))
    shown = seen(case)
    inner = shown.model.inner
    low = shown.rows[inner.score_samples(shown.X) < inner.outlier_level]
    assert len(low) and rows_of(shown, "outlier") == low.tolist()


GAUSSIAN = [Case(name, codes) for name in ("lda", "qda", "naive-bayes") for codes in ("1 2", "3 7 12")]


@pytest.mark.parametrize("case", GAUSSIAN, ids=str)
def test_ellipses_are_about_the_mean_of_their_class_and_as_wide_as_it(case):
    shown = seen(case)
    codes = np.unique(shown.y).tolist()
    own = {code: shown.X[shown.y == code] for code in codes}
    pooled = sum(len(X) * np.cov(X.T, ddof=0) for X in own.values())
    marks = {int(m.role.split()[1]): m for m in shown.marks if m.role.startswith("ellipse")}
    assert sorted(marks) == codes
    for code, mark in marks.items():
        np.testing.assert_allclose(mark.center, np.tile(own[code].mean(axis=0), (2, 1)), atol=1e-9)
        spread = pooled if case.method == "lda" else np.cov(own[code].T)
        spread = np.diag(np.diag(spread)) if case.method == "naive-bayes" else spread
        drawn = mark.axes[0] @ mark.axes[0].T
        np.testing.assert_allclose(drawn / np.trace(drawn), spread / np.trace(spread), atol=1e-9)
        np.testing.assert_allclose(mark.axes[1], 2 * mark.axes[0])


def test_links_and_crosses_of_clusters_are_those_of_the_cluster_predicted():
    shown = seen(Case("kmeans", task="clustering"))
    said = dict(zip(shown.rows.tolist(), shown.model.predict(shown.X).tolist(), strict=True))
    own = {code: shown.X[shown.model.predict(shown.X) == code].mean(axis=0) for code in set(said.values())}
    for mark in shown.marks:
        if mark.role.startswith("link"):
            assert {said[row] for row in mark.rows.tolist()} == {int(mark.role.split()[1])}
            np.testing.assert_allclose(mark.end, [own[said[row]] for row in mark.rows.tolist()], atol=1e-9)


def test_crosses_have_the_colour_of_their_cluster_at_each_step():
    case = Case("kmeans", task="clustering", values=(("n_clusters", 4),))
    for seed in trials(6):
        scene = replace(scene_of(case, samples(case)), seed=seed)
        for step in range(8):
            shown = looked_at(case, scene.with_view(step=step))
            (crosses,) = [mark for mark in shown.with_role("center") if mark.mix is not None]
            (region,) = shown.with_role("region")
            for place, mix in zip(crosses.xy, crosses.mix, strict=True):
                i, j = np.abs(region.y - place[1]).argmin(), np.abs(region.x - place[0]).argmin()
                around = region.classes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]
                assert int(np.argmax(mix)) in around


def test_reconstruction_errors_are_upright_on_the_first_component():
    shown = seen(Case("pca", task="clustering"))
    (errors,) = shown.with_role("error")
    assert sorted(errors.rows.tolist()) == shown.rows.tolist()
    _, _, ways = np.linalg.svd(shown.X - shown.X.mean(axis=0))
    away = errors.end - errors.start
    np.testing.assert_allclose(away @ ways[0], 0, atol=1e-9)
    np.testing.assert_allclose((errors.end - shown.X.mean(axis=0)) @ ways[1], 0, atol=1e-9)


@pytest.mark.parametrize("codes", ["0 1", "3 7 12"])
def test_fishers_arrow_goes_where_its_help_says(codes):
    shown = seen(Case("lda", codes))
    (overlay,) = [overlay for overlay in registry()["lda"].overlays if overlay.id == "direction"]
    (arrow,) = [mark for mark in shown.with_role("component") if hasattr(mark, "end")]
    means = np.array([shown.X[shown.y == code].mean(axis=0) for code in np.unique(shown.y)])
    ends = np.vstack((arrow.start, arrow.end))
    between = [np.abs(means - end).sum(axis=1).min() < 1e-9 for end in ends]
    assert all(between) or "from mean to mean" not in overlay.help


def test_the_view_shows_all_samples():
    for case in ALL:
        x, y = samples(case).X[:, :2].T
        assert LIMITS[0] < x.min() and x.max() < LIMITS[1] and LIMITS[2] < y.min() and y.max() < LIMITS[3]
