"""Linear regression where numbers are large, or terms many: a sentence or a model, and never long without a pause."""

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, LinearRegression
from mlviz.algorithms.linear.linear_regression import descent

RNG = np.random.default_rng(0)
SOLVERS = [name for name in LinearRegression.parameter("solver").options if name != "exact"]


@pytest.mark.parametrize("scale", [1e6, 1e9, 1e12, 1e50, 1e100])
def test_the_dual_equations_are_told_only_where_they_say_something(scale):
    X = scale * (1 + RNG.uniform(size=(12, 1)))
    model = LinearRegression(penalty="L2").fit(X, RNG.normal(size=12))
    facts = {fact.name: fact.of(model) for fact in model.known_facts}
    found = facts["primal minus dual"]
    assert found is None or found.value < 1e-3


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("scale", [1e60, 1e80, 1e100])
def test_gradients_of_huge_numbers_are_refused_in_a_sentence(solver, scale):
    X, y = scale * RNG.normal(size=(8, 1)), scale * RNG.normal(size=8)
    method = LinearRegression(solver=solver, max_iter=20)
    if scale < 1e70:
        assert np.isfinite(method.fit(X, y).predict(X)).all()
    else:
        with pytest.raises(CannotFit, match=r"^The inputs are too large .*\.$"):
            method.fit(X, y)


def test_many_terms_with_an_l1_penalty_pause():
    X, y = RNG.uniform(-3, 3, (40, 2)), RNG.normal(size=40)
    method = LinearRegression(basis="Gaussian bumps", n_centers=15, penalty="L1", lambda_=1e-4)
    steps = list(method.steps(X, y, np.random.default_rng(0)))
    assert len(steps) > 5 and len({id(step) for step in steps}) == 2
    assert not steps[0].coef.any() and steps[-1].duality_gap < 1e-8


def test_the_minimum_is_not_looked_for_where_that_takes_long(monkeypatch):
    monkeypatch.setattr(descent.RegressionProblem, "solved", lambda problem: pytest.fail("that takes too long"))
    X, y = RNG.uniform(-3, 3, (40, 2)), RNG.normal(size=40)
    method = LinearRegression(basis="splines", n_knots=12, penalty="L1", solver="gradient, 1/L", max_iter=10)
    model = method.fit(X, y)
    assert model.caveat == "stopped after 10 steps"
    assert {fact.name: fact.of(model) for fact in model.known_facts}["above the minimum"] is None


@pytest.mark.parametrize("penalty", ["none", "L2"])
def test_many_terms_have_a_draft_that_takes_no_singular_values(monkeypatch, penalty):
    rng = np.random.default_rng(1)
    X = rng.uniform(-3, 3, (700, 2))
    y = np.sin(X).sum(axis=1) + 0.1 * rng.normal(size=700)
    method = LinearRegression(basis="Gaussian bumps", n_centers=25, width=0.4, penalty=penalty, lambda_=1e-6)
    steps = method.steps(X, y, rng)
    with monkeypatch.context() as patched:
        patched.setattr(np.linalg, "svd", lambda *_, **__: pytest.fail("singular values take too long for a draft"))
        draft = next(steps)
    assert draft.caveat == f"a draft from {len(draft.X)} of 700 samples" and len(draft.X) < 350
    *_, exact = steps
    assert len(exact.X) == 700 and not exact.caveat
    shown = rng.uniform(-2.5, 2.5, (200, 2))
    truth = np.sin(shown).sum(axis=1)
    assert np.sqrt(np.mean((draft.predict(shown) - truth) ** 2)) < 0.3  # the spread of the targets is 1
    np.testing.assert_array_equal(method.fit(X, y).coef, exact.coef)
