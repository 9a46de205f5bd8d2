import numpy as np
import pytest
from scipy.optimize import minimize

from mlviz.algorithms.margin.svm import SVM
from mlviz.numerics.svm.crammer_singer import crammer_singer
from tests.sweep import trials


def problem(seed, most=150):
    """X (n, d), codes (n,), c (n,) and the number of classes: ordinary ones, on a lattice, twins of several classes."""
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(6, most)), int(rng.integers(1, 5)), int(rng.integers(2, 6))
    codes = np.arange(n) % k
    X = rng.normal(size=(n, d))
    X[:, 0] += codes * rng.choice([0.0, 1.0, 5.0])
    if seed % 4 == 1:
        X = np.rint(X)
    if seed % 4 == 2:
        X[n // 2 :] = X[: n - n // 2]
    if seed % 4 == 3:
        X[:, -1] = 2.0
    c = rng.choice([0.01, 1.0, 100.0]) * rng.choice([0.5, 1.0, 2.0], n)
    return X, codes, c, k


def cost(X, codes, c, weights, offsets):
    F = X @ weights.T + offsets
    n = np.arange(len(X))
    ahead = F + 1 - F[n, codes][:, None]
    ahead[n, codes] = 0.0
    return float((weights**2).sum()) / 2 + float(c @ ahead.max(axis=1))


def dual(X, codes, c, alpha):
    signed = -alpha.copy()
    signed[np.arange(len(X)), codes] += c
    return float(alpha.sum() - alpha[np.arange(len(X)), codes].sum()) - float(((signed.T @ X) ** 2).sum()) / 2


@pytest.mark.parametrize("seed", trials(120))
def test_the_multipliers_prove_that_nothing_is_lower(seed):
    X, codes, c, k = problem(seed)
    *_, found = crammer_singer(X, codes, c, k)
    least = cost(X, codes, c, found.weights, found.offsets)
    assert found.objective == pytest.approx(least, rel=1e-9)
    assert (found.alpha >= 0).all()
    np.testing.assert_allclose(found.alpha.sum(axis=1), c, rtol=1e-14)
    signed = np.eye(k)[codes] * c[:, None] - found.alpha
    assert np.abs(signed.sum(axis=0)).max() <= 1e-8 * c.sum()
    assert dual(X, codes, c, found.alpha) == pytest.approx(least, rel=1e-8)
    np.testing.assert_allclose(signed.T @ X, found.weights, atol=1e-7 * (1 + np.abs(found.weights).max()))
    assert found.offsets.sum() == pytest.approx(0, abs=1e-8 * (1 + np.abs(found.offsets).max()))


@pytest.mark.parametrize("seed", trials(12))
def test_as_low_as_a_general_solver(seed):
    X, codes, c, k = problem(seed, most=16)
    (n, d), c = X.shape, np.minimum(c, 5.0)
    size = k * d + k
    rows, lower = [], []
    for i in range(n):
        for m in range(k):
            row = np.zeros(size + n)
            if m != codes[i]:
                row[codes[i] * d : codes[i] * d + d] = X[i]
                row[m * d : m * d + d] = -X[i]
                row[k * d + codes[i]], row[k * d + m] = 1.0, -1.0
            row[size + i] = 1.0
            rows.append(row)
            lower.append(float(m != codes[i]))
    A, b = np.array(rows), np.array(lower)
    theirs = minimize(
        lambda z: z[: k * d] @ z[: k * d] / 2 + c @ z[size:],
        np.concatenate((np.zeros(size), np.ones(n))),
        jac=lambda z: np.concatenate((z[: k * d], np.zeros(k), c)),
        constraints={"type": "ineq", "fun": lambda z: A @ z - b, "jac": lambda z: A},
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    *_, found = crammer_singer(X, codes, c, k)
    assert found.objective == pytest.approx(theirs.fun, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("C", [0.1, 1.0, 100.0])
def test_two_classes_are_a_machine_of_twice_the_price(C):
    X, codes, _, _ = problem(4)
    codes = codes % 2
    *_, found = crammer_singer(X, codes, np.full(len(X), C), 2)
    binary = SVM(kernel="linear", C=2 * C).fit(X, codes)
    np.testing.assert_allclose(found.weights[1] - found.weights[0], binary.coef, atol=1e-6)
    assert found.objective == pytest.approx(binary.objective / 2, rel=1e-9)
