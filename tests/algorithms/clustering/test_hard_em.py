"""Hard EM beside soft EM, equal circles as k-means, means placed by hand, and the single Gaussian."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture as Oracle

from mlviz.algorithms.clustering.gmm import GaussianMixture
from mlviz.algorithms.clustering.kmeans import KMeans
from mlviz.algorithms.clustering.start_by_hand import BY_HAND
from mlviz.numerics.density.em import em_rounds
from mlviz.numerics.density.gaussian_mixture import EQUAL_CIRCLES, SamplesInUnits, from_labels
from mlviz.numerics.density.mixture_starts import starts
from tests.sweep import each

START = "-1, 0; 1, 0.2; 0, 1"


def samples(n=150, seed=0, scale=(1.0, 1.0)):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, 2)) * [0.6, 0.4] + np.array([(-2, 0), (2, 0), (0, 2)])[np.arange(n) % 3]) * scale


def steps(algorithm, X, weights=None):
    return list(algorithm.steps(X, None, np.random.default_rng(0), weights))


def densities(model, X):
    """log(weight times density) of each component at each sample, (n, k)."""
    parts = zip(model.weights, model.means, model.covariances, strict=True)
    return np.stack([np.log(w) + multivariate_normal(m, C).logpdf(X) for w, m, C in parts], axis=1)


@pytest.mark.parametrize("scale", [(1.0, 1.0), (1.0, 7.0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_hard_em_with_equal_circles_is_k_means_at_every_step(scale, weighted):
    X = samples(scale=scale)
    weights = np.random.default_rng(1).uniform(0.5, 2, len(X)) if weighted else None
    places = "; ".join(f"{x * scale[0]}, {y * scale[1]}" for x, y in ((1.9, 0), (2.1, 0.1), (-1, 1)))
    mixture = GaussianMixture(3, EQUAL_CIRCLES, assignment="hard", init=BY_HAND, centers=places)
    centers = [m.means for m in steps(mixture, X, weights) if m.stage == "expectation"]
    lloyd = [m.centers for m in steps(KMeans(3, BY_HAND, centers=places), X, weights) if m.stage == "assignment"]
    assert len(lloyd) > 3
    for one, other in zip(centers, lloyd, strict=False):
        np.testing.assert_allclose(one, other, atol=1e-9 * max(scale))
    last = steps(mixture, X, weights)[-1]
    assert last.facts()["the same as"] == "k-means" and last.settled
    assert last.n_parameters == 7
    np.testing.assert_allclose(last.weights, 1 / 3)
    shared = last.covariances[0]
    np.testing.assert_allclose(last.covariances, shared[None].repeat(3, axis=0))
    np.testing.assert_allclose(shared, shared[0, 0] * np.eye(2), atol=1e-12 * shared[0, 0])
    kmeans = KMeans(3, BY_HAND, centers=places).fit(X, sample_weight=weights)
    total = len(X) if weights is None else weights.sum()
    assert shared[0, 0] == pytest.approx(kmeans.inertia / (2 * total), rel=1e-9)


@each("kind, assignment", ["full", "diagonal", "spherical", "tied", EQUAL_CIRCLES], ["soft", "hard"])
def test_the_likelihood_that_is_told_is_so_and_never_falls(kind, assignment):
    X = samples()
    models = steps(GaussianMixture(3, kind, assignment=assignment, init=BY_HAND, centers=START), X)
    played = [m for m in models if m.stage == "expectation"]
    values = np.array([m.objective for m in played])
    assert (np.diff(values) >= -1e-8).all() and played[-1].settled
    joint = densities(played[-1], X)
    mixture = np.logaddexp.reduce(joint, axis=1).sum()
    expected = joint.max(axis=1).sum() if assignment == "hard" else mixture
    assert values[-1] == pytest.approx(expected, rel=1e-9)
    assert played[-1].log_likelihood == pytest.approx(mixture, rel=1e-9)
    assert ("classification likelihood" in played[-1].facts()) == (assignment == "hard")
    shares = played[-1].responsibilities
    if assignment == "hard":
        np.testing.assert_allclose(np.sort(shares, axis=1), [[0, 0, 1]] * len(X), atol=1e-12)
        np.testing.assert_array_equal(played[-1].labels, joint.argmax(axis=1))
    else:
        np.testing.assert_allclose(shares, np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None]), atol=1e-9)


def test_soft_em_from_means_by_hand_is_that_of_scikit_learn():
    X = samples()
    models = steps(GaussianMixture(3, init=BY_HAND, centers=START), X)
    first = models[0]
    np.testing.assert_allclose(first.means, [(-1, 0), (1, 0.2), (0, 1)], atol=1e-12)
    nearest = ((X[:, None] - first.means) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_allclose(first.weights, np.bincount(nearest) / len(X), atol=1e-12)
    for j, mean in enumerate(first.means):
        offset = X[nearest == j] - mean
        np.testing.assert_allclose(first.covariances[j], offset.T @ offset / len(offset), atol=1e-12)
    oracle = Oracle(
        3,
        weights_init=first.weights,
        means_init=first.means,
        precisions_init=np.linalg.inv(first.covariances),
        tol=1e-12,
        max_iter=1000,
        reg_covar=0,
    ).fit(X)
    np.testing.assert_allclose(models[-1].means, oracle.means_, atol=1e-4)
    assert all(np.array_equal(model.start, models[0].start) for model in models)


def test_soft_rounds_are_as_they_were_without_hard_ones():
    X = samples()
    data = SamplesInUnits.of(X, None)
    *_, (labels, _) = starts(data, np.array([0, 50, 100]))
    mixture = from_labels(data, labels, 3, "full")
    soft, hard = (list(em_rounds(data, mixture, "full", hard)) for hard in (False, True))
    assert soft[-1].likelihood >= hard[-1].likelihood
    assert len(hard) <= len(soft)


def test_a_single_gaussian_is_named_and_has_mean_and_covariance_of_all():
    X = samples()
    model = GaussianMixture(1).fit(X)
    assert model.facts()["the same as"].startswith("one Gaussian")
    np.testing.assert_allclose(model.means[0], X.mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(model.covariances[0], np.cov(X.T, bias=True), atol=1e-9)
    assert "the same as" not in GaussianMixture(2).fit(X).facts()


def test_a_dragged_start_is_followed():
    X, algorithm = samples(), GaussianMixture(3, init=BY_HAND, centers=START)
    follower = algorithm.follower()
    follower.start_from(algorithm.fit(X))
    moved = algorithm.replace(centers="-2, 0; 2, 0; 0, 2")
    model = follower.update(moved, X, None, None, np.inf)
    np.testing.assert_allclose(model.means, moved.fit(X).means, atol=1e-12)
    X = X.copy()
    X[0] += 0.1
    model = follower.update(moved, X, None, None, np.inf)
    np.testing.assert_allclose(model.means, moved.fit(X).means, atol=1e-4)
    np.testing.assert_array_equal(model.start, [(-2, 0), (2, 0), (0, 2)])


@pytest.mark.parametrize("assignment", ["soft", "hard"])
def test_the_objective_has_one_name_at_all_steps(assignment):
    algorithm = GaussianMixture(3, assignment=assignment, n_init=2)
    models = steps(algorithm, samples())
    assert {"restart", "start by k-means", "expectation"} <= {m.stage for m in models}
    named = "classification likelihood" if assignment == "hard" else "log-likelihood"
    assert {m.objective_name for m in models} == {named}


@pytest.mark.parametrize("kind", ["full", "spherical", EQUAL_CIRCLES])
@pytest.mark.parametrize("assignment", ["soft", "hard"])
def test_components_without_samples_are_told(assignment, kind):
    X = samples(60)
    far = "0, 0; 1000, 1000; 2000, 2000"
    models = steps(GaussianMixture(3, kind, assignment=assignment, init=BY_HAND, centers=far), X)
    last = models[-1]
    shares = last.responsibilities.max(axis=0)
    assert last.empty == (shares < 1e-9).sum()
    told = [float(word) for word in last.facts()["weights"].split(", ")]
    np.testing.assert_allclose(told, last.weights, atol=0.006)
    assert not any(0 < weight < 1e-9 for weight in told)
    assert ("count in AIC and BIC" in last.caveat) == (last.empty > 0)
    if assignment == "hard":
        assert last.empty == 2 and "2 of 3 components have no sample" in last.caveat
    assert not GaussianMixture(3, kind, assignment=assignment).fit(X).empty
