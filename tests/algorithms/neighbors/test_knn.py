import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.neighbors.knn import KNN
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context
from mlviz.draw.marks import Lines, Segments
from mlviz.draw.overlays.centroids import MOST_CELLS, cell_edges, nearest_cells
from mlviz.numerics.distances import METRICS, pairwise
from mlviz.numerics.grid import Grid
from mlviz.numerics.neighbors.search import RELATIVE_WEIGHTS
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each, sweep, trials

WEIGHTS = ("uniform", "distance", *RELATIVE_WEIGHTS)
GRID = Grid(np.linspace(-3, 3, 23), np.linspace(-2.5, 2.5, 19))


def blobs(n=60, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    return rng.normal(size=(n, 2)) + np.column_stack((np.cos(2 * y), np.sin(2 * y))), y


def relative(weights, k):
    """The window of k neighbours, as a function of the distances of k + 1."""

    def votes(d):
        part = d / d[:, -1:]
        return (np.exp(-2 * part**2) if weights == "gaussian" else 1 - part) * (np.arange(k + 1) < k)

    return votes


@sweep("k, weights, metric", [1, 5, 25], RELATIVE_WEIGHTS, METRICS)
def test_windows_up_to_the_next_sample_agree_with_scikit_learn(metric, weights, k):
    X, y = blobs()
    queries = np.vstack((GRID.points(), X + 1e-3))
    theirs = {"n_neighbors": k + 1, "metric": metric, "weights": relative(weights, k)}
    ours = KNN(k, metric, weights)
    oracle = KNeighborsClassifier(**theirs).fit(X, y)
    np.testing.assert_allclose(ours.fit(X, y).predict_proba(queries), oracle.predict_proba(queries), atol=1e-12)
    value = np.sin(X[:, 0]) + X[:, 1]
    expected = KNeighborsRegressor(**theirs).fit(X, value).predict(queries)
    np.testing.assert_allclose(ours.fit(X, value).predict(queries), expected, atol=1e-12)


def test_windows_up_to_the_next_sample_on_random_problems():
    for seed in trials(200):
        rng = np.random.default_rng(seed)
        n, d, k = int(rng.integers(8, 40)), int(rng.integers(1, 4)), int(rng.integers(1, 7))
        X, value = rng.normal(size=(n, d)), rng.normal(size=n)
        weights, queries = RELATIVE_WEIGHTS[seed % 2], rng.normal(size=(30, d))
        expected = KNeighborsRegressor(k + 1, weights=relative(weights, k)).fit(X, value).predict(queries)
        np.testing.assert_allclose(KNN(k, weights=weights).fit(X, value).predict(queries), expected, atol=1e-10)


@pytest.mark.parametrize("weights", RELATIVE_WEIGHTS)
def test_windows_where_there_is_no_next_sample_or_it_is_as_near(weights):
    far = KNN(5, weights=weights).fit([[0.0], [1.0], [3.0]], [0.0, 1.0, 5.0])
    k = {"triangular": (1, 2 / 3, 0), "gaussian": np.exp([0, -2 / 9, -2])}[weights]
    assert far.predict(np.array([[0.0]]))[0] == pytest.approx(np.average([0, 1, 5], weights=k))
    alone = KNN(5, weights=weights).fit([[1.0, 1.0]], [3])
    np.testing.assert_array_equal(alone.predict(GRID.points()), 3)
    square = KNN(2, weights=weights).fit([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], [0, 1, 2, 3])
    np.testing.assert_allclose(square.predict_proba(np.zeros((1, 2))), [[0.5, 0.5, 0, 0]])


def test_a_triangular_window_does_not_jump():
    X, y = blobs(30)
    line = np.column_stack((np.linspace(-2, 2, 20001), np.full(20001, 0.3)))
    steps = {w: np.abs(np.diff(KNN(4, weights=w).fit(X, y).predict_proba(line), axis=0)).max() for w in WEIGHTS}
    assert steps["triangular"] < 0.01 < min(steps["uniform"], steps["gaussian"])


@sweep("k, weights, metric", [1, 5, 25], ["uniform", "distance"], METRICS)
def test_agrees_with_scikit_learn(metric, weights, k):
    X, y = blobs()
    queries = np.vstack((GRID.points(), X))
    ours, theirs = KNN(k, metric, weights), {"n_neighbors": k, "metric": metric, "weights": weights}
    model, oracle = ours.fit(X, y), KNeighborsClassifier(**theirs).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(queries), oracle.predict_proba(queries), atol=1e-12)
    np.testing.assert_array_equal(model.predict(queries), oracle.predict(queries))
    value = np.sin(X[:, 0]) + X[:, 1]
    expected = KNeighborsRegressor(**theirs).fit(X, value).predict(queries)
    np.testing.assert_allclose(ours.fit(X, value).predict(queries), expected, atol=1e-12)


