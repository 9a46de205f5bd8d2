"""Kernel principal component analysis against scikit-learn, against PCA, and against its own other ways."""

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA as Oracle

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.components.kernel_pca import KernelPCA, scores_chart
from mlviz.algorithms.components.kernel_pca import model as module
from mlviz.algorithms.components.kernel_pca.model import KernelPCAProblem
from mlviz.algorithms.components.pca import PCA
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context
from mlviz.draw.marks import Field, Points, Polygons, Text
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.picture.sklearn_code import python_code
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.attempts.edits import kinds_of
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import each

KERNELS = (
    {},
    {"sigma": 0.3},
    {"kernel": "linear"},
    {"kernel": "polynomial", "degree": 2},
    {"kernel": "polynomial", "degree": 5, "coef0": 0.5},
    {"kernel": "laplacian", "sigma": 2.0},
    {"kernel": "exponential"},
    {"kernel": "expression"},
    {"kernel": "expression", "expression": "anova(gaussian(1)) * (linear + 2)"},
)


def samples(n=60, d=2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ rng.normal(size=(d, d)) + 0.3 * rng.normal(size=d)


def of_scikit_learn(algorithm, X, places, count):
    """Variances and the scores of places, from the matrices of the kernel."""
    kernel = algorithm.kernel_function()
    oracle = Oracle(count, kernel="precomputed", eigen_solver="dense").fit(kernel.matrix(X, X))
    return oracle.eigenvalues_ / (len(X) - 1), oracle.transform(kernel.matrix(places, X))


def assert_same_up_to_sign(found, expected, within=1e-9):
    sign = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found, expected * sign, atol=within * np.abs(expected).max())


def exact(algorithm, X, rng=None):
    """The model found in the samples, whatever would be faster."""
    problem = KernelPCAProblem.given(algorithm, X, None, algorithm.component)
    return module.finished(problem._exact(rng or np.random.default_rng(0)))


@each("values, shape", KERNELS, [(60, 2), (25, 3), (450, 2)])
def test_it_agrees_with_scikit_learn(values, shape):
    n, d = shape
    X, places = samples(n, d), samples(30, d, seed=5)
    algorithm = KernelPCA(**values)
    model = algorithm.fit(X)
    k = min(len(model.explained_variance), 6)
    variances, scores = of_scikit_learn(algorithm, X, places, k)
    np.testing.assert_allclose(model.explained_variance[:k], variances, rtol=1e-9)
    assert_same_up_to_sign(model.transform(places)[:, :k], scores)
    shown = algorithm.replace(component=2).fit(X)
    np.testing.assert_allclose(shown.component_score(places), model.transform(places)[:, 1], atol=1e-12)


@pytest.mark.parametrize("d", [2, 3])
def test_the_linear_kernel_gives_principal_components_with_their_signs(d):
    X, places = samples(50, d) + 7, samples(20, d, seed=3)
    found, expected = KernelPCA(kernel="linear").fit(X), PCA().fit(X)
    np.testing.assert_allclose(found.explained_variance, expected.explained_variance, rtol=1e-12)
    np.testing.assert_allclose(found.transform(places), expected.transform(places), atol=1e-12)
    assert found.total_variance == pytest.approx(expected.total_variance)
    np.testing.assert_allclose(
        exact(KernelPCA(kernel="linear"), X).transform(places), found.transform(places), atol=1e-9
    )


def test_features_and_samples_give_the_same_polynomial():
    X, places = samples(), samples(20, seed=3)
    algorithm = KernelPCA(kernel="polynomial", degree=4)
    model, other = algorithm.fit(X), exact(algorithm, X)
    assert model.solved == "15, one for each feature" and other.solved == "60, one for each sample"
    size = np.abs(model.transform(places)).max()
    np.testing.assert_allclose(other.transform(places), model.transform(places), atol=1e-8 * size)
    np.testing.assert_allclose(other.total_variance, model.total_variance, rtol=1e-12)


