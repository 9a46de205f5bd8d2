"""The method's own objective for an answer drawn by hand, where it can be worked out for any answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from mlviz.algorithms.drawn import (
    HasFisherCriterion,
    HasLineObjective,
    HasVarianceAlong,
    LineObjective,
    RatesCentres,
)
from mlviz.draw.numbers import numbers_apart
from mlviz.numerics.arrays import Array
from mlviz.numerics.convex.line_objectives import best_scale
from mlviz.numerics.distances import pairwise
from mlviz.numerics.drawn_lines import is_closed, straight_through
from mlviz.picture.attempts.compared import Compared
from mlviz.picture.attempts.levels import level_measures
from mlviz.pipeline.model import PipelineModel
from mlviz.pipeline.preprocessing.base import Affine, Scaling
from mlviz.scene.attempts import Attempt
from mlviz.scene.trace import Fit

_STRAIGHT = 0.05
"""A line that nowhere is farther from a straight one than this share of its length is meant to be straight."""


def objectives(
    attempt: Attempt, fit: Fit, model: PipelineModel, places: Array, held_out: tuple[Array, Array]
) -> Iterator[Compared]:
    """The objective, and what belongs to it.

    `places` (n, 2) are those of the fitted samples on the canvas; of those held out there are the places (m, 2) and
    the inputs (m, d).
    """
    if model.training.transform.lifts:
        return
    units = model.training.transform.units
    match attempt.kind:
        case "boundary":
            yield from _of_boundary(attempt, fit, model, places)
        case "curve":
            yield from _of_curve(attempt.arrays[0], fit, model, places)
        case "surface":
            yield from _of_surface(attempt, fit, model, places)
        case "centres" if isinstance(model.inner, RatesCentres):
            measures = _of_centres(attempt.arrays[0], model, model.inner, held_out[0])
            yield from (replace(one, units=units if model.inner.objective_measured else "") for one in measures)
        case "axis" if isinstance(model.inner, HasVarianceAlong):
            measures = _of_axis(attempt.arrays[0], fit, model, model.inner, held_out[1])
            yield from (replace(one, units=units) for one in measures)
        case "level":
            yield from level_measures(attempt.arrays[0], model, places, held_out[0])


def _compared(name: str, drawn: float, own: float, larger: bool = False) -> Compared:
    words = numbers_apart(drawn, own)
    return Compared(name, drawn, own, (words[0], words[1]), larger)


def _straight(line: Array, places: Array) -> tuple[Array, Array] | None:
    """A place on the line and its direction, where it is meant to be straight: by the extent of the samples' places."""
    extent = np.ptp(places, axis=0)
    scale = np.where(extent > 0, extent, 1.0)
    place, way, off = straight_through(line / scale)
    way = way * scale / np.hypot(*(way * scale))
    return (place * scale, way) if off <= _STRAIGHT else None


def _of_boundary(attempt: Attempt, fit: Fit, model: PipelineModel, places: Array) -> Iterator[Compared]:
    """What the method thinks of a straight boundary between two classes, at the best scale that its score can have."""
    inner, lines = model.inner, attempt.arrays
    if len(lines) > 1 or is_closed(lines[0]) or len(model.classes) != 2 or model.parts:
        return
    if (straight := _straight(lines[0], places)) is None:
        return
    place, way = straight
    across = np.array([-way[1], way[0]])
    normal = covector_in_model(across, fit, model)
    if normal is None or not normal.any():
        return
    if isinstance(inner, HasFisherCriterion) and np.ndim(inner.coef) == 1:
        yield _compared("Fisher criterion", inner.fisher_along(normal), inner.fisher_along(inner.coef), True)
    algorithm = fit.pipeline.algorithm
    objective = algorithm.line_objective() if isinstance(algorithm, HasLineObjective) else None
    if objective is None:
        return
    given, y, weights = model.training.given
    signs = np.where(np.asarray(y) == model.classes[1], 1.0, -1.0)
    f = (places - place) @ across
    f = f if model.training.resampled_rows is None else f[model.training.resampled_rows]
    counts = np.ones(len(given)) if weights is None else weights
    drawn = min(best_of_line(objective, sign * f, normal, signs, counts) for sign in (1, -1))
    own = objective.of(*slopes_of(inner.decision_function, given), signs, counts)
    yield _compared(objective.name, drawn, own)


def best_of_line(objective: LineObjective, f: Array, coef: Array, signs: Array, weights: Array) -> float:
    """The least objective of the functions that are a positive multiple of f (n,), with the slopes coef (d,)."""
    unit = 1 / max(float(np.abs(f).max(initial=0.0)), 1e-300)
    return best_scale(lambda scale: objective.of(scale * f, scale * coef, signs, weights), unit)[1]


def _of_curve(line: Array, fit: Fit, model: PipelineModel, places: Array) -> Iterator[Compared]:
    """What a method of straight functions thinks of a curve that is meant to be one."""
    algorithm, transform = fit.pipeline.algorithm, model.training.transform
    objective = algorithm.line_objective() if isinstance(algorithm, HasLineObjective) else None
    straight = _straight(line, places)
    if objective is None or straight is None or not straight[1][0] or not isinstance(transform, Scaling):
        return
    place, way = straight
    given, y, weights = model.training.given
    counts, values = np.ones(len(given)) if weights is None else weights, np.asarray(y, dtype=np.float64)
    slope = way[1] / way[0]
    f = place[1] + slope * (places[:, 0] - place[0])
    drawn = objective.of(f, slope / transform.scale, values, counts)
    yield _compared(objective.name, drawn, objective.of(*slopes_of(model.inner.predict, given), values, counts))


