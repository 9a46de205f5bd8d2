"""What a preprocessing is: a declared way to learn a map of the inputs from the samples, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from mlviz.draw.marks import Mark
from mlviz.numerics.arrays import Array, Mask, without_rounding
from mlviz.numerics.grid import Grid, LiftedGrid, PlacedGrid, as_dtype, far_away
from mlviz.spec import Declared
from mlviz.spec.brief import Brief

_ROUNDING = 8 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Preprocessing(Declared):
    """Base of every preprocessing. Its file is named after its id."""

    id: ClassVar[str]
    label: ClassVar[str]
    """Another word for the id, which files and the command line take as well."""
    help: ClassVar[str] = ""
    """What it does, in words that follow "id: "."""
    rank: ClassVar[int] = 10
    """Where it stands in the list: small numbers first, equal ones by their ids."""
    aligned: ClassVar[bool] = True
    """Whether each of the model's inputs is one of the user's, in another unit."""
    projects: ClassVar[bool] = False
    """Whether the canvas shows what it makes of the inputs, in place of two columns. By default all columns are then
    inputs."""
    lifts: ClassVar[bool] = False
    """Whether it makes further inputs of the inputs, which have no place on the canvas."""
    sklearn: ClassVar[tuple[str, str] | None] = None
    """The line that imports scikit-learn's counterpart, and the expression that makes one; None where there is none."""

    def counterpart(self, d: int) -> tuple[str, str] | None:
        """`sklearn` for d inputs."""
        return self.sklearn

    def learn(self, X: Array, sample_weight: Array | None = None) -> Transform:
        """The transform learned from the rows of X (n, d), finite, with weights (n,) above 0; never raises.

        Where samples say nothing (a constant column, a single sample), nothing is made of them.
        """
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class _TransformWords(Brief):
    """What is told of a transform, in words."""

    caption: str = ""
    """What the line under the picture says of it; "" where it changes nothing."""
    learnt: ClassVar[bool] = True
    """Whether other samples would have another one."""
    lifts: ClassVar[bool] = False
    """Whether model coordinates have no way back to the canvas: then only what is made of the field is drawn there."""
    units: str = ""
    """Whose units the model's are, as words that follow a length; "" where they are those of the axes."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Scaling(_TransformWords):
    """Model coordinates are ``scale * x + shift``, input by input; scale and shift are (d,), scale not 0."""

    scale: Array
    shift: Array
    components: ClassVar[None] = None

    def names(self, inputs: Sequence[str]) -> tuple[str, ...]:
        """What the model's inputs are called, made of inputs of these names."""
        return tuple(inputs)

    @far_away
    def to_model(self, X: Array) -> Array:
        """The places X (n, d) in model coordinates."""
        return as_dtype(X * self.scale + self.shift, np.float64)

    @far_away
    def parts(self, X: Array) -> Array:
        """The size of what model coordinates of the places X (n, d) are the difference of, (n, d)."""
        return as_dtype(np.abs(X * self.scale) + np.abs(self.shift), np.float64)

    def to_user(self, Z: Array) -> Array:
        """The places Z (n, d) in the user's coordinates."""
        return Z * (1 / self.scale) - self.shift / self.scale

    def grid(self, grid: Grid) -> Grid:
        """The grid in model coordinates."""
        return grid.scaled(self.scale, self.shift)

    def slopes(self, coef: Array) -> Array | None:
        """The coefficients for the user's inputs, (d,), where there are such."""
        return coef * self.scale

    def from_canvas(self, places: Array) -> Array:
        """Places on the canvas (n, 2), or (n, 1) on its line, in model coordinates."""
        return self.to_model(places)

    def on_canvas(self, marks: Iterable[Mark], plane: Sequence[int] | None) -> tuple[Mark, ...]:
        """The marks, in model coordinates, on the canvas whose axes are the two inputs of the plane.

        Without a plane the one input is the horizontal axis; the vertical one, the target, is never transformed.
        """
        scale, shift = 1 / self.scale, -self.shift / self.scale
        if plane is None:
            return _mapped(marks, np.append(scale, 1.0), np.append(shift, 0.0))
        return _mapped(marks, scale[list(plane)], shift[list(plane)])


