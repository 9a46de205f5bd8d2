"""The leading eigenvectors against all of them, also where several eigenvalues are equal."""

import numpy as np

from mlviz.numerics.linalg import leading_eigenvectors as module
from mlviz.numerics.linalg.leading_eigenvectors import leading_eigenvectors
from mlviz.numerics.pauses import finished
from tests.sweep import each

N = 500


def with_eigenvalues(values):
    Q = np.linalg.qr(np.random.default_rng(1).normal(size=(len(values), len(values))))[0]
    return (Q * values) @ Q.T, Q


SPECTRA = {
    "falling": 0.9 ** np.arange(N),
    "slowly falling": 1 / (1 + np.arange(N)) ** 0.3,
    "threefold and fourfold": np.concatenate(([3.0] * 3, [2.0] * 4, np.linspace(1, 0, N - 7))),
    "of low rank": np.concatenate(([3.0, 2.0, 1.0, 0.5], np.zeros(N - 4))),
    "all equal": np.ones(N),
    "negative ones too": np.linspace(1, -5, N),
    "nothing": np.zeros(N),
}


@each("name, whole", SPECTRA, [True, False])
def test_they_are_the_largest_of_all(name, whole, monkeypatch):
    monkeypatch.setattr(module, "_WHOLE", N if whole else 0)
    expected, count = SPECTRA[name], 9
    C, _ = with_eigenvalues(expected)
    values, U, residual = finished(leading_eigenvectors(C, count, np.random.default_rng(0)))
    np.testing.assert_allclose(values, np.sort(expected)[::-1][:count], atol=1e-12)
    np.testing.assert_allclose(U.T @ U, np.eye(count), atol=1e-12)
    size = max(float(np.abs(expected).max()), 1e-300)
    assert np.abs(C @ U - U * values).max() <= 1e-11 * size and residual < 1e-11
    again = finished(leading_eigenvectors(C, count, np.random.default_rng(0)))
    np.testing.assert_array_equal(again[1], U)


def test_a_large_matrix_is_worked_on_with_pauses():
    C, _ = with_eigenvalues(SPECTRA["falling"])
    assert sum(1 for _ in leading_eigenvectors(C, 4, np.random.default_rng(0))) >= 4
