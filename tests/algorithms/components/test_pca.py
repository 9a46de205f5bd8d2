import numpy as np
import pytest
from sklearn.decomposition import PCA as Oracle

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.components import pca
from mlviz.algorithms.components.pca import PCA
from mlviz.data.dataset import Dataset
from mlviz.data.tables.reading import read_table
from mlviz.draw.layer import Context
from mlviz.draw.marks import Arrows, Lines, Points, Polygons, Segments, Text
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from tests.readme import README
from tests.sweep import each, trials

GRID = Grid.over((-4, 4, -3, 3), 9, 7)
TABLES = README.parent / "assets" / "data"


def samples(n=50, d=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + rng.normal(size=d)


def context(X, plane=(0, 1), grid=GRID):
    return Context(X, None, np.arange(len(X)) + 7, PCA(), "decomposition", grid=grid, plane=plane)


def agrees(model, X, rtol=1e-9):
    oracle = Oracle().fit(X)
    k = len(oracle.components_)
    np.testing.assert_allclose(model.mean, oracle.mean_, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        model.explained_variance[:k], oracle.explained_variance_, rtol=rtol, atol=1e-12 * oracle.explained_variance_[0]
    )
    assert (model.explained_variance[k:] == 0).all()
    assert model.explained_variance_ratio.sum() == pytest.approx(1)
    scores = oracle.transform(X)
    sign = np.sign((model.components[:k] * oracle.components_).sum(axis=1))
    np.testing.assert_allclose(model.transform(X)[:, :k], scores * sign, atol=1e-8 * np.abs(scores).max())


@pytest.mark.parametrize("d", [1, 2, 3, 7])
@pytest.mark.parametrize("seed", trials(4))
def test_it_agrees_with_scikit_learn(d, seed):
    X = samples(40, d, seed)
    agrees(PCA().fit(X), X)


@pytest.mark.parametrize("name", ["iris", "penguins", "faithful", "cars", "huron"])
def test_it_agrees_on_all_columns_of_real_tables(name):
    X = read_table(TABLES / f"{name}.csv").select().dataset.X
    agrees(PCA().fit(X), X)


def test_two_by_two_in_closed_form():
    X = samples()
    (a, b), (_, c) = np.cov(X.T)
    half = np.hypot((a - c) / 2, b)
    model = PCA().fit(X)
    np.testing.assert_allclose(model.explained_variance, [(a + c) / 2 + half, (a + c) / 2 - half])
    angle = 0.5 * np.arctan2(2 * b, a - c)
    assert abs(model.components[0] @ [np.cos(angle), np.sin(angle)]) == pytest.approx(1)


def test_components_are_orthonormal_and_scores_uncorrelated():
    X = samples(30, 4)
    model = PCA().fit(X)
    np.testing.assert_allclose(model.components @ model.components.T, np.eye(4), atol=1e-14)
    np.testing.assert_allclose(np.cov(model.transform(X).T), np.diag(model.explained_variance), atol=1e-12)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X)


def test_more_inputs_than_samples():
    X = samples(3, 6)
    model = PCA().fit(X)
    assert model.components.shape == (6, 6)
    np.testing.assert_allclose(model.components @ model.components.T, np.eye(6), atol=1e-14)
    np.testing.assert_allclose(model.explained_variance[:2], Oracle().fit(X).explained_variance_[:2])
    assert (model.explained_variance[3:] == 0).all()


def test_the_largest_entry_is_positive_and_of_equal_ones_the_first():
    for seed in trials(20):
        for row in PCA().fit(samples(20, 3, seed)).components:
            assert row[np.argmax(np.abs(row))] > 0
    X = samples(40)
    X[:, 1] *= -1
    for seed in range(10):
        moved = X + 1e-3 * np.random.default_rng(seed).normal(size=X.shape)
        model = Pipeline(PCA(), "standardize").fit(moved).inner
        assert (model.components[:, 0] > 0).all()
        np.testing.assert_allclose(np.abs(model.components), np.sqrt(0.5))


