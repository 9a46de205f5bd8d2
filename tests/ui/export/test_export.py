"""Sizes of figures for papers and slides, the last choice remembered, and the preview."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QWidget

from mlviz.ui.documents.saving import ask_name
from mlviz.ui.export.dialog import Export, ExportDialog
from mlviz.ui.export.exporter import Preview
from mlviz.ui.figure import figure


@pytest.fixture
def window(make_window):
    """One of its own for each test: how it looks outlives a scene."""
    return make_window()


@pytest.mark.parametrize(
    ("preset", "size", "shown"),
    [(1, (8.5, 6.5), "8.50 cm"), (2, (17.5, 10), "17.50 cm"), (3, (1280 * 2.54 / 96, 720 * 2.54 / 96), "2667 px")],
)
def test_a_preset_is_a_size_and_a_size_is_its_preset(qtbot, preset, size, shown):
    dialog = ExportDialog(Export())
    qtbot.addWidget(dialog)
    assert dialog.preset.currentIndex() == 0
    dialog.preset.setCurrentIndex(preset)
    dialog.preset.activated.emit(preset)
    assert np.array(dialog.export.size) * 2.54 / 96 == pytest.approx(size)
    assert dialog.width_box.text() == shown and dialog.preset.currentIndex() == preset
    again = ExportDialog(dialog.export)
    qtbot.addWidget(again)
    assert again.preset.currentIndex() == preset
    again.height_box.setValue(again.height_box.value() * 1.5)
    assert again.preset.currentIndex() == 0


def test_nothing_moves_in_the_dialog_whatever_is_answered(qtbot):
    preview = QWidget(minimumWidth=300)
    dialog = ExportDialog(Export(), None, preview)
    qtbot.addWidget(dialog)
    dialog.show()
    fixed = [*dialog.findChildren(QPushButton), dialog.format, dialog.width_box, preview, dialog]

    def places():
        QApplication.processEvents()
        return [(part.mapTo(dialog, QPoint()), part.size()) for part in fixed]

    before = places()
    for box in (dialog.format, dialog.unit, dialog.dpi, dialog.preset, dialog.theme):
        for index in range(box.count()):
            box.setCurrentIndex(index)
            box.activated.emit(index)
            assert places() == before, (box.accessibleName(), box.currentText())
    for side in (dialog.width_box, dialog.height_box):
        side.setValue(side.maximum())
        assert places() == before


def test_a_figure_for_a_paper_is_made_for_print_unless_a_theme_was_chosen(qtbot):
    dialog = ExportDialog(Export())
    qtbot.addWidget(dialog)
    assert dialog.export.theme == "light"
    for preset, theme in ((1, "print"), (3, "light"), (2, "print")):
        dialog.preset.activated.emit(preset)
        assert dialog.export.theme == theme
    dialog.theme.setCurrentText("dark")
    dialog.theme.activated.emit(dialog.theme.currentIndex())
    dialog.preset.activated.emit(1)
    assert dialog.export.theme == "dark"


def test_who_saves_is_not_asked_where_to_look(qtbot, tmp_path):
    seen = []

    def answer():
        dialog = QApplication.activeModalWidget()
        seen.append(dialog.labelText(QFileDialog.DialogLabel.LookIn))
        dialog.reject()

    parent = QWidget()
    qtbot.addWidget(parent)
    QTimer.singleShot(50, answer)
    assert ask_name(parent, "Save", tmp_path / "a.json", "JSON (*.json)", ".json") is None
    assert seen == ["Save in:"]


def test_the_last_export_is_remembered_and_what_cannot_be_read_is_not(qtbot, make_window, preferences, monkeypatch):
    wanted = Export(".pdf", (400.5, 300.0), "cm", 300, "print", caption=False, sides=True)
    assert Export.read(wanted.written()) == wanted
    monkeypatch.setattr(ExportDialog, "exec", lambda _: True)
    monkeypatch.setattr(ExportDialog, "export", wanted)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    make_window().exporting.ask_export()
    assert make_window().exporting._last == wanted
    good = wanted.written()
    for bad in ("", "{", "[]", "null", good.replace("cm", "yd"),
                good.replace("400.5", "1e9"), good.replace("300.0", "NaN"),
                good.replace("print", "pink"), good.replace("true", '"yes"'), good.replace("size", "sizes"),
                good.replace("300,", "[],"), good.replace('"cm"', "{}")):  # fmt: skip
        assert bad != good and Export.read(bad) == Export(), bad


def test_the_preview_follows_the_answers_and_is_the_figure_in_small(qtbot, window):
    window.presets.open_shipped("iris")
    preview = Preview(window.store.scene, window.exporting._style)
    qtbot.addWidget(preview)
    preview.resize(500, 400)
    preview.show()
    wanted = Export(size=(500.0, 400.0))
    preview.show_export(wanted)
    qtbot.waitUntil(lambda: bool(preview.pictures))
    image = QImage(500, 400, QImage.Format.Format_RGB32)
    for now in (wanted, dataclasses.replace(wanted, theme="dark"), dataclasses.replace(wanted, legend=False)):
        preview.show_export(now)
        with QPainter(image) as painter:
            style = window.exporting._style(now)
            figure.paint_figure(painter, now.size, preview.pictures, window.store.scene, style)
        assert preview.grab().toImage().convertToFormat(image.format()) == image
    before = preview.pictures
    preview.show_export(dataclasses.replace(wanted, size=(500.0, 200.0)))
    qtbot.waitUntil(lambda: preview.pictures is not before)
    preview.stop()
    assert not preview.drawing.busy
