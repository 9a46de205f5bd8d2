"""Everything that can have the keyboard has a name; everything fits on an old projector, whatever it is called."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.data.tables.reading import TableFile
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.datasets.generator_dialog import GeneratorDialog
from mlviz.ui.export.dialog import Export, ExportDialog
from mlviz.ui.paint.axes import Style
from mlviz.ui.shell import help_pages
from mlviz.ui.shell.help_pages import GESTURES
from mlviz.ui.shell.menu.commands import COMMANDS
from mlviz.ui.tables.dialog import AxesDialog, TableDialog
from tests.sweep import of_families

pytestmark = pytest.mark.slow

PROJECTOR = (1024, 768)
LONG = "a name that somebody has typed without ever looking at it, and then pasted once more " * 3
TABLE = b"name,length,width,kind\na,1.5,2,wolf\nb,2.5,,fox\nc,3,4,fox\nd,4,5,wolf\n"
INSIDE = ("qt_spinbox_lineedit", "qt_scrollarea_viewport", "qt_tableview_cornerbutton")
"""Parts of one control, which has the name."""


def nameless(top):
    found = []
    for widget in top.findChildren(QWidget):
        if widget.objectName() in INSIDE or not widget.isVisible():
            continue
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus or isinstance(widget, QAbstractButton):
            heard = QAccessible.queryAccessibleInterface(widget)
            if not heard.text(QAccessible.Text.Name).replace("&", "").strip():
                found.append((type(widget).__name__, widget.objectName(), widget.parent()))
    return found


DIALOGS = {
    **{name: lambda w, kind=kind: GeneratorDialog(kind(), 0, Style(), w) for name, kind in generators().items()},
    **{
        "table": lambda w: TableDialog(TableFile(TABLE), "t.csv", w),
        "long table": lambda w: TableDialog(TableFile(f"{LONG},y,z\n1,2,{LONG}\n3,4,b\n".encode()), f"{LONG}.csv", w),
        "axes": lambda w: AxesDialog("Columns", [LONG, "y"], (LONG, "y"), w),
        "export": lambda w: ExportDialog(Export(), w),
        "keys": lambda w: help_pages.Page("Keys", help_pages.shortcuts_page(COMMANDS, GESTURES), w),
    },
}


def test_each_dialog_names_its_controls_and_fits(kept_window, qtbot):
    kept_window.presets.draw_preset("moons")
    for name, make in DIALOGS.items():
        dialog = make(kept_window)
        qtbot.addWidget(dialog)
        dialog.show()
        QApplication.processEvents()
        assert not nameless(dialog), name
        least = dialog.minimumSizeHint()
        assert least.width() <= PROJECTOR[0] and least.height() <= PROJECTOR[1] - 40, name
        assert dialog.width() <= PROJECTOR[0] and dialog.height() <= PROJECTOR[1] - 40, name
        for part in dialog.findChildren(QAbstractButton):
            if part.isVisible() and not part.visibleRegion().isEmpty():
                corner = part.mapTo(dialog, part.rect().bottomRight())
                assert dialog.rect().contains(corner), (name, part.text())
        dialog.close()


@pytest.mark.parametrize("method", of_families(registry()))
def test_the_window_names_its_controls(kept_window, method):
    window = kept_window
    window.presets.open_shipped("iris")
    window.sidebar.chooser.choose(method)
    QApplication.processEvents()
    assert not nameless(window)


@pytest.fixture
def screen_reader():
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def test_the_canvas_says_what_it_is_and_what_it_shows(kept_window, qtbot, screen_reader):
    window = kept_window
    window.presets.open_shipped("iris")
    heard = QAccessible.queryAccessibleInterface(window.canvas)
    assert heard.text(QAccessible.Text.Name) == "Canvas 1"
    qtbot.waitUntil(lambda: "50 of setosa (blue circle)" in heard.text(QAccessible.Text.Description))


def test_the_description_of_the_picture_is_a_page_to_copy(kept_window):
    window = kept_window
    window.presets.draw_preset("moons")
    QApplication.clipboard().clear()
    window.actions_.action("describe").trigger()
    page = window.findChildren(help_pages.Page)[-1]
    assert "There are 100 points." in page.browser.toPlainText()
    next(button for button in page.findChildren(QAbstractButton) if button.text() == "&Copy").click()
    assert QApplication.clipboard().text() == page.browser.toPlainText()
    page.close()


def long_scene(n_panels=1, method="svm"):
    rng = np.random.default_rng(0)
    data = Dataset(
        rng.normal(size=(40, 2)) * 1e-7 + 123456.789, rng.integers(0, 9, 40), (LONG, LONG[::-1]), "kind",
        tuple(f"{k} {LONG}" for k in range(9)),
    )  # fmt: skip
    return Scene(data, (Panel(Pipeline(registry()[method]())),) * n_panels).with_view(
        limits=(123456.7889, 123456.7891, 123456.7889, 123456.7891), probe=(123456.789, 123456.789)
    )


@pytest.mark.parametrize("method", of_families(registry()))
def test_the_window_fits_on_an_old_projector(kept_window, method):
    window = kept_window
    window.store.reset(long_scene(method=method))
    window.resize(*PROJECTOR)
    QApplication.processEvents()
    assert window.minimumSizeHint().width() <= PROJECTOR[0] and window.minimumSizeHint().height() <= PROJECTOR[1] - 60
    assert (window.width(), window.height()) == PROJECTOR
    body = window.sidebar.scrolled.widget()
    assert body.width() <= window.sidebar.scrolled.viewport().width()
    for label in body.findChildren(QLabel):
        if label.isVisible() and not label.wordWrap():
            assert label.sizeHint().width() <= label.width() + 1, label.text()
    more = window.actions_.toolbar.findChild(QWidget, "qt_toolbar_ext_button")
    assert not more.isVisible()  # every tool is in sight


def test_six_canvases_of_long_names_fit_too(staged):
    window = staged(long_scene(6))
    window.resize(*PROJECTOR)
    window.presentation.show(True)
    window.resize(*PROJECTOR)
    QApplication.processEvents()
    assert all(canvas.area_size() > (60, 40) for canvas in window.panels.canvases)
    window.presentation.show(False)
