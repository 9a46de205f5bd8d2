"""How scikit-learn is asked for the functions of a basis."""

from __future__ import annotations

from mlviz.algorithms.bases import BasisMethod
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.products import Products
from mlviz.numerics.bases.univariate import Bumps, HaarWavelets, Splines, Univariate, Waves


def basis_code(method: BasisMethod, basis: Basis) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """How scikit-learn is asked for the functions of a basis: lines to import, steps of a pipeline, lines before.

    Like all such lines they find NumPy imported as ``np``.
    """
    if isinstance(basis, Products):
        imports, steps, before = _products_code(basis)
        return tuple(imports), tuple(steps), tuple(before)
    if method.basis == "linear":
        return (), (), ()
    expand = "PolynomialFeatures"
    mapped = "MinMaxScaler((-1, 1))", f"{expand}({method.degree}, include_bias=False)"
    return (f"from sklearn.preprocessing import MinMaxScaler, {expand}",), mapped, ()


def _products_code(basis: Products) -> tuple[list[str], list[str], list[str]]:
    """A function of the columns, each of which has its own functions; of several columns all products."""
    each = [_univariate_code(part) for part in basis.parts]
    before = ["columns = ["]
    before += [f"    lambda x: {line}," for line in each]
    before += ["]", "", "def terms(X):"]
    first = "1" if basis.parts[0].with_constant and len(each) > 1 else ""
    one = "np.c_[np.ones(len(x)), f(x)]" if first else "f(x)"
    before.append(f"    parts = [{one} for f, x in zip(columns, X.T)]")
    before.append("    products = parts[0]")
    if len(each) > 1:
        before += [
            "    for part in parts[1:]:",
            "        products = (products[:, :, None] * part[:, None, :]).reshape(len(X), -1)",
        ]
    before.append(f"    return products{'[:, 1:]' if first else ''}")
    splines = any(isinstance(part, Splines) for part in basis.parts)
    transformers = "FunctionTransformer, SplineTransformer" if splines else "FunctionTransformer"
    return [f"from sklearn.preprocessing import {transformers}"], ["FunctionTransformer(terms)"], before


def _univariate_code(part: Univariate) -> str:
    """The functions of x (n,) as an expression, (n, k)."""
    match part:
        case Splines(knots, degree):
            places = ", ".join(f"[{knot!r}]" for knot in knots.tolist())
            transformer = f'SplineTransformer(degree={degree}, knots=[{places}], extrapolation="linear")'
            return f"{transformer}.fit_transform(x[:, None])"
        case Bumps(centers, width):
            return f"np.exp(-(x[:, None] - {centers.tolist()!r})**2 / (2 * {width!r}**2))"
        case Waves(frequencies, period):
            angle = f"2 * np.pi / {period!r} * np.outer(x, range(1, {frequencies} + 1))"
            return f"np.stack((np.cos({angle}), np.sin({angle})), axis=-1).reshape(len(x), -1)"
        case HaarWavelets(low, high, levels):
            u = f"np.clip((x - {low!r}) / {high - low!r}, 0, 1 - 1e-15)"
            half = f"np.floor({u} * 2**(l + 1)) - 2 * k"
            wavelet = f"2 ** (l / 2) * (({half} == 0) * 1.0 - ({half} == 1))"
            return f"np.column_stack([{wavelet} for l in range({levels}) for k in range(2**l)])"
    raise TypeError(f"functions without a formula: {part!r}")