@pytest.mark.parametrize(
    ("scale", "offset"), [(1.0, 1e6), (1e-9, 0.0), (1e9, 0.0), (1.0, 1e9), (1e-100, 0), (1e100, 0)]
)
def test_scale_and_origin_change_nothing(scale, offset):
    X = samples()
    plain, model = PCA().fit(X), PCA().fit(X * scale + offset)
    digits = 1e-12 + 4e-16 * offset / scale
    np.testing.assert_allclose(model.components, plain.components, atol=10 * digits)
    np.testing.assert_allclose(model.explained_variance / scale**2, plain.explained_variance, rtol=10 * digits)


def test_a_thin_cloud_keeps_its_small_variance():
    t, e = np.random.default_rng(0).normal(size=(2, 200))
    X = np.column_stack((t, t + 1e-10 * e))
    small = np.var(1e-10 * e - 1e-10 * e.mean(), ddof=1) / 2
    assert PCA().fit(X).explained_variance[1] == pytest.approx(small, rel=0.05)


def test_on_a_line_the_second_variance_is_nothing():
    t = np.linspace(-2, 2, 20)
    model = PCA().fit(np.column_stack((t, 3 * t)))
    assert model.explained_variance[1] == 0
    np.testing.assert_allclose(model.components[0], np.array([1, 3]) / np.sqrt(10))
    assert model.facts()["squared error with 1"] == 0


def test_weights_are_repeated_rows():
    X, weights = samples(30), np.random.default_rng(1).integers(0, 4, 30)
    weighted, repeated = PCA().fit(X, sample_weight=weights), PCA().fit(np.repeat(X, weights, axis=0))
    for name in ("mean", "components", "explained_variance", "n"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), rtol=1e-10)


@pytest.mark.parametrize(
    ("X", "weights", "sentence"),
    [
        ([[1.0, 2]], None, "There is only 1 sample"),
        ([[1.0, 2]] * 5, None, "All samples are at the same place"),
        ([[1.0, 2], [3, 4]], [1, 0], "There is only 1 sample"),
        ([[1.0, 2], [3, 4]], [0.5, 0.25], "The weights add up to 0.75"),
        ([[1e200, 2], [3, 4]], None, "too far apart"),
        ([[1e-200, 0], [0, 0]], None, "too close together"),
    ],
)
def test_what_has_no_components_is_refused(X, weights, sentence):
    with pytest.raises(CannotFit, match=sentence):
        PCA().fit(X, sample_weight=weights)


def test_facts_are_the_numbers_of_the_samples():
    X = samples(40, 3)
    model = PCA().fit(X)
    facts = model.facts()
    left = X - model.feet(X)
    assert facts["squared error with 1"] == pytest.approx((left**2).sum() / (len(X) - 1))
    assert facts["explained by 1 and 2"] == pytest.approx(Oracle().fit(X).explained_variance_ratio_[:2].sum())
    assert "angle of 1, degrees" not in facts
    t = np.linspace(-1, 1, 9)
    assert PCA().fit(np.column_stack((t, -t / 2))).facts()["angle of 1, degrees"] == pytest.approx(-26.565051)


def test_equal_variances_are_told():
    corners = np.array([(1.0, 1), (1, -1), (-1, 1), (-1, -1)])
    model = PCA().fit(corners)
    assert model.caveat.startswith("directions may be arbitrary: ") and "(p = 1)" in model.caveat
    assert "(p = 0.996)" in PCA().fit(corners * (1.064, 1)).caveat
    assert not PCA().fit(corners * (50, 1)).caveat
    rng = np.random.default_rng(0)
    told = [bool(PCA().fit(rng.normal(size=(12, 2))).caveat) for _ in range(400)]
    assert 0.92 < np.mean(told) < 0.98


@each("variances, n", [(1, 1, 1), (1, 1, 0.9), (1, 1, 0.1), (1, 1, 0.5, 0.5, 0.1), (1, 1, *8 * [0.3])], [6, 12, 100])
def test_among_further_inputs_equal_variances_are_told_at_least_as_often(variances, n):
    rng = np.random.default_rng(1)
    spread = np.sqrt(variances)
    told = [bool(PCA().fit(rng.normal(size=(n, len(spread))) * spread).caveat) for _ in range(200)]
    assert np.mean(told) > 0.93


