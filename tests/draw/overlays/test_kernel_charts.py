"""Charts of a kernel and of the sum of bumps: their numbers are those of the kernel and of the model."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.algorithms.kernels.kernel_ridge import KernelRidge
from mlviz.algorithms.margin.svm import SVM
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context, Names
from mlviz.draw.marks import Field, Lines, Points, Segments, Text
from mlviz.draw.numbers import format_number
from mlviz.draw.overlays import gram, slices
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.expression import parse
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene.scene import Panel, Scene, View

INDEFINITE = "gaussian(0.5) - 0.6*gaussian(2)"
GRID = Grid.over((-3.0, 3.0, -2.0, 2.0), 31, 21)


def blobs(n=40, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) + y[:, None], y


def context(algorithm, X, y, **more):
    task = "classification" if isinstance(algorithm, SVM) else "regression"
    level = np.array([[-3.0, 0.0], [3.0, 0.0]])
    facts = {"grid": GRID, "slice": level, "names": Names(("calm", "wild"), ("x1", "x2"))} | more
    return Context(X, y, np.arange(len(X)), algorithm, task, **facts)


def marks(plot, kind, role):
    return [mark for mark in plot.marks if isinstance(mark, kind) and mark.role == role]


def test_gram_matrix_has_the_samples_of_a_class_together():
    X, y = blobs()
    plot = gram.gram_chart.draw(None, context(SVM(sigma=0.8), X, y))
    field, scale = marks(plot, Field, "similarity")
    order = np.lexsort((X[:, 1], X[:, 0], y))
    K = parse("gaussian(0.8)").matrix(X[order], X[order])
    np.testing.assert_allclose(field.strength, np.floor(128 + 127 * K), atol=1)
    np.testing.assert_allclose(field.cells, K)
    assert field.cell_name.format(x=1.0, y=12.0) == "k(1, 12)"
    assert scale.strength.min() == 128 and scale.strength.max() == 255
    (said,) = marks(plot, Text, "boundary")
    assert said.words == ("1", "0")
    assert [word for _, word in plot.x_ticks] == ["calm", "wild"]
    assert plot.x_ticks[0][0] == pytest.approx(10.5)
    (edges,) = marks(plot, Lines, "cell")
    assert edges.xy[0, 0] == 20.5


def test_of_many_samples_some_are_shown_and_that_is_said():
    X, y = blobs(1000)
    plot = gram.gram_chart.draw(None, context(SVM(), X, y))
    field = marks(plot, Field, "similarity")[0]
    assert field.strength.shape == (gram.MOST_ROWS, gram.MOST_ROWS)
    assert plot.x_label == "120 of 1,000 samples"


def test_the_scale_names_its_ends_and_zero_where_that_is_apart():
    X, y = blobs()
    for text, names in (("linear", 3), (INDEFINITE, 3), ("3*gaussian(2) - 0.2*gaussian(0.1)", 2)):
        plot = gram.gram_chart.draw(None, context(SVM(kernel="expression", expression=text), X, y))
        field, scale = marks(plot, Field, "similarity")
        (said,) = marks(plot, Text, "boundary")
        assert len(said.words) == names and said.words[0] == format_number(field.cells.max(), 2)
        assert said.words[1] == format_number(min(0.0, field.cells.min()), 2)
        assert scale.strength.min() == min(128, field.strength.min()) and scale.x[0] > len(X)


@pytest.mark.parametrize("text", ["gaussian(1)", INDEFINITE])
def test_eigenvalues_are_those_of_the_gram_matrix(text):
    X, y = blobs()
    plot = gram.spectrum_chart.draw(None, context(SVM(kernel="expression", expression=text), X, y))
    K = parse(text).matrix(X, X)
    expected = np.linalg.eigvalsh(K)
    expected = expected[np.abs(expected) > 1e-10 * 40 * np.abs(K).max()]
    (above,) = marks(plot, Points, "path")
    np.testing.assert_allclose(np.sort(above.xy[:, 1]), expected[expected > 0], rtol=1e-6)
    below = marks(plot, Points, "warning")
    assert bool(below) == (text == INDEFINITE)
    if below:
        np.testing.assert_allclose(np.sort(-below[0].xy[:, 1]), expected[expected < 0], rtol=1e-6)
        (warning,) = marks(plot, Text, "warning")
        assert warning.words == ("not positive semi-definite",)


def test_profile_is_the_kernel_along_the_first_input():
    X, y = blobs()
    place = np.array([0.5, -1.0])
    for probe in (None, place):
        plot = gram.profile_chart.draw(None, context(SVM(kernel="exponential", sigma=0.7), X, y, probe=probe))
        (curve,) = marks(plot, Lines, "curve")
        middle = X.mean(axis=0) if probe is None else place
        np.testing.assert_allclose(curve.xy[:, 1], np.exp(-np.abs(curve.xy[:, 0] - middle[0]) / 0.7))
        (now,) = marks(plot, Points, "now")
        np.testing.assert_allclose(now.xy, [[middle[0], 1.0]])


@pytest.mark.parametrize("kernel", ["gaussian", "expression", "linear", "polynomial"])
def test_bumps_add_up_to_the_function(kernel):
    X, y = blobs()
    line = np.array([[-2.0, -1.0], [2.5, 1.5]])
    for algorithm, target in ((SVM(kernel=kernel), y), (KernelRidge(kernel=kernel), np.sin(X[:, 0]))):
        model = algorithm.fit(X, target)
        plot = slices.slice_chart.draw(model, context(algorithm, X, target, slice=line))
        (curve,) = marks(plot, Lines, "curve")
        places = line[0] + curve.xy[:, :1] * (line[1] - line[0])
        says = model.decision_function if isinstance(algorithm, SVM) else model.predict
        np.testing.assert_allclose(curve.xy[:, 1], says(places), atol=1e-9)
        bumps = [mark.xy for mark in plot.marks if isinstance(mark, Lines) and mark.label.startswith("bumps")]
        heights = [xy.reshape(-1, 2)[np.isfinite(xy[:, 0])].reshape(-1, len(curve.xy), 2)[..., 1] for xy in bumps]
        total = np.concatenate(heights).sum(axis=0) + model.expansion.base
        np.testing.assert_allclose(total, curve.xy[:, 1], atol=1e-7 * max(1.0, np.abs(total).max()))


def test_bumps_have_the_colour_of_the_class_they_speak_for():
    X, y = blobs()
    model = SVM().fit(X, y)
    plot = slices.slice_chart.draw(model, context(SVM(), X, y))
    for role, sign, name in (("link 0", -1, "calm"), ("link 1", 1, "wild")):
        (mark,) = marks(plot, Lines, role)
        assert (sign * mark.xy[np.isfinite(mark.xy[:, 0]), 1] >= 0).all()
        assert mark.label == f"bumps of {name}"


@pytest.mark.parametrize(("method", "scheme"), [("svm", "one-vs-one"), ("svm", "one-vs-rest"), ("kernel-rls", "auto")])
def test_of_several_classes_the_leading_ones_are_shown(method, scheme):
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 2)) * 0.4 + np.array([(-1.5, 0), (1.5, 0), (0, 9)])[y]
    data = Dataset(X, y, class_names=("calm", "wild", "far"))
    scene = Scene(data, (Panel(Pipeline(registry()[method](), multiclass=scheme)),), view=View(limits=(-3, 3, -3, 3)))
    (picture,) = draw(scene.with_view(slice=(-3.0, 0.1, 2.0, 0.1), probe=(1.0, 0.1)), [(300, 300)])
    (plot,) = [side for side in picture.sides if side.id == "cut"]
    others = "calm" if scheme == "one-vs-one" else "all others"
    assert {f"bumps of {name}" for name in ("wild", others)} == {
        mark.label.removeprefix("largest ") for mark in plot.marks if "bumps" in mark.label
    }
    (curve,) = marks(plot, Lines, "curve")
    assert (curve.xy[-1, 1] > 0) and (curve.xy[0, 1] < curve.xy[-1, 1])
    assert marks(picture.plot, Lines, "slice")


def test_the_largest_of_many_bumps_are_drawn_and_that_is_said():
    X, _ = blobs(200)
    model = KernelRidge(sigma=0.3).fit(X, np.sin(X[:, 0]))
    plot = slices.slice_chart.draw(model, context(KernelRidge(), X, np.sin(X[:, 0])))
    (mark,) = marks(plot, Lines, "basis")
    assert mark.label == "largest bumps"
    assert np.isnan(mark.xy[:, 0]).sum() == slices.MOST_TERMS - 1


def test_only_a_line_that_was_drawn_lies_on_the_canvas():
    X, y = blobs()
    model = SVM().fit(X, y)
    assert not slices.line.draw(model, context(SVM(), X, y))
    line = np.array([[-2.0, -1.0], [2.5, 1.5]])
    mark, ends = slices.line.draw(model, context(SVM(), X, y, slice=line))
    np.testing.assert_array_equal(mark.xy, line)
    assert ends.words == ("A", "B")
    assert slices.slice_chart.draw(model, context(SVM(), X, y, slice=line)).x_label == "along the line from A to B"
    assert slices.slice_chart.draw(model, context(SVM(), X, y, slice=line[[0, 0]])) is None


@pytest.mark.parametrize("preprocessing", ["none", "standardize", "whiten"])
def test_charts_of_a_kernel_that_is_refused_are_there(preprocessing):
    X, y = blobs()
    algorithm = SVM(kernel="expression", expression=INDEFINITE)
    scene = Scene(Dataset(X, y), (Panel(Pipeline(algorithm, preprocessing=preprocessing)),), view=View())
    (picture,) = draw(scene, [(300, 200)])
    assert "not positive semi-definite" in picture.message
    assert [plot.id for plot in picture.sides] == ["kernel", "gram", "spectrum"]
    assert marks(picture.sides[-1], Points, "warning")
    transform = preprocessings()[preprocessing].learn(X)
    Z = transform.to_model(X)
    assert picture.sides[0].x_label.startswith(f"{transform.names(('x1', 'x2'))[0]}, ")
    (above,) = marks(picture.sides[-1], Points, "path")
    assert above.xy[:, 1].max() == pytest.approx(np.linalg.eigvalsh(parse(INDEFINITE).matrix(Z, Z))[-1])
    (nothing,) = draw(Scene(Dataset(X[:0], y[:0]), scene.panels, view=View()), [(300, 200)])
    assert nothing.sides == ()


def test_a_cut_through_a_street_shows_its_margins_and_the_samples_near_the_line():
    X, y = blobs()
    svm = SVM(sigma=0.8)
    plot = slices.slice_chart.draw(svm.fit(X, y), context(svm, X, y))
    assert {height for _, height in marks(plot, Lines, "margin")[0].xy if np.isfinite(height)} == {-1.0, 1.0}
    assert marks(plot, Lines, "zero") and marks(plot, Lines, "offset") and plot.limits[2] < -1 and plot.limits[3] > 1
    inside = (np.abs(X[:, 1]) < 0.05 * 4) & (np.abs(X[:, 0]) <= 3)
    for code in (0, 1):
        (ticks,) = marks(plot, Segments, f"ellipse {code}")
        np.testing.assert_allclose(ticks.start[:, 0], (X[inside & (y == code), 0] + 3) / 6)
        assert (ticks.start[:, 1] == plot.limits[2]).all() and (ticks.end[:, 1] > ticks.start[:, 1]).all()
    rls = registry()["kernel-rls"]()
    of_rls = slices.slice_chart.draw(rls.fit(X, y), context(svm, X, y))
    assert not marks(of_rls, Lines, "margin")


def test_of_very_many_samples_near_the_line_some_have_a_tick():
    y = np.arange(2 * slices.MOST_TICKS + 400) % 2
    X, svm = np.column_stack((np.linspace(-2, 2, len(y)), np.zeros(len(y)))), SVM(kernel="linear")
    plot = slices.slice_chart.draw(svm.fit(X[:20], y[:20]), context(svm, X, y))
    for code in (0, 1):
        (ticks,) = marks(plot, Segments, f"ellipse {code}")
        assert len(ticks.start) == slices.MOST_TICKS
        ends = (X[y == code][[0, -1], 0] + 3) / 6
        np.testing.assert_allclose(ticks.start[[0, -1], 0], ends)


UNITS = [("none", "x1,"), ("standardize", "x1, standardized,"), ("whiten", "whitened 1,")]


@pytest.mark.parametrize(("preprocessing", "named"), UNITS)
def test_an_axis_says_whose_units_it_has(preprocessing, named):
    rng = np.random.default_rng(0)
    pipeline = Pipeline(SVM(), preprocessing)
    scene = Scene(Dataset(rng.normal(5, 3, (20, 2)), np.arange(20) % 2), (Panel(pipeline),))
    (picture,) = draw(scene, [(300, 300)], 20)
    (kernel,) = [plot for plot in picture.sides if plot.id == "kernel"]
    assert kernel.x_label.startswith(named)


@pytest.mark.parametrize("size", [0.003, 0.98, 1.0, 4.2, 71.0])
@pytest.mark.parametrize("share", [-0.0561, -0.4, 0.0])
def test_the_numbers_beside_a_scale_are_short_and_near_its_ends(size, share):
    K = np.array([[size, share * size], [share * size, size]])
    bar, words = gram.scale_beside(K, size, np.array([0.0, 1.0]))
    assert words.xy[:, 0].min() > bar.x[-1]
    ends = sorted({float(word.replace("\N{MINUS SIGN}", "-")) for word in words.words})
    np.testing.assert_allclose((ends[0], ends[-1]), (min(share * size, 0.0), size), atol=0.1 * size)
    assert all(len(word) <= 7 for word in words.words)
