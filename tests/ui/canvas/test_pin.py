"""The pinned place: why the model says what it says there, on the canvas, in presentations and in files."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from mlviz.data.generators.catalog import generators
from mlviz.draw import palette
from mlviz.draw.layer import Explanation
from mlviz.draw.marks import Segments
from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture
from mlviz.scene.files import scene_file
from mlviz.ui.figure import figure
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.explanation_card import Pinned, paint_card, pinned
from mlviz.ui.paint.samples import DrawnSamples
from tests.ui.hands import Desk, scene_with

SENTENCE = "3 of the 5 nearest samples are of class 1, which makes p = 0.6"


def picture_of(scene, sentence=SENTENCE):
    link = Segments("residual", np.array([[0.0, 0.0]]), np.array([[1.0, 1.0]]))
    told = Explanation(sentence, (link,))
    plot = Plot("data", "", "x1", "x2", (), limits=scene.view.limits)
    return PanelPicture(0, 0, scene.dataset.key, plot, explanation=told)


@pytest.fixture
def desk(qtbot):
    return Desk(qtbot, [(0, 0), (1, 1)])


def test_the_card_is_shown_only_while_pinned_and_escape_lets_go(desk):
    desk.point_at(2, 2)
    desk.canvas.set_picture(picture_of(desk.store.scene))
    assert desk.canvas.pinned() is None
    before = desk.canvas.grab().toImage()
    desk.canvas.toggle_pin()
    told = desk.canvas.pinned()
    np.testing.assert_allclose(told.place, (2, 2), atol=0.02)
    assert told.words.startswith("Why here? At ({:.2f}, {:.2f}): ".format(*told.place)) and told.words.endswith(
        SENTENCE
    )
    assert desk.canvas.grab().toImage() != before
    desk.key(Qt.Key.Key_Escape)
    assert not desk.hand.pinned and desk.canvas.pinned() is None


def test_without_a_cursor_the_middle_is_pinned(desk):
    desk.canvas.toggle_pin()
    np.testing.assert_allclose(desk.store.scene.view.probe, (0, 0), atol=1e-9)


def test_the_pin_can_be_dragged_whatever_the_tool_and_no_sample_is(desk):
    desk.point_at(0, 0)
    desk.canvas.toggle_pin()
    data = desk.data
    for tool, place in (("pen", (2, 1)), ("eraser", (-1, 2)), ("select", (-2, -2))):
        desk.hand.tool = tool
        desk.drag(desk.store.scene.view.probe, place)
        np.testing.assert_allclose(desk.store.scene.view.probe, place, atol=0.03)
    assert desk.data is data and desk.store.undo_what is None


def test_a_cancelled_drag_puts_the_pin_back(desk):
    desk.canvas.toggle_pin()
    desk.drag((0, 0), (2, 2), release=False)
    desk.key(Qt.Key.Key_Escape)
    np.testing.assert_allclose(desk.store.scene.view.probe, (0, 0), atol=1e-9)
    assert desk.hand.pinned
    desk.let_go(2, 2)


def test_the_card_is_inside_the_area_beside_the_legend_and_not_over_the_pin(qtbot):
    area = QRectF(60, 20, 500, 400)
    frame = AxesFrame((0.0, 1.0, 0.0, 1.0), area)
    image = QImage(620, 460, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    for corner in ((70, 30), (400, 30), (70, 300), (400, 300)):
        legend = QRectF(*corner, 150, 110)
        for place in ((0.5, 0.05), (0.5, 0.95), (0.1, 0.5), (0.9, 0.02)):
            for words in ("short", SENTENCE * 4):
                box = paint_card(painter, frame, Pinned(place, words, ()), legend, Style())
                at = frame.to_pixels([place])[0]
                assert area.contains(box) and not box.intersects(legend) and not box.contains(*at)
    painter.end()


def test_the_card_goes_where_it_hides_fewer_samples(qtbot):
    frame = AxesFrame((0.0, 1.0, 0.0, 1.0), QRectF(0, 0, 500, 400))
    image = QImage(500, 400, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    for height in (0.05, 0.95):
        places = np.column_stack((np.linspace(0.1, 0.9, 30), np.full(30, height)))
        samples = DrawnSamples(places, np.zeros(30, dtype=np.intp))
        box = paint_card(painter, frame, Pinned((0.5, 0.5), SENTENCE, ()), QRectF(), Style(), samples)
        assert (box.center().y() < 200) is (height < 0.5)
    painter.end()


def test_the_card_has_smaller_words_rather_than_hide_samples(qtbot):
    frame = AxesFrame((0.0, 1.0, 0.0, 1.0), QRectF(0, 0, 500, 400))
    image = QImage(500, 400, QImage.Format.Format_ARGB32_Premultiplied)
    painter = QPainter(image)
    places = np.column_stack((np.linspace(0.1, 0.9, 30), np.full(30, 0.95)))
    samples = DrawnSamples(places, np.zeros(30, dtype=np.intp))
    legend = QRectF(180, 250, 312, 142)  # leaves the card little room at the bottom
    box = paint_card(painter, frame, Pinned((0.5, 0.5), SENTENCE * 3, ()), legend, Style(), samples)
    assert box.center().y() > 200 and not box.intersects(legend)
    painter.end()


def test_a_figure_holds_what_is_pinned(qtbot):
    scene = scene_with([(0, 0), (1, 1)])
    at = scene.with_view(probe=(1.0, 1.0))
    images = []
    for seen in (scene, at):
        image = QImage(500, 400, QImage.Format.Format_ARGB32_Premultiplied)
        painter = QPainter(image)
        figure.paint_figure(painter, (500, 400), [picture_of(seen)], seen, Style())
        painter.end()
        images.append(image)
    assert images[0] != images[1]
    assert pinned(scene, picture_of(scene)) is None


def test_the_key_pins_in_the_window_and_in_a_presentation(qtbot, make_window):
    window = make_window(live=True)
    with qtbot.waitActive(window):
        window.activateWindow()
    window.presets.draw(generators()["moons"]().generate(0))
    QTest.keyClick(window.canvas, Qt.Key.Key_W)
    assert window.hand.pinned and window.actions_.action("pin").isChecked()
    # What is to be dragged is called by what it looks like.
    assert f"drag the purple {palette.ink('probe', 'light').symbol} to" in window.status.currentMessage()
    qtbot.waitUntil(lambda: window.canvas.pinned() is not None)
    qtbot.waitUntil(lambda: window.status.here.text().startswith("pinned (W lets go): "))
    window.presentation.show(True)
    assert window.canvas.pinned() is not None
    QTest.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert not window.status.here.text().startswith("pinned") and not window.status.currentMessage()
    assert not window.hand.pinned and window.appearance.presenting  # one thing at a time
    QTest.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert not window.appearance.presenting


def test_a_saved_scene_keeps_the_pin_and_not_the_place_under_the_cursor(window, tmp_path):
    path = tmp_path / "scene.mlviz"
    window.store.look(window.store.scene.with_view(probe=(1.0, 2.0)))
    assert window.documents._write(path)
    assert scene_file.load(path).view.probe is None
    window.hand.pinned = True
    assert window.documents._write(path)
    window.hand.pinned = False
    window.documents.open(path)
    assert window.hand.pinned and window.store.scene.view.probe == (1.0, 2.0)


@pytest.mark.parametrize("pin", [(0.5, 0.9), (0.5, 0.1)])
def test_the_card_keeps_off_the_place_under_the_cursor(qapp, pin):
    """What is pressed there is seen, wherever the pin is."""
    frame, image = AxesFrame((0, 1, 0, 1), QRectF(20, 10, 500, 300)), QImage(540, 330, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        for x in np.linspace(0.02, 0.98, 9):
            for y in np.linspace(0.02, 0.98, 9):
                card = paint_card(painter, frame, Pinned(pin, SENTENCE, (), (x, y)), QRectF(), Style())
                assert not card.contains(*frame.to_pixels([(x, y)])[0].tolist())
