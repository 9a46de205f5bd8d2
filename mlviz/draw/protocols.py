"""What overlays and charts ask of a model: the seam between the methods and their pictures.

A function that draws says by the annotation of its first parameter what it needs: one of these protocols, a union of
them, or one of its own beside a method. `provides` tells whether a model has it; `Overlay` and `Chart` ask before they
draw, so that a model that lacks something has no such marks, and no function looks for attributes itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from inspect import get_annotations, signature
from typing import Any, Protocol, get_args, get_type_hints, runtime_checkable

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask
from mlviz.numerics.grid import Grid
from mlviz.numerics.kernels.expansion import Expansion


class HasField(Protocol):
    """It has one number for each node of a grid, (ny, nx), or one for each class, (ny, nx, k)."""

    def on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray: ...


class HasClasses(Protocol):
    """It knows classes (k,), sorted."""

    @property
    def classes(self) -> AnyArray: ...


class Predicts(Protocol):
    """It answers for places."""

    def predict(self, X: Array) -> AnyArray: ...


@runtime_checkable
class HasPredictive(Predicts, Protocol):
    """It says how sure it is: the target at a place is distributed about its prediction.

    `predict_std` are the standard deviations of the function itself and of a new target, (n,) each. Divided by them,
    the difference is normal, or Student's t with so many degrees of freedom where these are finite.
    """

    @property
    def degrees_of_freedom(self) -> float: ...
    def predict_std(self, X: Array) -> tuple[Array, Array]: ...


class Classifies(HasClasses, Predicts, Protocol):
    """It puts places into classes; its field `jumps` where lines can't be traced in it alone."""

    @property
    def jumps(self) -> bool: ...


@runtime_checkable
class HasProbabilities(HasClasses, Protocol):
    """It knows how probable each class is, (n, k)."""

    def predict_proba(self, X: Array) -> Array: ...


@runtime_checkable
class HasScores(HasClasses, Protocol):
    """It has a score for places: (n,) of two classes, (n, k) of several."""

    def decision_function(self, X: Array) -> Array: ...


class HasObjective(Protocol):
    """It makes something smaller, or larger, in several steps."""

    @property
    def objective_name(self) -> str: ...

    @property
    def objective_measured(self) -> bool: ...


@runtime_checkable
class HasCoef(Protocol):
    """It may be linear: `coef` (d,) are the weights of the inputs, (k, d) those of several functions, or None."""

    @property
    def coef(self) -> Array | None: ...


class IsLine(Protocol):
    """It is linear: coef (d,) . x + intercept."""

    @property
    def coef(self) -> Array: ...
    @property
    def intercept(self) -> float: ...


@runtime_checkable
class IsExpanded(Protocol):
    """Its function is a sum of bumps."""

    @property
    def expansion(self) -> Expansion: ...


class HasMargin(HasField, Protocol):
    """A street between two classes, and by how much each sample of X (n, d) violates its own margin, `slack` (n,).

    `signs` (n,) are -1 and 1, 0 for samples that take no part.
    """

    @property
    def X(self) -> Array: ...
    @property
    def slack(self) -> Array: ...
    @property
    def signs(self) -> Array: ...
    def with_gradient(self, X: Array) -> tuple[Array, Array]: ...


@runtime_checkable
class HasMarginPairs(Protocol):
    """It handles several classes at once, with a street for the two that lead at a place (d,)."""

    def pair_at(self, x: Array) -> HasMargin: ...


class HasSupport(Protocol):
    """`support` are the rows of its support vectors; `at_bound` (n,) those whose alpha is the largest possible one."""

    @property
    def support(self) -> Labels: ...
    @property
    def at_bound(self) -> Mask: ...
    @property
    def bound_name(self) -> str: ...


class HasCenters(Protocol):
    """Clusters with centres (k, d)."""

    @property
    def centers(self) -> Array: ...


class HasMembers(Protocol):
    """The samples are assigned to `clusters`: `labels` (n,) are theirs."""

    @property
    def clusters(self) -> Labels: ...
    @property
    def labels(self) -> Labels: ...