def test_one_input_and_many():
    rng = np.random.default_rng(0)
    for d in (1, 6):
        X, value = rng.normal(size=(50, d)), rng.normal(size=50)
        queries = rng.normal(size=(40, d))
        expected = KNeighborsRegressor(4).fit(X, value).predict(queries)
        np.testing.assert_allclose(KNN(4).fit(X, value).predict(queries), expected, atol=1e-12)


def test_class_names_are_given_back():
    X, y = blobs(classes=2)
    model = KNN().fit(X, np.array(["no", "yes"])[y])
    assert set(model.predict(X)) == {"no", "yes"}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("regression", [False, True])
def test_weights_are_copies(weights, regression):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 5, size=(25, 2)).astype(float)
    y = rng.normal(size=25).round(1) if regression else rng.integers(0, 3, 25)
    times = rng.integers(0, 4, 25)
    algorithm = KNN(6, weights=weights)
    weighted = algorithm.fit(X, y, sample_weight=times)
    repeated = algorithm.fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    queries = np.vstack((GRID.points(), X))
    np.testing.assert_allclose(weighted.answer(queries), repeated.answer(queries), atol=1e-13)


def test_the_share_of_a_light_sample():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    model = KNN(2).fit(X, y, sample_weight=[0.5, 0.5, 0.5, 4.0])
    np.testing.assert_allclose(
        model.predict_proba(np.array([[-1.0]])), [[0.5, 0.5]]
    )  # 0.5 and 0.5 of 0, 0.5 + 0.5 of 1
    assert "note" not in model.facts()


def test_order_of_rows_does_not_matter_under_ties():
    rng = np.random.default_rng(2)
    X, y = rng.integers(0, 4, size=(40, 2)).astype(float), rng.integers(0, 3, 40)
    queries = rng.integers(-2, 10, size=(80, 2)) / 2
    expected = KNN(4).fit(X, y).predict_proba(queries)
    for _ in range(5):
        shuffle = rng.permutation(40)
        np.testing.assert_array_equal(KNN(4).fit(X[shuffle], y[shuffle]).predict_proba(queries), expected)


def test_fewer_samples_than_neighbours():
    model = KNN(5).fit([[0.0, 0.0], [1.0, 1.0]], [0, 1])
    np.testing.assert_allclose(model.predict_proba(GRID.points()), 0.5)
    assert (model.predict(GRID.points()) == 0).all()
    assert "fewer than 5" in model.facts()["note"]


def test_hopeless_data_are_refused_with_a_sentence():
    with pytest.raises(CannotFit, match="no samples"):
        KNN().fit(np.empty((0, 2)), np.empty(0, dtype=int))
    with pytest.raises(CannotFit, match="too far apart"):
        KNN().fit([[0.0, 0.0], [1e200, 0.0]], [0, 1])


def edited(X, y, rng, regression):
    """The data after one random edit: a drag, a relabelling, a new sample or one less."""
    kind = rng.choice(["move", "move", "move", "relabel", "add", "erase", "several"])
    row = rng.integers(len(X))
    X, y = X.copy(), y.copy()
    value = rng.normal() if regression else rng.integers(3)
    if kind == "move":
        X[row] = X[row] + rng.normal(size=2) * 0.3 if rng.random() < 0.5 else np.round(rng.normal(size=2))
    elif kind == "relabel":
        y[row] = value
    elif kind == "add" or len(X) < 4:
        at = rng.integers(len(X) + 1)
        X, y = np.insert(X, at, np.round(rng.normal(size=2), 1), axis=0), np.insert(y, at, value)
    elif kind == "erase":
        X, y = np.delete(X, row, axis=0), np.delete(y, row)
    else:
        X[rng.permutation(len(X))[:12]] += 0.25
    return X, y


@each("weights, kind", WEIGHTS, [(False, "euclidean"), (True, "euclidean"), (False, "manhattan")])
def test_follower_equals_steps_after_many_edits(weights, kind):
    regression, metric = kind
    rng = np.random.default_rng(5)
    X, y = blobs(8)
    y = rng.normal(size=8) if regression else y
    algorithm = KNN(5, metric, weights)
    follower = algorithm.follower()
    for step in trials(120):
        X, y = edited(X, y, rng, regression)
        if step % 25 == 24:
            algorithm = algorithm.replace(n_neighbors=int(rng.integers(1, 9)))
        draft = follower.update(algorithm, X, y, None, 0.0).on_grid(GRID)
        exact = algorithm.fit(X, y).on_grid(GRID)
        np.testing.assert_allclose(draft, exact, atol=1e-12)


