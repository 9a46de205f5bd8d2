"""The studies of a panel that are switched on, as fits that are made beside its own."""

from __future__ import annotations

import dataclasses

from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit, fit_of


def study_fits(scene: Scene, index: int) -> tuple[Fit, ...]:
    """What the studies of panel `index` fit: those that apply and have a chart, or an overlay that is not hidden."""
    panel = scene.panels[index]
    asked = [
        study for study in panel.studies if study.charts or not all(map(panel.hides, (o.id for o in study.overlays)))
    ]
    if not asked:
        return ()
    own = fit_of(scene, index)
    return tuple(dataclasses.replace(own, key=(*own.key, study.id), study=study) for study in asked)
