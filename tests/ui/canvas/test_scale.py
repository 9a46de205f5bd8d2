"""Very many samples: what is kept painted, scrolled or patched looks like what is painted from nothing."""

import gc
from collections import Counter, deque

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from mlviz.draw.marks import Points
from mlviz.ui.canvas import cached_layer
from mlviz.ui.canvas.cached_layer import CachedLayer, changed_box
from mlviz.ui.paint import layers as layers_module
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.layers import MarkLayer, SampleLayer, Sheet
from mlviz.ui.paint.painter import paint_marks
from mlviz.ui.paint.samples import DrawnSamples, paint_sample, paint_samples
from mlviz.ui.paint.symbols import scatter, sheet
from tests.memory import drag
from tests.ui.hands import Desk, scene_with

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]
AREA = QRectF(30, 10, 300, 200)
LIMITS = (0.0, 300.0, 0.0, 200.0)
STYLE = Style()


def image_of(paint, scale=1.0):
    """(h, w, 4) int, of what `paint(painter)` draws on a canvas of 340 x 220."""
    image = QImage(round(340 * scale), round(220 * scale), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).astype(int)


def many(n=6000, seed=0):
    rng = np.random.default_rng(seed)
    places = rng.uniform((-20, -20), (320, 220), (n, 2)).round(1)
    return DrawnSamples(places, rng.integers(0, 4, n), (), rng.random(n) < 0.1, rng.random(n) < 0.9)


def changed(samples, places=None, labels=None, keep=slice(None)):
    return DrawnSamples(
        (samples.places if places is None else places)[keep],
        (samples.labels if labels is None else labels)[keep],
        (),
        samples.held_out[keep],
        samples.active[keep],
    )


def from_nothing(layer, frame, scale=1.0):
    return image_of(lambda painter: layer.paint(Sheet(painter, frame, STYLE)), scale)


def through(kept, layer, frame, scale=1.0, hurry=False):
    return image_of(lambda painter: kept.paint(Sheet(painter, frame, STYLE), layer, hurry), scale)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_stamps_look_like_samples_painted_one_by_one(scale):
    samples, frame = many(2000), AxesFrame(LIMITS, AREA)

    def slowly(painter):
        # On the whole pixels on which stamps stand.
        half = 10
        pixels = np.floor((frame.to_pixels(samples.places) - half) * scale + 0.5 + 1e-6) / scale + half
        painter.setClipRect(AREA)
        for place, code, hollow, active in zip(pixels, samples.labels, samples.held_out, samples.active, strict=True):
            paint_sample(painter, QPointF(*place), int(code), "light", 9.0, bool(hollow), not active)

    fast = image_of(lambda painter: paint_samples(painter, frame, samples, STYLE), scale)
    difference = np.abs(fast - image_of(slowly, scale))
    # Blending by way of a stamp rounds each time; fringes of a pixel differ a little, no symbol is missing or astray.
    assert difference.mean() < 0.7
    assert (difference.max(axis=2) > 40).mean() < 0.002


def test_symbols_keep_their_size_their_colour_and_their_order():
    xy = np.array([(50.0, 100.0), (100.0, 100.0), (150.0, 100.0)])
    mark = Points("center", xy, size=np.array([0.5, 1.0, 2.0]))
    frame = AxesFrame(LIMITS, AREA)
    fast = image_of(lambda p: paint_marks(p, frame, [mark], STYLE))
    slow = image_of(lambda p: paint_marks(p, frame, [mark], STYLE, raster=False))
    assert np.abs(fast - slow).mean() < 0.1
    widths = [int((fast[110, x - 24 : x + 25, :3].sum(axis=1) < 600).sum()) for x in (80, 130, 180)]
    assert widths[0] < widths[1] < widths[2]


