"""Decisions for values: what a pipeline tells and draws of a predictive distribution."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mlviz.algorithms import find
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context, overlay
from mlviz.draw.numbers import NO_BREAK
from mlviz.draw.overlays import bands
from mlviz.draw.overlays.regions import OUT_OF_SIGHT
from mlviz.picture.render import draw
from mlviz.pipeline.decisions import NATURAL_DECISION, Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.pipeline.nearest_centre import Mean, NearestCentre
from tests.pipeline.predictive_line import PredictiveLine

COSTLY = Decision(asymmetric=True, cost_below=4.0, cost_above=1.0)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(11)
    X = rng.uniform(-3, 3, (30, 1))
    return X, 1 + 0.5 * X[:, 0] + rng.normal(0, 0.8, 30)


def picture_of(scene):
    return draw(scene, [(800, 600)])[0]


def by_hand(X, y, x):
    """The predictive distribution of least squares at x (m,)."""
    Z, z = (np.column_stack((v, np.ones(len(v)))) for v in (X, np.reshape(x, (-1, 1))))
    coef, (squares,), *_ = np.linalg.lstsq(Z, y, rcond=None)
    nu = len(y) - 2
    spread = np.sqrt(squares / nu * (1 + np.einsum("ij,jk,ik->i", z, np.linalg.inv(Z.T @ Z), z)))
    return stats.t(nu, z @ coef, spread)


def test_a_plain_decision_changes_nothing(data):
    model = Pipeline(PredictiveLine()).fit(*data)
    assert model.deciding(NATURAL_DECISION) is model
    assert "mean cost" not in model.facts() and model.value_cost is None


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_the_decision_is_the_quantile_and_its_cost_is_told(data, preprocessing):
    X, y = data
    model = Pipeline(PredictiveLine(), preprocessing=preprocessing, decision=COSTLY).fit(X, y)
    facts = model.facts()
    a = by_hand(X, y, X[:, 0]).ppf(0.8)
    wanted = np.where(y > a, 4 * (y - a), a - y).mean()
    predicted = model.predict(X)
    assert facts["decided quantile"] == pytest.approx(0.8)
    assert facts["mean cost"] == pytest.approx(wanted, rel=1e-9)
    usual = np.where(y > predicted, 4 * (y - predicted), predicted - y).mean()
    assert facts["mean cost of the prediction"] == pytest.approx(usual, rel=1e-9)
    assert facts["mean cost"] < usual
    # The prediction itself and its error stay.
    assert facts["training RMSE"] == Pipeline(PredictiveLine()).fit(X, y).facts()["training RMSE"]


def test_what_is_said_at_a_place(data):
    X, y = data
    said = Pipeline(PredictiveLine(), decision=COSTLY.replace(level=0.8)).fit(X, y).explain(np.array([1.3])).sentence
    there = by_hand(X, y, 1.3)
    mean, low, high, best, least, usual = map(
        float,
        re.fullmatch(
            r"prediction (\S+)\. 80 % band of a new target: (\S+) to (\S+)\. Where too low costs 4 and too high 1, "
            r"(\S+) is decided for: its expected cost is (\S+), the prediction's (\S+)\.",
            said,
        ).groups(),
    )
    assert (low, high) == pytest.approx(np.ravel(there.interval(0.8)), rel=6e-3)
    assert (best, mean) == pytest.approx((there.ppf(0.8)[0], there.mean()[0]), rel=6e-3)
    y = there.rvs(400_000, random_state=1)
    for a, cost in ((there.ppf(0.8)[0], least), (mean, usual)):
        assert np.where(y > a, 4 * (y - a), a - y).mean() == pytest.approx(cost, rel=0.02)


@pytest.mark.parametrize("offset", [0.0, 579.0, -2.5e4, 1e6])
@pytest.mark.parametrize("method", ["bayesian-linear", "gp", "linear-regression"])
def test_how_wide_the_band_is_can_be_read_off_its_ends(data, method, offset):
    X, y = data
    model = Pipeline(find(method)(), preprocessing="standardize").fit(X, y + offset)
    for x in (-2.0, 0.1, 2.5):
        said = model.explain(np.array([x])).sentence
        low, high = map(float, re.search(r"a new target is between (\S+) and (\S+)\.", said).groups())
        deviation = model.predict_std(np.array([[x]]))[1][0]
        width = 2 * stats.t(model.inner.degrees_of_freedom).ppf(0.975) * deviation
        (middle,) = model.predict(np.array([[x]]))
        assert (low, high) == pytest.approx((middle - width / 2, middle + width / 2), abs=0.051 * width)


def test_without_costs_only_the_band_is_said(data):
    said = Pipeline(PredictiveLine()).fit(*data).explain(np.array([0.0])).sentence
    assert said.partition(". ")[2].startswith("With probability 95 % a new target is between ") and "cost" not in said
    assert Pipeline(Mean()).fit(*data).explain(np.array([0.0])) is None


def test_a_method_without_a_distribution_says_so(data):
    model = Pipeline(Mean(), decision=COSTLY).fit(*data)
    assert model.caveat == "asymmetric costs need a predictive distribution, and mean gives none here"
    assert "mean cost" not in model.facts()
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0, 1])
    assert Pipeline(NearestCentre(), decision=COSTLY).fit(X, y).caveat == Pipeline(NearestCentre()).fit(X, y).caveat


@pytest.mark.parametrize(("n", "caveat"), [(2, "predictive line gives none here"), (3, "with one degree of freedom")])
def test_few_samples_are_told_and_draw_nothing_that_is_not_finite(data, n, caveat):
    X, y = data[0][:n], data[1][:n]
    scene = drawn_scene(X[:, 0], y, COSTLY)
    picture = picture_of(scene)
    assert caveat in picture.caption
    roles = {mark.role for mark in picture.plot.marks}
    assert ("band" in roles, "decided" in roles) == (n == 3, n == 3)
    assert not any(side.id == "expected cost" for side in picture.sides)
    assert all(np.isfinite(mark.places()[~np.isnan(mark.places())]).all() for mark in picture.plot.marks)


def drawn_scene(x, y, decision, **view):
    data = Dataset(np.column_stack((x, y)), np.zeros(len(x), dtype=np.intp), ("x1", "x2"))
    scene = Scene(data, (Panel(Pipeline(PredictiveLine(), decision=decision), target="x2"),))
    return scene.with_view(**view) if view else scene


def test_bands_and_the_decision_are_drawn_at_their_level(data):
    X, y = data
    picture = picture_of(drawn_scene(X[:, 0], y, COSTLY.replace(level=0.8)))
    marks = {mark.role: mark for mark in picture.plot.marks}
    rims, curve = marks["band rim"].xy, marks["decided"].xy
    half = len(rims) // 2
    there = by_hand(X, y, curve[:, 0])
    np.testing.assert_allclose(np.array([rims[:half, 1], rims[half + 1 :, 1]]), there.interval(0.8), rtol=1e-7)
    np.testing.assert_allclose(curve[:, 1], there.ppf(0.8), rtol=1e-7)
    assert marks["band rim"].label == f"80{NO_BREAK}% band of a new target"
    words = marks["decided"].label.replace(NO_BREAK, " ")
    assert words == "decision where too low costs 4 and too high 1 (80 % quantile)"
    told = picture.caption.replace(NO_BREAK, " ")
    assert "; too low costs 4 and too high 1, so the 80 % quantile is decided for; " in told and "80 % bands" in told
    plain = picture_of(drawn_scene(X[:, 0], y, NATURAL_DECISION))
    assert "decided" not in {mark.role for mark in plain.plot.marks} and "95 % bands" in plain.caption.replace(
        NO_BREAK, " "
    )


def test_the_chart_of_costs_has_its_least_at_the_decision_and_a_handle_for_it(data):
    X, y = data
    scene = drawn_scene(X[:, 0], y, COSTLY, probe=(1.3, 0.0))
    (plot,) = (side for side in picture_of(scene).sides if side.id == "expected cost")
    marks, there = {mark.role: mark for mark in plot.marks}, by_hand(X, y, 1.3)
    curve = marks["curve"].xy
    assert curve[np.argmin(curve[:, 1]), 0] == pytest.approx(there.ppf(0.8)[0])
    np.testing.assert_allclose(marks["now"].xy[0], curve[np.argmin(curve[:, 1])])
    (handle,) = plot.handles
    assert handle.path == "decision.cost_below" and handle.values[handle.at] == 4.0
    assert (np.diff(handle.values) > 0).all() and plot.x_label == "decision at the cursor"
    # Wherever it is dragged, that place is the best decision for the cost it sets.
    for k in range(0, len(handle.values), 20):
        moved = there.ppf(handle.values[k] / (handle.values[k] + 1))[0]
        assert handle.points[k, 0] == pytest.approx(moved, abs=1e-6)


def test_on_the_plane_lines_of_equal_deviation_and_of_equal_decision_are_drawn():
    rng = np.random.default_rng(2)
    X = rng.uniform(-3, 3, (40, 2))
    y = X @ [0.5, -0.3] + rng.normal(0, 0.5, 40)
    data = Dataset(np.column_stack((X, y)), np.zeros(40, dtype=np.intp), ("x1", "x2", "y"))
    panel = Panel(Pipeline(PredictiveLine(), decision=COSTLY), target="y", hidden=())
    picture = picture_of(Scene(data, (panel,)))
    marks = {mark.role: mark for mark in picture.plot.marks if hasattr(mark, "xy") and not hasattr(mark, "words")}
    model = Pipeline(PredictiveLine()).fit(X, y)
    for role, at in (
        ("deviation", lambda p: model.predict_std(p)[0]),
        ("decided", lambda p: model.predict(p) + model.predict_std(p)[1] * stats.t(37).ppf(0.8)),
    ):
        line = marks[role].xy
        there = at(line[np.isfinite(line[:, 0])])
        levels = np.round(there, 1)
        np.testing.assert_allclose(there, levels, atol=6e-3)
        assert len(np.unique(levels)) > 1
    usual = Panel(Pipeline(PredictiveLine()), target="y")
    assert not {"deviation", "decided"} & {mark.role for mark in picture_of(Scene(data, (usual,))).plot.marks}


def test_no_cost_no_marks(data):
    X, y = data
    model = PredictiveLine().fit(X, y)
    context = Context(X=X, y=y, rows=np.arange(30), algorithm=PredictiveLine(), task="regression")
    assert not bands.decided.draw(model, context) and bands.expected_cost.draw(model, context) is None


def test_a_scene_keeps_what_decides_values():
    pipeline = Pipeline(PredictiveLine(), decision=COSTLY.replace(rule="threshold", threshold=0.3))
    other = pipeline.decision.for_another(PredictiveLine())
    assert other.natural and other.asymmetric and other.cost_below == 4.0
    without = pipeline.decision.for_another(find("svr")())
    assert without.natural and not without.asymmetric and without.cost_below == 4.0
    assert set(NATURAL_DECISION.to_json()) == {"rule", "threshold", "cost_fp", "cost_fn", "reject", "reject_cost"}
    assert Decision.from_json(COSTLY.to_json()) == COSTLY
    assert Decision.from_json(Decision(level=0.5).to_json()).level == 0.5


def test_held_out_samples_have_costs_of_their_own_and_bands_stay_near_the_view(data):
    X, y = data
    scene = drawn_scene(X[:, 0], y, COSTLY)
    held_out = np.arange(30) < 10
    scene = scene.replace(dataset=replace(scene.dataset, held_out=held_out))
    facts = {name: fact.value for name, fact in picture_of(scene).facts.items()}
    a = by_hand(X[10:], y[10:], X[:10, 0]).ppf(0.8)
    wanted = np.where(y[:10] > a, 4 * (y[:10] - a), a - y[:10]).mean()
    assert facts["test mean cost"] == pytest.approx(wanted, rel=1e-9) and "test mean cost of the prediction" in facts
    near = picture_of(scene.with_view(limits=(-1e5, 1e5, -1.0, 1.0), equal=False))
    for mark in near.plot.marks:
        if mark.role in ("band", "band rim", "decided"):
            places = mark.places()
            assert np.nanmax(np.abs(places[:, 1])) <= 1 + 2 * OUT_OF_SIGHT + 1e-9


def test_an_exact_line_leaves_nothing_to_be_unsure_of():
    x = np.arange(8.0)
    said = Pipeline(PredictiveLine(), decision=COSTLY).fit(x[:, None], 2 * x + 1).explain(np.array([1.5])).sentence
    assert said == "prediction 4. A new target is 4, as far as the samples tell."


def test_a_methods_own_lines_of_standard_deviation_take_the_place_of_the_pipelines():
    @overlay("standard deviation", "own")
    def own(model, context):
        return ()

    class Own(PredictiveLine):
        """One that draws it by itself."""

        id, label, overlays = "own", "own", (own,)

    for method, expected in ((PredictiveLine, bands.deviations), (Own, own)):
        assert [o for o in Pipeline(method()).overlays if o.id == "standard deviation"] == [expected]
