"""Overlays that the pipeline adds to those of its method: doubt, ambiguity, and what its settings have changed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np

from mlviz.draw.contours import contour, some_lines
from mlviz.draw.layer import Context, OnField, OnNodes, overlay
from mlviz.draw.marks import Field, Mark, Points
from mlviz.draw.numbers import p_equals
from mlviz.draw.overlays import regions
from mlviz.draw.protocols import Classifies
from mlviz.draw.tasks import Task
from mlviz.numerics.arrays import AnyArray, Mask

_CLASSES: tuple[Task, ...] = ("classification",)
_OPAQUE = 225
"""How much of the regions a cover hides: their colours are still guessed."""


def _cover(role: str, label: str, where: Mask, context: OnNodes) -> Sequence[Mark]:
    if not where.any():
        return ()
    strength = np.where(where, _OPAQUE, 0).astype(np.uint8)
    return (Field(role, context.nodes.x, context.nodes.y, strength, cover=True, label=label),)


@overlay(
    "doubt",
    "doubt region",
    "where no class is chosen, because a rejection costs less than the errors that either class risks",
    tasks=_CLASSES,
)
def reject_band(model: object, context: OnField) -> Sequence[Mark]:
    scores = regions.score_field(context)
    if context.reject_band is None or scores is None:
        return ()
    low, high = context.reject_band
    cover = _cover("doubt", "rejected: no class is chosen", (scores > low) & (scores < high), context)
    return (*cover, *_threshold(scores, context)) if cover else ()


def _threshold(scores: AnyArray, context: OnField) -> Sequence[Mark]:
    """Within the doubt, where the classes would part without it; scores are log odds, or shares of two classes."""
    tau = context.threshold
    p = tau if context.field.ndim == 3 else 1 / (1 + math.exp(-tau))
    return some_lines("threshold", contour(context.nodes, scores, tau, fine=context.fine), f"threshold {p_equals(p)}")


@overlay(
    "ambiguous",
    "ambiguous areas",
    "where no class wins its binary model or several do (one-vs-rest), or votes are tied (one-vs-one): only how large "
    "the scores are decides there",
    tasks=_CLASSES,
    idle=lambda algorithm, classes: "" if classes > 2 else "With two classes no place is ambiguous.",
)
def ambiguous(model: object, context: OnNodes) -> Sequence[Mark]:
    if context.vote_counts is None:
        return ()
    return (
        *_cover("no class", "ambiguous: no class", context.vote_counts == 0, context),
        *_cover("several classes", "ambiguous: several classes", context.vote_counts > 1, context),
    )


@overlay(
    "left out",
    "samples left out",
    "samples that were not drawn and so had no part in the fit; errors are counted on them all the same",
    tasks=_CLASSES,
)
def left_out(model: object, context: Context) -> Sequence[Mark]:
    rows = context.left_out
    if rows is None or not len(rows):
        return ()
    return (Points("left out", np.full((len(rows), 2), np.nan), rows=rows, label="left out by subsampling"),)


@overlay(
    "natural boundary",
    "natural boundary",
    "where the prediction would change if the method decided by itself",
    tasks=_CLASSES,
)
def natural_boundary(model: Classifies, context: OnNodes) -> Sequence[Mark]:
    if context.decide is None:
        return ()
    natural = dataclasses.replace(context, threshold=0.0, reject_band=None, decide=None, class_margins=None)
    if _decides_alike(context, natural):
        return ()
    marks = regions.boundary.draw(model, natural)
    return [dataclasses.replace(mark, role="natural boundary", label="natural boundary") for mark in marks]


def _decides_alike(context: Context, natural: Context) -> bool:
    """Whether the same class is predicted at every node, as with equal costs."""
    mine, others = regions.class_margins(context), regions.class_margins(natural)
    if context.reject_band is not None or mine is None or others is None:
        return False
    return bool((mine.argmax(axis=-1) == others.argmax(axis=-1)).all())