@dataclass(frozen=True, eq=False, kw_only=True)
class Affine(_TransformWords):
    """Model coordinates are ``rows @ (x - center)``; the way back is ``inverse @ z + center``.

    rows are (q, d), inverse (d, q), center (d,); with fewer rows than inputs the way back is to the nearest place.
    `empty` (q,) says in which directions the samples do not vary. `deviations` (d,) are the standard deviations along
    all components, of which the rows are the first ones, where the canvas shows the model's coordinates.
    """

    center: Array
    rows: Array
    inverse: Array
    empty: Mask
    own_names: tuple[str, ...] = field(default=())
    deviations: Array | None = None

    @property
    def shown(self) -> bool:
        """Whether the canvas shows the model's coordinates."""
        return self.deviations is not None

    @property
    def components(self) -> tuple[Array, Array] | None:
        """The components on the axes (q, d) and the deviations along all of them (d,), where the canvas shows them."""
        return None if self.deviations is None else (self.rows, self.deviations)

    def names(self, inputs: Sequence[str]) -> tuple[str, ...]:
        """What the model's inputs are called: none of them is one of the user's."""
        return self.own_names

    @far_away
    def to_model(self, X: Array) -> Array:
        """The places X (n, d) in model coordinates, (n, q)."""
        Z = as_dtype((X - self.center) @ self.rows.T, np.float64)
        if not self.empty.any():
            return Z
        # What samples seem to have in a direction in which they do not vary is rounding, and no method may learn it.
        return np.where(self.empty & _lost(Z, X, self.center, self.rows), 0.0, Z)

    @far_away
    def parts(self, X: Array) -> Array:
        """The size of what model coordinates of the places X (n, d) are the difference of, (n, q)."""
        return as_dtype((np.abs(X) + np.abs(self.center)) @ np.abs(self.rows).T, np.float64)

    def to_user(self, Z: Array) -> Array:
        """The places (n, d) at Z (n, q)."""
        return np.asarray(Z @ self.inverse.T + self.center)

    def from_canvas(self, places: Array) -> Array:
        """Places on the canvas (n, 2) in model coordinates."""
        return places if self.shown else self.to_model(places)

    def grid(self, grid: Grid) -> Grid:
        """The grid in model coordinates, where it is askew."""
        return grid if self.shown else PlacedGrid(grid.x, grid.y, self.rows, -self.rows @ self.center)

    def slopes(self, coef: Array) -> Array | None:
        """The coefficients for the user's inputs, (d,), where there are such."""
        return np.asarray(coef @ self.rows)

    def on_canvas(self, marks: Iterable[Mark], plane: Sequence[int] | None) -> tuple[Mark, ...]:
        """The marks on the canvas; of the inputs there are two where these are its axes."""
        return tuple(marks) if self.shown else _mapped(marks, self.inverse, self.center)


def empty_directions(X: Array, center: Array, rows: Array) -> Mask:
    """In which directions, rows (q, d), the samples X (n, d) do not vary about their center but for rounding; (q,)."""
    return np.asarray(_lost((X - center) @ rows.T, X, center, rows).all(axis=0))


def _lost(Z: Array, X: Array, center: Array, rows: Array) -> Mask:
    """Which of Z (n, q) = rows (X - center) are no more than the rounding of what they are the difference of."""
    return np.asarray(np.abs(Z) <= _ROUNDING * ((np.abs(X) + np.abs(center)) @ np.abs(rows).T))