def test_the_last_stamp_is_on_top_across_blocks_and_kinds():
    colours = (Qt.GlobalColor.red, Qt.GlobalColor.blue)
    stamps = []
    for colour in colours:
        stamp = QPixmap(4, 4)
        stamp.fill(colour)
        stamps.append(stamp)
    kinds = np.r_[np.zeros(9000, dtype=np.intp), 1, np.zeros(3, dtype=np.intp)]
    places = np.tile([50.0, 50.0], (len(kinds), 1))
    for n, expected in ((9000, [0, 0, 255]), (9001, [255, 0, 0]), (9002, [0, 0, 255])):
        shown = image_of(lambda p, n=n: scatter(p, sheet(stamps), places[:n], kinds[:n]))
        assert shown[50, 50, :3].tolist() == expected


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("shift", [(7.0, 0.0), (-3.0, 5.0), (0.0, -11.0), (250.0, 10.0), (400.0, 0.0)])
def test_a_pan_paints_only_what_comes_into_view_and_that_exactly(scale, shift, monkeypatch):
    samples, layer = SampleLayer(samples=many()), CachedLayer()
    through(layer, samples, AxesFrame(LIMITS, AREA), scale)
    x, y = shift
    frame = AxesFrame((0 - x, 300 - x, 0 + y, 200 + y), AREA)
    clips = []
    monkeypatch.setattr(
        layers_module, "paint_samples", lambda p, *rest: (clips.append(p.clipBoundingRect()), paint_samples(p, *rest))
    )
    shown = through(layer, samples, frame, scale)
    assert np.abs(shown - from_nothing(samples, frame, scale)).max() <= 3
    if abs(x) < 300:
        assert sum(clip.width() * clip.height() for clip in clips) < abs(x) * 200 + abs(y) * 300 + 500


def test_very_many_samples_come_piece_by_piece_and_look_the_same_in_the_end(monkeypatch):
    monkeypatch.setattr(layers_module, "SAMPLES_IN_A_PIECE", 1000)
    samples, layer, rows = SampleLayer(samples=many(3500)), CachedLayer(), []
    noted = lambda *given: (rows.append(given[-1].indices(3500)[:2]), paint_samples(*given))  # noqa: E731
    monkeypatch.setattr(layers_module, "paint_samples", noted)
    for frame in (AxesFrame(LIMITS, AREA), AxesFrame((-100.0, 400.0, -60.0, 260.0), AREA)):
        rows.clear()
        frames = [through(layer, samples, frame, hurry=bool(k)) for k in range(4)]  # after a slow one
        assert rows == [(0, 1000), (1000, 2000), (2000, 3000), (3000, 3500)]
        assert (frames[-1] == from_nothing(samples, frame)).mean() > 0.97
        inked = [int((shown < 255).sum()) for shown in frames]
        # At first what there is so far, later the former picture until the new one is whole.
        assert inked == sorted(inked) if frame.limits == LIMITS else inked[0] == inked[2] != inked[3]


def test_what_is_not_a_pan_by_whole_pixels_is_painted_anew():
    samples, layer = SampleLayer(samples=many()), CachedLayer()
    through(layer, samples, AxesFrame(LIMITS, AREA))
    for limits in ((0.4, 300.4, 0.0, 200.0), (0.0, 250.0, 0.0, 200.0)):
        frame = AxesFrame(limits, AREA)
        assert np.abs(through(layer, samples, frame) - from_nothing(samples, frame)).max() <= 3


def edits():
    start = many()
    moved = start.places.copy()
    moved[4000] = (150.0, 100.0)
    far = start.places.copy()
    far[:3] = (1e9, -1e300)
    labels = start.labels.copy()
    labels[[5, 70]] += 1
    gone = np.ones(len(start.places), dtype=bool)
    gone[[0, 17, 18, 3000, 5999]] = False
    shorter = changed(start, keep=gone)
    shuffled = np.random.default_rng(1).permutation(len(start.places))
    return [
        (start, changed(start, places=moved)),
        (start, changed(start, places=far)),
        (start, changed(start, labels=labels)),
        (start, shorter),
        (shorter, start),
        (start, changed(start, keep=slice(5500))),
        (start, changed(start, places=start.places[::-1])),
        (start, changed(start, keep=shuffled[:5999])),
    ]


@pytest.mark.parametrize("pair", edits(), ids=range(8))
def test_an_edit_repaints_what_it_touches_and_that_exactly(pair):
    frame, layer = AxesFrame(LIMITS, AREA), CachedLayer()
    through(layer, SampleLayer(samples=pair[0]), frame)
    after = SampleLayer(samples=pair[1])
    assert np.abs(through(layer, after, frame) - from_nothing(after, frame)).max() <= 3


