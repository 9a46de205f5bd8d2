"""A window in which an answer is predicted, and the hand that draws it."""

import numpy as np
from PySide6.QtCore import QEvent, QPoint, Qt

from mlviz.data.generators.catalog import generators
from mlviz.scene import edits
from mlviz.scene.defaults import first_scene
from tests.ui.hands import LEFT, NONE, mouse

METHODS = {"svm": "moons", "kmeans": "blobs", "linear-regression": "linear", "pca": "blobs", "lda": "two-gaussians"}
WAYS = {
    "svm": [[(-3, 1), (0, 0), (3, 0.5)]],
    "kmeans": [[(-2, 1)], [(1, 1)], [(0, -2)]],
    "linear-regression": [[(-3, -1), (3, 1)]],
    "pca": [[(-1, 0), (1, 0.5)]],
    "lda": [[(-3, 2), (3, -2)]],
}


def scene_of(*methods):
    scene = edits.with_drawn(first_scene(), generators()[METHODS[methods[0]]]().generate(1))
    for index, method in enumerate(methods):
        scene = scene if not index else edits.with_another_panel(scene, 0)
        scene = edits.with_method(scene, index, method)
    return scene


def settle(qtbot, window):
    """Wait until every canvas has the picture of the present scene, charts and facts too."""

    def ready():
        pictures = [canvas.picture for canvas in window.panels.canvases]
        assert all(picture is not None and picture.sides is not None for picture in pictures)
        assert not window.link.busy
        assert all(picture.hidden == window.store.scene.hides_answer for picture in pictures)

    qtbot.waitUntil(ready)
    qtbot.wait(60)


def draw(window, way, canvas=None):
    canvas = canvas or window.canvas
    pixels = [QPoint(*np.rint(place).astype(int).tolist()) for place in canvas.frame().to_pixels(np.array(way, float))]
    mouse(canvas, QEvent.Type.MouseButtonPress, pixels[0], LEFT, LEFT, NONE)
    for at in pixels[1:]:
        mouse(canvas, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, LEFT, NONE)
    mouse(canvas, QEvent.Type.MouseButtonRelease, pixels[-1], LEFT, Qt.MouseButton.NoButton, NONE)
