"""The studies of a panel that are switched on, as fits that are made beside its own."""

from __future__ import annotations

import dataclasses

from mlviz.scene.scene import Scene
from mlviz.scene.trace import Fit, fit_of


def study_fits(scene: Scene, index: int) -> tuple[Fit, ...]:
    """What those studies of panel `index` fit that are asked."""
    asked = scene.panels[index].shown_studies
    if not asked:
        return ()
    own = fit_of(scene, index)
    return tuple(dataclasses.replace(own, key=(*own.key, study), study=study) for study in asked)
