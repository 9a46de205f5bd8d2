"""What is told of a known source, against closed forms: Bayes error and boundary, and how far methods are from it."""

import math

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.data.generators.catalog import (
    Checkerboard,
    ClassGenerator,
    HillRegression,
    Moons,
    RippleRegression,
    SaddleRegression,
    SineRegression,
    TwoGaussians,
    UniformNoise,
    Xor,
    generators,
)
from mlviz.draw.marks import Lines, Text
from mlviz.numerics.density.bayes import midpoints
from mlviz.numerics.grid import Grid
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.studies import registry as studies
from mlviz.studies.question import Source
from mlviz.studies.truth.true_source import TrueSource, bayes_boundary
from tests.sweep import each


def below(z):
    return 0.5 * math.erfc(-z / math.sqrt(2))


def result_of(generator, method="lda", seed=1, **settings):
    data = generator.generate(seed)
    X, y = (data.X[:, :1], data.X[:, 1]) if generator.task == "regression" else (data.X, data.labels)
    (*_, last) = TrueSource().run(Pipeline(registry()[method](**settings)), X, y, source=data.source)
    return last


@pytest.mark.parametrize("sigma", [0.4, 0.8, 1.6])
def test_the_bayes_error_of_two_alike_gaussians_is_that_of_half_their_distance(sigma):
    generator = TwoGaussians(sigma=sigma, sigma_2=sigma)
    distance = np.linalg.norm(np.diff(generator.means(), axis=0)) / sigma
    least = result_of(generator).least
    assert abs(least.value - below(-distance / 2)) <= max(least.error, 1e-6) and least.error < 2e-4


def test_the_bayes_error_knows_priors_wrong_labels_and_outliers():
    generator = TwoGaussians(sigma=0.8, sigma_2=0.8, imbalance=4.0)
    d = np.linalg.norm(np.diff(generator.means(), axis=0)) / 0.8
    shift = np.log(4.0) / d
    expected = 0.8 * below(-d / 2 - shift) + 0.2 * below(-d / 2 + shift)
    assert result_of(generator).least.value == pytest.approx(expected, abs=1e-4)
    # A wrong label is drawn after the place: the best decision stays, and is wrong in the other cases.
    noisy = result_of(generator.replace(label_noise=0.1, n_samples=400)).least.value
    assert noisy == pytest.approx(expected + 0.1 * (1 - 2 * expected), abs=1e-4)
    # Outliers tell nothing of their class: there the rarer one is always missed.
    thrown = result_of(
        TwoGaussians(x_1=-0.7, x_2=0.7, y_1=0, y_2=0, sigma=0.3, sigma_2=0.3, imbalance=4.0, outliers=0.5)
    )
    few = TwoGaussians(x_1=-0.7, x_2=0.7, y_1=0, y_2=0, sigma=0.3, sigma_2=0.3, imbalance=4.0)
    assert thrown.least.value == pytest.approx(0.5 * 0.2 + 0.5 * result_of(few).least.value, abs=2e-3)


@each("outliers, kind", [0.0, 0.1, 1.0], [kind for kind in generators().values() if issubclass(kind, ClassGenerator)])
def test_all_of_the_source_is_summed_up_however_wide_it_is(kind, outliers):
    spreads = [parameter.name for parameter in kind.parameters() if "standard deviation" in parameter.help]
    for width in (0.25, 100.0):
        generator = kind(n_samples=20, outliers=outliers, **dict.fromkeys(spreads, width))
        if spreads and width > 2 and 0 < outliers < 1:
            with pytest.raises(CannotFit, match="with more noise or, if it already has a lot, with less"):
                result_of(generator)
            continue
        truth = result_of(generator).truth
        grid = midpoints(truth.limits, 360)
        area = (grid.x[1] - grid.x[0]) * (grid.y[1] - grid.y[0])
        assert truth.on_grid(grid).sum() * area == pytest.approx(1.0, abs=0.05)


def test_what_can_not_be_learned_and_what_can_wholly():
    nothing, all_of_it = result_of(UniformNoise(classes=3), "knn").least, result_of(Checkerboard(), "knn")
    assert nothing.value == pytest.approx(2 / 3, abs=1e-12) and nothing.error < 1e-12
    assert all_of_it.least == (0.0, 0.0) and 0 < all_of_it.own.value < 0.5


