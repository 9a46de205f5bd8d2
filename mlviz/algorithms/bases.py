"""Methods that are linear in the weights of a basis: the hyperparameters that choose the functions of the inputs."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.numbers import counted, number
from mlviz.draw.plot import Handle
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.bases.places import numbers_in, places_text, read_places
from mlviz.numerics.bases.products import Products, count_products
from mlviz.numerics.bases.univariate import Bumps, HaarWavelets, Splines, Univariate, Waves, ends_of
from mlviz.spec import choice, integer, real, text

MOST_TERMS = 1000
_BILLION = 10**9
_MOST_HANDLES = 12
"""More knots than that are too near to each other for the hand."""
TOO_LARGE = "The numbers grow too large in the powers of the inputs: standardize, or lower the degree."
LOWER = {
    "splines": "take fewer knots",
    "Gaussian bumps": "take fewer centres",
    "Fourier": "take fewer frequencies",
    "Haar wavelets": "take fewer levels",
}


@dataclass(frozen=True)
class BasisMethod(Algorithm, abstract=True):
    """A method whose function is f(x) = w·φ(x) + b with functions φ that are chosen here."""

    basis: str = choice(
        "linear",
        "polynomial",
        "splines",
        "Gaussian bumps",
        "Fourier",
        "Haar wavelets",
        help="the functions that are weighted and added up; of several inputs, splines, bumps, "
        "waves and wavelets are made for each input and multiplied (a tensor basis); such bumps are round (radial)",
        aliases={"gaussian": "Gaussian bumps", "fourier": "Fourier", "haar": "Haar wavelets", "spline": "splines"},
    )
    degree: int = integer(
        3,
        soft=(1, 12),
        valid=(1, 15),
        help="largest total degree of a monomial; that of the pieces of a spline",
        when=("basis", ("polynomial", "splines")),
    )
    _: KW_ONLY
    knots: str = choice(
        "evenly spaced",
        "by hand",
        help="where the pieces of a spline meet, apart from the ends of the samples; by hand the same for each input",
        when=("basis", ("splines",)),
    )
    n_knots: int = integer(
        4,
        soft=(0, 15),
        valid=(0, 200),
        label="number of knots",
        help="knots between the ends of the samples, evenly spaced",
        when=("knots", ("evenly spaced",)),
    )
    knot_places: str = text(
        "-2 0 2",
        grammar=lambda text: read_places(text, "knot_places"),
        numbers=numbers_in,
        label="knots at",
        help="places of the knots, with spaces between them; those outside the samples do nothing",
        when=("knots", ("by hand",)),
    )
    centers: str = choice(
        "evenly spaced",
        "by hand",
        label="centres",
        help="where the bumps stand: from the least to the largest sample, or by hand, then the same for each input",
        when=("basis", ("Gaussian bumps",)),
    )
    n_centers: int = integer(
        8,
        soft=(1, 20),
        valid=(1, 200),
        label="number of centres",
        help="bumps along each input, evenly spaced over the samples",
        when=("centers", ("evenly spaced",)),
    )
    center_places: str = text(
        "-3 -1 1 3",
        grammar=lambda text: read_places(text, "center_places"),
        numbers=numbers_in,
        label="centres at",
        help="places of the centres, with spaces between them",
        when=("centers", ("by hand",)),
    )
    width: float = real(
        1.0,
        soft=(0.05, 20.0),
        valid=(1e-9, 1e9),
        log=True,
        label="σ",
        help="width of the bumps, in units of the inputs",
        when=("basis", ("Gaussian bumps",)),
        equivalent=lambda owner, n: f"γ = 1/(2 σ²) = {number(1 / (2 * owner.width**2))}",
    )
    n_frequencies: int = integer(
        3,
        soft=(1, 10),
        valid=(1, 200),
        label="frequencies",
        help="waves with 1, 2, ... periods, a sine and a cosine of each",
        when=("basis", ("Fourier",)),
    )
    period: float = real(
        8.0,
        soft=(0.5, 50.0),
        valid=(1e-9, 1e12),
        log=True,
        label="period",
        help="length of the slowest wave, in units of the inputs: the function repeats itself after it",
        when=("basis", ("Fourier",)),
    )
    n_levels: int = integer(
        3,
        soft=(1, 4),
        valid=(1, 9),
        label="levels",
        help="with each level the steps are half as wide: 2^levels of them over the range of the samples",
        when=("basis", ("Haar wavelets",)),
    )

    def basis_for(self, X: Array) -> Basis:
        """The functions over the samples X (n, d); raises `CannotFit` where they are too many or too large."""
        if self.basis in ("linear", "polynomial"):
            return self._monomials(X)
        parts = tuple(self._of_input(X[:, j]) for j in range(X.shape[1]))
        terms = count_products(parts)
        if terms > MOST_TERMS:
            inputs = counted(len(parts), "input")
            many = f"{terms:,}" if terms < _BILLION else "more than a billion"
            raise CannotFit(f"With {inputs} there are {many} terms of this basis: {LOWER[self.basis]}.")
        return Products(parts)

    def _monomials(self, X: Array) -> Monomials:
        d, degree = X.shape[1], self.degree if self.basis == "polynomial" else 1
        terms = polynomials.count_monomials(d, degree)
        if terms > MOST_TERMS and degree > 1:
            raise CannotFit(f"Degree {degree} in {counted(d, 'input')} has {terms} terms: lower the degree.")
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            found = Monomials.over(X, degree, self.basis == "polynomial")
            # The square of an entry must be a number too: lengths of columns are taken.
            most = np.abs(found.center) + found.scale
            largest = most if degree == 1 else polynomials.monomials(most[None], found.exponents)
            if not np.isfinite(found.to_plain**2).all() or not np.isfinite(largest**2).all():
                raise CannotFit(TOO_LARGE)
        return found

    def _of_input(self, x: Array) -> Univariate:
        """The functions of one input, whose samples are x (n,)."""
        low, high = ends_of(x)
        if self.basis == "splines":
            even = np.linspace(low, high, self.n_knots + 2)[1:-1]
            return Splines.over(
                x, even if self.knots == "evenly spaced" else read_places(self.knot_places), self.degree
            )
        if self.basis == "Gaussian bumps":
            return Bumps(self._centers(low, high), self.width)
        if self.basis == "Fourier":
            return Waves(self.n_frequencies, self.period)
        return HaarWavelets(low, high, self.n_levels)

    def _centers(self, low: float, high: float) -> Array:
        if self.centers == "by hand":
            return read_places(self.center_places)
        return np.linspace(low, high, self.n_centers) if self.n_centers > 1 else np.array([low / 2 + high / 2])


def basis_code(method: BasisMethod, basis: Basis) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """How scikit-learn is asked for the functions of a basis: lines to import, steps of a pipeline, lines before."""
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
    imports = ["import numpy as np", "from sklearn.preprocessing import FunctionTransformer"]
    if splines:
        imports[-1] += ", SplineTransformer"
    return imports, ["FunctionTransformer(terms)"], before


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


def basis_handles(basis: Basis, coef: Array, line: Array) -> tuple[Handle, ...]:
    """What can be dragged over one input, seen along `line` (m,): knots, or centres and the width of bumps.

    Each stays between its neighbours. `coef` (k,) are the weights: the width stands on the bump with the largest one.
    """
    part = basis.parts[0] if isinstance(basis, Products) and len(basis.parts) == 1 else None
    low, high = float(line[0]), float(line[-1])
    if isinstance(part, Splines):
        ends = float(part.knots[0]), float(part.knots[-1])
        return _dragged("algorithm.knot_places", part.knots[1:-1], ends, "knot")
    if not isinstance(part, Bumps):
        return ()
    at = int(np.argmax(np.abs(coef) >= (1 - 1e-9) * np.abs(coef).max()))
    middle, height = float(part.centers[at]), float(coef[at]) * np.exp(-0.5)
    widths = np.unique(np.append(np.geomspace(0.05, 1.0, 80) * (high - low) / 2, part.width))
    places = np.column_stack((middle + widths, np.full(len(widths), height)))
    here = int(np.searchsorted(widths, part.width))
    width = Handle("algorithm.width", places, widths, here, label="σ")
    return (*_dragged("algorithm.center_places", part.centers, (low, high), "centre"), width)


def _dragged(path: str, places: Array, ends: tuple[float, float], label: str) -> tuple[Handle, ...]:
    """A handle for each of the places, which all stand in one text; none where they are very many."""
    if len(places) > _MOST_HANDLES:
        return ()
    walls = np.concatenate((ends[:1], places, ends[1:]))
    found = []
    for k, here in enumerate(places.tolist()):
        room = np.linspace(min(walls[k], here), max(walls[k + 2], here), 122)[1:-1]
        along = np.unique(np.append(room, here))
        texts = np.array([places_text([*places[:k], place, *places[k + 1 :]]) for place in along.tolist()])
        at = int(np.searchsorted(along, here))
        name = label if k == 0 else ""
        found.append(Handle(path, np.column_stack((along, np.zeros(len(along)))), texts, at, name, "upright"))
    return tuple(found)