def test_far_from_zero_rounding_is_no_component():
    X = samples() + 1e6
    model = KernelPCA(kernel="polynomial").fit(X)
    features = model.found.features
    exact = np.ones((len(X), len(features.factor)), dtype=np.longdouble)
    for j, column in enumerate(X.T.astype(np.longdouble)):
        exact *= column[:, None] ** features.exponents[:, j]
    exact *= features.factor
    away = (exact - exact.mean(axis=0)).astype(np.float64)
    deviations = np.linalg.svd(away / np.sqrt(59), compute_uv=False)
    k = len(model.explained_variance)
    assert 2 <= k < 9
    np.testing.assert_allclose(np.sqrt(model.explained_variance), deviations[:k], rtol=2e-3)


def test_scores_are_centred_uncorrelated_and_have_the_variances_told():
    X = samples(40)
    weights = np.random.default_rng(2).uniform(0.5, 3, 40)
    model = KernelPCA().fit(X, sample_weight=weights)
    scores = model.transform(X)
    np.testing.assert_allclose(weights @ scores, 0, atol=1e-12)
    covariance = (scores.T * weights) @ scores / (weights.sum() - 1)
    np.testing.assert_allclose(covariance, np.diag(model.explained_variance), atol=1e-12)
    assert model.reach == pytest.approx(np.abs(scores[:, 0]).max())


def test_all_components_together_explain_everything():
    X = samples(9)
    model = KernelPCA(sigma=0.5, component=2).fit(X)
    assert len(model.explained_variance) == 8
    assert model.explained_variance.sum() == pytest.approx(model.total_variance, rel=1e-12)
    facts = model.facts()
    assert facts["explained by the one shown"] == pytest.approx(model.explained_variance[1] / model.total_variance)
    assert (
        facts["explained up to the one shown"]
        == facts["explained by 1 and 2"]
        == pytest.approx(model.explained_variance[:2].sum() / model.total_variance)
    )


@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_the_sense_of_a_component_is_that_of_the_samples(sigma):
    X = samples(80)
    model = KernelPCA(sigma=sigma).fit(X)
    together = (X - X.mean(axis=0)).T @ model.transform(X)
    largest = np.abs(together).argmax(axis=0)
    assert (np.take_along_axis(together, largest[None], axis=0) > 0).all()
    # Of samples that are their own mirror images even components vary with no input.
    mirrored = np.concatenate((X, -X)) - 0.0
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(mirrored))
        model = KernelPCA(sigma=sigma).fit(mirrored[order])
        scores = model.transform(mirrored)
        even = np.abs(scores[:80] - scores[80:]).max(axis=0) < 1e-9
        assert even.any() and not even.all()
        assert (scores.max(axis=0) >= np.abs(scores).max(axis=0) - 1e-9)[even].all()


def test_equal_variances_are_told():
    corners = np.array([(1.0, 1), (1, -1), (-1, 1), (-1, -1)])
    told = "components 1 to 2 have equal variances: any directions between them would do as well"
    assert KernelPCA().fit(corners).caveat == told
    assert not KernelPCA(component=3).fit(corners).caveat
    assert not KernelPCA().fit(samples()).caveat


@pytest.mark.parametrize(
    ("X", "values", "sentence"),
    [
        (samples() * 1e-9, {}, "With this kernel all samples are practically equal"),
        (samples(), {"sigma": 1e9}, "With this kernel all samples are practically equal"),
        (samples(), {"kernel": "linear", "component": 3}, "There are only 2 components with a variance"),
        (samples()[:2], {"component": 2}, "There is only 1 component with a variance"),
        (samples() * 1e200, {}, "too far apart"),
        (samples() * 1e-200, {"kernel": "linear"}, "too close together"),
        (np.ones((5, 2)), {}, "All samples are at the same place"),
    ],
)
def test_what_has_no_such_component_is_refused(X, values, sentence):
    with pytest.raises(CannotFit, match=sentence):
        KernelPCA(**values).fit(X)


