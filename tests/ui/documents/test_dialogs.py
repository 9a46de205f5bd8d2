"""Dialogs: generators with preview, tables, export, help."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImageReader
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog

from mlviz.data.generators.catalog import generators
from mlviz.data.tables.reading import TableFile
from mlviz.ui.controls.number_control import NumberControl
from mlviz.ui.datasets.generator_dialog import GeneratorDialog
from mlviz.ui.export.dialog import Export, ExportDialog
from mlviz.ui.figure import figure
from mlviz.ui.paint.axes import Style
from mlviz.ui.shell import help_pages
from mlviz.ui.shell.help_pages import GESTURES
from mlviz.ui.shell.menu.commands import COMMANDS
from mlviz.ui.tables.dialog import AxesDialog, TableDialog
from tests.closing import close_without_asking

pytestmark = pytest.mark.slow

TABLE = b"name,length,width,kind\na,1.5,2,wolf\nb,2.5,,fox\nc,3,4,fox\nd,4,5,wolf\n"


@pytest.mark.parametrize("name", generators())
def test_every_generator_draws_what_its_preview_shows(qtbot, name):
    kind = generators()[name]
    dialog = GeneratorDialog(kind(), 3, Style())
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.dataset.source == kind().generate(3).source
    before = dialog.grab().toImage()
    for parameter in kind.parameters():
        control = dialog.form.rows[parameter.name].control
        if isinstance(control, NumberControl):
            control.slider.setValue(control.slider.maximum())
            assert getattr(dialog.dataset.source, parameter.name) == pytest.approx(parameter.soft[1])
    dialog.seed.setValue(4)
    expected = dialog.dataset.source.generate(4)
    np.testing.assert_array_equal(dialog.dataset.X, expected.X)
    assert dialog.grab().toImage() != before


def test_another_kind_is_chosen_in_the_dialog_with_the_keyboard_alone(qtbot):
    dialog = GeneratorDialog(generators()["moons"](noise=0.5), 3, Style())
    qtbot.addWidget(dialog)
    dialog.show()
    seen = ["moons"]
    for _ in range(len(generators())):
        qtbot.keyClick(dialog.kinds, Qt.Key.Key_Down)
        if dialog.dataset.source.id != seen[-1]:
            seen.append(dialog.dataset.source.id)
        assert dialog.windowTitle() == f"Data: {dialog.dataset.source.label}"
        assert tuple(dialog.form.rows) == tuple(p.name for p in dialog.dataset.source.parameters())
        assert dialog.dataset.source.seed == 3
    assert seen == list(generators())[2:]
    while dialog.dataset.source.id != "moons":
        qtbot.keyClick(dialog.kinds, Qt.Key.Key_Up)
    assert dialog.dataset.source.noise == 0.5  # what was set before is not lost
    qtbot.keyClick(dialog.kinds, Qt.Key.Key_Return)
    assert dialog.result() == GeneratorDialog.DialogCode.Accepted


def test_the_preview_says_when_it_shows_a_part_and_what_the_line_is(qtbot):
    dialog = GeneratorDialog(generators()["spirals"](n_samples=100_000), 0, Style())
    qtbot.addWidget(dialog)
    assert dialog.note.text() == "Shown: the first 3,000 of 100,000 samples."
    assert len(dialog.dataset) == 100_000
    dialog.form.moved.emit("n_samples", 3000)
    assert dialog.note.text() == ""
    dialog.kinds.chosen.emit(generators()["step"])
    assert "true f*" in dialog.note.text()


def test_a_seed_from_a_scene_file_may_be_larger_than_the_field_takes(qtbot):
    dialog = GeneratorDialog(generators()["moons"](), 2**40, Style())
    qtbot.addWidget(dialog)
    assert dialog.seed.value() == 2**31 - 1


def test_enter_draws(qtbot, window):
    dialog = GeneratorDialog(generators()["moons"](), 0, Style(), window)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.keyClick(dialog.form, Qt.Key.Key_Return)
    assert dialog.result() == GeneratorDialog.DialogCode.Accepted


def test_enter_in_a_number_takes_the_number_alone_and_ctrl_enter_draws(qtbot):
    dialog = GeneratorDialog(generators()["moons"](), 0, Style())
    qtbot.addWidget(dialog)
    dialog.show()
    for field, read in (
        (dialog.form.rows["n_samples"].control.field, lambda: len(dialog.dataset)),
        (dialog.seed, lambda: dialog.dataset.source.seed),
    ):
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, "37")
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert read() == 37
        assert dialog.isVisible() and dialog.result() == 0
    qtbot.keyClick(dialog.seed, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert dialog.result() == GeneratorDialog.DialogCode.Accepted


def test_the_menu_draws_through_the_dialog(window, monkeypatch):
    monkeypatch.setattr(GeneratorDialog, "exec", lambda _: True)
    for kind in generators().values():
        window.presets.ask_generator(kind)
        assert isinstance(window.store.scene.dataset.source, kind)


def test_the_columns_of_the_present_data_can_be_chosen(window, monkeypatch):
    window.presets.open_shipped("iris")

    def choose(dialog):
        dialog.x_axis.setCurrentText("sepal_length")
        dialog.y_axis.setCurrentText("sepal_width")
        return True

    monkeypatch.setattr(AxesDialog, "exec", choose)
    before = window.store.scene
    window.importing.ask_columns()
    assert window.store.scene.axes == ("sepal_length", "sepal_width")
    assert window.store.scene.view.limits != before.view.limits
    window.store.undo()
    assert window.store.scene.axes == before.axes


def test_the_export_dialog_gives_back_what_was_chosen(qtbot):
    dialog = ExportDialog(Export())
    qtbot.addWidget(dialog)
    assert dialog.export == Export()
    assert (dialog.width_box.value(), dialog.height_box.value()) == (1600, 1200)
    dialog.format.setCurrentIndex(2)
    assert not dialog.dpi.isEnabled()
    dialog.width_box.setValue(500)
    dialog.theme.setCurrentText("print")
    dialog.caption.setChecked(False)
    dialog.legend.setChecked(False)
    dialog.sides.setChecked(True)
    expected = Export(".pdf", (500, 576), "px", 200, "print", caption=False, legend=False, sides=True)
    assert dialog.export == expected
    again = ExportDialog(expected)
    qtbot.addWidget(again)
    assert again.export == expected


def test_the_size_of_an_export_can_be_given_in_any_unit(qtbot):
    dialog = ExportDialog(Export())
    qtbot.addWidget(dialog)
    dialog.unit.setCurrentText("cm")
    assert dialog.width_box.value() == pytest.approx(8 * 2.54)
    dialog.width_box.setValue(8.5)
    dialog.height_box.setValue(6)
    assert np.array(dialog.export.size) * 2.54 / 96 == pytest.approx([8.5, 6])
    assert dialog.outcome.text() == "669 × 472 pixels, 8.5 × 6.0 cm on paper"
    dialog.dpi.setCurrentText("300 dpi")
    assert dialog.outcome.text() == "1,004 × 709 pixels, 8.5 × 6.0 cm on paper"
    dialog.unit.setCurrentText("inches")
    assert dialog.width_box.value() == pytest.approx(8.5 / 2.54, abs=0.005)
    dialog.unit.setCurrentText("pixels")
    assert dialog.width_box.value() == 1004
    dialog.width_box.setValue(1001)
    assert round(dialog.export.size[0] * 300 / 96) == 1001
    dialog.format.setCurrentIndex(1)
    assert dialog.width_box.value() == round(1001 * 96 / 300)
    # Showing a size in another unit must not change it.
    assert round(dialog.export.size[0] * 300 / 96) == 1001


def test_all_three_formats_are_written(qtbot, make_window, monkeypatch, tmp_path):
    window = make_window()
    window.presets.open_shipped("iris")
    monkeypatch.setattr(ExportDialog, "exec", lambda _: True)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "figure"), ""))
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        monkeypatch.setattr(ExportDialog, "export", Export(format=f".{ending}", size=(600, 450), dpi=96))
        window.actions_.action("export").trigger()
        path = tmp_path / f"figure.{ending}"
        qtbot.waitUntil(lambda path=path: path.exists() and not window.exporting.drawing.busy)
        assert path.read_bytes().startswith(start)
    size = QImageReader(str(tmp_path / "figure.png")).size()
    assert (size.width(), size.height()) == (600, 450)


def test_an_export_that_cannot_be_written_is_said_in_a_sentence(qtbot, window, monkeypatch, tmp_path):
    said = []
    monkeypatch.setattr(window, "complain", said.append)
    window.exporting.export(tmp_path / "nowhere" / "figure.png", Export())
    qtbot.waitUntil(lambda: bool(said))
    assert said[0].startswith("figure.png was not written")


def test_the_picture_is_copied_to_the_clipboard(qtbot, window):
    QGuiApplication.clipboard().clear()
    window.presets.open_shipped("cars")
    window.actions_.action("copy picture").trigger()
    qtbot.waitUntil(lambda: not QGuiApplication.clipboard().image().isNull())
    assert QGuiApplication.clipboard().image().width() == 2 * window.panels.width()


def test_a_copied_picture_has_the_chosen_theme_and_caption(qtbot, window, monkeypatch):
    QGuiApplication.clipboard().clear()
    window.presets.open_shipped("cars")
    styles = []
    monkeypatch.setattr(figure, "paint_figure", lambda *rest: styles.append(rest[4:]))
    for wanted in (Export(), Export(theme="print", caption=False, legend=False)):
        window.exporting._last = wanted
        window.actions_.action("copy picture").trigger()
        qtbot.waitUntil(lambda: not window.exporting.drawing.busy)
    (as_seen, with_caption), (printed, without) = styles
    assert as_seen == window.appearance.style and with_caption
    assert (printed.theme, printed.legend, without) == ("print", False, False)


def test_closing_the_window_ends_a_drawing(window, tmp_path):
    window.exporting.export(tmp_path / "figure.png", Export())
    assert window.exporting.drawing.busy
    close_without_asking(window)
    assert not window.exporting.drawing.busy


def test_the_page_of_keys_names_every_command_that_has_one():
    page = help_pages.shortcuts_page(COMMANDS, GESTURES)
    for command in COMMANDS:
        if command.keys:
            assert command.text.replace("&", "").rstrip(".") in page


def test_every_dialog_can_be_left_with_a_button(qtbot, window):
    for dialog in (
        GeneratorDialog(generators()["blobs"](), 0, Style(), window),
        TableDialog(TableFile(TABLE), "t", window),
        ExportDialog(Export(), window),
    ):
        qtbot.addWidget(dialog)
        assert dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Cancel) is not None
