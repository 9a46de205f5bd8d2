"""No word of a study's chart overlaps another or leaves its view, in a tab of a small window and in a presentation."""

import itertools
import re
from functools import cache

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QTransform
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit

from mlviz.algorithms import registry as methods
from mlviz.draw.marks import Text
from mlviz.draw.plot import full_limits
from mlviz.picture.study_pictures import StudyPicture
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import registry
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.stack import paint_plot
from mlviz.ui.studies.study_bar import StudyBar
from tests.studies.test_every_method import GROUPS, samples, small
from tests.ui.shell.test_legible import PRESENTED, cut
from tests.ui.sideplots.test_same_as_file import SVG, painted

pytestmark = pytest.mark.usefixtures("qapp")
ROOMS = ((Style(), (426, 184)), (Style("dark"), (682, 185)), (Style(text=1.6, lines=1.5, smallest=18), (560, 590)))
"""Beside its settings in windows of 1024 x 768 and 1280 x 800, and on the whole canvas of a presentation."""
ON = {
    **dict.fromkeys(("elbow", "gap", "silhouette", "cluster-stability", "cluster-agreement"), ("kmeans", "clustering")),
    **dict.fromkeys(("information-criteria", "cluster-criteria"), ("gmm", "clustering")),
    "eigengap": ("spectral", "clustering"),
    "bias-variance": ("knn", "regression"),
    "influence": ("svr", "regression"),
    "validation-curve": ("logistic", "classification"),
}
KINDS = [kind for kind in registry().values() if not kind.by_layer]


@cache
def answer(kind, study=None):
    """The last result of a study on a method that it fits."""
    method, task = ON.get(kind.id, ("knn", "classification"))
    X, y, source = samples(task)
    pipeline, rival = Pipeline(methods()[method]()), Pipeline(methods()["lda"]())
    *_, last = (study or small(kind)).run(pipeline, X, y, source=source, rival=rival, classes=GROUPS.labels)
    return last


def words(element, matrix=None, font=None):
    """All words of a picture, each with the box of its ink."""
    matrix, font = matrix or QTransform(), QFont(font) if font is not None else QFont()
    if turned := re.match(r"matrix\(([^)]*)\)", element.get("transform", "")):
        matrix = QTransform(*map(float, turned[1].split(","))) * matrix
    if "font-size" in element.attrib:
        font.setFamily(element.get("font-family"))
        font.setPixelSize(round(float(element.get("font-size"))))
    if element.tag == f"{SVG}text" and element.text and element.text.strip():
        box = QFontMetricsF(font).tightBoundingRect(element.text)
        yield element.text, matrix.mapRect(box.translated(float(element.get("x")), float(element.get("y"))))
    for inner in element:
        yield from words(inner, matrix, font)


def faults(plot, style, size):
    """What of the words of a plot can't be read."""
    room = QRectF(0, 0, *size)
    found = [*words(painted(lambda painter: paint_plot(painter, room, plot, full_limits(plot), style, raster=False)))]
    assert found, plot.id
    named = {mark.label for mark in plot.marks if mark.label}
    told = "".join(text for text, _ in found)  # another font for λ parts a name in two
    yield from (f"{name!r} is not in the legend" for name in named if name not in told)
    for text, box in found:
        if not room.adjusted(-1, -1, 1, 1).contains(box):
            yield f"{text!r} leaves the view"
    for (text, box), (other, beside) in itertools.combinations(found, 2):
        common = box.intersected(beside)
        if common.width() > 1 and common.height() > 1:
            yield f"{text!r} on {other!r}"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_no_word_of_a_chart_overlaps_another_or_leaves_its_view(kind):
    plots = answer(kind).plots()
    if kind.id in ("heat-map", "validation-curve"):  # with as many cells and signs as in the window
        plots = (*plots, *answer(kind, kind()).plots())
    for plot, (style, size) in itertools.product(plots, ROOMS):
        assert not [*faults(plot, style, size)], (plot.id, size)


def test_centred_words_stand_in_their_cell_or_nowhere():
    (plot,) = answer(registry()["heat-map"], registry()["heat-map"]()).plots()
    (text,) = [mark for mark in plot.marks if isinstance(mark, Text)]
    for style, size in ROOMS:
        frames = []
        picture = painted(
            lambda painter, style=style, size=size, frames=frames: frames.append(
                paint_plot(painter, QRectF(0, 0, *size), plot, full_limits(plot), style)
            )
        )
        places = dict.fromkeys(text.words, ())
        for word, place in zip(text.words, frames[0].to_pixels(text.xy).tolist(), strict=True):
            places[word] = (*places[word], place)
        shown = [(word, box) for word, box in words(picture) if word in places and frames[0].area.contains(box)]
        assert shown
        for word, box in shown:
            x, y = box.center().x(), box.center().y()
            assert min(max(abs(x - u), abs(y - v)) for u, v in places[word]) < 4, (word, size)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_what_stands_beside_a_chart_is_read_in_a_presentation_too(qtbot, kind):
    result = answer(kind)
    told = {"facts": result.facts(), "offers": result.offers(), "table": result.table()}
    for factor in (1.0, 1.6):
        bar = StudyBar(kind(), result.question.pipeline)
        qtbot.addWidget(bar)
        bar.enlarge(factor)
        bar.show_answer(StudyPicture(kind(), done=result.done, total=result.total, **told))
        bar.resize(bar.width(), 600)
        bar.show()
        QApplication.processEvents()
        assert_read(bar, factor)


def assert_read(bar, factor):
    shown = [part for part in bar.findChildren(QLabel) + bar.findChildren(QAbstractButton) if part.isVisible()]
    shown += [part for part in bar.findChildren(QComboBox) + bar.findChildren(QLineEdit) if part.isVisible()]
    assert shown
    for part in shown:
        assert part.fontInfo().pixelSize() >= (PRESENTED if factor > 1 else 11), part.accessibleName()
        assert isinstance(part, QLineEdit) or not cut(part), cut(part)
