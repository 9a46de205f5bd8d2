"""Pinned fits: outlines of what a panel has shown before, kept by the scene beside the present fit."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from mlviz.scene.comparing import names_apart
from mlviz.scene.scene import Pin, Scene

MAX_PINS = 6
"""So many in a panel can be told apart."""


def with_pin(scene: Scene, index: int, pin: Pin) -> Scene:
    """With one more pin in panel `index`; the oldest one makes room where there are as many as may be."""
    return with_pins(scene, index, (*scene.panels[index].pins, pin)[-MAX_PINS:])


def is_pinned(scene: Scene, index: int, pin: Pin) -> bool:
    """Whether panel `index` has a pin of the same outline."""
    return any(
        np.array_equal(other.lines, pin.lines, equal_nan=True) and np.array_equal(other.centers, pin.centers)
        for other in scene.panels[index].pins
    )


def with_pins(scene: Scene, index: int, pins: Iterable[Pin]) -> Scene:
    """With these pins in panel `index`; the same scene where they are those there are."""
    panel, kept = scene.panels[index], tuple(pins)
    return scene if kept == panel.pins else scene.with_panel(index, dataclasses.replace(panel, pins=kept))


def pin_names(scene: Scene, index: int) -> list[str]:
    """What the pins of panel `index` are called: as they were named, or else by what tells them from one another.

    That is the method with its hyperparameters, or the number of samples where nothing else differs.
    """
    panel = scene.panels[index]
    fits = [*((pin.pipeline, pin.n) for pin in panel.pins), (panel.pipeline, int(scene.dataset.training.sum()))]
    told = names_apart([pipeline for pipeline, _ in fits])
    names = []
    for k, pin in enumerate(panel.pins):
        words = [told[k]] if any(pipeline != pin.pipeline for pipeline, _ in fits) else []
        if any(pipeline == pin.pipeline and n != pin.n for pipeline, n in fits):
            words.append(f"n = {pin.n:,}")
        names.append(pin.name or ", ".join(words) or told[k])
    return _apart(names)


def _apart(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that came before."""
    return [name if name not in names[:k] else f"{name} ({names[: k + 1].count(name)})" for k, name in enumerate(names)]
