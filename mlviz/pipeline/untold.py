"""Where no class is told: a continuous score leads by nothing there, as far from all samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlviz.numerics.arrays import Array, Mask
from mlviz.pipeline.decisions import ScoreThreshold, score_of, signed_scores
from mlviz.pipeline.multiclass import CombinedModel, OneVsOne

_SINGLE = np.finfo(np.float32)
_BESIDE = 1e-4
"""So far from a place is beside it, as a share of its largest coordinate."""


def no_class_leads(model: Any, x: Array, rule: ScoreThreshold | None = None) -> bool:
    """Whether a classifier with continuous scores prefers none at x (d,) and beside it, so that no region is painted.

    On a boundary it prefers none either, but one of them on each side.
    """
    if model.jumps or len(model.classes) < 2 or model.field in (None, "predict"):
        return False
    steps = _BESIDE * (float(np.abs(x).max()) or 1.0) * np.eye(len(x))
    return bool(_nothing_leads(model, np.vstack((x, x - steps, x + steps)), rule).all())


def _nothing_leads(model: Any, X: Array, rule: ScoreThreshold | None) -> Mask:
    """Whether the scores at X (n, d) lead by nothing (n,), as closely as the canvas tells them apart."""
    if isinstance(model, CombinedModel):
        signed = [signed_scores(part.model, X) for part in model.parts]
        lead, least = model.class_margins(signed, model.scores(signed)).max(axis=-1), np.finfo(np.float64).tiny
        return np.asarray(lead <= least)
    scores = score_of(model, X) - rule.threshold if rule is not None else np.asarray(getattr(model, model.field)(X))
    if scores.ndim == 1:
        return np.abs(scores) <= _SINGLE.tiny
    second, first = np.sort(scores, axis=-1)[:, -2:].T
    return np.asarray(first - second <= np.maximum(4 * _SINGLE.eps * np.abs(first), _SINGLE.tiny))


def why_no_class_leads(model: Any, rule: ScoreThreshold | None = None) -> str:
    """What holds where that is so."""
    if rule is not None:
        return "the score is exactly the threshold"
    if isinstance(model, OneVsOne):
        return "the scores of pairs of classes are 0"
    if len(model.classes) > 2:
        return "the largest scores are equal"
    return "the score is 0" if model.field == "decision_function" else "both classes are equally probable"
