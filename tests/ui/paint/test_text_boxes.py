"""Whatever the method: no legend, card or word lies over a sample where there is room, nor over one another."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Text
from mlviz.draw.overlays.scree import scree_plot
from mlviz.draw.plot import full_limits
from mlviz.picture.render import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.defaults import default_scene
from mlviz.ui.figure.figure import paint_figure, plot_sizes
from mlviz.ui.paint import layers, words
from mlviz.ui.paint.aside import made_aside
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.legend import arranged, entries_of
from mlviz.ui.paint.samples import SAMPLE_SIZE, DrawnSamples, crowded_style
from mlviz.ui.paint.scene_view import samples_of
from mlviz.ui.paint.words import placed_words
from tests.sweep import sweep

pytestmark = pytest.mark.usefixtures("qapp")
STYLES = {"usual": Style(), "presentation": Style(text=1.5, lines=1.6, points=1.5)}
SIZES = {"wide": (760, 600), "narrow": (420, 560)}


def cloud(n=90, seed=0):
    """Samples everywhere: no corner is free."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3.9, 3.9, (n, 2))
    return X, (X[:, 0] + 0.6 * X[:, 1] > rng.normal(0, 0.7, n)).astype(int)


def diagonal(n=40):
    """A track from corner to corner, as of a walk: two corners are free."""
    x = np.linspace(-3.8, 3.8, n)
    return np.column_stack((x, x + 0.3 * np.sin(5 * x))), (x > 0).astype(int)


def two_places():
    """All in the corner that a legend would like best."""
    return np.repeat([[3.6, 3.6], [3.2, 3.7]], 2, axis=0), np.array([0, 1, 0, 1])


def corners():
    """One sample in each corner, and two in the middle."""
    return np.array([[-3.6, -3.6], [-3.6, 3.6], [3.6, -3.6], [3.6, 3.6], [0, 0], [0.4, 0]]), np.array(
        [0, 1, 0, 1, 0, 1]
    )


DATA = {"cloud": cloud, "diagonal": diagonal, "two places": two_places, "corners": corners}


def scene_of(method, data, probe=None, **settings):
    X, y = DATA[data]()
    scene = default_scene()
    panel = dataclasses.replace(scene.panels[0], pipeline=Pipeline(registry()[method](**settings)))
    scene = scene.replace(dataset=Dataset(X, y), panels=(panel,))
    return scene.with_view(probe=probe)


def boxes_of(scene, style, size, monkeypatch):
    """The frame, the legend's and the card's box, and the words, as a figure paints them."""
    sheets = []
    paint = layers.WordsLayer.paint

    def spy(layer, sheet):
        sheets.append((layer, sheet.frame, sheet.legend_box, sheet.card_box))
        paint(layer, sheet)

    (picture,) = draw(scene, plot_sizes(size, scene, style), 60)
    image = QImage(*size, QImage.Format.Format_RGB32)
    with monkeypatch.context() as patch, QPainter(image) as painter:
        patch.setattr(layers.WordsLayer, "paint", spy)
        paint_figure(painter, size, [picture], scene, style)
    ((layer, frame, legend, card),) = sheets
    small = crowded_style(style, layer.samples)
    return layer, frame, legend, card, placed_words(frame, layer.marks, layer.samples, small, (legend, card))


def hidden(box, frame, samples, style):
    """How many samples have a part of their symbol in the box."""
    reach = SAMPLE_SIZE * style.points / 2
    x, y = frame.to_pixels(samples.places).T
    around = box.adjusted(-reach, -reach, reach, reach)
    inside = (x > around.left()) & (x < around.right()) & (y > around.top()) & (y < around.bottom())
    return int(inside.sum())


def overlap(a: QRectF, b: QRectF) -> bool:
    shared = a.intersected(b)
    return shared.width() > 0.01 and shared.height() > 0.01


SEEN = [
    *((data, look, size) for data in ("cloud", "corners") for look, size in zip(STYLES, SIZES, strict=True)),
    *(
        (data, look, size)
        for data in ("diagonal", "two places")
        for look, size in zip(STYLES, reversed(SIZES), strict=True)
    ),
]


@sweep("method, seen", sorted(registry()), SEEN)
def test_no_text_lies_over_samples_or_other_text(method, seen, monkeypatch):
    data, look, size = seen
    style = STYLES[look]
    for probe in (None, (0.3, 0.2)):
        scene = scene_of(method, data, probe)
        layer, frame, legend, card, words = boxes_of(scene, style, SIZES[size], monkeypatch)
        style_now = crowded_style(style, layer.samples)
        assert not legend.isEmpty()
        whole = QRectF(0, 0, *SIZES[size])
        assert whole.contains(legend) and (frame.area.contains(legend) or not overlap(frame.area, legend))
        assert hidden(legend.intersected(frame.area), frame, layer.samples, style_now) == 0
        boxes = [box for box in (legend, card, *(word.box for word in words)) if not box.isEmpty()]
        for k, box in enumerate(boxes):
            assert not any(overlap(box, other) for other in boxes[:k])
        assert all(frame.area.contains(word.box) for word in words), "of a number that is cut another one is read"
        if data != "cloud":  # where samples are everywhere there may be no free place
            assert all(hidden(word.box, frame, layer.samples, style_now) == 0 for word in words)


@pytest.mark.parametrize("data", ["cloud", "diagonal"])
def test_words_at_the_rim_hide_a_sample_rather_than_end_before_their_numbers(data, monkeypatch):
    for angle in range(0, 180, 20):
        scene = scene_of("pca", data, by_hand=True, angle=float(angle))
        _, frame, _, _, words = boxes_of(scene, STYLES["usual"], SIZES["narrow"], monkeypatch)
        assert all(frame.area.contains(word.box) for word in words), angle


