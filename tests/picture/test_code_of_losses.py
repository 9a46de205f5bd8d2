"""The Python lines of regressions by other losses and by probability are run, and agree with the model."""

import numpy as np
import pytest

from tests.picture.test_code import assert_printed, dataset, run

SETTINGS = [
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


@pytest.mark.parametrize(("name", "values"), SETTINGS)
@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_values(tmp_path, monkeypatch, capsys, name, values, preprocessing):
    left, model, X = run(tmp_path, monkeypatch, name, values, dataset(2), preprocessing, target="height")
    np.testing.assert_allclose(left["model"].predict(X), model.predict(X), rtol=1e-6, atol=1e-6)
    assert_printed(capsys, dataset(2), model, "RMSE", 1e-6)
