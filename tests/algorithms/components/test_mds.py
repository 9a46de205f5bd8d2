"""Multidimensional scaling against scikit-learn, against PCA, and against its own certificates."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.datasets import load_iris
from sklearn.manifold import ClassicalMDS, smacof

from mlviz.algorithms import CannotFit
from mlviz.algorithms.components import mds
from mlviz.algorithms.components.embedded import EmbeddedSamples
from mlviz.algorithms.components.mds import MDS
from mlviz.algorithms.components.pca import PCA
from mlviz.algorithms.components.tsne import TSNE
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Points
from mlviz.numerics.embedding.distance_matrix import neighbours_kept
from mlviz.numerics.embedding.multidimensional_scaling import classical_scaling, majorize
from mlviz.numerics.pauses import finished
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.attempts.edits import kinds_of
from mlviz.scene.scene import Panel, Scene
from tests.sweep import each

NAMES = {"euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev"}
DATA = {"iris": np.unique(load_iris().data, axis=0), "random": np.random.default_rng(1).normal(size=(60, 5))}


def steps(algorithm, X, seed=0, weights=None):
    return list(algorithm.steps(X, None, np.random.default_rng(seed), weights))


def dataset(X):
    return Dataset(X, np.zeros(len(X), dtype=int), tuple(f"x{j + 1}" for j in range(X.shape[1])))


def of_rows(model):
    """The places in the order of the samples."""
    return model.embedding[model.samples.node]


@pytest.mark.parametrize("X", DATA.values(), ids=DATA)
def test_classical_scaling_of_euclidean_distances_is_pca(X):
    model, pca = MDS(scaling="classical").fit(X), PCA().fit(X)
    scores = pca.transform(X)[:, :2]
    sign = np.sign((scores * of_rows(model)).sum(axis=0))
    np.testing.assert_allclose(of_rows(model), sign * scores, atol=1e-12 * np.abs(scores).max() * len(X))
    assert model.facts()["explained"] == pytest.approx(pca.facts()["explained by 1 and 2"], rel=1e-12)
    places = X[:7] + 0.3
    np.testing.assert_allclose(model.transform(places), sign * pca.transform(places)[:, :2], atol=1e-10)


@pytest.mark.parametrize("metric", NAMES)
@pytest.mark.parametrize("X", DATA.values(), ids=DATA)
def test_classical_scaling_agrees_with_scikit_learn(X, metric):
    model = MDS(scaling="classical", metric=metric).fit(X)
    oracle = ClassicalMDS(2, metric=NAMES[metric]).fit(X)
    own = model.samples.unit**2 * model.scaled.values[:2]
    np.testing.assert_allclose(own, oracle.eigenvalues_, rtol=1e-10)
    sign = np.sign((oracle.embedding_ * of_rows(model)).sum(axis=0))
    np.testing.assert_allclose(of_rows(model), sign * oracle.embedding_, atol=1e-9 * np.abs(oracle.embedding_).max())
    # A sample that is placed anew comes to its own place (Gower's formula).
    np.testing.assert_allclose(model.transform(X), of_rows(model), atol=1e-9 * np.abs(oracle.embedding_).max())


@each("metric, k", NAMES, [1, 2])
def test_each_step_is_that_of_scikit_learn_and_none_raises_the_stress(metric, k):
    X = DATA["random"]
    found = steps(MDS(metric=metric, n_components=k, init="random"), X)
    D = squareform(pdist(X, NAMES[metric]))
    for number in (1, 2, 7):
        places, stress = smacof(
            D, n_components=k, init=of_rows(found[0]), n_init=1, max_iter=number, eps=0, normalized_stress=False
        )
        np.testing.assert_allclose(of_rows(found[number]), places, atol=1e-9 * np.abs(places).max())
        assert found[number].stress == pytest.approx(stress, rel=1e-9)
    stresses = np.array([model.objective for model in found])
    assert (np.diff(stresses) <= 1e-12 * stresses[0]).all()
    assert found[-1].settled and found[-1].step.moved <= 1e-6
    assert stresses[-1] < stresses[0]


def test_it_ends_no_worse_than_scikit_learn_from_the_same_start():
    X = DATA["iris"]
    D = squareform(pdist(X))
    found = steps(MDS(), X)
    _, stress, _ = smacof(
        D, init=of_rows(found[0]), n_init=1, max_iter=1000, eps=1e-12, return_n_iter=True, normalized_stress=False
    )
    assert found[-1].stress <= stress * (1 + 1e-6)
    _, stress_1 = smacof(D, init=of_rows(found[-1]), n_init=1, max_iter=1, normalized_stress=True)
    assert found[-1].facts()["stress-1"] == pytest.approx(stress_1, rel=1e-5)


def test_the_gradient_of_the_stress_is_what_the_next_step_moves():
    X = DATA["random"]
    D, rng = squareform(pdist(X)), np.random.default_rng(3)
    weights = rng.integers(1, 4, len(X)).astype(float)
    steps_ = majorize(D, weights, rng.normal(size=(len(X), 2)))
    first, second = next(steps_), next(steps_)
    i, j = np.triu_indices(len(X), 1)

    def stress(Y):
        return float((weights[i] * weights[j] * (D[i, j] - np.hypot(*(Y[i] - Y[j]).T)) ** 2).sum())

    assert stress(first.places) == pytest.approx(first.stress, rel=1e-12)
    gradient = np.zeros_like(first.places)
    for place in np.ndindex(gradient.shape):
        step = np.zeros_like(gradient)
        step[place] = 1e-5
        gradient[place] = (stress(first.places + step) - stress(first.places - step)) / 2e-5
    expected = 2 * weights.sum() * weights[:, None] * (first.places - second.places)
    np.testing.assert_allclose(gradient, expected, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("scaling", ["metric", "classical"])
def test_weights_are_repeated_rows_at_every_step(scaling):
    rng = np.random.default_rng(4)
    X, weights = rng.normal(size=(30, 3)), rng.integers(0, 4, 30)
    algorithm = MDS(scaling=scaling, metric="manhattan")
    counted, repeated = steps(algorithm, X, 0, weights.astype(float)), steps(algorithm, np.repeat(X, weights, axis=0))
    for one, other in zip(counted[:20], repeated[:20], strict=True):
        np.testing.assert_allclose(one.embedding, other.embedding, atol=1e-9)
        assert one.facts()["stress"] == pytest.approx(other.facts()["stress"], rel=1e-9)
    plain = np.repeat(X, weights, axis=0)
    model = counted[-1]
    i, j = np.triu_indices(len(plain), 1)
    here = model.embedding[repeated[-1].samples.node]
    expected = ((pdist(plain, "cityblock") - pdist(here)) ** 2).sum()
    assert model.stress == pytest.approx(expected, rel=1e-9)
    assert len(i) == len(j)


def test_two_inputs_fit_exactly_and_a_line_does_not_hold_a_ring():
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.column_stack((np.cos(angle), np.sin(angle)))
    exact = MDS().fit(ring)
    assert exact.facts()["stress"] < 1e-20 and exact.facts()["neighbours kept"] == 1.0
    assert MDS(n_components=1, init="random").fit(ring).facts()["stress-1"] > 0.3


def test_a_sample_that_is_placed_anew_comes_back_to_its_place():
    X = DATA["random"]
    model = MDS(metric="manhattan").fit(X)
    np.testing.assert_allclose(model.transform(X), of_rows(model), atol=1e-4 * np.abs(model.embedding).max())


def test_neighbours_kept_are_counted():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(50, 4)), rng.normal(size=(50, 2))
    near = EmbeddedSamples.of(X, None, "euclidean", 100)
    near = finished(near.with_distances())
    order = np.array([np.flatnonzero((row == X).all(axis=1))[0] for row in near.places])
    D, E = cdist(X[order], X[order]), cdist(Y, Y)
    expected = np.mean([len(set(np.argsort(D[i])[1:11]) & set(np.argsort(E[i])[1:11])) / 10 for i in range(len(X))])
    assert neighbours_kept(near.distances, Y, 10) == pytest.approx(expected)


@pytest.mark.parametrize("scaling", ["classical", "metric"])
@pytest.mark.parametrize("turn", [0.0, 0.3, 1.1])
def test_of_neighbours_equally_far_any_is_kept(scaling, turn):
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    grid = np.stack(np.meshgrid(np.arange(4.0), np.arange(4.0)), axis=-1).reshape(-1, 2)
    for X in (np.array([(0, 0), (1, 1), (2, 0)]) @ turned, grid @ turned):
        model = MDS(scaling=scaling).fit(X)
        assert model.facts()["stress"] == pytest.approx(0.0, abs=1e-9)
        assert model.facts()["neighbours kept"] == 1.0
    apart = MDS(n_components=1, scaling=scaling).fit(grid @ turned).facts()["neighbours kept"]
    assert apart < 0.9


@pytest.mark.parametrize("method", [MDS(), TSNE(max_iter=50, perplexity=3.0)])
def test_a_place_in_the_embedding_is_told_in_one_sentence(method):
    model = method.fit(np.random.default_rng(0).normal(size=(12, 2)))
    for x in (np.array([0.1, 0.2]), model.samples.places[0]):
        assert ", at (" not in model.explain(x).sentence and " at (" in model.explain(x).sentence


def test_distances_that_fit_nowhere_have_negative_eigenvalues():
    X = np.random.default_rng(2).normal(size=(40, 3))
    D = squareform(pdist(X, "chebyshev"))
    scaled = finished(classical_scaling(D, np.ones(40), 40, np.random.default_rng(0)))
    J = np.eye(40) - 1 / 40
    np.testing.assert_allclose(scaled.values, np.linalg.eigvalsh(-J @ D**2 @ J / 2)[::-1], atol=1e-9)
    assert scaled.values[-1] < -1e-3 and np.isfinite(scaled.coordinates).all()


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
def test_the_shares_of_eigenvalues_are_those_of_their_sum(metric):
    X = np.random.default_rng(2).normal(size=(12, 2))
    (picture,) = draw(Scene(dataset(X), (Panel(Pipeline(MDS("classical", metric=metric))),)), [(300, 200)])
    J, D = np.eye(12) - 1 / 12, squareform(pdist(X, {"manhattan": "cityblock"}.get(metric, metric)))
    values = np.linalg.eigvalsh(-J @ D**2 @ J / 2)[::-1]
    assert picture.facts["explained"].value == pytest.approx(values[:2].sum() / values.sum(), rel=1e-9)
    (words,) = [mark for mark in next(p for p in picture.sides if p.id == "scree").marks if mark.role == "path"]
    shares = [float(word.replace("\u202f", "").replace("\xa0", "").rstrip(" %")) for word in words.words]
    bars = values[values > 1e-9 * values[0]]
    np.testing.assert_allclose(shares, 100 * np.cumsum(bars) / values.sum(), rtol=6e-3)
    assert (shares[-1] > 100) == (metric != "euclidean")


def test_fewer_get_a_place_only_where_steps_go_on_from_a_start_that_is_not_exact():
    few = [MDS(), MDS(init="random"), MDS(metric="manhattan")]
    assert {method.most_samples(3) for method in few} == {MDS(init="random").most_samples(2)} == {400}
    many = [MDS().most_samples(2), MDS(n_components=1).most_samples(1), MDS("classical").most_samples(8)]
    assert set(many) == {1000} and MDS(n_components=1).most_samples(2) == MDS(metric="manhattan").most_samples(2) == 400


def test_of_many_samples_some_get_a_place_and_the_caption_says_so(monkeypatch):
    monkeypatch.setattr(mds, "MOST_IN_STEPS", 50)
    X = np.random.default_rng(0).normal(size=(80, 3))
    (picture,) = draw(Scene(dataset(X), (Panel(Pipeline(MDS(metric="manhattan"))),)), [(300, 200)])
    assert "embedding of 50 of 80 different samples, drawn at random" in picture.caption
    plot = next(plot for plot in picture.sides if plot.id == "embedding")
    (dots,) = [mark for mark in plot.marks if isinstance(mark, Points)]
    assert len(dots.xy) == 50 and plot.title == "Embedding of 50 of 80 samples, drawn at random"
    assert len(plot.areas) == 50 and all(len(area.rows) == 1 for area in plot.areas)


def test_a_sample_pointed_at_has_its_neighbours_on_canvas_and_map():
    X = np.random.default_rng(0).normal(size=(40, 2))
    scene = Scene(dataset(X), (Panel(Pipeline(MDS(n_components=1))),))
    (picture,) = draw(scene.with_view(probe=tuple(X[7].tolist())), [(300, 200)])
    assert picture.explanation.sentence.startswith("this sample is at ")
    (lines,) = picture.explanation.marks
    assert len(lines.start) == 5
    plot = next(plot for plot in picture.sides if plot.id == "embedding")
    rings = next(mark for mark in plot.marks if mark.role == "neighbour")
    near = np.argsort(np.hypot(*(X - X[7]).T))[1:11]
    np.testing.assert_allclose(np.sort(rings.xy[:, 1]), np.sort(X[near, 0]))
    # Nothing can be drawn by hand: it has no directions.
    assert kinds_of(scene, 0) == ()


def test_it_follows_a_dragged_sample_without_turning():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    algorithm = MDS(init="random")
    follower, model = algorithm.follower(), algorithm.fit(X)
    follower.start_from(model)
    moved = X.copy()
    for _ in range(5):
        moved[3] += 0.05
        model = follower.update(algorithm, moved, None, None, np.inf)
        assert model.settled
    before, after = of_rows(algorithm.fit(X)), of_rows(model)
    others = np.arange(len(X)) != 3
    assert np.abs(before - after)[others].max() < 0.3 * np.abs(before).max()
    fewer = follower.update(algorithm, moved[:-1], None, None, np.inf)
    assert fewer.embedding.shape == (59, 2) and fewer.settled


@pytest.mark.parametrize("X", [np.zeros((1, 2)), np.ones((5, 2))])
def test_one_place_has_no_map(X):
    with pytest.raises(CannotFit, match="two places at least"):
        MDS().fit(X)
