import tracemalloc

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import scale

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.neighbors import parzen
from mlviz.algorithms.neighbors.knn import KNN
from mlviz.algorithms.neighbors.parzen import Parzen
from mlviz.algorithms.neighbors.parzen import model as parzen_model
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Lines, Points, Segments
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.windows import BOUNDED_WINDOWS, WINDOWS, sums_at
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.algorithms.neighbors.test_knn import edited
from tests.sweep import each, share, trials

GRID = Grid(np.linspace(-3, 3, 23), np.linspace(-2.5, 2.5, 19))


def blobs(n=60, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    return rng.normal(size=(n, 2)) + np.column_stack((np.cos(2 * y), np.sin(2 * y))), y


def exact(window, width, places, X, weights=None):
    """The weights in extended precision, (m, n), straight from their formulas; the nearest where a window is empty."""
    P, Q, h = places.astype(np.longdouble), X.astype(np.longdouble), np.longdouble(width)
    d = np.sqrt(((P[:, None] - Q) ** 2).sum(axis=2))
    k = {
        "gaussian": lambda: np.exp(-(d**2) / (2 * h**2)),
        "exponential": lambda: np.exp(-d / h),
        "box": lambda: (d <= h).astype(np.longdouble),
        "triangular": lambda: np.maximum(0, 1 - d / h),
    }[window]()
    empty = ~k.any(axis=1)
    k[empty] = d[empty] == d[empty].min(axis=1, keepdims=True)
    return k * (1 if weights is None else weights)


def shares(k, y):
    return np.column_stack([k[:, y == c].sum(axis=1) / k.sum(axis=1) for c in np.unique(y)]).astype(float)


@each("window, width", WINDOWS, [0.05, 0.4, 2.0, 50.0])
def test_it_is_the_formula(window, width):
    X, y = blobs()
    value = np.sin(X[:, 0]) + X[:, 1] + 100
    weights = np.random.default_rng(1).uniform(0.5, 2, len(X))
    places = np.vstack((GRID.points(), X))
    model, k = Parzen(window, width).fit(X, y), exact(window, width, places, X)
    np.testing.assert_allclose(model.predict_proba(places), shares(k, y), atol=1e-11)
    np.testing.assert_allclose(model.on_grid(GRID).reshape(-1, 3), shares(k, y)[: -len(X)], atol=1e-11)
    k = exact(window, width, places, X, weights)
    model = Parzen(window, width).fit(X, value, sample_weight=weights)
    np.testing.assert_allclose(model.predict(places), (k @ value / k.sum(axis=1)).astype(float), rtol=1e-11)
    np.testing.assert_allclose(model.on_grid(GRID).ravel(), model.predict(GRID.points()), rtol=1e-11)


def test_it_is_the_formula_on_random_problems():
    for seed in trials(300):
        rng = np.random.default_rng(seed)
        n, d = int(rng.integers(1, 40)), int(rng.integers(1, 5))
        X, y = rng.normal(size=(n, d)), rng.integers(0, 4, n)
        if seed % 3 == 0:
            X = np.repeat(X, 2, axis=0)
            y = rng.integers(0, 3, len(X))
        unit = 10.0 ** rng.integers(-6, 6)
        window, width = WINDOWS[seed % 4], float(10 ** rng.uniform(-2, 1))
        weights = rng.integers(1, 4, len(X)).astype(float)
        places = rng.normal(size=(30, d))
        k = exact(window, width, places, X, weights)
        if window in BOUNDED_WINDOWS:  # of duplicates, the first alone decides where a window is empty
            held = np.linalg.norm(places[:, None] - X, axis=2).min(axis=1) < width
            places, k = places[held], k[held]
        model = Parzen(window, width * unit).fit(X * unit, y, sample_weight=weights)
        np.testing.assert_allclose(model.predict_proba(places * unit), shares(k, y), atol=1e-9)


@each("load, window", [load_iris, load_wine, load_breast_cancer], WINDOWS)
def test_agrees_with_neighbours_weighted_by_the_window(load, window):
    X, y = load(return_X_y=True)
    X = scale(X)
    oracle = KNeighborsClassifier(
        n_neighbors=len(X), algorithm="brute", weights=lambda d: np.asarray(exact_of(window, d), dtype=float)
    ).fit(X, y)
    np.testing.assert_allclose(Parzen(window, 3.0).fit(X, y).predict_proba(X), oracle.predict_proba(X), atol=1e-7)


def exact_of(window, d, h=3.0):
    match window:
        case "gaussian":
            return np.exp(-(d**2) / (2 * h**2))
        case "exponential":
            return np.exp(-d / h)
        case "box":
            return d <= h
    return np.maximum(0, 1 - d / h)


def test_a_narrow_gaussian_is_the_nearest_neighbour_wherever_it_is_asked():
    X, y = blobs(40)
    places = np.vstack((GRID.points(), 1e3 * GRID.points(), np.full((1, 2), 1e200)))
    nearest = KNN(1).fit(X, y)
    for window in WINDOWS:
        for width in (1e-9, 1e-3):
            model = Parzen(window, width).fit(X, y)
            np.testing.assert_array_equal(model.predict(places), nearest.predict(places))
            np.testing.assert_array_equal(np.argmax(model.on_grid(GRID), -1), np.argmax(nearest.on_grid(GRID), -1))


def test_a_wide_window_is_the_mean_of_all():
    X, _ = blobs(40)
    for window in WINDOWS:
        model = Parzen(window, 1e9).fit(X, X[:, 0])
        np.testing.assert_allclose(model.predict(GRID.points()), X[:, 0].mean(), atol=1e-7)


def test_far_nodes_in_either_precision():
    X, y = blobs(30, 2)
    grid = Grid.over((-40, 40, -40, 40), 60, 50)
    for window in WINDOWS:
        model = Parzen(window, 0.3).fit(X, y)
        expected = shares(exact(window, 0.3, grid.points(), X), y).reshape(50, 60, 2)
        np.testing.assert_allclose(model.on_grid(grid), expected, atol=1e-9)
        np.testing.assert_allclose(model.on_grid(grid, np.float32), expected, atol=2e-2)


@pytest.mark.parametrize("window", WINDOWS)
def test_leave_one_out_is_that_of_fits_without_each_sample(window):
    X, y = blobs(50)
    value = X[:, 0] ** 2
    wrong, squares = [], []
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        wrong.append(Parzen(window, 0.6).fit(X[rest], y[rest]).predict(X[i : i + 1])[0] != y[i])
        squares.append((Parzen(window, 0.6).fit(X[rest], value[rest]).predict(X[i : i + 1])[0] - value[i]) ** 2)
    assert Parzen(window, 0.6).fit(X, y).facts()["leave-one-out error"] == pytest.approx(np.mean(wrong))
    facts = Parzen(window, 0.6).fit(X, value).facts()
    assert facts["leave-one-out RMSE"] == pytest.approx(np.sqrt(np.mean(squares)))
    if window in BOUNDED_WINDOWS:
        inside = np.linalg.norm(X[:, None] - X, axis=2) <= 0.6
        assert facts["samples in a window"] == pytest.approx(inside.sum() / len(X))


def test_one_input_and_many():
    X, value = load_diabetes(return_X_y=True)
    for columns in ([2], [2, 8, 3, 5]):
        Z = scale(X[:, columns])
        k = exact("gaussian", 0.7, Z, Z)
        expected = (k @ value / k.sum(axis=1)).astype(float)
        np.testing.assert_allclose(Parzen("gaussian", 0.7).fit(Z, value).predict(Z), expected, rtol=1e-10)


@each("window, regression", WINDOWS, [False, True])
def test_follower_equals_steps_after_many_edits(window, regression):
    rng = np.random.default_rng(5)
    X, y = blobs(12)
    y = rng.normal(size=12) if regression else y
    algorithm = Parzen(window, 0.4)
    follower = algorithm.follower()
    for step in trials(120):
        X, y = edited(X, y, rng, regression)
        if step % 25 == 24:
            algorithm = algorithm.replace(width=float(10 ** rng.uniform(-1.5, 0.5)))
        draft, model = follower.update(algorithm, X, y, None, 0.0), algorithm.fit(X, y)
        np.testing.assert_allclose(draft.on_grid(GRID), model.on_grid(GRID), atol=1e-10)
        at_samples = [m.predict(X) if regression else m.predict_proba(X) for m in (draft, model)]
        np.testing.assert_allclose(*at_samples, atol=1e-10)


@pytest.mark.parametrize("window", WINDOWS)
def test_follower_under_a_drag_across_the_view(window):
    for n in share((1, 2, 3, 30), window, 2):
        X, y = blobs(n)
        weights = np.random.default_rng(0).uniform(0.5, 2, n)
        algorithm = Parzen(window, 0.15)
        follower = algorithm.follower()
        for t in range(12):
            X = X.copy()
            X[0] = (-6 + t, 0.3 * t - 2)
            for sample_weight in (None, weights):
                draft = follower.update(algorithm, X, y, sample_weight, 0.0)
                expected = algorithm.fit(X, y, sample_weight=sample_weight).on_grid(GRID)
                np.testing.assert_allclose(draft.on_grid(GRID), expected, atol=1e-10)
                np.testing.assert_allclose(draft.on_grid(GRID, np.float32), expected, atol=1e-2)


@pytest.mark.parametrize("window", WINDOWS)
def test_follower_under_a_hand_that_relabels(window):
    X, y = blobs(30)
    y = np.where(y == 2, 5, 2 * y + 1)
    algorithm = Parzen(window, 0.5)
    follower = algorithm.follower()
    for label in (2, 4, 0, 7, 3, 6):
        y = y.copy()
        y[4] = label
        draft, model = follower.update(algorithm, X, y, None, 0.0), algorithm.fit(X, y)
        np.testing.assert_allclose(draft.on_grid(GRID), model.on_grid(GRID), atol=1e-10)
        np.testing.assert_allclose(draft.predict_proba(X), model.predict_proba(X), atol=1e-10)


def test_a_drag_of_many_samples_keeps_what_the_others_say(monkeypatch):
    asked = []

    def counted(places, *arguments, **named):
        asked.append(len(places))
        return sums_at(places, *arguments, **named)

    for module in (parzen_model, parzen):
        monkeypatch.setattr(module, "sums_at", counted)
    X, y = blobs(400)
    follower = Parzen().follower()
    for t in range(4):
        X = X.copy()
        X[7] += 0.1
        asked.clear()
        draft = follower.update(Parzen(), X, y, None, 0.0)
        draft.predict(X)
        assert t == 0 or set(draft.facts()) == {"samples stored"}
        assert max(asked) == (400 if t < 2 else 1)
    assert "leave-one-out error" in Parzen().fit(X, y).facts()


def test_one_place_takes_one_row_of_weights():
    X, y = blobs(6000)
    weights = np.random.default_rng(1).uniform(0.5, 2, len(X))
    x = np.array([0.3, -0.2])
    for window in WINDOWS:
        model = Parzen(window, 0.3).fit(X, y, sample_weight=weights)
        tracemalloc.start()
        share, _ = model.shares(x)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        k = exact(window, 0.3, x[None], model.X, model.sample_weight)[0]
        np.testing.assert_allclose(share, (k / k.sum()).astype(float), atol=1e-12)
        assert peak < 40 * X.nbytes


def test_samples_in_a_window_are_counted_whatever_they_weigh():
    X, y = blobs(40)
    copies = np.random.default_rng(2).integers(1, 4, len(X))
    weighted = Parzen("box", 0.5).fit(X, y, sample_weight=copies.astype(float)).facts()
    near = (np.linalg.norm(X[:, None] - X, axis=2) <= 0.5).sum(axis=1)
    assert weighted["samples in a window"] == pytest.approx(near.mean())


def test_very_many_samples_are_represented_by_some(monkeypatch):
    monkeypatch.setattr(parzen, "MOST_SAMPLES", 50)
    X, y = blobs(80)
    model = Parzen().fit(X, y)
    assert model.facts()["samples stored"] == 50 and model.caveat == "with 50 of 80 samples, drawn at random"
    X2 = X.copy()
    X2[3] += 0.1
    moved = Parzen().fit(X2, y)
    assert len(set(map(tuple, model.X)) - set(map(tuple, moved.X))) <= 1


def test_hopeless_data_are_refused_with_a_sentence():
    with pytest.raises(CannotFit, match="no samples"):
        Parzen().fit(np.empty((0, 2)), np.empty(0, dtype=int))
    with pytest.raises(CannotFit, match="too far apart"):
        Parzen().fit([[0.0, 0.0], [1e200, 0.0]], [0, 1])


def test_explanations_show_the_window_and_the_weights():
    X, y = blobs()
    x = np.array([0.1, 0.2])
    k = exact("gaussian", 0.5, x[None], X)[0]
    told = Parzen("gaussian", 0.5).fit(X, y).explain(x)
    inner, outer, links, discs, _ = told.marks
    assert isinstance(links, Segments) and isinstance(discs, Points)
    np.testing.assert_allclose(np.linalg.norm(inner.xy - x, axis=1), 0.5)
    np.testing.assert_allclose(np.linalg.norm(outer.xy - x, axis=1), 1.0)
    shown = [np.flatnonzero((place == X).all(axis=1))[0] for place in discs.xy]
    np.testing.assert_allclose((discs.size / discs.size.max()) ** 2, (k[shown] / k.max()).astype(float), rtol=1e-9)
    box = Parzen("box", 0.5).fit(X, y)
    assert f"{int(exact('box', 0.5, x[None], X).sum())} samples within 0.5" in box.explain(x).sentence
    far = box.explain(np.array([5.0, 5.0]))
    assert "no sample within 0.5, so that the nearest one decides" in far.sentence
    curve = Parzen("triangular", 0.5).fit(X[:, :1], X[:, 1]).explain(np.array([0.1]))
    window, _, discs = curve.marks
    value = Parzen("triangular", 0.5).fit(X[:, :1], X[:, 1]).predict(np.array([[0.1]]))[0]
    np.testing.assert_allclose(window.xy, [(-0.4, value), (0.6, value)])


def test_the_reach_of_a_box_is_drawn():
    X, y = blobs(20, 2)
    for window, count in (("box", 1), ("gaussian", 0)):
        scene = Scene(Dataset(X, y), (Panel(Pipeline(Parzen(window, 0.3)), hidden=()),))
        (picture,) = draw(scene, [(300, 300)], resolution=300)
        lines = [mark for mark in picture.plot.marks if isinstance(mark, Lines) and mark.role == "reach"]
        assert len(lines) == count
        for line in lines:
            xy = line.xy[np.isfinite(line.xy[:, 0])]
            gaps = np.linalg.norm(xy[:, None] - X, axis=2).min(axis=1)
            np.testing.assert_allclose(gaps, 0.3, atol=0.03)


@pytest.mark.parametrize("window", ["box", "triangular"])
def test_samples_in_a_window_are_counted_with_huge_weights_too(window):
    X, y = np.random.default_rng(3).normal(size=(20, 2)), np.arange(20) % 2
    inside = (np.linalg.norm(X[:, None] - X, axis=2) <= Parzen(window=window).width).sum(axis=1).mean()
    for weight in (1.0, 1e8, 1e300):
        facts = Parzen(window=window).fit(X, y, sample_weight=np.full(20, weight)).facts()
        assert facts["samples in a window"] == pytest.approx(inside)
