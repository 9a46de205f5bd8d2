"""Every word of the window can be read: it is not cut, not too small, and dark enough on its ground."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QPalette
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QToolButton

from mlviz.algorithms import registry
from mlviz.draw import palette
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.failures import failures_of
from mlviz.ui.widgets import theme as themes
from tests.sweep import of_families, share, sweep
from tests.ui.samples import some_points
from tests.ui.shell.test_calm import answer

pytestmark = pytest.mark.slow

SMALLEST = 11
"""Pixels: capitals of 8."""
PRESENTED = 18
"""In a presentation, where an old projector shows 1024 by 768 of them to the last row."""


def cut(widget):
    """The words of a widget that has no room for them, or ""."""
    fm = widget.fontMetrics()
    if isinstance(widget, QLabel):
        if widget.wordWrap():
            return widget.text() if widget.heightForWidth(widget.width()) > widget.height() + 1 else ""
        lines = widget.text().splitlines()
        return next((line for line in lines if fm.horizontalAdvance(line) > widget.contentsRect().width() + 1), "")
    if isinstance(widget, QComboBox):
        room = widget.width() - widget.minimumSizeHint().height()
        return widget.currentText() if fm.horizontalAdvance(widget.currentText()) > room else ""
    icon_only = isinstance(widget, QToolButton) and widget.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly
    if icon_only and not widget.icon().isNull():
        return ""
    return widget.text() if widget.sizeHint().width() > widget.width() + 1 else ""


def shown(window):
    kinds = (QLabel, QAbstractButton, QComboBox)
    return [widget for kind in kinds for widget in window.findChildren(kind) if widget.isVisible()]


@sweep("method, size", registry(), [(1024, 768), (1280, 800)])
def test_no_word_is_cut_and_none_is_too_small(staged, method, size):
    window = staged(edits.with_method(default_scene().replace(dataset=some_points(20)), 0, method))
    window.resize(*size)
    answer(window)
    window.sidebar.weights.open()
    window.sidebar.decision.open()
    QApplication.processEvents()
    assert len(shown(window)) > 30
    for widget in shown(window):
        assert not cut(widget), f"{type(widget).__name__} {widget.accessibleName()}: {cut(widget)}"
        assert QFontInfo(widget.font()).pixelSize() >= SMALLEST


@pytest.fixture
def presented(kept_window):
    """The kept window, which is as it was afterwards."""
    yield kept_window
    unpin(kept_window)
    kept_window.show_help(False)
    kept_window.presentation.show(False)


def unpin(window):
    for name in [*window.pins.names]:
        window.pins.toggle(name)


def test_no_word_of_a_presentation_is_too_small(presented):
    """What the first method shows is enlarged when the presentation begins, what the others show is made large."""
    window = presented
    for number, method in enumerate(of_families(registry())):
        window.store.reset(edits.with_method(default_scene().replace(dataset=some_points(20)), 0, method))
        window.breaking.show(failures_of(method)[0])
        unpin(window)
        for name in [*window.sidebar.hyperparameters.rows][:2]:
            window.pins.toggle(name)
        answer(window)
        if number == 0:
            window.presentation.show(True)
            window.showNormal()
            window.resize(1024, 768)
            window.show_help(True)
            window.appearance.toggle_sides()
        QApplication.processEvents()
        words = [widget for widget in shown(window) if not isinstance(widget, QAbstractButton) or widget.text()]
        assert len(words) > 6
        for widget in [*words, window.help.browser, window.sides.tabs.tabBar()]:
            told = method, type(widget).__name__, widget.accessibleName()
            assert QFontInfo(widget.font()).pixelSize() >= PRESENTED, told
            assert not isinstance(widget, QLabel | QComboBox) or not cut(widget), (method, cut(widget))
    for part in (0.3, 0.68, 0.84, 0.92, 1.0, 1.1):
        for canvases in (1, 3, 6):
            assert window.appearance.style.for_panels(canvases).font(part).pixelSize() >= PRESENTED


def luminance(rgb):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(ink, ground):
    """By the Web Content Accessibility Guidelines 2.2, from 1 to 21."""
    light, dark = sorted((luminance(ink[:3]), luminance(ground[:3])), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_of_the_window_stand_out(theme):
    colours = themes.palette(theme)
    role, group = QPalette.ColorRole, QPalette.ColorGroup.Active
    for ink, ground in (
        (role.WindowText, role.Window),
        (role.Text, role.Base),
        (role.ButtonText, role.Button),
        (role.PlaceholderText, role.Window),
        (role.PlaceholderText, role.Base),
        (role.HighlightedText, role.Highlight),
        (role.Link, role.Window),
    ):
        found = (colours.color(group, ink).getRgb(), colours.color(group, ground).getRgb())
        assert contrast(*found) >= 4.5, (ink, ground, found)
    # What stands on an empty canvas as a link.
    assert contrast(colours.color(group, role.Link).getRgb(), palette.theme_colors(theme).canvas) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_words_of_pictures_stand_out(theme):
    colours = palette.theme_colors(theme)
    for ground in (colours.paper, colours.canvas):
        assert contrast(colours.text, ground) >= 4.5
    # Words on the canvas stand on any tint.
    for code in range(9):
        strongest = int(palette.class_tints(theme)[code, 190])
        ground = (strongest >> 16 & 255, strongest >> 8 & 255, strongest & 255)
        assert contrast(colours.text, ground) >= 4.5


def test_a_cut_word_would_be_noticed(qtbot):
    label = QLabel("supercalifragilistic")
    qtbot.addWidget(label)
    label.resize(40, 20)
    assert cut(label) and not cut(QLabel(""))


@pytest.mark.parametrize("method", [name for name, kind in registry().items() if kind.traits.playable])
def test_every_stage_of_the_playback_has_room(kept_window, method):
    window = kept_window
    data = some_points(60)
    task = registry()[method].tasks[0]
    target = {"classification": data.labels, "regression": data.X[:, 1]}.get(task)
    stages = {str(model.inner.told_stage()) for model in Pipeline(registry()[method]()).steps(data.X, target)}
    for factor in (1.6, 1.0):
        window.player.enlarge(factor)
        room, fm = window.player.note.minimumWidth(), window.player.note.fontMetrics()
        for stage in stages:
            assert fm.horizontalAdvance(stage) <= room, (stage, factor)


@pytest.mark.first
def test_on_a_screen_of_scale_2_no_word_is_cut_either_and_nothing_moves():
    walk = [str(Path(__file__).with_name(name)) for name in ("test_legible.py", "test_calm.py")]
    some = " or ".join(share(of_families(registry()), "scale 2", 2))
    chosen = f"(no_word_is_cut and 1280 and ({some})) or (moves_nothing and situation0)"
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *walk, "-k", chosen]
    done = subprocess.run(run, env={**os.environ, "QT_SCALE_FACTOR": "2"}, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout[-3000:]