def test_centres_that_are_all_samples_leave_nothing_out():
    X, places = samples(70), samples(20, seed=3)
    problem = KernelPCAProblem.given(KernelPCA(kernel="laplacian"), X, None, 1)
    found = module.finished(problem._in_centers(np.random.default_rng(0), 70, np.arange(70)))
    expected = KernelPCA(kernel="laplacian").fit(X)
    np.testing.assert_allclose(found.explained_variance, expected.explained_variance, rtol=1e-9)
    np.testing.assert_allclose(found.transform(places), expected.transform(places), atol=1e-9)
    assert found.total_variance == pytest.approx(expected.total_variance)


def test_very_many_samples_are_represented_by_centres_and_the_caption_says_so():
    X = samples(3400)
    first, *_, model = KernelPCA().steps(X, None, np.random.default_rng(0))
    assert first.caveat.startswith("approximated with ") and "of 3,400 samples as centres" in model.caveat
    some = KernelPCA().fit(X[:600])
    places = samples(50, seed=3)
    # The components of some of the samples are nearly those of all.
    for found in (first, model):
        agreement = np.corrcoef(found.component_score(places), some.component_score(places))[0, 1]
        assert agreement > 0.99
    assert model.left_out < 1e-6
    assert not KernelPCA(kernel="polynomial").fit(X).caveat
    order = np.random.default_rng(1).permutation(len(X))
    np.testing.assert_allclose(KernelPCA().fit(X[order]).transform(places), model.transform(places), atol=1e-9)


def scene_of(X, labels, **values):
    panel = Panel(Pipeline(KernelPCA(**values)))
    return Scene(Dataset(X, labels), (panel,), view=View(limits=(-4, 4, -3, 3), equal=False, probe=(0.5, -0.25)))


def test_the_picture_shows_the_scores():
    X, labels = samples(60), np.arange(60) % 3
    (picture,) = draw(scene_of(X, labels, component=3), [(300, 200)])
    model = KernelPCA(component=3).fit(X)
    (field,) = [mark for mark in picture.plot.marks if isinstance(mark, Field)]
    at = np.array([(field.x[7], field.y[11])])
    expected = 128 + 127 * model.component_score(at)[0] / model.reach
    assert abs(float(field.strength[11, 7]) - expected) <= 1
    assert field.role == "score" and field.label.startswith("score along component 3, −")
    sides = {plot.id: plot for plot in picture.sides}
    *classes, now = [mark for mark in sides["scores"].marks if isinstance(mark, Points)]
    for code, mark in enumerate(classes):
        assert mark.role == f"dot {code}"
        expected = model.transform(X[labels == code])[:, [0, 2]]
        order, given = np.lexsort(expected.T), np.lexsort(mark.xy.T)
        np.testing.assert_allclose(mark.xy[given], expected[order], atol=1e-12)
    np.testing.assert_allclose(now.xy, model.transform(np.array([(0.5, -0.25)]))[:, [0, 2]], atol=1e-12)
    assert (sides["scores"].x_label, sides["scores"].y_label) == ("component 1", "component 3")
    bars = next(mark for mark in sides["scree"].marks if isinstance(mark, Polygons))
    np.testing.assert_allclose([bar[:, 1].max() for bar in bars.vertices], model.explained_variance)
    words = next(mark for mark in sides["scree"].marks if isinstance(mark, Text)).words
    assert float(words[2].split()[0]) == pytest.approx(100 * model.share(0, 3), rel=6e-3)
    assert picture.explanation.sentence.startswith("scores ")
    assert "spectrum" not in sides


