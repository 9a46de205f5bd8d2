"""Tab goes through the controls as the eye does, also after other ones have taken their place."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication

from mlviz.data.generators.catalog import Moons
from mlviz.ui.datasets.generator_dialog import GeneratorDialog
from mlviz.ui.paint.axes import Style


@pytest.fixture
def window(make_window):
    """One of its own for each test: how it looks outlives a scene."""
    return make_window()


def stops(qtbot, start, count):
    start.setFocus()
    found = []
    for _ in range(count):
        focused = QApplication.focusWidget()
        found.append(focused.accessibleName() or focused.text())
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    return found


def test_in_the_dialog_of_generators(qtbot):
    dialog = GeneratorDialog(Moons(), 0, Style())
    qtbot.addWidget(dialog)
    with qtbot.waitActive(dialog):
        dialog.show()
    for _ in range(3):
        labels = [parameter.label for parameter in dialog.dataset.source.parameters()]
        controls = [f"{label}, {part}" for label in labels for part in ("slider", "value")]
        around = ["Kind of data", *controls, "Seed", "&Draw", "Cancel"]
        assert stops(qtbot, dialog.kinds, len(around) + 1) == [*around, "Kind of data"]
        qtbot.keyClick(dialog.kinds, Qt.Key.Key_Down)


def test_beside_the_canvas(qtbot, window):
    sidebar = window.sidebar
    for method, controls in (
        ("svm", ["C, slider", "C, value", "hard margin", "leave-one-out error", "kernel"]),
        ("kmeans", ["k, slider", "k, value", "start", "restarts, slider", "restarts, value", "Another start"]),
    ):
        sidebar.chooser.choose(method)
        found = stops(qtbot, sidebar.chooser.methods, len(controls) + 3)
        assert found[0] == "Method" and found[-len(controls) - 1 : -1] == controls
        assert found[-1] == "preprocessing"


def test_no_table_keeps_tab_to_itself(window):
    """Arrows go through its cells: Tab would go round in them for ever."""
    views = window.findChildren(QAbstractItemView)
    assert window.predict.table in views
    assert not [view.accessibleName() for view in views if view.tabKeyNavigation()]
