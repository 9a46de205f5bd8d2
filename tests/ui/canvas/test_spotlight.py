"""The spotlight around the cursor in a presentation."""

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest

KEY = Qt.Key


def press(window, key):
    QTest.keyClick(window.canvas, key)


def grey(window, place):
    """How bright the window is at a place of it, from 0 to 1."""
    image = window.grab().toImage()
    ratio = image.devicePixelRatio()
    return image.pixelColor(round(place.x() * ratio), round(place.y() * ratio)).lightnessF()


def test_the_spotlight_dims_all_but_a_circle_that_follows_the_cursor(window):
    window.presentation.show(True)
    window.presentation.banner.hide()
    spotlight, canvas = window.presentation.spotlight, window.canvas
    here, there = (canvas.mapTo(window, QPoint(*at)) for at in ((300, 200), (800, 500)))
    usual = [grey(window, place) for place in (here, there)]
    QCursor.setPos(window.mapToGlobal(here))
    press(window, KEY.Key_F7)
    assert spotlight.on and spotlight.isVisible() and spotlight.geometry() == window.rect()
    assert np.isclose(grey(window, here), usual[0], atol=0.02) and grey(window, there) < 0.5 * usual[1]
    QCursor.setPos(window.mapToGlobal(there))
    spotlight.follow()
    assert grey(window, here) < 0.5 * usual[0] and np.isclose(grey(window, there), usual[1], atol=0.02)
    window.resize(900, 640)
    assert spotlight.geometry() == window.rect()
    assert spotlight.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    press(window, KEY.Key_F7)
    assert not spotlight.on and spotlight.isHidden()


def test_the_spotlight_ends_with_the_presentation(window):
    assert not window.actions_.action("spotlight").isEnabled()
    window.presentation.show(True)
    press(window, KEY.Key_F7)
    press(window, KEY.Key_Escape)
    assert not window.presentation.spotlight.on and window.presentation.spotlight.isHidden()


def test_the_banner_stands_above_the_spotlight(window):
    window.presentation.show(True)
    press(window, KEY.Key_F7)
    window.presentation.say("C = 3")
    assert window.children().index(window.presentation.banner) > window.children().index(window.presentation.spotlight)
