"""What is on the screen when an answer is hidden: it goes at once, whatever the worker is at."""

from __future__ import annotations

from collections.abc import Callable

from mlviz.picture import PanelPicture, hidden_picture
from mlviz.scene.history import Store
from mlviz.ui.canvas.panel_grid import PanelGrid


def show_hidden(store: Store, panels: PanelGrid, show: Callable[[PanelPicture], None]) -> None:
    """Show the pictures of a scene that hides its answer; what screen readers were told of the canvases goes too."""
    for index, canvas in enumerate(panels.canvases):
        canvas.setAccessibleDescription("")
        if store.scene.hides_answer:
            show(hidden_picture(store.scene, index, canvas.area_size()))