@dataclass(frozen=True)
class Feature:
    """A product of inputs, which are named by their index, or the sine of one."""

    factors: tuple[int, ...]
    sine: bool = False

    def word(self, inputs: Sequence[str]) -> str:
        """What it is called, made of inputs of these names."""
        first = inputs[self.factors[0]]
        if self.sine:
            return f"sin {first}"
        return f"{first}²" if len(set(self.factors)) == 1 else "·".join(inputs[j] for j in self.factors)

    @property
    def python(self) -> str:
        """How NumPy says it of the columns of X."""
        product = " * ".join(f"X[:, {j}]" for j in self.factors)
        return f"np.sin({product})" if self.sine else product

    def of(self, X: Array) -> Array:
        """Its values (n,) at places (n, d)."""
        return np.sin(self.size(X)) if self.sine else self.size(X)

    @np.errstate(over="ignore", under="ignore")
    def size(self, X: Array) -> Array:
        """The product (n,) alone: a sine is no more sure than what it is of."""
        return np.asarray(X[:, list(self.factors)].prod(axis=1))


@dataclass(frozen=True, eq=False, kw_only=True)
class Lifting(_TransformWords):
    """Model coordinates are the d scaled inputs, then features of these: at most places there is none of the canvas."""

    first: Scaling
    features: tuple[Feature, ...]
    lifts = True
    components: ClassVar[None] = None

    def names(self, inputs: Sequence[str]) -> tuple[str, ...]:
        """The inputs, then the features by their names."""
        return (*inputs, *(feature.word(inputs) for feature in self.features))

    def to_model(self, X: Array) -> Array:
        """The places X (n, d) in model coordinates, (n, d + number of features)."""
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            Z = self.first.to_model(X)
            return as_dtype(np.column_stack((Z, *(feature.of(Z) for feature in self.features))), np.float64)

    def parts(self, X: Array) -> Array:
        """The size of what model coordinates of the places X (n, d) are the difference of."""
        sizes = self.first.parts(X)
        return np.column_stack((sizes, *(feature.size(sizes) for feature in self.features)))

    def to_user(self, Z: Array) -> Array:
        """The places (n, d) whose inputs stand in Z (n, q), whatever its features say."""
        return self.first.to_user(Z[:, : len(self.first.scale)])

    def grid(self, grid: Grid) -> Grid:
        """The grid on the canvas, whose nodes are asked at their features."""
        return LiftedGrid(grid.x, grid.y, self.to_model)

    def slopes(self, coef: Array) -> None:
        """None: what is linear in the features has another slope at each place."""

    def from_canvas(self, places: Array) -> Array:
        """Places on the canvas (n, 2) in model coordinates."""
        return self.to_model(places)

    def on_canvas(self, marks: Iterable[Mark], plane: Sequence[int] | None) -> tuple[Mark, ...]:
        """The marks: what is made of the field stands on the canvas already, and samples have their places there."""
        return tuple(marks)


Transform = Scaling | Affine | Lifting
"""From the user's coordinates, one for each input, to those of the model, and back.

What is drawn has a third kind of coordinates, those of the canvas: the user's where the axes are inputs, the model's
own where the canvas shows these. One that `lifts` leads where most places are none of the canvas: they are not drawn.
"""


def place_in_model(transform: Transform, x: Array, X: Array, Z: Array) -> Array:
    """The place x (d,) in model coordinates: on a sample of X (n, d) just where it is in Z, their coordinates.

    A single row and many of them are multiplied in different orders. What is rounding is 0.
    """
    here = np.flatnonzero((x == X).all(axis=1))
    (place,) = Z[here[:1]] if len(here) else transform.to_model(x[None])
    return without_rounding(place, np.maximum(np.abs(Z).max(axis=0), transform.parts(x[None])[0]))


def _mapped(marks: Iterable[Mark], scale: Array, shift: Array) -> tuple[Mark, ...]:
    if scale.ndim == 1 and (scale == 1).all() and (shift == 0).all():
        return tuple(marks)
    return tuple(mark.moved(scale, shift) for mark in marks)
