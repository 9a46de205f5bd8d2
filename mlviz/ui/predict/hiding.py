"""What is on the screen when an answer is hidden: it goes at once, whatever the worker is at."""

from __future__ import annotations

from collections.abc import Sequence

from mlviz.picture import PanelPicture, hidden_picture
from mlviz.scene.scene import Scene
from mlviz.ui.canvas.canvas import Canvas


def hidden_at_once(scene: Scene, canvases: Sequence[Canvas]) -> list[PanelPicture]:
    """The pictures of a scene that has just hidden its answer; what screen readers were told of the canvases goes too.

    None where the scene shows it.
    """
    for canvas in canvases:
        canvas.setAccessibleDescription("")
    if not scene.hides_answer:
        return []
    return [hidden_picture(scene, index, canvas.area_size()) for index, canvas in enumerate(canvases)]
