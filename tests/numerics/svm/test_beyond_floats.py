"""The solvers of support vector machines at the end of floating point: no warning, whatever comes of it."""

from contextlib import suppress

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, find
from mlviz.pipeline.pipeline import Pipeline

KERNELS = ["polynomial(9, 1e6)", "polynomial(3, 1)", "linear", "gaussian(1)", "polynomial(9, 1e6) * gaussian(1)"]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("size", [1e-300, 1e-11, 1.0, 6e11, 1e100])
def test_any_kernel_and_any_size_of_inputs_give_a_model_or_a_sentence(kernel, size):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] + rng.normal(size=40) > 0).astype(int)
    machine = find("svm")(kernel="expression", expression=kernel)
    with suppress(CannotFit):  # the sentence
        model = Pipeline(machine).fit(X * size, y)
        assert np.isin(model.predict(X * size), (0, 1)).all()


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e100])
@pytest.mark.parametrize("kernel", ["linear", "anova(polynomial(2, 0.5) * linear)", "gaussian(1)"])
def test_samples_in_one_place_are_left_out_one_after_the_other(kernel, size):
    X, y = np.full((3, 5), size), np.array([1, 0, 1])
    machine = find("svm")(kernel="expression", expression=kernel, leave_one_out=True)
    with suppress(CannotFit):
        assert Pipeline(machine).fit(X, y).inner.leave_one_out_error is not None
