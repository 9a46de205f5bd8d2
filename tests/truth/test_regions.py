"""The region, shade or curve that is drawn is what the model predicts at its nodes."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Field
from mlviz.draw.value_scale import ValueScale
from mlviz.picture.render import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from mlviz.ui.paint.scene_view import samples_of
from tests.truth.scenes import CLUSTERINGS, DECISIONS, WAYS, Case, classifications, clusterings, regressions, seen

NEAR = 1e-5
"""Fields have single precision: nodes so near to a boundary, as a share of the view, may fall to either side."""


def nodes(mark):
    return np.stack(np.meshgrid(mark.x, mark.y), axis=-1).reshape(-1, 2)


def ground(shown, role):
    fields = [mark for mark in shown.with_role(role) if isinstance(mark, Field) and not mark.cover]
    assert len(fields) == 1
    return fields[0]


def settled(shown, places):
    """Whether the same is predicted at places (m, 2) and a little beside them."""
    said = shown.predict(places)
    step = NEAR * np.array([6.4, 6.0])
    around = [shown.predict(places + step * way) for way in ((1, 0.3), (-1, 0.2), (0.3, -1), (-0.2, 1))]
    return np.all([one == said for one in around], axis=0)


def covered(shown):
    marks = [mark for mark in shown.with_role("doubt") if isinstance(mark, Field)]
    return [mark.strength.ravel() > 0 for mark in marks]


@pytest.mark.parametrize("case", classifications(), ids=str)
def test_the_region_is_the_class_predicted(case):
    shown = seen(case)
    assert shown.model is not None, shown.picture.message
    mark = ground(shown, "region")
    places = nodes(mark)
    said, drawn = shown.predict(places), mark.classes.ravel()
    sure = settled(shown, places)
    assert sure.mean() > 0.97
    rejected = said == -1
    np.testing.assert_array_equal(drawn[sure & ~rejected], said[sure & ~rejected])
    doubt = covered(shown)
    assert len(doubt) == bool(rejected.any())
    if doubt:
        np.testing.assert_array_equal(doubt[0][sure], rejected[sure])
    assert set(np.unique(said[~rejected])) <= set(shown.y.tolist())


TIED = [
    Case("knn", codes=codes, multiclass=way, decision=decision, values=(("n_neighbors", k),))
    for codes, way, decision in (
        ("1 2", "auto", "natural"),
        ("1 2", "auto", "threshold"),
        *(("3 7 12", way, "natural") for way in WAYS),
    )
    for k in (1, 2, 3, 4)
]


@pytest.mark.parametrize("case", TIED, ids=str)
def test_where_votes_are_equal_the_region_is_the_class_predicted_and_ends_where_that_changes(case):
    shown = seen(case)
    mark = ground(shown, "region")
    places, cell = nodes(mark), np.array([np.ptp(mark.x) / (len(mark.x) - 1), np.ptp(mark.y) / (len(mark.y) - 1)])
    sure = settled(shown, places)
    np.testing.assert_array_equal(mark.classes.ravel()[sure], shown.predict(places)[sure])
    (boundary,) = shown.with_role("boundary")
    line = boundary.xy[np.isfinite(boundary.xy[:, 0])]
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    around = [shown.predict(line + 0.03 * cell * way) for way in np.column_stack((np.cos(turn), np.sin(turn)))]
    changes = np.any([one != around[0] for one in around], axis=0)
    assert changes.mean() > 0.97, f"{np.sum(~changes)} of {len(line)} vertices stand beside the boundary"


@pytest.mark.parametrize("name", ["svm", "smo", "kernel-perceptron", "kernel-rls", "kernel-logistic"])
@pytest.mark.parametrize(("sigma", "codes"), [(0.3, (0, 1)), (0.1, (1, 0)), (0.03, (3, 7))])
def test_where_a_score_is_nothing_no_class_is_drawn(name, sigma, codes):
    method = registry()[name](kernel="gaussian", sigma=sigma)
    data = Dataset(np.array([[-1.0, -1.0], [1.0, 1.0]]), np.array(codes))
    panel = Panel(Pipeline(method), target="class", hidden=())
    (picture,) = draw(Scene(data, (panel,), view=View(limits=(-3, 3, -3, 3), equal=False)), [(300, 300)])
    (region,) = [mark for mark in picture.plot.marks if mark.role == "region"]
    places = nodes(region)
    painted, sure = region.strength.ravel() > 0, np.abs(places.sum(axis=1)) > 0.05
    model = Pipeline(method).fit(data.X, data.labels)
    said, drawn = model.predict(places), region.classes.ravel()
    assert painted.any() and painted.all() == (sigma == 0.3 and name != "kernel-perceptron")  # 10 are never 38 sigma
    assert (model.decision_function(places)[~painted] == 0).all()
    np.testing.assert_array_equal(drawn[painted & sure], said[painted & sure])
    # Nothing is drawn around what was computed: by symmetry the classes part on the diagonal.
    for mark in picture.plot.marks:
        if mark.role == "boundary" and name != "kernel-perceptron":
            assert np.nanmax(np.abs(mark.xy.sum(axis=1))) < 0.1


COUNTED = [
    Case(method, task="clustering", values=((name, 12),))
    for method in CLUSTERINGS
    for name in ("n_clusters", "n_components")
    if registry()[method].has(name)
]
"""More clusters than there are colours."""


@pytest.mark.parametrize("case", [*clusterings(), *COUNTED], ids=str)
def test_the_region_is_the_cluster_predicted(case):
    shown = seen(case)
    mark = ground(shown, "region")
    places = nodes(mark)
    sure = settled(shown, places)
    assert sure.mean() > 0.97
    said, painted = shown.predict(places)[sure], mark.strength.ravel()[sure] > 0
    np.testing.assert_array_equal(mark.classes.ravel()[sure][said >= 0], said[said >= 0])
    assert not painted[said < 0].any() and painted[said >= 0].sum() >= 0.97 * (said >= 0).sum()


@pytest.mark.parametrize("case", clusterings(), ids=str)
def test_a_dot_or_a_ring_at_a_sample_is_the_cluster_predicted_for_it(case):
    shown = seen(case)
    said = dict(zip(shown.rows.tolist(), shown.model.predict(shown.X).tolist(), strict=True))
    marks = [mark for mark in shown.marks if mark.role.startswith(("member", "vote"))]
    told = {row: int(mark.role.split()[1]) for mark in marks for row in mark.rows.tolist()}
    assert told == {row: code for row, code in said.items() if code >= 0}
    for mark in marks:
        if mark.label.startswith(("cluster", "component")):
            assert mark.label.split()[1] == str(int(mark.role.split()[1]) + 1)


@pytest.mark.parametrize("case", regressions(lambda case: case.d == 2), ids=str)
def test_the_shade_rises_with_the_value_predicted(case):
    shown = seen(case)
    mark = ground(shown, "value")
    said, drawn = shown.predict(nodes(mark)), mark.strength.ravel().astype(float)
    # The scale is the one that the legend tells, and holds all targets, those held out and switched off as well.
    told = mark.label.removeprefix("prediction and targets, ").replace("−", "-")
    low, high = map(float, told.split(" to "))
    values = shown.data.X[:, shown.data.column("value")]
    assert low <= values.min() + 1e-3 * (high - low) and values.max() <= high + 1e-3 * (high - low)
    np.testing.assert_allclose(drawn, np.clip(128 + 127 * (2 * (said - low) / (high - low) - 1), 0, 255), atol=1.6)
    samples = samples_of(shown.scene, 0)
    np.testing.assert_allclose(samples.shades, 128 + 127 * (2 * (values - low) / (high - low) - 1), atol=1.6)
    (entry,) = [one for one in samples.entries(shown.marks) if one.swatches[0].shape == "scale"]
    assert entry.label == mark.label
    assert samples.entries(())[0].label == f"value, {ValueScale(low, high)}"


@pytest.mark.parametrize("case", regressions(lambda case: case.d == 1), ids=str)
def test_the_curve_is_the_value_predicted(case):
    shown = seen(case)
    (curve,) = shown.with_role("curve")
    np.testing.assert_allclose(curve.xy[:, 1], shown.model.predict(curve.xy[:, :1]), atol=1e-9)
    residuals = shown.with_role("residual")  # of some methods there are none
    whose = (shown.rows.tolist(), np.flatnonzero(shown.data.test).tolist())
    assert tuple(sorted(mark.rows.tolist()) for mark in residuals) == whose[: len(residuals)]
    for mark in residuals:
        np.testing.assert_allclose(mark.end[:, 1], shown.model.predict(shown.data.X[mark.rows, :1]), atol=1e-9)
        np.testing.assert_allclose(mark.start, shown.data.X[mark.rows], atol=1e-12)


@pytest.mark.parametrize("case", classifications(lambda case: case.decision in ("costs", "reject")), ids=str)
def test_what_is_decided_costs_least(case):
    shown, decision = seen(case), DECISIONS[case.decision]
    if not shown.model.score_threshold:
        pytest.skip("several classes, or no probabilities")
    places = nodes(ground(shown, "region"))
    p = shown.model.predict_proba(shown.to_inputs(places))[:, 1]
    bills = np.stack((decision.cost_fn * p, decision.cost_fp * (1 - p), np.full(len(p), decision.reject_cost)))
    bills = bills if decision.reject else bills[:2]
    negative, positive = shown.model.classes.tolist()
    chosen = np.array([negative, positive, -1])[np.argmin(bills, axis=0)]
    ranked = np.sort(bills, axis=0)
    sure = ranked[1] - ranked[0] > 1e-9
    np.testing.assert_array_equal(shown.predict(places)[sure], chosen[sure])


@pytest.mark.parametrize(
    "case", [Case(name) for name, kind in registry().items() if "classification" in kind.tasks], ids=str
)
def test_no_method_looks_surer_than_another(case):
    strength = ground(seen(case), "region").strength
    told = strength[strength > 0]
    assert told.min() >= 50 and told.max() <= 190, "from a lead of nothing to a sure one"