def _of_surface(attempt: Attempt, fit: Fit, model: PipelineModel, places: Array) -> Iterator[Compared]:
    """What a method of straight functions thinks of a surface that is a plane."""
    algorithm = fit.pipeline.algorithm
    objective = algorithm.line_objective() if isinstance(algorithm, HasLineObjective) else None
    drawn = attempt.surface
    slopes = drawn.spline.slopes()
    coef = None if objective is None or slopes is None else covector_in_model(slopes, fit, model)
    if objective is None or coef is None:
        return
    given, y, weights = model.training.given
    counts, values = np.ones(len(given)) if weights is None else weights, np.asarray(y, dtype=np.float64)
    own = objective.of(*slopes_of(model.inner.predict, given), values, counts)
    yield _compared(objective.name, objective.of(drawn.predict(places), coef, values, counts), own)


def slopes_of(function: Any, X: Array) -> tuple[Array, Array]:
    """A straight function at X (n, d), and its slopes (d,), told by its values about the middle of these places."""
    middle, reach = X.mean(axis=0), np.maximum(np.ptp(X, axis=0), 1e-9 * (1 + np.abs(X).max()))
    ends = middle + np.concatenate((np.diag(reach), -np.diag(reach)))
    values = np.asarray(function(ends))
    return np.asarray(function(X)), (values[: len(reach)] - values[len(reach) :]) / (2 * reach)


def _of_centres(line: Array, model: PipelineModel, inner: RatesCentres, held_out: Array) -> Iterator[Compared]:
    transform = model.training.transform
    centers = transform.from_canvas(line)
    name, own = inner.rating_name, getattr(inner, "centers", None)
    yield _compared(name, inner.rating_of(centers), inner.rating, own is None)
    if own is None:
        return
    inputs = model.training.given[0]
    moved = _one_step(inputs, centers)
    yield _compared(f"{name} one step later", inner.rating_of(moved), inner.rating_of(_one_step(inputs, own)))
    if len(held_out):
        tested = transform.from_canvas(held_out)
        drawn, told = (float((pairwise(tested, places).min(axis=1) ** 2).sum()) for places in (centers, own))
        yield _compared(f"test {name}", drawn, told)


def _one_step(X: Array, centers: Array) -> Array:
    """The centres (k, d) at the means of the samples X (n, d) that are nearest to them; one without any stays."""
    nearest = pairwise(X, centers).argmin(axis=1)
    return np.array([X[nearest == j].mean(axis=0) if (nearest == j).any() else centers[j] for j in range(len(centers))])


def _of_axis(
    line: Array, fit: Fit, model: PipelineModel, inner: HasVarianceAlong, held_out: Array
) -> Iterator[Compared]:
    """The variance along the axis and the squared distance from it, on the samples and on those held out."""
    way = direction_in_model(line[-1] - line[0], fit, model)
    if way is None or not way.any() or not len(inner.components):
        return
    unit = way / np.hypot.reduce(way)
    first = inner.components[0]
    yield _compared("variance along the axis", _along(unit, inner), _along(first, inner), True)
    given = model.training.given[0]
    # Divided by n - 1 like the variance; by m of samples from which the mean was not learned.
    free = len(given) / (len(given) - 1)
    drawn, own = (free * _squared_distance(given, inner.mean, one) for one in (unit, first))
    yield _compared("squared error", drawn, own)
    if len(held_out):
        tested = model.training.transform.to_model(held_out)
        drawn, own = (_squared_distance(tested, inner.mean, one) for one in (unit, first))
        yield _compared("test squared error", drawn, own)


def _along(unit: Array, inner: HasVarianceAlong) -> float:
    """The variance along a direction (d,) of length 1."""
    return float(inner.explained_variance @ (inner.components @ unit) ** 2)


def _squared_distance(X: Array, mean: Array, unit: Array) -> float:
    """The mean squared distance of X (n, d) from the line through the mean along a direction of length 1."""
    offset = X - mean
    rest = offset - np.outer(offset @ unit, unit)
    return float((rest**2).sum(axis=1).mean())


def _columns(fit: Fit) -> list[int] | None:
    """Which of the inputs the two axes of the canvas are; None where one of them is none."""
    inputs = fit.roles.inputs
    return [inputs.index(name) for name in fit.axes.names] if set(fit.axes.names) <= set(inputs) else None


def _of_inputs(canvas: Array, fit: Fit) -> Array | None:
    """What is along the two axes of the canvas (2,) along all inputs (d,); the same where components are the axes."""
    if fit.axes.projection is not None:
        return canvas
    if (columns := _columns(fit)) is None:
        return None
    found = np.zeros(len(fit.roles.inputs))
    found[columns] = canvas
    return found


def covector_in_model(across: Array, fit: Fit, model: PipelineModel) -> Array | None:
    """The slopes, in model coordinates, of the function that grows along `across` (2,) on the canvas by its length."""
    transform, slopes = model.training.transform, _of_inputs(across, fit)
    if slopes is None or fit.axes.projection is not None:
        return slopes
    match transform:
        case Scaling():
            return slopes / transform.scale
        case Affine():
            return np.asarray(slopes @ transform.inverse)
    return None


def direction_in_model(way: Array, fit: Fit, model: PipelineModel) -> Array | None:
    """A step (2,) on the canvas in model coordinates; None where it has none."""
    transform, step = model.training.transform, _of_inputs(way, fit)
    if step is None or fit.axes.projection is not None:
        return step
    match transform:
        case Scaling():
            return np.asarray(step * transform.scale)
        case Affine():
            return np.asarray(transform.rows @ step)
    return None
