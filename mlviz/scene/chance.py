"""What the picture of a panel owes to chance."""

from __future__ import annotations

from mlviz.scene.scene import Scene, roles
from mlviz.scene.values import value_column


def owes_to_chance(scene: Scene, index: int) -> bool:
    """Whether another seed may change the picture of a panel: by its fit, what is drawn of the model, or a study."""
    panel = scene.panels[index]
    traits = panel.pipeline.algorithm.traits
    many = traits.random_above is not None and int(scene.dataset.training.sum()) > traits.random_above
    pipeline, task = panel.pipeline, roles(scene, panel).task
    overlays = panel.overlays_in(task, value_column(scene, index) is not None)
    drawn = (*(one for one in overlays if not panel.hides(one.id)), *pipeline.charts)
    return (
        many
        or traits.random(pipeline.algorithm)
        or (task == "classification" and pipeline.resamples)
        or any(one.random(pipeline.algorithm) for one in drawn)
        or any(study.random for study in panel.asked_studies)
    )