def test_a_square_chart_in_a_low_room_has_all_the_words_of_its_legend():
    style, seen = Style(), set()
    room = QRectF(60, 20, 850, 130)
    for method in registry():
        (picture,) = draw(scene_of(method, "corners", (0.3, 0.2)), [(300, 200)], 40)
        for plot in picture.sides:
            if not plot.equal or not (labels := tuple(entry.label for entry in entries_of(plot.marks, None, False))):
                continue
            frame = AxesFrame(full_limits(plot), room, (plot.x_scale, plot.y_scale)).with_area(room, True)
            aside = made_aside(frame, plot.marks, None, style, True, room=room)
            area = frame.area.getRect() if aside is None else aside.area
            _, (_, _, words), _ = arranged(
                frame.limits, area, frame.scales, plot.marks, None, style, None, False, aside
            )
            assert words == labels, plot.title
            seen.add(plot.id)
    assert {"embedding", "whitened", "loss surface"} <= seen


@pytest.mark.parametrize("equal", [True, False])
@pytest.mark.parametrize("area", [(300.0, 430.0), (420.0, 300.0), (700.0, 500.0)])
@pytest.mark.parametrize("method", ["perceptron", "svm", "logistic", "knn"])
def test_a_legend_beside_the_axes_has_all_its_entries(method, area, equal):
    scene, style = scene_of(method, "corners"), Style()
    (picture,) = draw(scene, [(round(area[0]), round(area[1]))], 40)
    samples, marks = samples_of(scene, 0), picture.plot.marks
    frame = AxesFrame((-4.0, 4.0, -4.0, 4.0), QRectF(60, 20, *area))
    aside = made_aside(frame, marks, samples, style, equal)
    placed = QRectF(*aside.area)
    found, *_ = arranged(frame.limits, aside.area, frame.scales, marks, samples, style, None, False, aside)
    assert found == entries_of(marks, samples, False) and not overlap(placed, QRectF(*aside.room))


def test_words_at_the_edge_lie_over_some_samples_rather_than_being_cut_off():
    frame = AxesFrame((0.0, 10.0, 0.0, 10.0), QRectF(0, 0, 500, 500))
    across = np.linspace(1.5, 9.0, 12)
    X = np.array([(x, y) for x in across for y in np.linspace(0.5, 9.5, 25)])
    places = np.array([(0.4, 5.0), (9.6, 5.0)])
    told = Text("attempt", places, ("squared error 0.116, at least 0.106",) * 2)
    samples = DrawnSamples(X, np.zeros(len(X), dtype=int))
    words = placed_words(frame, [told], samples, Style())
    assert len(words) == 2 and all(frame.area.contains(word.box) for word in words)


@pytest.mark.parametrize("others", [None, np.empty((0, 0, 2)), np.empty((0, 3, 2))])
def test_marks_without_words_stand_beside_those_with_some(others):
    frame = AxesFrame((0.0, 10.0, 0.0, 10.0), QRectF(0, 0, 500, 500))
    marks = [Text("label", np.empty((0, 2)), (), others=others), Text("label", np.array([(5.0, 5.0)]), ("five",))]
    assert [word.text for word in placed_words(frame, marks, None, Style())] == ["five"]


@pytest.mark.parametrize("beside", [0, 7])
@pytest.mark.parametrize("n", [0, 3, 90, 2000])
def test_words_are_where_all_samples_and_one_box_after_another_would_have_them(n, beside, monkeypatch):
    rng = np.random.default_rng(n + beside)
    xy, others = rng.normal(0, 2, (6, 2)), rng.normal(0, 2, (6, beside, 2))
    others[rng.random(others.shape[:2]) < 0.2] = np.nan
    others[rng.random(others.shape[:2]) < 0.1] = np.inf
    texts = [
        Text("probability", xy, ("0.5", "a longer one") * 3, centered=bool(beside), others=others if beside else None)
    ]
    samples = DrawnSamples(cloud(n)[0], np.zeros(n, dtype=int))
    where = AxesFrame((-4.0, 4.0, -4.0, 4.0), QRectF(9, 7, 400, 300)), texts, samples, Style()
    placed = placed_words(*where)
    monkeypatch.setattr(words, "_near", lambda pixels, *how: np.ones(len(pixels), dtype=bool))
    monkeypatch.setattr(words, "_CELLS", 1)
    monkeypatch.setattr(words, "_free", lambda *how: None)
    assert placed and placed == placed_words(*where)


@pytest.mark.parametrize("k", [1, 2, 5, 10])
@pytest.mark.parametrize(("width", "height"), [(870, 130), (600, 300), (1200, 700)])
def test_each_share_is_written_over_the_middle_of_its_bar(k, width, height, qapp):
    """The shares of the scree plot, whatever its size."""
    variances = 3.0 * 0.8 ** np.arange(k)
    plot = scree_plot(variances, 1.1 * variances.sum())
    frame, style = AxesFrame(plot.limits, QRectF(80, 20, width, height)), Style()
    (words,) = [mark for mark in plot.marks if isinstance(mark, Text)]
    placed = placed_words(frame, [words], None, style)
    assert [one.text for one in placed] == list(words.words)
    for one, (x, y) in zip(placed, frame.to_pixels(words.xy).tolist(), strict=True):
        assert abs(one.box.center().x() - x) < 1 and one.box.bottom() <= y
        assert QRectF(frame.area).contains(one.box)