class HasClusters(HasCenters, HasMembers, Protocol):
    """The clusters have centres.

    `seeding_chances` (n,) are, while starting, how likely each sample is the next centre, else None.
    """

    @property
    def seeding_chances(self) -> Array | None: ...


class HasTrail(Protocol):
    """Where the centres have been, (steps, k, 2)."""

    @property
    def trail(self) -> Array: ...


class HasCentroids(HasClasses, Protocol):
    """The mean of each class, (k, d)."""

    @property
    def centroids(self) -> Array: ...


class HasGaussians(Protocol):
    """Gaussians with means (k, d) and covariances (k, d, d)."""

    @property
    def means(self) -> Array: ...
    @property
    def covariances(self) -> Array: ...


class HasClassGaussians(HasGaussians, HasClasses, Protocol):
    """A Gaussian for each class."""


class HasLogDensities(Protocol):
    """The logarithm of the density at each sample, (n,)."""

    @property
    def log_densities(self) -> Array: ...


class HasDensity(HasLogDensities, Protocol):
    """The logarithm of a density also at every node, (ny, nx)."""

    def density_on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray: ...
    def score_samples(self, X: Array) -> Array: ...


class HasOutliers(HasDensity, Protocol):
    """Places where the density is below `outlier_level`."""

    @property
    def outlier_level(self) -> float: ...
    def is_outlier(self, X: Array) -> Mask: ...


class HasResponsibilities(Protocol):
    """How far each component accounts for each sample, (n, k), and which does most, `labels` (n,).

    At every node of a grid: `shares_on_grid` (k, ny, nx).
    """

    @property
    def responsibilities(self) -> Array: ...
    @property
    def labels(self) -> Labels: ...
    def shares_on_grid(self, grid: Grid, dtype: Any = np.float64) -> AnyArray: ...
    def predict_proba(self, X: Array) -> Array: ...


@runtime_checkable
class HasFunctions(HasClasses, Protocol):
    """It has a function for each class, whose largest value wins."""

    @property
    def functions(self) -> Sequence[object]: ...


class BinaryPart(Protocol):
    """A model of two classes, or of one against all others, where `negative` is None."""

    @property
    def positive(self) -> Any: ...
    @property
    def negative(self) -> Any: ...
    @property
    def model(self) -> Any: ...


@runtime_checkable
class HasBinaryModels(HasScores, Protocol):
    """It is made of models of two classes each."""

    @property
    def parts(self) -> Sequence[BinaryPart]: ...


@cache
def _members(protocol: type) -> frozenset[str]:
    """What a protocol asks for, with all that those ask for which it is made of."""
    return frozenset(
        name for base in protocol.__mro__ for name in (*vars(base), *get_annotations(base)) if not name.startswith("_")
    )


@cache
def _attributes(kind: type) -> frozenset[str]:
    """What all models of a kind have; a model may have more."""
    return frozenset(dir(kind)) | getattr(kind, "__dataclass_fields__", {}).keys()


def provides(model: object, wanted: Any) -> bool:
    """Whether a model is what is wanted: a protocol, a class, a union of these, or anything at all.

    Properties are found without computing them.
    """
    if wanted in (Any, object):
        return True
    if options := get_args(wanted):
        return any(provides(model, option) for option in options)
    if getattr(wanted, "_is_protocol", False):
        kind: Any = type(model)
        missing = _members(wanted) - _attributes(kind)
        return not missing or all(hasattr(model, name) for name in missing)
    return isinstance(model, wanted)


@cache
def needed_by(function: Callable[..., Any]) -> Any:
    """What a function that draws wants of a model: the annotation of its first parameter; of several models, of each.

    An annotation that is missing asks for nothing.
    """
    wanted = get_type_hints(function).get(next(iter(signature(function).parameters), ""), object)
    return get_args(wanted)[0] if getattr(wanted, "__origin__", None) is Sequence else wanted
