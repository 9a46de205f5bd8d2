"""What the studies have in common whose fits, to other samples, are laid over each other."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies.base import CHANCE, Study, needs_axes, needs_method


@dataclass(frozen=True)
class ResamplingStudy(Study):
    """Base of the studies that need boundaries or curves on the user's axes."""

    group = CHANCE

    def lack(self, pipeline: Pipeline) -> str:
        """Predictions of classes or values, over the inputs themselves."""
        if {"classification", "regression"}.isdisjoint(pipeline.algorithm.tasks):
            return needs_method(pipeline, "predicts classes or values")
        return needs_axes(pipeline)