def test_follower_under_a_drag_from_one_sample_up():
    algorithm = KNN(3)
    follower = algorithm.follower()
    for n in (1, 2, 3, 4, 5):
        X, y = blobs(n)
        for t in range(4):
            X[0] += 0.3 * t
            draft = follower.update(algorithm, X, y, None, 0.0).on_grid(GRID, np.float32)
            np.testing.assert_array_equal(draft, algorithm.fit(X, y).on_grid(GRID, np.float32))


def test_explanation_shows_the_neighbours():
    X, y = blobs()
    for metric in METRICS:
        explanation = KNN(5, metric).fit(X, y).explain(np.array([0.1, 0.2]))
        outline, links = explanation.marks
        assert isinstance(outline, Lines) and isinstance(links, Segments) and len(links.start) == 5
        farthest = pairwise(links.start, np.array([[0.1, 0.2]]), metric).max()
        np.testing.assert_allclose(pairwise(outline.xy, np.array([[0.1, 0.2]]), metric), farthest)
        assert "5 nearest" in explanation.sentence
    regression = KNN(2).fit(X[:, :1], X[:, 1]).explain(np.array([0.1]))
    window, links = regression.marks
    assert window.xy.shape == (2, 2) and links.start.shape == (2, 2)
    np.testing.assert_allclose(window.xy[:, 1], links.start[:, 1].mean())
    weighted = KNN(3).fit(X, y, sample_weight=np.full(len(X), 2.0)).explain(np.array([0.0, 0.0]))
    assert len(weighted.marks[1].start) == 2


@pytest.mark.parametrize("weights", ["distance", *RELATIVE_WEIGHTS])
def test_explanations_show_the_weights(weights):
    X, y = blobs()
    x = np.array([0.1, 0.2])
    told = KNN(5, weights=weights).fit(X, y).explain(x)
    outline, _, discs = told.marks
    d = np.sort(np.linalg.norm(X - x, axis=1))
    shown = np.linalg.norm(discs.xy - x, axis=1)
    part = shown / d[5]
    expected = {"distance": d[0] / shown, "triangular": 1 - part, "gaussian": np.exp(-2 * part**2)}[weights]
    np.testing.assert_allclose((discs.size / discs.size.max()) ** 2, expected / expected.max())
    radius = d[4] if weights == "distance" else d[5]
    np.testing.assert_allclose(np.linalg.norm(outline.xy - x, axis=1), radius)
    assert "by weight" in told.sentence
    curve = KNN(5, weights=weights).fit(X[:, :1], X[:, 1]).explain(np.array([0.1]))
    assert "weighted mean" in curve.sentence and len(curve.marks) == 3


def test_cells_lie_between_their_two_nearest_samples():
    X, y = blobs(40)
    X = np.vstack((X, X[:3]))
    edges = cell_edges(X, (-3, 3, -3, 3))
    edges = edges[~np.isnan(edges).any(axis=1)]
    assert len(edges) > 60 and np.abs(edges).max() <= 3 + 1e-9
    distance = np.sort(pairwise(edges, np.unique(X, axis=0)), axis=1)
    np.testing.assert_allclose(distance[:, 0], distance[:, 1], rtol=1e-7)
    context = Context(X, y, np.arange(len(X)), KNN(1), "classification", grid=GRID)
    assert len(nearest_cells.draw(None, context)) == 1


def test_cells_of_very_many_samples_are_left_out_and_the_caption_says_so():
    X = np.random.default_rng(0).normal(size=(MOST_CELLS + 1, 2))
    y = np.arange(len(X)) % 2
    model = KNN(1).fit(X, y)
    context = Context(X, y, np.arange(len(X)), KNN(1), "classification", grid=Grid.over((-2, 2, -2, 2), 20, 20))
    assert nearest_cells.draw(model, context) == ()
    assert model.caveat == "too many samples for Voronoi cells"
    assert not KNN(1).fit(X[:-1], y[:-1]).caveat and not KNN(5).fit(X, y).caveat


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_cells_of_awkward_samples(scale):
    limits = tuple(scale * v for v in (-1, 2, -1, 2))
    line = np.array([(t, t) for t in np.linspace(0, 1, 5)]) * scale
    assert len(cell_edges(line, limits)) == 3 * 4 - 1
    assert len(cell_edges(line[:2], limits)) == 2
    assert len(cell_edges(line[[0, 0, 0]], limits)) == 0
    assert len(cell_edges(np.empty((0, 2)), limits)) == 0


def test_the_picture_says_the_names_of_classes():
    X, y = blobs(classes=2)
    dataset = Dataset(X, y, class_names=("owl",))
    scene = Scene(dataset, (Panel(Pipeline(KNN(3))),)).with_view(probe=tuple(X[0]))
    (picture,) = draw(scene, [(200, 200)], resolution=20)
    assert "class 0" not in picture.explanation.sentence
    said = "owl" if y[0] == 0 else "class 2"
    assert said in picture.explanation.sentence
