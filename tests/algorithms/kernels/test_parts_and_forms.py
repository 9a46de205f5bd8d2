"""A kernel that is a sum gives a function that is one; ridge regression has the same solution in both its forms."""

import numpy as np
import pytest

from mlviz.algorithms.kernels.gp import GaussianProcess
from mlviz.algorithms.kernels.kernel_ridge import KernelRidge
from mlviz.algorithms.kernels.kernel_ridge.forms import Forms
from mlviz.algorithms.kernels.parts import MOST_PARTS
from mlviz.data.dataset import Dataset
from mlviz.numerics.kernels.base import Gaussian, Linear, Polynomial
from mlviz.numerics.kernels.expression import parse
from mlviz.numerics.kernels.features import features_of
from mlviz.numerics.kernels.parts import functions_of, parts_of, written
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import sweep

EXPRESSIONS = (
    "gaussian(0.5) + 0.1*linear^2",
    "2*laplacian(1) + exponential(0.7)*linear + 3",
    "anova(gaussian(1)) + polynomial(2, 1)",
    "exp(0.1*linear) + 0.5*(gaussian(2) + homogeneous(3))",
    "(gaussian(1) + linear)^2 + anova(laplacian(0.5) + linear)",
)

LINE, CUBIC = {"kernel": "linear"}, {"kernel": "polynomial"}


def wave(n=40, d=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, (n, d))
    return X, 2 + 0.5 * X[:, 0] + np.sin(2 * X).sum(axis=1) + 0.2 * rng.normal(size=n)


@sweep("d, expression, method", [1, 2, 3], EXPRESSIONS, [KernelRidge, GaussianProcess])
def test_the_parts_add_up_to_the_whole(method, expression, d):
    X, y = wave(d=d)
    model = method(kernel="expression", expression=expression).fit(X + 5, y)
    places = np.random.default_rng(1).uniform(0, 10, (30, d))
    parts = parts_of(model.expansion.kernel, d)
    columns = functions_of(model.expansion, parts, places)
    assert columns.shape == (30, len(parts)) and len(parts) > 1
    found, expected = model.expansion.base + columns.sum(axis=1), model.predict(places)
    np.testing.assert_allclose(found, expected, atol=1e-9 * max(1.0, float(np.abs(columns).max())))


def test_a_part_is_the_sum_of_its_kernel():
    X, y = wave(d=2)
    model = GaussianProcess(kernel="expression", expression="gaussian(0.5) + 0.3*anova(linear)").fit(X, y)
    gaussian, first, second = parts_of(model.expansion.kernel, 2)
    assert (gaussian.written, first.written, first.only, second.only) == ("gaussian(0.5)", "0.3*linear", 0, 1)
    places, a = np.random.default_rng(1).uniform(-3, 3, (9, 2)), model.dual_coef
    columns = functions_of(model.expansion, (gaussian, first, second), places)
    squares = ((places[:, None] - X) ** 2).sum(axis=2)
    np.testing.assert_allclose(columns[:, 0], np.exp(-squares / 0.5) @ a, atol=1e-10)
    np.testing.assert_allclose(columns[:, 2], 0.3 * np.outer(places[:, 1], X[:, 1]) @ a, atol=1e-10)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_kernel_is_written_so_that_it_can_be_read_again(expression):
    kernel = parse(expression)
    assert parse(written(kernel)) == kernel


def picture_of(algorithm, X, y):
    columns = ("x1", "x2") if X.shape[1] == 1 else ("x1", "x2", "value")
    data = Dataset(np.column_stack((X, y)), np.zeros(len(X), dtype=int), columns)
    panel = Panel(Pipeline(algorithm), inputs=columns[:-1], target=columns[-1], hidden=())
    (picture,) = draw(Scene(data, (panel,), 0, View(limits=(-4, 4, -4, 8), equal=False)), [(300, 240)], 40)
    return picture