def test_different_variances_among_further_inputs_are_not_told():
    rng = np.random.default_rng(2)
    told = [bool(PCA().fit(rng.normal(size=(100, 4)) * (3, 1.5, 1, 1)).caveat) for _ in range(200)]
    assert np.mean(told) < 0.02


def test_a_pipeline_answers_in_the_units_given():
    X = samples(30, 3) * (1, 100, 0.01)
    model = Pipeline(PCA(), "standardize").fit(X)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    np.testing.assert_allclose(model.inner.explained_variance, Oracle().fit(scaled).explained_variance_)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X)


def test_overlays_are_the_geometry():
    X = samples()
    model = PCA().fit(X)
    arrows, mean, names = pca.axes_overlay.draw(model, context(X))
    assert isinstance(arrows, Arrows) and isinstance(names, Text) and names.words == ("1", "2")
    np.testing.assert_allclose(np.linalg.norm(arrows.end - arrows.start, axis=1), np.sqrt(model.explained_variance))
    np.testing.assert_allclose(arrows.start, np.tile(X.mean(axis=0), (2, 1)))
    np.testing.assert_allclose(mean.xy, [X.mean(axis=0)])
    (errors,) = pca.errors_overlay.draw(model, context(X))
    assert isinstance(errors, Segments) and (errors.rows == np.arange(50) + 7).all()
    np.testing.assert_allclose(((errors.end - errors.start) @ model.components[0]), 0, atol=1e-12)
    np.testing.assert_allclose((errors.end - model.mean) @ model.components[1], 0, atol=1e-12)
    (feet,) = pca.feet_overlay.draw(model, context(X))
    np.testing.assert_allclose(feet.xy, errors.end)
    (line,) = pca.line_overlay.draw(model, context(X))
    assert isinstance(line, Lines)
    np.testing.assert_allclose((line.xy - model.mean) @ model.components[1], 0, atol=1e-12)
    on_rim = np.isclose(np.abs(line.xy[:, 0]), 4) | np.isclose(np.abs(line.xy[:, 1]), 3)
    assert on_rim.all()
    (ellipses,) = pca.ellipses_overlay.draw(model, context(X))
    covariance = ellipses.axes[0] @ ellipses.axes[0].T
    np.testing.assert_allclose(covariance, np.cov(X.T))
    np.testing.assert_allclose(ellipses.axes[1], 2 * ellipses.axes[0])


def test_of_many_samples_some_errors_are_drawn_and_the_legend_says_so():
    X = samples(5000)
    model = PCA().fit(X)
    for overlay in (pca.errors_overlay, pca.feet_overlay):
        (mark,) = overlay.draw(model, context(X))
        assert mark.label.endswith(", 2000 of 5000")
    order = np.random.default_rng(0).permutation(5000)
    (shuffled,) = pca.errors_overlay.draw(model, context(X[order]))
    (errors,) = pca.errors_overlay.draw(model, context(X))
    np.testing.assert_array_equal(errors.start, shuffled.start)


def test_charts_are_the_variances():
    X = samples(60, 3)
    model = PCA().fit(X)
    plot = pca.scree_chart.draw(model, context(X, None, None))
    bars = next(mark for mark in plot.marks if isinstance(mark, Polygons))
    np.testing.assert_allclose([bar[:, 1].max() for bar in bars.vertices], model.explained_variance)
    words = next(mark for mark in plot.marks if isinstance(mark, Text)).words
    assert words[-1] == "100\u00a0%" and float(words[0].split()[0]) == pytest.approx(
        100 * model.explained_variance_ratio[0], abs=0.06
    )
    assert plot.x_whole and pca.turning_chart.draw(model, context(X, None, None)) is None


def test_turning_a_direction_trades_variance_for_error():
    X = samples()
    model = PCA().fit(X)
    kept, left, now = pca.turning_chart.draw(model, context(X)).marks
    for degrees, variance in kept.xy[::20]:
        along = X @ [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]
        assert variance == pytest.approx(np.var(along, ddof=1))
    np.testing.assert_allclose(kept.xy[:, 1] + left.xy[:, 1], model.explained_variance.sum())
    assert now.xy[0, 1] == kept.xy[:, 1].max() and left.xy[:, 1].min() == pytest.approx(model.explained_variance[1])


