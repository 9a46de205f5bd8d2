"""The titles of side plots in a figure: whole wherever their room suffices, and otherwise of whole words."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from mlviz.algorithms import registry
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.ui.figure import figure
from mlviz.ui.paint import axis_painter
from mlviz.ui.paint.axes import Style
from tests.sweep import sweep
from tests.ui.samples import some_points

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]
SIZE = (768, 576)


@pytest.fixture
def titles(monkeypatch):
    """The titles that are written, with the ends of each."""
    found, write = [], axis_painter.write

    def spy(painter, x, baseline, words, style, factor=1.0, bold=False, share=0.0):
        if bold and words:
            half = axis_painter.metrics(style, factor, True).horizontalAdvance(words) / 2
            found.append((words, x - half, x + half))
        write(painter, x, baseline, words, style, factor, bold, share)

    monkeypatch.setattr(axis_painter, "write", spy)
    return found


@sweep("method", registry())
def test_no_title_ends_within_a_word_nor_runs_into_the_next(titles, method):
    scene = edits.with_method(default_scene().replace(dataset=some_points(30)), 0, method)
    (picture,) = draw(scene, [(200, 200)], 8)
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        figure.paint_figure(painter, SIZE, [picture], scene, Style("print"), sides=True)
    assert len(titles) == len(picture.sides or ())
    each = SIZE[0] / max(len(titles), 1)
    for (words, left, right), plot in zip(titles, picture.sides or (), strict=True):
        assert words == plot.title or plot.title.startswith(words.removesuffix("…")), words
        assert not words.endswith("…") or words.endswith(" …"), words
        assert words == plot.title or each < 200, f"{plot.title} has {each:.0f} pixels"
        assert left >= 0 and right <= SIZE[0] and right - left <= max(each, SIZE[0] / 3)


@pytest.mark.parametrize(
    ("width", "wanted"), [(400, "Path over the objective"), (110, "Path over the …"), (60, "Path …"), (30, "P…")]
)
def test_a_title_is_shortened_by_words(titles, width, wanted):
    image = QImage(600, 60, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        area = QRectF(100 + width - 10, 30, 5, 20)  # the axes need not be in the middle of their room
        axis_painter.paint_title(painter, area, QRectF(100, 0, width, 60), "Path over the objective", Style())
    ((words, left, right),) = titles
    assert words == wanted
    assert left >= 100
    assert right <= 100 + width


@pytest.mark.parametrize("label", ["inertia among the eigenvectors", "x1", "a_name_without_any_blank in cm"])
def test_no_label_of_an_axis_ends_within_a_word_while_one_has_room(monkeypatch, label):
    written, style = [], Style("light")
    monkeypatch.setattr(axis_painter, "write", lambda *given, share: written.append(given[3]))
    rooms = range(10, 400, 3)
    for room in rooms:
        axis_painter._write_label(None, 0.0, 0.0, label, room, style)
    first = label.partition(" ")[0]
    least = axis_painter.metrics(style).horizontalAdvance(f"{first} …")
    for room, words in zip(rooms, written, strict=True):
        assert room < least or words == label or label.startswith(f"{words.removesuffix(' …')} ")
    assert written[-1] == label