@pytest.mark.parametrize("method", [KernelRidge, GaussianProcess])
def test_the_parts_are_drawn_on_the_offset_and_named(method):
    X, y = wave()
    algorithm = method(kernel="expression", expression="gaussian(0.5) + 0.1*linear")
    picture, model = picture_of(algorithm, X, y), algorithm.fit(X, y)
    drawn = [mark for mark in picture.plot.marks if mark.role.startswith("part ")]
    assert [mark.label for mark in drawn] == ["part of gaussian(0.5)", "part of 0.1*linear"]
    total = sum(mark.xy[:, 1] - model.expansion.base for mark in drawn) + model.expansion.base
    np.testing.assert_allclose(total, model.predict(drawn[0].xy[:, :1]), atol=1e-9)
    alone = picture_of(method(), X, y)
    assert not any(mark.role.startswith("part ") for mark in alone.plot.marks)
    assert "kernel parts" not in {plot.id for plot in alone.sides}
    (overlay,) = (one for one in method.overlays if one.id == "parts")
    assert overlay.idle(method(), 2) == "The kernel is not a sum." and overlay.idle(algorithm, 2) == ""


def test_on_the_plane_they_are_drawn_along_the_slice_and_many_are_one():
    X, y = wave(d=2)
    (plot,) = (
        one
        for one in picture_of(KernelRidge(kernel="expression", expression="anova(gaussian(1))"), X, y).sides
        if one.id == "kernel parts"
    )
    labels = [mark.label for mark in plot.marks]
    assert labels == ["part of gaussian(1) of x1", "part of gaussian(1) of x2", "offset", "their sum and the offset"]
    many = " + ".join(f"gaussian({width})" for width in range(1, 8))
    picture = picture_of(GaussianProcess(kernel="expression", expression=many), *wave())
    drawn = [mark for mark in picture.plot.marks if mark.role.startswith("part ")]
    assert len(drawn) == MOST_PARTS and drawn[-1].label == "the other 3 parts"


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3, 1.0), Polynomial(2, 0.0), Polynomial(1, 0.5)], ids=str)
@pytest.mark.parametrize("d", [1, 2, 4])
def test_the_features_are_counted(kernel, d):
    forms = Forms.of(kernel, 50, d)
    assert (forms.p, forms.n) == (features_of(kernel, 50, d).values(np.ones((2, d))).shape[1], 50)
    assert Forms.of(Gaussian(), 50, d) is None


@pytest.mark.parametrize(("values", "p"), [(LINE, 3), (CUBIC, 20), (CUBIC | {"degree": 2}, 10)], ids=str)
@pytest.mark.parametrize("n", [3, 40])
def test_primal_and_dual_have_one_solution(values, p, n):
    X, y = wave(n, 3)
    weights = np.random.default_rng(0).uniform(0.5, 2, n)
    algorithm = KernelRidge(lambda_=0.05, **values)
    facts = algorithm.fit(X, y, sample_weight=weights).told_facts()
    assert facts["primal minus dual"].value < 1e-11 * np.abs(y).max() and facts["primal minus dual"].level == "solver"
    assert facts["primal form"].value.startswith(f"{p} weights and b, about ")
    assert facts["dual form"].value.startswith(f"{n} coefficients and b, about ")
    wanted = "neither" if p == n else "the primal" if p < n else "the dual"
    assert facts["smaller system"].value.startswith(wanted)
    # The primal by hand, on centred features.
    kernel = algorithm.kernel_function()
    F, share = features_of(kernel, n, 3).values(X), weights / weights.sum()
    centred = F - share @ F
    w = np.linalg.solve(centred.T @ (share[:, None] * centred) + 0.05 * np.eye(F.shape[1]), centred.T @ (share * y))
    np.testing.assert_allclose(
        algorithm.fit(X, y, sample_weight=weights).predict(X), centred @ w + share @ y, atol=1e-9
    )
    assert "primal form" not in KernelRidge().fit(X, y).facts()