def test_the_true_error_of_a_straight_boundary_is_a_formula():
    generator = TwoGaussians(n_samples=60, imbalance=2.0)
    result = result_of(generator, "lda")
    data = generator.generate(1)
    model = registry()["lda"]().fit(data.X, data.labels)
    coef = (model.decision_function(np.eye(2)) - model.decision_function(np.zeros((1, 2)))) / np.linalg.norm(
        model.decision_function(np.eye(2)) - model.decision_function(np.zeros((1, 2)))
    )
    offset = model.decision_function(np.zeros((1, 2)))[0] / np.linalg.norm(
        model.decision_function(np.eye(2)) - model.decision_function(np.zeros((1, 2)))
    )
    first, second = (generator.means() @ coef + offset) / 0.8
    assert result.own.value == pytest.approx(2 / 3 * below(first) + 1 / 3 * below(-second), abs=2e-4)
    assert result.own.value >= result.least.value - result.least.error
    facts = result.facts()
    assert facts["Bayes error"].value == result.least.value and facts["true error"].value == result.own.value
    assert facts["above the Bayes error"].value == pytest.approx(result.own.value - result.least.value)
    assert result.table().columns[0] == ("Bayes error", "true error")
    (plot,) = result.plots()
    heights = [float(corners[:, 1].max()) for mark in plot.marks if mark.role == "bar" for corners in mark.vertices]
    assert [word for _, word in plot.x_ticks] == ["Bayes", "true", "training"]
    training = Pipeline(registry()["lda"]()).fit(data.X, data.labels).rating.named[1]
    assert heights == [result.least.value, result.own.value, training]


@pytest.mark.parametrize("method", ["knn", "svm", "qda"])
def test_the_true_error_is_what_many_fresh_samples_count(method):
    generator = Moons(noise=0.5, n_samples=120, label_noise=0.05)
    result, data = result_of(generator, method), generator.generate(1)
    fresh = generator.replace(n_samples=20_000).further(77)
    wrong = np.mean(Pipeline(registry()[method]()).fit(data.X, data.labels).predict(fresh.X) != fresh.labels)
    assert result.own.value == pytest.approx(wrong, abs=4 * np.sqrt(wrong * (1 - wrong) / 20_000))


def test_the_bayes_boundary_is_where_both_classes_are_as_probable():
    generator, grid = TwoGaussians(imbalance=3.0), Grid.over((-4, 4, -4, 4), 150, 150)
    line = bayes_boundary(generator.truth().on_grid(grid), grid)
    first, second = generator.means()
    # Of equal covariances it is straight: (x - middle) . (second - first) = sigma^2 log 3.
    off = (line - (first + second) / 2) @ (second - first) - 0.64 * np.log(3.0)
    assert len(line) and np.nanmax(np.abs(off)) < 1e-9
    xor = bayes_boundary(Xor().truth().on_grid(grid), grid)
    assert np.nanmax(np.abs(xor).min(axis=1)) < 1e-2 * 8 / 150
    assert not len(bayes_boundary(UniformNoise(label_noise=0.1).truth().on_grid(grid), grid))
    cells = bayes_boundary(Checkerboard(cells=4).truth().on_grid(grid), grid)
    assert np.nanmax((np.abs(cells[:, :, None] - np.array([-1.8, 0.0, 1.8])).min(axis=2)).min(axis=1)) < 8 / 149


def test_of_values_the_function_and_its_noise_are_told():
    generator = SineRegression(noise=0.3, n_samples=50)
    result, data = result_of(generator, "linear-regression"), generator.generate(1)
    x = np.linspace(-3.5, 3.5, 20_001)
    fit = Pipeline(registry()["linear-regression"]()).fit(data.X[:, :1], data.X[:, 1])
    distance = np.sqrt(np.mean((fit.predict(x[:, None]) - generator.regression_function(x)) ** 2))
    facts = {name: fact.value for name, fact in result.facts().items()}
    assert facts["noise"] == 0.3
    assert facts["distance from the true function"] == pytest.approx(distance, rel=1e-3)
    assert facts["true RMSE"] == pytest.approx(np.hypot(0.3, distance), rel=1e-3)
    spoilt = result_of(generator.replace(outliers=0.1), "linear-regression")
    assert list(spoilt.facts()) == ["distance from the true function"]