def test_a_direction_by_hand_has_the_variance_and_the_errors_of_its_line():
    X = samples()
    best = PCA().fit(X)
    assert not {"variance by hand", "squared error by hand"} & set(best.facts())
    for angle in (0.0, 33.0, 120.0, 180.0):
        model = PCA(by_hand=True, angle=angle).fit(X)
        along = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        away = X - X.mean(axis=0)
        across = away - np.outer(away @ along, along)
        facts = model.facts()
        assert facts["variance by hand"] == pytest.approx(np.var(X @ along, ddof=1))
        assert facts["squared error by hand"] == pytest.approx((across**2).sum() / (len(X) - 1))
        assert facts["variance by hand"] + facts["squared error by hand"] == pytest.approx(model.total_variance)
        assert facts["variance by hand"] <= facts["variance 1"]
        assert facts["squared error by hand"] >= facts["squared error with 1"] == best.facts()["squared error with 1"]
        (errors,) = pca.errors_overlay.draw(model, context(X))
        np.testing.assert_allclose(errors.start - errors.end, across, atol=1e-12)
        assert errors.label == "reconstruction errors of the direction by hand"
        first, line = pca.line_overlay.draw(model, context(X))
        assert (first.label, line.label) == ("first component", "direction by hand")
        np.testing.assert_allclose((line.xy - model.mean) @ [-along[1], along[0]], 0, atol=1e-12)
        assert "the direction by hand alone reconstructs it with an error of" in model.explain(X[0]).sentence
        plot = pca.turning_chart.draw(model, context(X))
        (handle,) = plot.handles
        assert handle.path == "algorithm.angle" and handle.values[handle.at] == angle
        shown = plot.marks[-1].xy
        np.testing.assert_allclose(shown, [(angle, facts["variance by hand"]), (angle, shown[1, 1])])
        assert shown.sum(axis=0)[1] == pytest.approx(model.explained_variance.sum())
    # The best direction is among the places of the handle.
    assert np.abs(handle.values - best.facts()["angle of 1, degrees"] % 180).min() < 1e-9


def test_among_more_inputs_no_direction_is_turned_and_the_caption_says_so():
    model = PCA(by_hand=True, angle=20.0).fit(samples(40, 3))
    assert model.caveat == "a direction is turned by hand only where there are two inputs"
    assert "variance by hand" not in model.facts()
    np.testing.assert_array_equal(model.direction, model.components[0])


@pytest.mark.parametrize(("n", "d"), [(50, 2), (60, 5), (4, 6), (2, 2), (700, 3)])
def test_three_ways_lead_to_the_same_components(n, d):
    X = samples(n, d, seed=2) + 100
    facts = PCA().fit(X).facts()
    S = np.atleast_2d(np.cov(X.T))
    away = X - X.mean(axis=0)
    assert facts["variance 1 by covariance"] == pytest.approx(np.linalg.eigvalsh(S)[-1], rel=1e-12)
    gram = np.linalg.eigvalsh(away @ away.T / (n - 1))[-1]
    assert facts["variance 1 by Gram matrix"] == pytest.approx(gram, rel=1e-12)
    assert facts["three ways differ by"] < 1e-12
    weights = np.random.default_rng(0).uniform(0.5, 2, n)
    assert PCA().fit(X, sample_weight=weights).facts()["three ways differ by"] < 1e-12


def test_three_ways_meet_what_rounding_decides():
    t = np.linspace(-1, 1, 9)
    corners = np.array([(1.0, 1), (1, -1), (-1, 1), (-1, -1)])
    thin = np.column_stack((t, t + 1e-9 * np.random.default_rng(0).normal(size=9)))
    for X in (corners, np.column_stack((t, 2 * t)), thin, samples() * 1e-100, samples() * 1e100, samples() + 1e9):
        assert PCA().fit(X).facts()["three ways differ by"] < 1e-12
    assert "three ways differ by" not in PCA().fit(samples(1001)).facts()


