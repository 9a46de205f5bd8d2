"""Methods that are linear in the weights of a basis: the hyperparameters that choose the functions of the inputs."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from functools import cache
from inspect import get_annotations

import numpy as np

from mlviz.algorithms.base import Algorithm, CannotFit
from mlviz.draw.numbers import counted, number
from mlviz.numerics import polynomials
from mlviz.numerics.arrays import Array
from mlviz.numerics.bases.base import Basis
from mlviz.numerics.bases.monomials import Monomials
from mlviz.numerics.bases.products import Products, count_products
from mlviz.numerics.bases.univariate import Bumps, HaarWavelets, Splines, Univariate, Waves, ends_of
from mlviz.numerics.number_lists import numbers_in, read_places
from mlviz.spec import Parameter, choice, integer, real, text

MOST_TERMS = 1000
_BILLION = 10**9
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
        "knots evenly spaced",
        "knots by hand",
        help="where the pieces of a spline meet, apart from the ends of the samples; by hand the same for each input",
        when=("basis", ("splines",)),
        aliases={"evenly spaced": "knots evenly spaced", "by hand": "knots by hand"},
    )
    n_knots: int = integer(
        4,
        soft=(0, 15),
        valid=(0, 200),
        label="number of knots",
        help="knots between the ends of the samples, evenly spaced",
        when=("knots", ("knots evenly spaced",)),
    )
    knot_places: str = text(
        "-2 0 2",
        grammar=lambda text: read_places(text, "knot_places"),
        numbers=numbers_in,
        label="knots at",
        help="places of the knots, with spaces between them; those outside the samples do nothing",
        when=("knots", ("knots by hand",)),
    )
    centers: str = choice(
        "centres evenly spaced",
        "centres by hand",
        label="centres",
        help="where the bumps stand: from the smallest to the largest sample, or by hand, then the same for each input",
        when=("basis", ("Gaussian bumps",)),
        aliases={"evenly spaced": "centres evenly spaced", "by hand": "centres by hand"},
    )
    n_centers: int = integer(
        8,
        soft=(1, 20),
        valid=(1, 200),
        label="number of centres",
        help="bumps along each input, evenly spaced over the samples",
        when=("centers", ("centres evenly spaced",)),
    )
    center_places: str = text(
        "-3 -1 1 3",
        grammar=lambda text: read_places(text, "center_places"),
        numbers=numbers_in,
        label="centres at",
        help="places of the centres, with spaces between them",
        when=("centers", ("centres by hand",)),
    )
    width: float = real(
        1.0,
        soft=(0.05, 20.0),
        valid=(1e-9, 1e9),
        log=True,
        help="σ, the width of the bumps, in units of the inputs",
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

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """The declared parameters: first the functions, then what is done with them."""
        own = get_annotations(BasisMethod)
        return tuple(sorted(super().parameters(), key=lambda parameter: parameter.name not in own))

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
            if not found.surely_computable:
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
                x, even if self.knots == "knots evenly spaced" else read_places(self.knot_places), self.degree
            )
        if self.basis == "Gaussian bumps":
            return Bumps(self._centers(low, high), self.width)
        if self.basis == "Fourier":
            return Waves(self.n_frequencies, self.period)
        return HaarWavelets(low, high, self.n_levels)

    def _centers(self, low: float, high: float) -> Array:
        if self.centers == "centres by hand":
            return read_places(self.center_places)
        return np.linspace(low, high, self.n_centers) if self.n_centers > 1 else np.array([low / 2 + high / 2])
