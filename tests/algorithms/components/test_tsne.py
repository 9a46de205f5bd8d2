"""t-SNE against scikit-learn's exact method: chances, divergence, gradient, each step, and where it ends."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_iris
from sklearn.manifold import TSNE as Oracle
from sklearn.manifold import _t_sne as oracle

from mlviz.algorithms import CannotFit
from mlviz.algorithms.components import embedded, tsne
from mlviz.algorithms.components.tsne import TSNE
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Points
from mlviz.numerics.embedding import stochastic_neighbors
from mlviz.numerics.embedding.stochastic_neighbors import (
    Divergence,
    conditional_chances,
    descend,
    joint_chances,
    perplexities,
)
from mlviz.numerics.pauses import finished
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each

IRIS = np.unique(load_iris().data, axis=0)
DATA = {"iris": IRIS, "random": np.random.default_rng(1).normal(size=(80, 5)) * [1, 1, 10, 0.1, 1]}


def squares_of(X):
    return squareform(pdist(X, "sqeuclidean"))


def joint(X, perplexity=30.0):
    return joint_chances(finished(conditional_chances(squares_of(X), perplexity)).chances)


def of_rows(model):
    return model.embedding[model.samples.node]


@pytest.mark.parametrize("perplexity", [4.0, 8.0, 12.0, 26.0])
@pytest.mark.parametrize("X", DATA.values(), ids=DATA)
def test_the_chances_have_the_perplexity_and_are_those_of_scikit_learn(X, perplexity):
    found = finished(conditional_chances(squares_of(X), perplexity))
    np.testing.assert_allclose(found.chances.sum(axis=1), 1.0, rtol=1e-12)
    assert not np.diag(found.chances).any()
    np.testing.assert_allclose(perplexities(found.chances), perplexity, rtol=1e-7)
    P = joint_chances(found.chances)
    np.testing.assert_array_equal(P, P.T)
    assert P.sum() == pytest.approx(1.0, rel=1e-12)
    # scikit-learn searches in single precision, and to 1e-5.
    expected = squareform(oracle._joint_probabilities(squares_of(X), perplexity, 0))
    np.testing.assert_allclose(P, expected, atol=2e-5 * P.max())


@each("scale, k, rows", [0.01, 1.0, 30.0], [1, 2], [40, 1000])
def test_divergence_and_gradient_are_those_of_scikit_learn(k, scale, rows, monkeypatch):
    """In blocks of rows, the last of which has fewer, and all at once."""
    monkeypatch.setattr(stochastic_neighbors, "_AT_HAND", 1)
    monkeypatch.setattr(stochastic_neighbors, "_FEWEST_ROWS", rows)
    P, Y = joint(IRIS), scale * np.random.default_rng(0).normal(size=(len(IRIS), k))
    expected, slope = oracle._kl_divergence(Y.ravel(), squareform(P, checks=False), 1, len(IRIS), k)
    objective = Divergence.of(P)
    assert objective.forces(Y).divergence == pytest.approx(expected, rel=1e-11)
    np.testing.assert_allclose(objective.forces(Y).gradient(), slope.reshape(Y.shape), atol=1e-11 * np.abs(slope).max())
    exaggerated = oracle._kl_divergence(Y.ravel(), 12 * squareform(P, checks=False), 1, len(IRIS), k)[1]
    found = objective.forces(Y).gradient(12.0)
    np.testing.assert_allclose(found, exaggerated.reshape(Y.shape), atol=1e-11 * np.abs(exaggerated).max())


def test_the_gradient_is_that_of_central_differences():
    P, Y = joint(DATA["random"]), np.random.default_rng(2).normal(size=(80, 2))
    objective, h = Divergence.of(P), 1e-5
    found, slope = objective.forces(Y).gradient(), np.zeros_like(Y)
    for place in np.ndindex(Y.shape):
        step = np.zeros_like(Y)
        step[place] = h
        slope[place] = (objective.forces(Y + step).divergence - objective.forces(Y - step).divergence) / (2 * h)
    np.testing.assert_allclose(found, slope, atol=1e-8 * np.abs(slope).max() + 1e-11)


def test_each_step_is_that_of_scikit_learn():
    P, start = joint(IRIS), 1e-4 * np.random.default_rng(0).normal(size=(len(IRIS), 2))
    path = [now.places for now in descend(Divergence.of(P), start, 50.0, 12.0, 260)]

    def objective(params, *args, **others):
        return oracle._kl_divergence(params, squareform(args[0], checks=False), 1, len(IRIS), 2)

    for steps in (1, 2, 20):
        expected, *_ = oracle._gradient_descent(
            objective, start.ravel(), 0, steps, momentum=0.5, learning_rate=50.0, args=[12 * P], kwargs={}
        )
        expected = expected.reshape(start.shape) - expected.reshape(start.shape).mean(axis=0)
        np.testing.assert_allclose(path[steps], expected, atol=1e-9 * np.abs(expected).max())
    later, *_ = oracle._gradient_descent(
        objective, path[250].ravel(), 250, 255, momentum=0.8, learning_rate=50.0, args=[P], kwargs={}
    )
    later = later.reshape(start.shape) - later.reshape(start.shape).mean(axis=0)
    np.testing.assert_allclose(path[255], later, atol=1e-9 * np.abs(later).max())


def test_it_ends_no_worse_than_scikit_learn_on_iris():
    some = IRIS[::2]
    model = TSNE(perplexity=15.0).fit(some)
    found = Oracle(method="exact", init="pca", perplexity=15.0, random_state=0).fit(some)
    # There are many minima, and last digits decide which of them is reached: 2 to 4 % above theirs.
    assert model.divergence <= 1.08 * found.kl_divergence_
    assert model.facts()["perplexity"] == 15.0
    assert model.chosen.reached.low == pytest.approx(15, rel=1e-6) == model.chosen.reached.high
    assert model.facts()["neighbours kept"] > 0.55
    # Setosa lies apart from the two others.
    labels = np.array([load_iris().target[(load_iris().data == row).all(axis=1)][0] for row in some])
    places = of_rows(model)
    one, other = places[labels == 0], places[labels != 0]
    assert squareform(pdist(one)).max() < np.min(np.hypot(*(one[:, None] - other).transpose(2, 0, 1))) * 3


def test_the_divergence_falls_once_nothing_is_exaggerated():
    models = list(TSNE(perplexity=10.0, max_iter=600).steps(DATA["random"], None, np.random.default_rng(0)))
    assert len(models) == 601 and [m.stage for m in models[:2]] == ["start", "exaggerated"]
    assert models[250].stage == "exaggerated" and models[251].stage == "descent"
    late = np.array([model.objective for model in models[251:]])
    assert late[-1] < late[0] and late[-1] == pytest.approx(late.min(), rel=1e-3)
    assert models[-1].gradient_length < 1e-2 * models[251].gradient_length


def test_the_perplexity_is_at_most_a_third_of_the_others_and_the_caption_says_so():
    X = DATA["random"][:25]
    model = TSNE().fit(X)
    assert model.chosen.perplexity == 8.0 and "perplexity 8" in model.caveat
    assert TSNE(perplexity=8.0).fit(X).caveat == ""
    assert TSNE().fit(X[:2]).chosen.perplexity == 1.0


def test_equally_far_samples_have_the_least_perplexity_there_is():
    # Of a square's corners two are equally near: no width chooses between them.
    found = finished(conditional_chances(squares_of(np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])), 1.0))
    np.testing.assert_allclose(perplexities(found.chances), 2.0, rtol=1e-9)


def test_samples_at_one_place_are_one_and_order_makes_no_difference():
    X, rng = DATA["random"], np.random.default_rng(0)
    order = rng.permutation(len(X))
    model, other = TSNE(max_iter=100).fit(X), TSNE(max_iter=100).fit(np.repeat(X[order], 2, axis=0))
    np.testing.assert_array_equal(of_rows(model)[order], of_rows(other)[::2])


@pytest.mark.parametrize("metric", ["manhattan", "chebyshev"])
def test_other_distances_are_taken_squared(metric):
    X = DATA["random"]
    name = {"manhattan": "cityblock"}.get(metric, metric)
    model = TSNE(metric=metric, max_iter=0).fit(X)
    unit = model.samples.unit
    D = squareform(pdist(model.samples.places, name)) / unit
    expected = squareform(oracle._joint_probabilities(D**2, model.chosen.perplexity, 0))
    np.testing.assert_allclose(joint_chances(model.chosen.chances), expected, atol=2e-5 * expected.max())


def test_a_place_that_is_no_sample_is_the_mean_of_its_neighbours():
    X = DATA["random"]
    model = TSNE(perplexity=5.0, max_iter=50).fit(X)
    place = X[:1] + 0.01
    squares = ((place - model.samples.places) ** 2).sum(axis=1) / model.samples.unit**2
    low, high = 1e-6, 1e12
    for _ in range(200):  # bisection, as textbooks have it
        beta = np.sqrt(low * high)
        p = np.exp(-beta * (squares - squares.min()))
        p /= p.sum()
        entropy = -(p[p > 0] * np.log(p[p > 0])).sum()
        low, high = (beta, high) if entropy > np.log(5.0) else (low, beta)
    np.testing.assert_allclose(model.transform(place), [p @ model.embedding], rtol=1e-6)


def test_large_rates_stay_finite():
    X = DATA["random"]
    model = TSNE(rate="rate by hand", learning_rate=1e5, max_iter=300).fit(X)
    assert np.isfinite(model.embedding).all() and np.isfinite(model.divergence)


def test_of_many_samples_some_get_a_place_and_first_principal_components_are_shown(monkeypatch):
    monkeypatch.setattr(tsne, "MOST_IN_STEPS", 60)
    monkeypatch.setattr(embedded, "_MANY", 40)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    models = list(TSNE(max_iter=5).steps(X, None, rng))
    assert models[0].stage == "principal components" and models[0].chosen is None
    assert models[0].facts() == {"steps": 0}
    data = Dataset(X, np.arange(90) % 3, ("a", "b", "c"))
    scene = Scene(data, (Panel(Pipeline(TSNE(max_iter=5))),))
    for step in (0, None):
        (picture,) = draw(scene.with_view(step=step, probe=(0.0, 0.0)), [(300, 200)])
        assert "embedding of 60 of 90 different samples, drawn at random" in picture.caption
        plot = next(plot for plot in picture.sides if plot.id == "embedding")
        assert sum(len(mark.xy) for mark in plot.marks if isinstance(mark, Points) and mark.rows is not None) == 60


def test_it_follows_a_dragged_sample():
    X = DATA["random"].copy()
    algorithm = TSNE(max_iter=300)
    model = algorithm.fit(X)
    follower = algorithm.follower()
    follower.start_from(model)
    X[5] += 0.3
    draft = follower.update(algorithm, X, None, None, 0.0)
    assert draft.steps == 1
    np.testing.assert_allclose(of_rows(draft)[:5], of_rows(model)[:5], atol=0.1 * np.abs(model.embedding).max())


def test_one_place_has_no_map():
    with pytest.raises(CannotFit, match="two places at least"):
        TSNE().fit(np.ones((4, 2)))