@pytest.mark.parametrize("generator", [HillRegression(), SaddleRegression(noise=0.1), RippleRegression()])
def test_of_values_over_the_plane_too(generator):
    data = generator.generate(1)
    source = Source.usual(generator)
    assert (source.inputs, source.target) == ((0, 1), 2)
    pipeline = Pipeline(registry()["kernel-ridge"]())
    *_, result = TrueSource().run(pipeline, data.X[:, :2], data.X[:, 2], source=generator)
    nodes = -3.5 + 7 * (np.arange(150) + 0.5) / 150
    X = np.stack(np.meshgrid(nodes, nodes), axis=-1).reshape(-1, 2)
    distance = np.sqrt(np.mean((pipeline.fit(data.X[:, :2], data.X[:, 2]).predict(X) - generator.true_values(X)) ** 2))
    facts = {name: fact.value for name, fact in result.facts().items()}
    assert facts["noise"] == generator.noise
    assert facts["distance from the true function"] == pytest.approx(distance, rel=5e-3)  # a sum over 45² places


def test_the_true_function_over_the_plane_lies_on_a_regression_as_lines_of_equal_value():
    picture = shown(SaddleRegression(), "knn")
    lines = [mark for mark in picture.plot.marks if mark.role == "truth"]
    places = next(mark.xy for mark in lines if isinstance(mark, Lines))
    words = next(mark for mark in lines if isinstance(mark, Text))
    told = SaddleRegression().true_values(places[np.isfinite(places[:, 0])])
    levels = {float(word.replace("−", "-")) for word in words.words}
    assert np.abs(told[:, None] - np.array(sorted(levels))).min(axis=1).max() < 0.02
    for place, word in zip(words.xy, words.words, strict=True):
        assert SaddleRegression().true_values(place[None])[0] == pytest.approx(float(word.replace("−", "-")), abs=0.02)


def test_where_the_truth_is_not_known_a_sentence_says_so():
    data = Moons().generate(0)
    pipeline = Pipeline(registry()["knn"]())
    with pytest.raises(CannotFit, match="draw the points with a generator"):
        list(TrueSource().run(pipeline, data.X, data.labels))
    with pytest.raises(CannotFit, match="With so little noise"):
        list(TrueSource().run(pipeline, data.X, data.labels, source=Moons(noise=0.0)))
    with pytest.raises(CannotFit, match=r"\(x1, x2\) → y only"):
        list(TrueSource().run(pipeline, data.X, data.labels, source=Source(HillRegression())))
    with pytest.raises(CannotFit, match="x1 → x2 only"):
        list(TrueSource().run(pipeline, data.X, data.labels, source=Source(SineRegression())))


def shown(generator, method, **layers):
    scene = edits.with_method(edits.with_drawn(default_scene(), generator.generate(2)), 0, method)
    scene = edits.with_study(scene, 0, studies()["true-source"]())
    (picture,) = draw(scene, [(300, 200)], 60)
    return picture


@pytest.mark.parametrize("method", ["svm", "kmeans", "kde", "pca"])
def test_it_lies_on_the_picture_of_any_method(method):
    picture = shown(TwoGaussians(), method)
    roles = [mark.role for mark in picture.plot.marks]
    assert {"truth", "ellipse 0", "ellipse 1"} <= set(roles)
    shades = [place for place, mark in enumerate(picture.plot.marks) if mark.fills]
    assert max(shades, default=-1) < roles.index("ellipse 0")  # nothing covers it
    (study,) = picture.studies
    assert study.message == "" and ("true error" in study.facts) == (method == "svm")
    for code, mean in enumerate(TwoGaussians().means()):
        rims = next(mark.xy for mark in picture.plot.marks if mark.role == f"ellipse {code}" and hasattr(mark, "xy"))
        radii = np.linalg.norm(rims - mean, axis=1) / 0.8
        # A round Gaussian holds 50 and 90 % within the roots of 2 log 2 and 2 log 10.
        wanted = np.sqrt(2 * np.log([2.0, 10.0]))
        assert np.nanmax(np.abs(radii[:, None] - wanted).min(axis=1)) < 0.03


def test_the_true_function_lies_on_a_regression():
    picture = shown(SineRegression(), "linear-regression")
    (line,) = [mark for mark in picture.plot.marks if mark.role == "truth"]
    np.testing.assert_allclose(line.xy[:, 1], SineRegression().regression_function(line.xy[:, 0]), atol=1e-12)
    (band,) = [mark for mark in picture.plot.marks if mark.role == "truth band"]
    assert np.ptp(band.vertices[0][:, 1]) > 2 * 0.4
