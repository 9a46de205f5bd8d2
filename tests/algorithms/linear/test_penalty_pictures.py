"""The charts and overlays of linear regression's bases and penalties: what they draw is so."""

import numpy as np
import pytest

from mlviz.algorithms.linear.linear_regression import LinearRegression
from mlviz.algorithms.linear.linear_regression.charts import basis_chart, basis_functions, weights_chart
from mlviz.algorithms.linear.linear_regression.penalties import ball_chart, path_chart, threshold_chart
from mlviz.algorithms.linear.linear_regression.spectrum import spectrum_chart
from mlviz.draw.layer import Context, Names
from mlviz.draw.marks import Ellipses, Lines, Points, Polygons, Text
from tests.sweep import each, share, sweep

LINE = np.linspace(-4, 4, 161)


def sample(d, n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, np.sin(X).sum(axis=1) + 0.3 * rng.normal(size=n)


def fitted(d=1, **settings):
    X, y = sample(d)
    method = LinearRegression(**settings)
    model = method.fit(X, y)
    line = LINE if d == 1 else None
    names = Names(inputs=tuple(f"x{j + 1}" for j in range(d)))
    return model, Context(X, y, np.arange(len(X)), method, "regression", line=line, names=names)


def marked(plot, kind, role):
    (mark,) = [mark for mark in plot.marks if isinstance(mark, kind) and mark.role == role]
    return mark


@pytest.mark.parametrize("basis", ["splines", "Gaussian bumps", "Fourier", "Haar wavelets"])
def test_the_functions_on_the_canvas_add_up_to_the_curve(basis):
    model, context = fitted(basis=basis, penalty="L2")
    functions, offset = basis_functions.draw(model, context)
    parts = [part for part in np.split(functions.xy, np.flatnonzero(np.isnan(functions.xy[:, 0])))]
    parts = [part[~np.isnan(part[:, 0])] for part in parts]
    total = np.full(len(LINE), offset.xy[0, 1])
    whole = True
    for part in filter(len, parts):
        at = np.searchsorted(LINE, part[:, 0])
        whole = whole and len(part) == len(LINE)
        total[at] += part[:, 1]
    assert whole
    np.testing.assert_allclose(total, model.predict(LINE[:, None]), atol=1e-9)


def test_knots_can_be_dragged_between_their_neighbours():
    model, context = fitted(basis="splines", n_knots=3)
    handles = basis_chart.draw(model, context).handles
    knots = model.basis.parts[0].knots
    assert [handle.path for handle in handles] == ["algorithm.knot_places"] * 3
    for k, handle in enumerate(handles):
        assert handle.points[handle.at, 0] == pytest.approx(knots[k + 1])
        assert (handle.points[:, 0] > knots[k]).all() and (handle.points[:, 0] < knots[k + 2]).all()
        for at in (0, handle.at, -1):
            moved = LinearRegression("splines", knots="by hand", knot_places=handle.values[at].item())
            expected = knots.copy()
            expected[k + 1] = handle.points[at, 0]
            found = moved.fit(context.X, context.y).basis.parts[0].knots
            np.testing.assert_allclose(found, expected, atol=1e-4)


def test_centres_and_width_of_bumps_can_be_dragged():
    model, context = fitted(basis="Gaussian bumps", n_centers=4, width=0.9, penalty="L2")
    *centres, width = basis_chart.draw(model, context).handles
    assert [handle.path for handle in centres] == ["algorithm.center_places"] * 4 and width.path == "algorithm.width"
    assert width.values[width.at] == 0.9
    assert width.points[width.at, 0] == pytest.approx(model.basis.parts[0].centers[0] + 0.9)


SHIFTS_AND_WIDTHS = [(0.0, 0.05), (2000.0, 1.0), (2000.0, 3.0), (0.0, 20.0)]


@sweep("basis, penalty, of_bumps", ["splines", "Gaussian bumps"], ["none", "L2", "L1"], SHIFTS_AND_WIDTHS)
def test_handles_of_a_basis_stay_in_sight_and_where_they_are_dropped(basis, penalty, of_bumps):
    shift, width = of_bumps
    X, y = sample(1, n=20)
    method = LinearRegression(basis, penalty=penalty, width=width)
    context = Context(X, y + shift, np.arange(20), method, "regression", line=LINE)
    plot = basis_chart.draw(method.fit(X, y + shift), context)
    x0, x1, y0, y1 = plot.limits
    for k, handle in share(enumerate(plot.handles), f"{basis} {penalty} {shift} {width}"):
        for at in share((0, handle.at, -1), f"{basis} {penalty} {shift} {width} {k}"):
            x, height = handle.points[at]
            assert x0 <= x <= x1 and (handle.kind == "upright" or y0 <= height <= y1)
            name = handle.path.removeprefix("algorithm.")
            by_hand = {"knot_places": {"knots": "by hand"}, "center_places": {"centers": "by hand"}}.get(name, {})
            moved = method.replace(**{name: handle.values[at].item()}, **by_hand)
            then = basis_chart.draw(moved.fit(X, y + shift), context)
            assert len(then.handles) == len(plot.handles)
            here = then.handles[k].points[then.handles[k].at]
            assert here[0] == pytest.approx(x, abs=1e-3)
            if handle.kind == "point":  # at the same share of the plot, which is as high as the curve asks for
                low, high = then.limits[2:]
                assert (here[1] - low) / (high - low) == pytest.approx((height - y0) / (y1 - y0))


def test_zeros_are_marked_and_counted():
    model, context = fitted(basis="polynomial", degree=7, penalty="L1", lambda_=0.3)
    zeros = int((model.penalized == 0).sum())
    assert 0 < zeros < 7
    bars = weights_chart.draw(model, context)
    assert len(marked(bars, Polygons, "bar").vertices) == 7 - zeros
    assert len(marked(bars, Points, "now").xy) == zeros and marked(bars, Points, "now").label == "exactly 0"
    path = path_chart.draw(model, context)
    assert marked(path, Points, "now").label == f"the fit shown: {7 - zeros} of 7 are not 0"
    (handle,) = path.handles
    assert handle.values[handle.at] == 0.3
    # A weight leaves 0 where it is said to: above it is 0, a little below it is not.
    for entry, _ in marked(path, Points, "zero").xy:
        above, below = (context.algorithm.replace(lambda_=entry * f).fit(context.X, context.y) for f in (1.001, 0.999))
        assert (below.penalized != 0).sum() >= (above.penalized != 0).sum()
        assert ((above.penalized == 0) & (below.penalized != 0)).any()


@pytest.mark.parametrize(("penalty", "l1_ratio"), [("L1", 1.0), ("elastic net", 0.5)])
def test_each_weight_is_the_soft_threshold_of_what_the_others_leave(penalty, l1_ratio):
    model, context = fitted(basis="polynomial", degree=7, penalty=penalty, lambda_=0.2, l1_ratio=l1_ratio)
    plot = threshold_chart.draw(model, context)
    terms = model.basis.terms(context.X)
    terms = terms - terms.mean(axis=0)
    y, w, l1 = context.y - context.y.mean(), model.penalized, 0.2 * l1_ratio
    expected = []
    for j in range(7):
        left = y - terms @ w + terms[:, j] * w[j]
        z = terms[:, j] @ left / len(y)
        expected.append((z, (np.mean(terms[:, j] ** 2) + 0.2 * (1 - l1_ratio)) * w[j]))
        assert np.sign(z) * max(abs(z) - l1 / 2, 0) == pytest.approx(expected[-1][1], abs=1e-10)
    there, zero = marked(plot, Points, "now").xy, marked(plot, Points, "zero").xy
    np.testing.assert_allclose(np.vstack((there, zero)), [*np.array(expected)[w != 0], *np.array(expected)[w == 0]])
    (handle,) = plot.handles
    assert handle.points[handle.at, 0] == pytest.approx(l1 / 2) and handle.values[handle.at] == 0.2


@pytest.mark.parametrize(("penalty", "l1_ratio"), [("L2", 0.0), ("L1", 1.0), ("elastic net", 0.5)])
def test_of_two_weights_the_loss_touches_the_ball(penalty, l1_ratio):
    model, context = fitted(2, penalty=penalty, lambda_=0.3, l1_ratio=l1_ratio)
    plot = ball_chart.draw(model, context)
    (ball,) = marked(plot, Polygons, "square").vertices
    size = l1_ratio * np.abs(model.penalized).sum() + (1 - l1_ratio) * model.penalized @ model.penalized
    np.testing.assert_allclose(l1_ratio * np.abs(ball).sum(axis=1) + (1 - l1_ratio) * (ball**2).sum(axis=1), size)

    def loss(w):
        return np.var(context.y - context.X @ w)

    here = loss(model.penalized)
    assert min(loss(w) for w in ball) >= here - 1e-12
    ellipses = marked(plot, Ellipses, "basis")
    rim = ellipses.outlines(40)[1]
    np.testing.assert_allclose([loss(w) for w in rim], here, rtol=1e-9)


@pytest.mark.parametrize("settings", [{"penalty": "none"}, {"penalty": "L1"}])
def test_there_is_a_ball_for_a_penalty_of_two_weights_alone(settings):
    assert (ball_chart.draw(*fitted(2, **settings)) is None) == (settings["penalty"] == "none")
    assert ball_chart.draw(*fitted(2, basis="polynomial", **settings)) is None


@each("budget, basis", [0.02, 0.1, 0.3, 0.7, 5.0, 1e6], ["linear", "polynomial", "Gaussian bumps"])
def test_values_along_the_handle_of_a_budget_rise(basis, budget):
    model, context = fitted(basis=basis, penalty="loss budget", budget=budget)
    plot = spectrum_chart.draw(model, context)
    assert plot.limits[1] < 1e12
    for handle in plot.handles:
        assert handle.values[handle.at] == budget
        assert (np.diff(handle.values) > -1e-12 * budget).all() and (np.diff(handle.points[:, 0]) > 0).all()
        assert plot.limits[0] <= handle.points[handle.at, 0] <= plot.limits[1]
    assert (marked(plot, Points, "now").xy[:, 1] == 0).all() == (budget >= np.var(context.y))


def test_filter_factors():
    model, context = fitted(basis="polynomial", degree=5, penalty="L2", lambda_=0.01)
    plot = spectrum_chart.draw(model, context)
    squares, left = marked(plot, Points, "now").xy.T
    terms = model.basis.terms(context.X)
    expected = np.linalg.svd(terms - terms.mean(axis=0), compute_uv=False) ** 2 / len(terms)
    np.testing.assert_allclose(squares, expected)
    np.testing.assert_allclose(left, expected / (expected + 0.01))
    assert model.facts()["effective parameters"] == pytest.approx(1 + left.sum())
    (handle,) = plot.handles
    assert handle.values[handle.at] == handle.points[handle.at, 0] == 0.01


@pytest.mark.parametrize("slope", [0.0, 2.0])
def test_no_budget_of_nothing_can_be_dragged_to(slope):
    X, method = np.arange(5.0)[:, None], LinearRegression(penalty="loss budget", budget=100.0)
    y = 1 + slope * X[:, 0]
    context = Context(X, y, np.arange(5), method, "regression", line=LINE, names=Names(inputs=("x1",)))
    (handle,) = spectrum_chart.draw(method.fit(X, y), context).handles
    assert (handle.values > 0).all() and handle.values[handle.at] == 100.0


def test_the_budget_is_dragged_by_its_penalty():
    model, context = fitted(basis="polynomial", degree=5, penalty="loss budget", budget=0.3)
    (handle,) = spectrum_chart.draw(model, context).handles
    assert handle.path == "algorithm.budget" and handle.values[handle.at] == 0.3
    assert handle.points[handle.at, 0] == pytest.approx(model.facts()["λ of the same fit"])
    for at in (40, 120):
        moved = context.algorithm.replace(budget=float(handle.values[at])).fit(context.X, context.y)
        assert moved.facts()["λ of the same fit"] == pytest.approx(handle.points[at, 0], rel=1e-5)


def test_charts_of_no_penalty_and_of_splines_beside_the_offset():
    model, context = fitted(basis="splines")
    plot = spectrum_chart.draw(model, context)
    assert not plot.handles and isinstance(plot.marks[0], Lines)
    assert set(marked(plot, Points, "now").xy[:, 1]) == {1.0}
    assert path_chart.draw(model, context) is None and threshold_chart.draw(model, context) is None


@pytest.mark.parametrize("penalty", ["L1", "elastic net"])
def test_along_the_top_of_the_path_stands_how_many_weights_are_not_0(penalty):
    model, context = fitted(basis="Gaussian bumps", penalty=penalty, lambda_=0.01)
    plot = path_chart.draw(model, context)
    *_, counts = [mark for mark in plot.marks if isinstance(mark, Text)]
    assert len(counts.words) >= 5 and counts.words[0] == "not 0:"
    for strength, word in zip(counts.xy[1:, 0], counts.words[1:], strict=True):
        alone = context.algorithm.replace(lambda_=float(strength)).fit(model.X, model.y)
        assert int(word) == np.count_nonzero(alone.penalized)
    assert (counts.xy[:, 1] > model.path(counts.xy[:, 0]).max()).all()


def test_with_an_l2_penalty_there_is_nothing_to_count():
    model, context = fitted(basis="Gaussian bumps", penalty="L2")
    assert len([mark for mark in path_chart.draw(model, context).marks if isinstance(mark, Text)]) == 1
