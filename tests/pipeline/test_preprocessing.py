import json
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from mlviz.algorithms import registry
from mlviz.data.tables import shipped
from mlviz.draw.contours import contour
from mlviz.draw.marks import Arrows, Ellipses, Field, Lines
from mlviz.numerics.grid import Grid, PlacedGrid
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import Preprocessing, preprocessings
from mlviz.pipeline.preprocessing.base import Affine, Scaling
from tests.sweep import each

EVERY = pytest.mark.parametrize("one", preprocessings().values(), ids=lambda one: one.id)
ORACLES = {
    "standardize": StandardScaler(),
    "whiten": PCA(whiten=True, svd_solver="full"),
    "principal-components": PCA(n_components=2, svd_solver="full"),
}


def samples(d=4, n=60, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 5 * np.arange(d)


def test_the_list_starts_with_none_and_offers_all_of_them():
    assert list(preprocessings())[:2] == ["none", "standardize"]
    assert Pipeline.parameter("preprocessing").options == tuple(preprocessings())
    assert all(
        f"{one.label}: " in Pipeline.parameter("preprocessing").help for one in preprocessings().values() if one.help
    )


@EVERY
def test_it_says_what_it_is(one):
    assert Pipeline(registry()["pca"](), one.label).preprocessing == one.id
    assert one.label and type(one).__doc__ and isinstance(one, Preprocessing)
    assert one.id == "none" or one.help
    module = type(one).__module__.rpartition(".")[2]
    assert module.replace("_", "-") == one.id, "its file is named after it"
    assert one == type(one)() and hash(one) == hash(type(one)()) and json.dumps(one.to_json())


def test_what_changes_nothing_hands_on_grids_and_marks_as_they_are():
    grid, line = Grid.over((-3, 1, -2, 5), 7, 5), Lines("boundary", samples(2))
    same = preprocessings()["none"].learn(samples(2))
    assert same.grid(grid) is grid and same.on_canvas([line], (0, 1)) == (line,)
    for scale, shift in (((1.0, 1.0), (0.0, 2.0)), ((1.0, 4.0), (0.0, 0.0))):
        other = Scaling("scaled", "", scale=np.array(scale), shift=np.array(shift))
        assert_array_equal(other.grid(grid).y, scale[1] * grid.y + shift[1])
        (moved,) = other.on_canvas([line], (0, 1))
        assert_allclose(moved.xy * scale + shift, line.xy, rtol=1e-12)


@each("name, unit, offset", ORACLES, [1e-9, 1.0, 1e9], [0.0, 1e4])
def test_it_agrees_with_scikit_learn(name, unit, offset):
    X = (samples() + offset) * unit
    found, oracle = preprocessings()[name].learn(X), ORACLES[name].fit(X)
    Z, expected = found.to_model(X), oracle.transform(X)
    signs = np.sign((Z * expected).sum(axis=0))  # where the largest loadings of both signs are alike
    assert_allclose(Z, signs * expected, atol=1e-8 * np.abs(expected).max())
    assert_allclose(found.to_user(Z), oracle.inverse_transform(expected), rtol=1e-9, atol=1e-9 * unit)


@pytest.mark.parametrize("name", ORACLES)
def test_weights_count_as_copies(name):
    X, copies = samples(3, 20), np.random.default_rng(1).integers(1, 4, 20)
    weighted = preprocessings()[name].learn(X, copies.astype(float))
    repeated = preprocessings()[name].learn(np.repeat(X, copies, axis=0))
    assert_allclose(weighted.to_model(X), repeated.to_model(X), rtol=1e-9, atol=1e-9)


def test_whitened_samples_are_uncorrelated_and_of_variance_one():
    X = samples() * (1, 1e-3, 1e3, 1)
    Z = preprocessings()["whiten"].learn(X).to_model(X)
    assert_allclose(np.cov(Z.T), np.eye(4), atol=1e-8)
    assert_allclose(Z.mean(axis=0), 0, atol=1e-9)


def test_distances_of_whitened_samples_are_mahalanobis_distances():
    X = samples(2)
    Z, inverse = preprocessings()["whiten"].learn(X).to_model(X), np.linalg.inv(np.cov(X.T))
    d = X[3] - X[17]
    assert_allclose(np.sum((Z[3] - Z[17]) ** 2), d @ inverse @ d, rtol=1e-9)


@EVERY
@pytest.mark.parametrize(
    "X",
    [
        np.array([(2.0, 3.0, 4.0)]),
        np.tile((2.0, 3.0), (5, 1)),
        np.array([(1.0, 5.0), (2.0, 5.0), (4.0, 5.0)]),
        np.linspace(-1, 1, 7)[:, None] * (1.0, 2.0, -1.0),
        np.array([(0.0, 0.0), (0.0, 0.0), (1e-160, 0.0)]),
        np.array([(1e300, 0.0), (-1e300, 1.0), (0.0, 2.0)]),
        np.array([(1e9, 1e-9), (2e9, 3e-9), (5e9, 1e-9)]),
        np.empty((0, 2)),
    ],
    ids=["one sample", "duplicates", "constant", "collinear", "close", "far", "unequal", "none"],
)
def test_degenerate_samples_leave_a_way_to_the_model_and_back(one, X):
    found = one.learn(X)
    Z = found.to_model(X)
    d = X.shape[1]
    # Features come beside the inputs: two squares and the product.
    assert Z.shape == (len(X), min(d, 2) if one.projects else d + 3 * found.lifts) and np.isfinite(Z).all()
    if not one.projects or X.shape[1] == 2:
        size = np.abs(X).max(initial=1e-300)
        assert_allclose(found.to_user(Z), X, rtol=1e-6, atol=1e-7 * size)
    assert len(found.names(("a", "b", "c")[: X.shape[1]])) == Z.shape[1]
    assert "nan" not in " ".join(found.names(("a", "b", "c"))) + found.caption


def test_a_direction_without_variance_is_only_centred():
    X = np.column_stack((np.arange(5.0), np.full(5, 3.0)))
    Z = preprocessings()["whiten"].learn(X).to_model(X)
    assert_allclose(Z[:, 0].std(ddof=1), 1)
    assert_array_equal(Z[:, 1], 0)
    assert_allclose(preprocessings()["whiten"].learn(X).to_model(np.array([(0.0, 5.0)]))[0, 1], 2)


def test_a_single_input_keeps_its_axis():
    X = np.arange(6.0)[:, None]
    for name, spread in (("whiten", X.std(ddof=1)), ("principal-components", 1.0)):
        found = preprocessings()[name].learn(X)
        assert isinstance(found, Scaling)
        assert_allclose(found.to_model(X), (X - 2.5) / spread)
        assert found.names(("age",)) == ("age",)


def test_components_are_named_with_their_shares():
    data = shipped.load_shipped("iris")
    found = preprocessings()["principal-components"].learn(data.X)
    assert found.names(data.columns) == ("component 1 (92.5\u00a0%)", "component 2 (5.31\u00a0%)")
    assert found.caption == "principal components, 97.8 % of the variance of 4 inputs"


def test_marks_come_back_from_the_whitened_inputs():
    X = samples(2)
    found = preprocessings()["whiten"].learn(X)
    Z = found.to_model(X)
    field = Field("region", np.arange(3.0), np.arange(2.0), np.zeros((2, 3), np.uint8))
    circle = Ellipses("spread", np.zeros((1, 2)), np.eye(2)[None])
    line, arrows, ring, same = found.on_canvas(
        (Lines("boundary", Z), Arrows("w", Z[:1], Z[1:2]), circle, field), (0, 1)
    )
    assert_allclose(line.xy, X, rtol=1e-9)
    assert_allclose(np.vstack((arrows.start, arrows.end)), X[:2], rtol=1e-9)
    assert same is field  # it stands on the canvas already
    # The circle of one standard deviation is the ellipse of the covariance.
    assert_allclose(ring.axes[0] @ ring.axes[0].T, np.cov(X.T), rtol=1e-9)
    assert_allclose(ring.center[0], X.mean(axis=0))


def test_slopes_are_those_along_the_inputs():
    X, y = samples(2), samples(2) @ (2.0, -3.0) + 1
    for name in preprocessings():
        model = Pipeline(registry()["linear-regression"](), name).fit(X, y)
        if model.training.transform.lifts:  # it has a weight for each feature, and no slope
            assert_allclose(model.inner.coef, (2, -3, 0, 0, 0), atol=1e-9)
            continue
        assert_allclose(model.training.transform.slopes(model.inner.coef), (2, -3), rtol=1e-9)


@EVERY
def test_a_model_crosses_the_pipe(one):
    X = samples(3)
    model = Pipeline(registry()["kmeans"](), one.id).fit(X)
    assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def test_the_way_back_of_components_is_the_nearest_place():
    X = samples()
    found = preprocessings()["principal-components"].learn(X)
    assert isinstance(found, Affine)
    back = found.to_user(found.to_model(X))
    assert_allclose(found.to_model(back), found.to_model(X), rtol=1e-9)
    assert_allclose((X - back) @ found.rows.T, 0, atol=1e-9 * np.abs(X).max())


def test_a_model_of_the_components_answers_for_the_columns():
    X = samples()
    model = Pipeline(registry()["pca"](), "principal-components").fit(X)
    expected = PCA(n_components=2).fit(X)
    assert_allclose(model.inner.explained_variance, expected.explained_variance_, rtol=1e-9)
    assert_allclose(model.inverse_transform(model.transform(X)), expected.inverse_transform(expected.transform(X)))


def test_a_placed_grid_answers_place_by_place():
    plain = Grid.over((0.0, 3.0, -1.0, 1.0), 4, 3)
    grid = PlacedGrid(plain.x, plain.y, np.array([(0.0, 2.0), (1.0, 1.0)]), np.array([1.0, 0.0]))
    assert_allclose(grid.points()[0], (2 * -1 + 1, 0 - 1))
    assert grid.limits == (-1.0, 3.0, -1.0, 4.0)
    assert_allclose(grid.size, (4, 5))
    places = grid.points()
    assert_allclose(grid.to_places(grid.to_nodes(places)), places)
    values = np.array([(0.0, 1, 0, 1), (0, 1, 0, 1), (0, 1, 0, 1)])
    line = contour(grid, values, 0.5)
    assert np.isnan(line).any(axis=1).sum() == 2, "three lines are parted by two gaps"
    assert_allclose(np.unique(np.round(grid.to_nodes(line)[~np.isnan(line[:, 0])][:, 0], 9)), (0.5, 1.5, 2.5))
    assert_array_equal(grid.every(2).points(), places.reshape(3, 4, 2)[::2, ::2].reshape(-1, 2))
    said = grid.values(lambda *_: pytest.fail("asked as a regular grid"), lambda at: at[:, 0], np.float32)
    assert said.dtype == np.float32 and said.shape == (3, 4)
    assert_allclose(said.ravel(), places[:, 0])


@pytest.mark.parametrize("name", ["whiten", "principal-components"])
def test_a_direction_without_variance_has_no_rounding_to_learn_from(name):
    x = np.array([0.1, 0.2, 0.37, 0.55, 0.61, 0.93])
    X, y = np.column_stack((x, x / 10)), np.array([0, 0, 1, 0, 1, 1])
    assert (preprocessings()[name].learn(X).to_model(X)[:, 1] == 0).all()
    # A method that scales by itself says the same, and as much of it, whichever way the line lies.
    models = [Pipeline(registry()["qda"](), preprocessing=how).fit(X, y) for how in ("standardize", name)]
    np.testing.assert_allclose(*(model.predict_proba(X) for model in models), atol=1e-6)
    assert all(model.caveat for model in models)


@pytest.mark.parametrize("name", ["whiten", "principal-components"])
def test_only_directions_without_variance_lose_their_rounding(name):
    X = np.random.default_rng(4).normal(size=(30, 2)) * (1, 1e-3) + 1e3
    full = preprocessings()[name].learn(X)
    # So near the middle, and off it by fewer digits than a sum of 1000 and 1000 keeps.
    near = full.center + np.array([[3e-13, -2e-13], [2e-13, 5e-13]])
    assert not full.empty.any() and (full.to_model(near) != 0).all()
    assert_array_equal(full.to_model(near), (near - full.center) @ full.rows.T)
    line = preprocessings()[name].learn(np.column_stack((X[:, 0], X[:, 0] / 10)))
    assert line.empty.tolist() == [False, True]
    off = line.center + np.array([[0.0, 1.0]])
    assert (line.to_model(off) != 0).all()


@pytest.mark.parametrize("d", [2, 3, 5])
def test_shares_of_the_variance_agree_on_the_axes_and_in_the_facts(d):
    """Of components the method sees two; what it tells is a share of all inputs, as the axes have it."""
    X = np.random.default_rng(d).normal(size=(40, d)) * np.arange(1, d + 1)
    model = Pipeline(registry()["pca"](), preprocessing="principal-components").fit(X)
    fact, axis = str(model.told_facts()["explained by 1"]), model.training.transform.names(["x"] * d)[0]
    assert axis == f"component 1 ({fact})"
    assert str(Pipeline(registry()["pca"]()).fit(X).told_facts()["explained by 1"]) == fact
