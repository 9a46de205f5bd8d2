"""Every method that has a predictive distribution: what it says is a distribution, and it is one of the targets."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, stats

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.protocols import HasPredictive
from mlviz.numerics.quantiles import half_width
from mlviz.picture import draw
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from tests.pipeline.predictive_line import PredictiveLine

METHODS = [PredictiveLine, *(cls for cls in registry().values() if cls.is_predictive())]
by_method = pytest.mark.parametrize("method", METHODS, ids=lambda cls: cls.id)
SAMPLES, DRAWS, LEVEL = 40, 60, 0.9


def drawn(seed, n=SAMPLES):
    """A line with normal noise, which all methods can follow: they are compared where each is at home."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, (n, 1))
    return x, 0.3 + 0.8 * x[:, 0] + rng.normal(0, 0.4, n)


def model_of(method, seed=0):
    model = method().fit(*drawn(seed))
    if not isinstance(model, HasPredictive):
        pytest.skip("no distribution with these hyperparameters")
    return model


def distribution(nu, middle, deviation):
    return stats.norm(middle, deviation) if np.isinf(nu) else stats.t(nu, middle, deviation)


@by_method
def test_deviations_are_finite_and_a_new_target_is_less_sure_than_the_function(method):
    model, X = model_of(method), np.linspace(-3, 3, 31)[:, None]
    of_function, of_target = model.predict_std(X)
    assert of_function.shape == of_target.shape == (31,) and model.degrees_of_freedom > 0
    assert np.isfinite(of_target).all() and (of_function >= 0).all() and (of_target >= of_function).all()
    one_by_one = np.array([model.predict_std(x[None]) for x in X])[..., 0].T
    np.testing.assert_allclose(one_by_one, (of_function, of_target), rtol=1e-6, atol=1e-9)


@by_method
def test_so_many_new_targets_are_in_the_band_as_it_says(method):
    """By counting, on samples drawn as the model supposes: with the noise that it says there is."""
    of_function, of_target = model_of(method).predict_std(np.zeros((1, 1)))
    noise = float(np.sqrt(of_target**2 - of_function**2)[0])
    found = []
    for seed in range(DRAWS):
        rng = np.random.default_rng(seed)
        x, new = rng.uniform(-2, 2, (SAMPLES, 1)), rng.uniform(-2, 2, (100, 1))
        y, target = (0.8 * at[:, 0] + rng.normal(0, noise, len(at)) for at in (x, new))
        model = method().fit(x, y)
        half = half_width(LEVEL, model.degrees_of_freedom) * model.predict_std(new)[1]
        found.append(float(np.mean(np.abs(target - model.predict(new)) <= half)))
    # Means of 60 draws of 100 have a standard error of about 0.01; who supposes less of the line may be more careful.
    assert LEVEL - 0.03 < np.mean(found) < LEVEL + 0.07


@by_method
@pytest.mark.parametrize("costs", [(4.0, 1.0), (0.5, 2.0)])
def test_the_decision_is_where_the_expected_cost_is_least(method, costs):
    X, y = drawn(0)
    decision = Decision(asymmetric=True, cost_below=costs[0], cost_above=costs[1])
    model = Pipeline(method(), decision=decision).fit(X, y)
    if model.value_cost is None:
        pytest.skip("no distribution with these hyperparameters")
    place, nu = np.array([[0.7]]), model.inner.degrees_of_freedom
    middle, deviation = float(model.predict(place)[0]), float(model.predict_std(place)[1][0])
    there = distribution(nu, middle, deviation)

    t = middle + deviation * np.linspace(-40, 40, 160_001)
    density = there.pdf(t)

    def expected(a):
        return float(density @ np.where(t < a, costs[1] * (a - t), costs[0] * (t - a)))

    far = middle + np.array([-5, 5]) * deviation
    found = optimize.minimize_scalar(expected, bounds=tuple(far), method="bounded", options={"xatol": 1e-6 * deviation})
    decided = model.value_cost.best(np.array([middle]), np.array([deviation]), nu)[0]
    assert decided == pytest.approx(found.x, abs=2e-3 * deviation)


@pytest.mark.parametrize("method", registry().values(), ids=lambda cls: cls.id)
def test_a_caption_tells_of_bands_where_there_are_any_and_nowhere_else(method):
    if "regression" not in method.tasks:
        pytest.skip("it has no values")
    x, y = drawn(0)
    scene = Scene(Dataset(np.column_stack((x, y)), np.zeros(SAMPLES, int)), (Panel(Pipeline(method()), ("x1",), "x2"),))
    (picture,) = draw(scene, ((300, 200),))
    known = isinstance(method().fit(x, y), HasPredictive)
    assert ("95 % bands" in picture.caption.replace("\N{NO-BREAK SPACE}", " ")) == known
    assert any(mark.role == "band rim" for mark in picture.plot.marks) == known


@pytest.mark.parametrize("method", registry().values(), ids=lambda cls: cls.id)
def test_who_is_said_to_have_a_distribution_may_have_one_and_nobody_else(method):
    if "regression" not in method.tasks:
        pytest.skip("it has no values")
    fitted = isinstance(method().fit(*drawn(0)), HasPredictive)
    assert method.is_predictive() or not fitted
