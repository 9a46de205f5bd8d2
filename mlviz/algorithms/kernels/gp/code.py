"""How scikit-learn is asked for the same Gaussian process."""

from __future__ import annotations

from mlviz.algorithms.base import Code
from mlviz.algorithms.kernels.gp.settings import MEANS, GaussianProcessSettings
from mlviz.algorithms.kernels.parameters import python_expression
from mlviz.numerics.kernels.base import Exponential, Gaussian, Kernel, Laplacian, Linear, Polynomial
from mlviz.numerics.kernels.composite import Constant, Power, Product, Sum


def code_of(settings: GaussianProcessSettings) -> Code:
    """GaussianProcessRegressor with that kernel; where targets are centred, on what is left of them."""
    kernel = f"ConstantKernel({settings.signal_variance!r}) * {_factor(settings.kernel_function())}"
    regressor = f"GaussianProcessRegressor({kernel}, alpha={settings.noise_variance!r}, optimizer=None)"
    names = sorted({"ConstantKernel", *_NAMES.intersection(_words(kernel))})
    imports = (
        "from sklearn.gaussian_process import GaussianProcessRegressor",
        f"from sklearn.gaussian_process.kernels import {', '.join(names)}",
    )
    if settings.mean == MEANS[1]:
        return Code(imports, (regressor,))
    more = (
        "from sklearn.compose import TransformedTargetRegressor",
        "from sklearn.preprocessing import StandardScaler",
    )
    centred = f"TransformedTargetRegressor({regressor}, transformer=StandardScaler(with_std=False))"
    return Code((*imports, *more), (centred,))


_NAMES = frozenset(("RBF", "Matern", "DotProduct", "PairwiseKernel"))


def _words(code: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in code).split()


def _sklearns(kernel: Kernel) -> str:
    """The kernel as scikit-learn's, or as a function of two places where it has none."""
    match kernel:
        case Gaussian(sigma):
            return f"RBF({sigma!r})"
        case Exponential(sigma):
            return f"Matern({sigma!r}, nu=0.5)"
        case Laplacian(sigma):
            return f'PairwiseKernel(metric="laplacian", gamma=1 / {sigma!r})'
        case Linear():
            return 'DotProduct(0, "fixed")'
        case Polynomial(degree, coef0):
            return f'DotProduct({coef0!r} ** 0.5, "fixed") ** {degree}'
        case Constant(value):
            return f'ConstantKernel({value!r}, "fixed")'
        case Sum(terms):
            return " + ".join(
                _factor(part) if weight == 1 else f'ConstantKernel({weight!r}, "fixed") * {_factor(part)}'
                for weight, part in terms
            )
        case Product(kernels):
            return " * ".join(_factor(part) for part in kernels)
        case Power(base, exponent):
            return f"({_sklearns(base)}) ** {exponent}"
    return f"PairwiseKernel(metric=lambda a, b, gamma: {python_expression(kernel)})"


def _factor(kernel: Kernel) -> str:
    """The kernel as a factor."""
    return f"({_sklearns(kernel)})" if isinstance(kernel, Sum | Product | Polynomial | Power) else _sklearns(kernel)