def test_a_place_is_explained_by_its_scores():
    t = np.linspace(-1, 1, 9)
    model = PCA().fit(np.column_stack((t, 0 * t)))
    told = model.explain(np.array([0.5, -0.25]))
    assert told.sentence == "scores 0.5 and -0.25; the first alone reconstructs it with an error of 0.25."
    way, foot = told.marks
    assert isinstance(foot, Points)
    np.testing.assert_allclose(foot.xy, [[0.5, 0]], atol=1e-15)
    np.testing.assert_allclose(way.end, foot.xy)


def scene_of_iris(**panel):
    dataset = read_table(TABLES / "iris.csv").select().dataset
    axes = (dataset.columns[2], dataset.columns[1])
    return Scene(dataset, (Panel(Pipeline(PCA(), **panel), inputs=dataset.columns),), view=View(axes=axes))


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_with_further_inputs_the_axes_are_seen_from_the_side(preprocessing):
    scene = scene_of_iris(preprocessing=preprocessing)
    (picture,) = draw(scene, [(300, 200)], 60)
    (arrows,) = [mark for mark in picture.plot.marks if isinstance(mark, Arrows)]
    X = scene.dataset.X
    unit = X.std(axis=0) if preprocessing == "standardize" else np.ones(4)
    oracle = Oracle().fit(X / unit)
    tips = np.sqrt(oracle.explained_variance_)[:3, None] * oracle.components_[:3] * unit
    found = arrows.end - arrows.start
    sign = np.sign((found * tips[:, [2, 1]]).sum(axis=1))
    np.testing.assert_allclose(found * sign[:, None], tips[:, [2, 1]], atol=1e-9)
    np.testing.assert_allclose(arrows.start, np.tile(X.mean(axis=0)[[2, 1]], (3, 1)))
    assert "projected along the other inputs" in picture.caption
    (errors,) = [mark for mark in picture.plot.marks if isinstance(mark, Segments)]
    np.testing.assert_allclose(errors.start, X[:, [2, 1]])


def test_where_an_axis_is_no_input_nothing_is_drawn():
    scene = scene_of_iris()
    scene = scene.with_panel(0, Panel(Pipeline(PCA()), inputs=scene.dataset.columns[2:]))
    (picture,) = draw(scene, [(300, 200)], 60)
    assert not picture.plot.marks and "are not the two axes" in picture.caption


@pytest.mark.parametrize("middle", [(0.0, 0.0), (3.9, -2.9), (-3.9, 0.0), (30.0, -20.0)])
def test_the_line_of_the_first_component_reaches_the_far_rim(middle):
    t = np.linspace(-0.01, 0.01, 5)
    X = np.array(middle) + np.column_stack((3 * t, -2 * t))
    (line,) = pca.line_overlay.draw(PCA().fit(X), context(X))
    ends = line.xy[np.argsort(line.xy[:, 0])]
    on_rim = np.isclose(np.abs(ends[:, 0]), 4) | np.isclose(np.abs(ends[:, 1]), 3)
    assert on_rim.all() and np.ptp(ends[:, 0]) > 1
    np.testing.assert_allclose((ends[1] - ends[0])[1] / (ends[1] - ends[0])[0], -2 / 3)


def test_seen_along_other_inputs_the_line_goes_a_little_past_the_samples():
    X = samples(40, 3)
    model = PCA().fit(X)
    (line,) = pca.line_overlay.draw(model, context(X, (2, 0), None))
    reach = 1.2 * np.abs(model.transform(X)[:, 0]).max() * model.components[0]
    np.testing.assert_allclose(line.xy, [(model.mean - reach)[[2, 0]], (model.mean + reach)[[2, 0]]])


@pytest.mark.parametrize(
    ("preprocessing", "label"),
    [("none", "components, √λ long"), ("standardize", "components of the standardized inputs, √λ long")],
)
def test_the_picture_says_whose_components_they_are(preprocessing, label):
    X = np.random.default_rng(0).normal(size=(20, 2)) * (1, 9)
    panel = Panel(Pipeline(registry()["pca"](), preprocessing=preprocessing))
    (picture,) = draw(Scene(Dataset(X, np.zeros(20, dtype=int)), (panel,)), [(300, 200)])
    assert label in {mark.label for mark in picture.plot.marks}
