"""The studies of the number of clusters against scikit-learn and against plain fits, for every method that has one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import adjusted_rand_score, silhouette_samples, silhouette_score
from sklearn.mixture import GaussianMixture

from mlviz.algorithms import CannotFit, registry
from mlviz.data.generators.catalog import Blobs
from mlviz.numerics.sampling import random_order
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry as studies
from mlviz.studies.clusters import cluster_stability, elbow, gap, information_criteria, silhouette
from mlviz.studies.clusters.base import STARTS, number_of_clusters, well_started
from tests.sweep import sweep, trials

BLOBS = Blobs(n_samples=60).generate(1).X
COUNTING = {name: number_of_clusters(kind()).name for name, kind in registry().items() if number_of_clusters(kind())}
ASKED = ("elbow", "silhouette", "gap", "cluster-stability", "eigengap", "information-criteria")
QUICK = {"gap": {"references": 5}, "cluster-stability": {"repeats": 5}}
FEWEST = {"gap": {"references": 2}, "cluster-stability": {"repeats": 2}}


@pytest.fixture
def few_starts(monkeypatch):
    monkeypatch.setattr("mlviz.studies.clusters.base.STARTS", 2)


def asked(name, **settings):
    return studies()[name](**(QUICK.get(name, {}) | settings))


def last(name, method="kmeans", X=BLOBS, preprocessing="none", seed=0, weights=None, **settings):
    pipeline = Pipeline(registry()[method](), preprocessing)
    *_, result = asked(name, **settings).run(pipeline, X, seed=seed, sample_weight=weights)
    return result


def models(result, method="kmeans", X=BLOBS, preprocessing="none", **more):
    pipeline = Pipeline(registry()[method](), preprocessing)
    return [one.fit(X, **more) for one in result.axis.pipelines(well_started(pipeline))]


def answers(name, method, X, **settings):
    """The results on the way, and why there is none."""
    found = []
    try:
        for result in asked(name, **settings).run(Pipeline(registry()[method]()), X):
            if not found or result is not found[-1]:
                found.append(result)
    except CannotFit as error:
        return found, str(error)
    return found, ""


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_the_elbow_has_the_inertia_of_each_fit_and_a_price(preprocessing):
    X = BLOBS * (1, 30)
    result = last("elbow", X=X, preprocessing=preprocessing, lambda_=0.1)
    inertia = [model.inner.inertia for model in models(result, X=X, preprocessing=preprocessing)]
    assert_allclose(result.inertia, inertia, rtol=1e-10)
    k = np.arange(1, 11)
    costs = np.array(inertia) + 0.1 * inertia[0] * k
    assert_allclose(result.costs, costs, rtol=1e-10)
    line = inertia[0] + (inertia[-1] - inertia[0]) * (k - 1) / 9
    offers = {offer.label.split(":")[0]: offer.settings for offer in result.offers()}
    assert offers["Elbow"][0] == ("algorithm.n_clusters", int(k[np.argmax(line - inertia)]))
    assert offers["Lowest inertia + price"][0] == ("algorithm.n_clusters", int(k[np.argmin(costs)]))


@pytest.mark.parametrize("method", COUNTING)
def test_silhouettes_are_scikit_learns_and_those_of_the_present_number_are_shown(method):
    result = last("silhouette", method, most=5)
    for place, model in enumerate(models(result, method)):
        labels = model.inner.labels
        assert_allclose(result.means[place], silhouette_score(BLOBS, labels), atol=1e-12)
        assert_allclose(result.each[place], silhouette_samples(BLOBS, labels), atol=1e-12)
    now = Pipeline(registry()[method](**{COUNTING[method]: 4}))
    curve, samples = result.of_panel(now).plots()
    (handle,) = curve.handles
    assert (handle.path, handle.values[handle.at]) == (f"algorithm.{COUNTING[method]}", 4)
    labels, each = result.labels[2], result.each[2]
    whole = [area.rows for area in samples.areas if area.limits[0] == 0]
    assert [set(rows) for rows in whole] == [set(np.flatnonzero(labels == code)) for code in np.unique(labels)]
    below = [rows for area in samples.areas if area.limits[0] < 0 for rows in area.rows.tolist()]
    assert sorted(below) == np.flatnonzero(each < 0).tolist()
    for mark, code in zip(samples.marks, np.unique(labels), strict=False):
        (outline,) = mark.vertices
        assert mark.role == f"class {code}"
        assert_allclose(outline[1:-1:2, 0], np.sort(each[labels == code])[::-1])
    assert len(result.of_panel(now.replace(algorithm=now.algorithm.replace(**{COUNTING[method]: 9}))).plots()) == 1


@pytest.mark.parametrize("kind", ["full", "diagonal", "spherical", "tied"])
def test_criteria_are_scikit_learns_for_the_same_mixture(kind, few_starts):
    pipeline = Pipeline(registry()["gmm"](covariance_type=kind))
    *_, result = asked("information-criteria", most=4).run(pipeline, BLOBS)
    for place, one in enumerate(result.axis.pipelines(well_started(pipeline))):
        model = one.fit(BLOBS).inner
        oracle = GaussianMixture(place + 1, covariance_type="diag" if kind == "diagonal" else kind)
        oracle.weights_, oracle.means_ = model.weights, model.means
        covariances = {
            "full": model.covariances,
            "diagonal": model.covariances[:, [0, 1], [0, 1]],
            "spherical": model.covariances[:, 0, 0],
            "tied": model.covariances[0],
        }[kind]
        roots = np.linalg.cholesky(np.linalg.inv(covariances)) if kind in ("full", "tied") else covariances**-0.5
        oracle.covariances_, oracle.precisions_cholesky_ = covariances, roots
        assert_allclose(result.bic[place], oracle.bic(BLOBS), rtol=1e-9)
        assert_allclose(result.aic[place], oracle.aic(BLOBS), rtol=1e-9)
    best = {offer.label.split(":")[0]: offer.settings[0][1] for offer in result.offers()}
    sound = np.where([not caveat for caveat in result.caveats], [result.bic, result.aic], np.inf)
    assert best == dict(zip(("Lowest BIC", "Lowest AIC"), (1 + np.argmin(sound, axis=1)).tolist(), strict=True))


def test_a_mixture_that_has_collapsed_is_not_chosen():
    X = np.vstack((BLOBS[:20], np.tile(BLOBS[:1], (12, 1))))
    result = last("information-criteria", "gmm", X, most=6)
    unsound = np.array([bool(caveat) for caveat in result.caveats])
    assert unsound[np.argmin(result.bic)]
    assert all(not unsound[offer.settings[0][1] - 1] for offer in result.offers())
    assert "unreliable at k" in result.facts()


def test_stability_is_the_agreement_of_plain_fits_to_parts():
    result = last("cluster-stability", seed=2, most=4)
    whole = [model.inner.labels for model in models(result, seed=2)]
    seeds = np.random.default_rng(2).integers(2**63, size=5).tolist()
    for repeat, seed in enumerate(seeds):
        rows = np.sort(random_order(BLOBS, seed)[:48])
        for place, model in enumerate(models(result, X=BLOBS[rows], seed=2)):
            expected = adjusted_rand_score(whole[place][rows], model.inner.labels)
            assert_allclose(result.agreement[place, repeat], expected, atol=1e-12)
    assert ("algorithm.n_clusters", 3) in [offer.settings[0] for offer in result.offers()]


def test_three_clouds_have_three_small_eigenvalues():
    for settings in ({"graph": "gaussian", "sigma": 0.5}, {"graph": "nearest neighbours", "n_neighbors": 12}):
        result = last("eigengap", **settings)
        assert result.eigenvalues[2] < 0.2 < result.eigenvalues[3]
        assert result.offers()[0].settings == (("algorithm.n_clusters", 3),)
        assert_allclose(result.gaps, np.diff(result.eigenvalues), atol=1e-15)


@sweep("method, name", COUNTING, ASKED)
def test_every_method_is_studied_without_its_own_number_and_in_any_order_of_the_samples(name, method):
    kind, count = registry()[method], COUNTING[method]
    study = asked(name, most=4)
    if not study.applies(Pipeline(kind())):
        assert name == "information-criteria" and not hasattr(kind().fit(BLOBS), "bic")
        return
    assert study.rests_on(Pipeline(kind(**{count: 2}))) == study.rests_on(Pipeline(kind(**{count: 7})))
    found, _ = answers(name, method, BLOBS, most=4)
    done = [result.done for result in found]
    assert done == sorted(done) and found[-1].complete and not any(result.offers() for result in found[:-1])
    shuffled = last(name, method, BLOBS[np.random.default_rng(0).permutation(len(BLOBS))], most=4)
    for one, other in zip(found[-1].table().columns[:3], shuffled.table().columns[:3], strict=True):
        assert_allclose(one, other, rtol=1e-6, atol=1e-8)


ODD = {
    "one": np.zeros((1, 2)),
    "two": np.array([[0.0, 0], [1, 0]]),
    "three": np.array([[0.0, 0], [1, 0], [1, 1]]),
    "all at one place": np.ones((9, 2)),
    "two places": np.repeat([[0.0, 0], [1, 1]], 5, axis=0),
    "on a line": np.column_stack((np.arange(12.0), np.zeros(12))),
    "far away": BLOBS[:20] + 1e6,
    "tiny": BLOBS[:20] * 1e-9,
    "huge": BLOBS[:20] * 1e9,
    "one input": BLOBS[:20, :1],
    "seven inputs": np.random.default_rng(0).normal(size=(20, 7)),
}

METHODS_OF = {"silhouette": ("kmeans", "gmm"), "information-criteria": ("gmm",)}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("case", ODD)
def test_odd_samples_have_finite_numbers_or_a_sentence(name, case, few_starts):
    for method in METHODS_OF.get(name, ("kmeans",)):
        found, sentence = answers(name, method, ODD[case], most=3, **FEWEST.get(name, {}))
        assert sentence.endswith(".") if sentence else found[-1].complete
        for result in found:
            for plot in result.plots():
                assert np.isfinite(plot.limits).all()
                assert all(np.isfinite(mark.places()[~np.isnan(mark.places())]).all() for mark in plot.marks)
            assert not any(str(fact) in ("–", "∞") for fact in result.facts().values())


def test_of_many_samples_some_are_drawn_and_that_is_told(monkeypatch):
    monkeypatch.setattr(silhouette, "MOST_SAMPLES", 30)
    monkeypatch.setattr(gap, "MOST_SAMPLES", 30)
    monkeypatch.setattr(gap, "DRAWN_OF_MANY", 30)
    told = {
        "silhouette": "30 of 60 samples, drawn at random; all 60 are clustered",
        "gap": "30 of 60 samples, drawn at random",
    }
    for name, words in told.items():
        assert str(last(name, most=3).facts()["samples"]) == words
    result = last("silhouette", most=3)
    labels = models(result)[1].inner.labels[result.rows]
    assert_allclose(result.means[1], silhouette_score(BLOBS[result.rows], labels), atol=1e-12)


@pytest.mark.parametrize("name", ["elbow", "silhouette"])
def test_a_sample_of_weight_two_is_two(name):
    weights = np.arange(60) % 3 * 1.0
    one = last(name, weights=weights, most=4).table().columns[1]
    many = last(name, X=np.repeat(BLOBS, weights.astype(int), axis=0), most=4).table().columns[1]
    assert_allclose(one, many, rtol=1e-9)


def four_groups(seed):
    """Four obvious groups, as somebody would draw them: unequal, and not quite at the corners of a square."""
    rng = np.random.default_rng(seed)
    corners = np.array([(-2.5, 2.0), (2.5, 2.0), (-2.5, -2.0), (2.5, -2.0)]) + rng.uniform(-0.4, 0.4, (4, 2))
    return np.concatenate([corner + rng.normal(0, 0.4, (rng.integers(15, 40), 2)) for corner in corners])


STARTING = [name for name in COUNTING if hasattr(registry()[name](), "n_init")]


@pytest.mark.parametrize("seed", trials(4))
def test_four_obvious_groups_are_four_although_the_method_has_a_single_start(seed):
    X = four_groups(seed)
    four = (("algorithm.n_clusters", 4), ("algorithm.n_init", STARTS))
    for name in ("silhouette", "gap"):
        assert last(name, X=X, most=6).offers()[0].settings == four, name
    stable = last("cluster-stability", X=X, most=6)  # so may be two groups of two
    assert four in [offer.settings for offer in stable.offers()] and stable.means[0][2] > 1 - 1e-9
    costs = last("elbow", X=X)
    assert (np.diff(costs.inertia) < 0).all()
    assert costs.offers()[1].settings[0] == ("algorithm.n_clusters", 4)


@pytest.mark.parametrize("method", STARTING)
def test_a_study_does_not_hang_on_the_number_of_starts_and_says_how_many_it_makes(method):
    kind, X = registry()[method], four_groups(0)
    one, many, most = (Pipeline(kind(n_init=n)) for n in (1, STARTS, STARTS + 1))
    for name in ASKED:
        if name == "eigengap" or not (study := asked(name, most=3, **FEWEST.get(name, {}))).applies(one):
            continue
        assert study.rests_on(one) == study.rests_on(many) != study.rests_on(most)
        results = [list(study.run(pipeline, X))[-1] for pipeline in (one, many)]
        for first, second in zip(*(result.table().columns for result in results), strict=True):
            assert_allclose(first, second, rtol=1e-12)
        if (name, method) == ("gap", "gmm"):
            assert all(result.facts()[gap.SHORT_FITS].value.startswith("1 start,") for result in results)
            assert all(len(offer.settings) == 1 for result in results for offer in result.offers())
            continue
        facts = [result.facts()["starts of each fit"] for result in results]
        assert [fact.value for fact in facts] == [STARTS, STARTS] and "canvas: 1 start." in facts[0].help
        for offer in results[0].offers():
            assert offer.settings[1:] == (("algorithm.n_init", STARTS),) and f"{STARTS} restarts" in offer.label
        assert all(len(offer.settings) == 1 for offer in results[1].offers())


def test_of_numbers_that_are_as_good_the_smallest_is_chosen_and_the_others_are_named():
    rng = np.random.default_rng(0)
    places = np.array([(-9.0, 0.0), (-7.0, 0.0), (7.0, 0.0), (9.0, 0.0)])
    X = np.concatenate([place + rng.normal(0, 0.05, (15, 2)) for place in places])
    result = last("cluster-stability", X=X, most=6)
    mean = result.means[0]
    stable = [k for k, agreement in zip(result.axis.values, mean, strict=True) if agreement == mean.max()]
    assert stable[:1] == [2] and 4 in stable
    others = ", ".join(map(str, stable[1:]))
    assert str(result.facts()["Most stable"]).startswith(f"k = 2 ({others} ")
    assert [offer.settings[0][1] for offer in result.offers()] == stable
    (mark,) = [mark for mark in result.marked()]
    assert others in mark.label


@pytest.mark.parametrize("name", ["elbow", "silhouette", "cluster-stability", "information-criteria"])
def test_many_samples_are_not_clustered_so_many_times(monkeypatch, name, few_starts):
    for module in (elbow, silhouette, cluster_stability, information_criteria):
        monkeypatch.setattr(module, "MOST_CLUSTERED", 40)
    monkeypatch.setattr(cluster_stability, "DRAWN_OF_MANY", 30)
    most = 30 if name == "cluster-stability" else 40
    fitted, given = [], Pipeline.steps

    def watched(self, X, *others):
        fitted.append(len(X))
        return given(self, X, *others)

    monkeypatch.setattr(Pipeline, "steps", watched)
    result = last(name, "gmm", most=4, preprocessing="standardize", weights=np.repeat([1.0, 2.0], 30))
    assert f"{most} of 60 samples, drawn at random" in str(result.facts()["samples"])
    assert fitted and max(fitted) == most and result.offers()
