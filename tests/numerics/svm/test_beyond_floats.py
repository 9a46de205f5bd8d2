"""The solvers of support vector machines at the end of floating point: no warning, whatever comes of it."""

from contextlib import suppress

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, find, registry
from mlviz.numerics.grid import Grid
from mlviz.pipeline.field_sample import field_on
from mlviz.pipeline.pipeline import Pipeline
from mlviz.spec import BadValue

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


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian", "exponential"])
@pytest.mark.parametrize(
    "method", [name for name, kind in registry().items() if kind.has("kernel") and kind.has("sigma")]
)
def test_inputs_that_are_no_number_in_widths_of_the_kernel_are_borne(method, kernel):
    X = np.array([[1e9, 0.0], [-1.0, 1.0], [1e-9, 1e-160], [1e-9, 1e9], [1.0, 0.0], [1e300, 1e-160], [1e-9, 1e-9]])
    y = np.array([1, 1, 2, 0, 0, 0, 1]) if "classification" in registry()[method].tasks else np.arange(7.0)
    with suppress(CannotFit, BadValue):  # the sentence, or a kernel that the method does not know
        model = Pipeline(registry()[method](kernel=kernel, sigma=1e-9)).fit(X, y)
        if model.field is not None:
            for grid in (Grid.over((-1, 1, -1, 1), 3, 3), Grid.over((-1e300, 1e300, -1, 1), 3, 70)):
                assert np.isfinite(field_on(model, grid).field).all()
            assert np.isfinite(np.asarray(getattr(model, model.field)(X), dtype=float)).all()
