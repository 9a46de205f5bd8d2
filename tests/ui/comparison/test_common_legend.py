"""Several canvases have one legend in common, which stays put; what has no room in it stays in their own."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw import legend
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import MAX_PANELS
from mlviz.ui.canvas.common_legend import legend_told
from mlviz.ui.figure.figure import paint_figure, plot_sizes
from mlviz.ui.paint import layers
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.legend import common, entries_of
from mlviz.ui.paint.samples import DrawnSamples
from tests.sweep import share
from tests.ui.hands import LEFT, NONE, mouse
from tests.ui.paint.paper import painted

METHODS = list(registry())
FITS = {}
"""What was fitted: many scenes have the same samples and methods."""


def scene_of(methods):
    rng = np.random.default_rng(3)
    X = np.vstack((rng.normal((-1.5, 0.5), 0.9, (25, 2)), rng.normal((1.5, -0.5), 0.9, (25, 2))))
    scene = default_scene().replace(dataset=Dataset(X, np.repeat([0, 1], 25)))
    scene = scene.replace(panels=scene.panels * len(methods))
    for index, method in enumerate(methods):
        scene = edits.with_method(scene, index, method)
    return scene


def answer(window):
    sizes = [canvas.area_size() for canvas in window.panels.canvases]
    for picture in draw(window.store.scene, sizes, 8, "canvas", fits=FITS):
        window.link.pictured.emit(picture)
    for _ in range(3):
        QApplication.processEvents()


def shown(window):
    return window.panels._legend.arranged


@pytest.mark.slow
@pytest.mark.parametrize("count", range(2, MAX_PANELS + 1))
def test_what_a_canvas_shows_stands_in_the_common_legend_or_in_its_own(window, count):
    window.store.reset(scene_of(METHODS[:count]))
    window.resize(1280, 800)
    # Each number of canvases shows a part of the methods, and together they show all.
    for first in share(range(0, len(METHODS), count), count):
        window.store.reset(scene_of((METHODS[first:] + METHODS)[:count]))
        answer(window)
        found, _, _ = shown(window)
        parts = [canvas.named() for canvas in window.panels.canvases]
        everything = [entries_of(*part, False) for part in parts]
        assert set(found) <= set(itertools.chain(*everything)), "nothing is named that nobody shows"
        assert len({entry.label for entry in found}) == len(found), "a word has one sign"
        assert len({entry.swatches for entry in found}) == len(found), "a sign has one word"
        for canvas, entries, part in zip(window.panels.canvases, everything, parts, strict=True):
            own = entries_of(*part, False, canvas.named_elsewhere)
            assert set(own) | (set(found) & set(entries)) == set(entries) and not set(own) & set(found)
        shared = [entry for entry in everything[0] if all(entry in other for other in everything)]
        assert set(shared) <= set(found), "what all show comes first"


def test_the_common_legend_stays_put_through_drag_and_ghost(window):
    window.store.reset(scene_of(("svm", "knn", "kmeans", "logistic")))
    answer(window)
    before, (canvas, *_) = shown(window), window.panels.canvases
    own = [other.legend_box() for other in window.panels.canvases]
    window.hand.tool = "move"
    start = canvas.frame().to_pixels(window.store.scene.dataset.X[:1])[0]
    at = QPoint(*np.rint(start).astype(int).tolist())
    mouse(canvas, QEvent.Type.MouseButtonPress, at, LEFT, LEFT, NONE)
    for k in range(12):
        at += QPoint(3, -2 if k % 2 else 3)
        mouse(canvas, QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, LEFT, NONE)
        answer(window)
        assert shown(window) == before
        assert [other.legend_box() for other in window.panels.canvases] == own
    mouse(canvas, QEvent.Type.MouseButtonRelease, at, LEFT, Qt.MouseButton.NoButton, NONE)
    answer(window)
    settled, own = shown(window), [other.legend_box() for other in window.panels.canvases]
    window.panels.show_ghost(True)
    answer(window)
    assert shown(window) == settled and [other.legend_box() for other in window.panels.canvases] == own


def test_a_single_canvas_names_everything_itself(window):
    window.store.reset(scene_of(("svm", "knn")))
    answer(window)
    assert window.canvas.named_elsewhere
    window.store.push(edits.without_panel(window.store.scene, 1), "remove")
    answer(window)
    assert shown(window) is None and not window.canvas.named_elsewhere and not window.canvas.legend_box().isEmpty()


@pytest.mark.parametrize("wanted", [True, False])
def test_a_file_has_the_legend_of_the_screen(qapp, monkeypatch, wanted):
    scene, style, seen = scene_of(("svm", "knn", "kmeans")), Style(legend=wanted), []
    paint = layers.LegendLayer.paint

    def spy(layer, sheet):
        paint(layer, sheet)
        seen.append((layer.elsewhere, sheet.legend))

    monkeypatch.setattr(layers.LegendLayer, "paint", spy)
    size = (1200, 500)
    pictures = draw(scene, plot_sizes(size, scene, style), 30)
    painted(lambda painter: paint_figure(painter, size, pictures, scene, style))
    assert len(seen) == 3
    assert len({elsewhere for elsewhere, _ in seen}) == 1 and bool(seen[0][0]) == wanted
    for (elsewhere, own), picture in zip(seen, pictures, strict=True):
        named = set(legend.entries(picture.plot.marks))
        assert own is None or not set(own[0]) & elsewhere
        assert not wanted or named <= elsewhere


def test_of_a_word_with_two_signs_the_commoner_one_is_in_common(qapp):
    grey, blue = (((), DrawnSamples(np.zeros((1, 2)), np.array([code]))) for code in (-1, 0))
    found, _, at = common([grey, blue, blue], QRectF(5, 7, 400, 40), Style())
    assert [entry.swatches[0].role for entry in found if entry.label == "samples"] == ["class 0"] and at == (5, 7)
    assert common([grey, blue], QRectF(0, 0, 3, 3), Style()) is None


def test_of_a_sign_with_two_words_the_commoner_one_is_in_common(window):
    window.store.reset(scene_of(("l1-svm", "svm", "svm", "gmm", "kmeans")))
    answer(window)
    words = [entry.label for entry in shown(window)[0]]
    assert "support vector, α < C" in words and "support vector, α < 1/n" not in words
    assert len({entry.swatches for entry in shown(window)[0]}) == len(words)
    own = entries_of(*window.panels.canvases[0].named(), False, window.panels.canvases[0].named_elsewhere)
    assert "support vector, α < 1/n" in [entry.label for entry in own]


def test_of_a_legend_is_told_what_stands_in_it_and_not_in_the_common_one(window):
    window.store.reset(scene_of(("l1-svm", "svm", "gmm")))
    window.resize(1600, 900)
    answer(window)
    window.grab()
    for canvas in window.panels.canvases:
        painted_own = canvas._layers.legend_in(canvas.frame(), canvas._style)
        assert legend_told(canvas)[0] == (len(painted_own[0]) if painted_own else 0)
    assert any(legend_told(canvas)[0] for canvas in window.panels.canvases)
