"""The Python lines of regressions are run, and agree with the model on the screen."""

import numpy as np
import pytest

from tests.picture.test_code import assert_printed, dataset, run, way  # noqa: F401 - a fixture of each test
from tests.sweep import share

REGRESSIONS = [
    ("linear-regression", {}),
    ("linear-regression", {"penalty": "L2", "lambda_": 0.3}),
    ("linear-regression", {"basis": "polynomial", "degree": 5, "penalty": "L2", "lambda_": 0.02}),
    *(
        ("linear-regression", {"basis": basis, "penalty": "L2", "lambda_": 0.02})
        for basis in ("splines", "Gaussian bumps", "Fourier", "Haar wavelets")
    ),
    ("linear-regression", {"penalty": "L1", "lambda_": 0.02}),
    ("linear-regression", {"basis": "Fourier", "penalty": "elastic net", "lambda_": 0.02}),
    ("knn", {"n_neighbors": 3, "metric": "chebyshev"}),
    ("knn", {"weights": "triangular"}),
    *(("parzen", {"window": window}) for window in ("gaussian", "box", "triangular", "exponential")),
    *(("kernel-ridge", {"kernel": kernel}) for kernel in ("gaussian", "laplacian", "exponential", "linear")),
    (
        "kernel-ridge",
        {"kernel": "expression", "expression": "anova(gaussian(0.5)) + 0.3*polynomial(2, 1)*laplacian(3)"},
    ),
    ("kernel-ridge", {"kernel": "polynomial", "degree": 2, "coef0": 2.0, "lambda_": 0.2}),
    *(("rbf-network", {"basis": basis}) for basis in ("gaussian", "multiquadric", "thin plate")),
    ("rbf-network", {"basis": "inverse multiquadric", "normalized": True, "width": "mean distance"}),
    ("random-features", {"n_components": 40, "lambda_": 0.2}),
    ("random-features", {"kernel": "laplacian", "sigma": 2.0}),
    ("lp-regression", {}),
    ("lp-regression", {"power": 2.0}),
    ("lp-regression", {"power": 2.0, "penalty": "L2", "basis": "polynomial"}),
    ("lp-regression", {"power": 2.0, "basis": "splines"}),
    ("bayesian-linear", {"noise": 0.3, "tau": 0.7}),
    ("bayesian-linear", {"basis": "Gaussian bumps"}),
    ("bayesian-linear", {"offset": "normal prior of b", "basis": "Fourier"}),
    ("bayesian-linear", {"offset": "normal prior of b", "basis": "polynomial"}),
    ("bayesian-linear", {"evidence": "both by evidence", "basis": "polynomial"}),
]


CASES = [(*one, made) for one in REGRESSIONS for made in share(["none", "standardize"], one, 2)]


@pytest.mark.parametrize(("name", "values", "preprocessing"), CASES)
def test_values(tmp_path, monkeypatch, capsys, name, values, preprocessing):
    left, model, X = run(tmp_path, monkeypatch, name, values, dataset(2), preprocessing, target="height")
    np.testing.assert_allclose(left["model"].predict(X), model.predict(X), rtol=1e-6, atol=1e-6)
    assert_printed(capsys, dataset(2), model, "RMSE", 1e-6)