def test_of_many_samples_some_are_in_the_scores_plot_and_its_title_says_so():
    X = samples(2100)
    model = KernelPCA(kernel="linear").fit(X)
    context = Context(X, None, np.arange(len(X)), KernelPCA(), "decomposition", grid=Grid.over((-4, 4, -3, 3), 9, 7))
    plot = scores_chart.draw(model, context)
    assert plot.title == "Scores of 2,000 of 2,100 samples, drawn at random"
    assert len(plot.marks[0].xy) == 2000


def test_a_place_is_explained_by_its_scores():
    X = samples(40)
    model = KernelPCA(component=6).fit(X)
    first = model.transform(X[:1])[0]
    sentence = model.explain(X[0]).sentence
    assert f"along components 1 to 4, and {first[5]:.3g} along component 6; pre-image" in sentence
    t = np.linspace(-1, 1, 9)
    line = KernelPCA(kernel="linear").fit(np.column_stack((t, 0 * t)))
    assert line.explain(np.array([0.5, 3.0])).sentence == "score 0.5 along the only component."


@pytest.mark.parametrize(("component", "sigma"), [(1, 1.0), (2, 1.0), (3, 0.7), (5, 2.0)])
def test_a_pre_image_is_the_nearest_place_around(component, sigma):
    X = samples(40) + 5
    model = KernelPCA(component=component, sigma=sigma).fit(X)
    kernel, found = model.found.kernel, 0
    scores = model.transform(X)[:, :component]
    axes = scores / (39 * model.explained_variance[:component])  # coefficients of the samples' images, centred

    def distance(z, x):
        """The squared one of the image of z from the projection of that of x, but for what does not depend on z."""
        coef = 1 / 40 + axes @ model.transform(x[None])[0, :component]
        return 1 - 2 * kernel.matrix(z, X) @ coef

    for x in X[:12]:
        z = model.pre_image(x)
        if z is None:
            continue
        found += 1
        around = z + 1e-3 * sigma * np.random.default_rng(0).normal(size=(50, 2))
        here = distance(z[None], x)[0]
        assert here <= distance(x[None], x)[0] + 1e-12 and (here <= distance(around, x) + 1e-12).all()
        told = model.explain(x)
        np.testing.assert_allclose(told.marks[-1].xy, [z])
    assert found >= 10


def test_all_components_keep_a_sample_where_it_is_and_other_kernels_tell_no_pre_image():
    X = samples(9)
    model = KernelPCA(sigma=0.5, component=8).fit(X)
    for x in X:
        np.testing.assert_allclose(model.pre_image(x), x, atol=1e-6)
    assert model.pre_image(np.array([90.0, 90.0])) is None
    for kernel in ("linear", "laplacian"):
        assert KernelPCA(kernel=kernel).fit(X).pre_image(X[0]) is None


def test_no_axis_is_drawn_by_hand_and_further_inputs_are_not_looked_along():
    assert kinds_of(scene_of(samples(), np.zeros(60, dtype=int)), 0) == ()
    X = samples(30, 3)
    scene = Scene(
        Dataset(X, np.zeros(30, dtype=int), ("a", "b", "c")),
        (Panel(Pipeline(registry()["kernel-pca"]()), inputs=("a", "b", "c")),),
        view=View(axes=("a", "b")),
    )
    (picture,) = draw(scene, [(300, 200)])
    assert not picture.plot.marks and "projected along" not in picture.caption
    assert {plot.id for plot in picture.sides} >= {"scores", "scree"}


@pytest.mark.parametrize("kernel", ["gaussian", "linear", "polynomial", "laplacian", "exponential", "expression"])
def test_the_lines_of_code_find_the_same_variances(kernel):
    scene = scene_of(samples(40), np.zeros(40, dtype=int), kernel=kernel)
    model = scene.panels[0].pipeline.fit(scene.dataset.X)
    left = {}
    exec(python_code(scene, 0, model), left)
    variances = left["model"].eigenvalues_ / 39
    np.testing.assert_allclose(variances, model.inner.explained_variance, rtol=1e-8)