def test_the_box_of_an_edit_is_small():
    frame = AxesFrame(LIMITS, AREA)
    old = many()
    places = old.places.copy()
    places[100] += 2.0
    assert changed_box(old, changed(old, places=places), frame, 9.0).width() == pytest.approx(20.0)
    keep = np.ones(len(old.places), dtype=bool)
    keep[[50, 5000]] = False
    x = frame.to_pixels(old.places[[50, 5000]])[:, 0]
    assert changed_box(old, changed(old, keep=keep), frame, 9.0).width() == pytest.approx(np.ptp(x) + 18)
    assert changed_box(old, old, frame, 9.0).isEmpty()
    assert (
        changed_box(old, changed(old, keep=slice(len(keep) - cached_layer.MOST_CHANGED_SAMPLES - 1)), frame, 9.0)
        is None
    )


def test_marks_follow_the_samples_they_are_tied_to():
    frame, layer, before = AxesFrame(LIMITS, AREA), CachedLayer(), many()
    rows = np.arange(5500)
    marks = (Points("misclassified", before.places[rows], rows=rows),)
    through(layer, MarkLayer(marks, samples=before), frame)
    places = before.places.copy()
    places[42] = (200.0, 50.0)
    after = MarkLayer(marks, samples=changed(before, places=places))
    assert np.abs(through(layer, after, frame) - from_nothing(after, frame)).max() <= 3


def test_in_a_hurry_a_zoom_stretches_the_picture():
    content, layer = SampleLayer(samples=many()), CachedLayer()
    frame, closer = AxesFrame(LIMITS, AREA), AxesFrame((100.0, 200.0, 50.0, 117.0), AREA)
    through(layer, content, frame)
    exact = []
    stretched = image_of(lambda p: exact.append(layer.paint(Sheet(p, closer, STYLE), content, True)))
    painted = image_of(lambda p: exact.append(layer.paint(Sheet(p, closer, STYLE), content)))
    assert exact == [False, True]
    assert (stretched[20:200, 40:320] != 255).any()
    assert np.abs(painted - from_nothing(content, closer)).max() <= 3
    assert (stretched != painted).any()


def test_what_was_stretched_is_painted_exactly_when_the_hand_rests(qtbot):
    rng = np.random.default_rng(0)
    desk = Desk(qtbot, rng.normal(0, 1.2, (20_000, 2)), algorithm="svm")
    desk.canvas.repaint()
    for _ in range(3):
        desk.wheel(0, 0, 1)
        desk.canvas.repaint()
    qtbot.wait(400)
    QApplication.processEvents()
    settled = desk.canvas.grab().toImage()
    desk.canvas.set_style(Style(theme="dark"))
    desk.canvas.grab()
    desk.canvas.set_style(Style())
    qtbot.wait(200)
    assert desk.canvas.grab().toImage() == settled


@pytest.mark.first
def test_many_drags_leave_nothing_behind_but_their_history(make_window):
    window = make_window(scene_with(np.random.default_rng(0).normal(0, 1, (60, 2)), np.arange(60) % 2, "svm"))
    window.resize(640, 480)
    window.hand.tool = "move"
    rng = np.random.default_rng(1)

    def left_after(drags):
        """How many objects of each kind there are, and how many things they hold."""
        for _ in range(drags):
            drag(window, rng)
            # The link of this window keeps what it was asked.
            window.link.requests.clear()
        window.store.reset(window.store.scene)
        window.link.requests.clear()
        gc.collect()
        things = gc.get_objects()
        held = sum(len(thing) for thing in things if type(thing) in (list, dict, set, tuple, deque))
        return Counter(type(thing).__name__ for thing in things), held

    left_after(20)  # more than anything keeps on purpose
    for _ in range(3):  # what is made once may be made late, what is left behind grows each time
        before, held = left_after(5)
        after, held_after = left_after(30)
        grown = {name: n - before[name] for name, n in after.items() if n > before[name] + 12}
        if not grown and held_after < held + 40:
            break
    assert grown == {}
    assert held_after < held + 40
