import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QRadioButton,
    QStyle,
    QStyleOptionButton,
)

from mlviz.assets import asset
from mlviz.draw.palette import theme_colors as ground_of
from mlviz.ui.tables.preview import ColumnList
from mlviz.ui.widgets import icons, theme
from tests.draw.test_palette import contrast

pytestmark = pytest.mark.usefixtures("qapp")
Role, Part = QPalette.ColorRole, QStyle.SubElement
NAMES = (
    "pen", "brush", "eraser", "move", "select", "lasso", "relabel", "undo", "redo", "clear", "play", "pause", "step",
    "step-back", "first", "last", "present", "add-panel", "remove-panel", "export", "open", "save", "fit-view",
)  # fmt: skip


@pytest.fixture
def window(make_window):
    """One of its own for each test: how it looks outlives a scene."""
    return make_window()


@pytest.fixture(autouse=True)
def undressed():
    app = QApplication.instance()
    before = app.palette(), app.styleSheet()
    yield
    app.setPalette(before[0])
    app.setStyleSheet(before[1])


def rgb(palette, role, group=QPalette.ColorGroup.Active):
    return palette.color(group, role).getRgb()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_can_be_read(name):
    palette = theme.palette(name)
    for text, paper in (
        (Role.WindowText, Role.Window),
        (Role.Text, Role.Base),
        (Role.Text, Role.AlternateBase),
        (Role.ButtonText, Role.Button),
        (Role.HighlightedText, Role.Highlight),
        (Role.ToolTipText, Role.ToolTipBase),
        (Role.PlaceholderText, Role.Base),
        (Role.PlaceholderText, Role.Window),
        (Role.BrightText, Role.Window),
        (Role.Link, Role.Window),
        (Role.Link, Role.Base),
        (Role.LinkVisited, Role.Base),
    ):
        assert contrast(rgb(palette, text), rgb(palette, paper)) > 4.5, (text, paper)


@pytest.mark.parametrize("name", ["light", "dark", "print"])
def test_words_in_pictures_can_be_read(name):
    ground = ground_of(name)
    for text in (ground.text, ground.faint):
        for paper in (ground.paper, ground.canvas):
            assert contrast(text, paper) > 4.5


@pytest.mark.parametrize("name", ["light", "dark"])
def test_what_is_disabled_looks_it(name):
    palette = theme.palette(name)
    for role in (Role.WindowText, Role.Text, Role.ButtonText):
        faded = rgb(palette, role, QPalette.ColorGroup.Disabled)
        assert contrast(faded, rgb(palette, Role.Window)) < contrast(rgb(palette, role), rgb(palette, Role.Window)) / 2


def test_dressing_the_program():
    app = QApplication.instance()
    assert theme.apply(app, "dark") == "dark"
    assert app.style().objectName() == "fusion" or app.styleSheet()
    assert app.palette().color(Role.Window).lightness() < 80
    assert theme.apply(app, "light") == "light"
    assert app.palette().color(Role.Window).lightness() > 200


@pytest.mark.parametrize(
    ("scheme", "dress"),
    [(Qt.ColorScheme.Dark, "dark"), (Qt.ColorScheme.Light, "light"), (Qt.ColorScheme.Unknown, "light")],
)
def test_the_system_theme_is_what_the_desktop_asks_for(monkeypatch, scheme, dress):
    hints = SimpleNamespace(colorScheme=lambda: scheme)
    # Widgets of other tests may still be there, and ask for the palette when it changes.
    desktop = SimpleNamespace(styleHints=lambda: hints, palette=QGuiApplication.palette)
    monkeypatch.setattr(theme, "QGuiApplication", desktop)
    assert theme.apply(QApplication.instance(), "system") == dress
    assert QApplication.palette().color(Role.Window) == theme.palette(dress).color(Role.Window)


def test_a_window_follows_the_desktop_while_it_is_open(window, monkeypatch):
    hints = QGuiApplication.styleHints()
    for choice, shown in (("system", "dark"), ("light", "light")):
        window.appearance.set_theme(choice)
        monkeypatch.setattr(theme, "system_theme", lambda: "dark")
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
        assert window.appearance.style.theme == shown
        monkeypatch.setattr(theme, "system_theme", lambda: "light")
        hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
        assert window.appearance.style.theme == "light"


def test_a_change_of_theme_dresses_each_part_by_the_two_sheets_alone(window):
    changes = []

    class Watch(QObject):
        def eventFilter(self, watched, event):
            if event.type() == QEvent.Type.StyleChange:
                changes.append(watched)
            return False

    watch = Watch()
    window.status.installEventFilter(watch)
    window.appearance.set_theme("dark")
    assert 0 < len(changes) <= 4  # two for the sheet of the program, two for that of the window
    window.status.removeEventFilter(watch)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("kind", ["Information", "Question", "Warning", "Critical"])
def test_messages_have_icons_of_our_own(qtbot, name, kind):
    theme.apply(QApplication.instance(), name)
    box = QMessageBox(getattr(QMessageBox.Icon, kind), "mlviz", "Save the changes?", QMessageBox.StandardButton.Save)
    qtbot.addWidget(box)
    box.show()
    shown = box.iconPixmap().toImage()
    ours = QIcon(str(asset("icons", f"message-{kind.lower()}.svg"))).pixmap(shown.size()).toImage()
    assert shown.convertToFormat(ours.format()) == ours
    assert box.button(QMessageBox.StandardButton.Save).icon().isNull()


def test_an_icon_is_drawn_for_the_size_it_has():
    theme.apply(QApplication.instance(), "light")
    sizes = icons.icon("undo").availableSizes()
    assert {16, 22, 26} <= {size.width() for size in sizes}
    assert all(size.width() == size.height() for size in sizes)


def test_what_has_the_keyboard_is_seen(qtbot, window):
    window.fitted = True
    window.show_parts()
    with qtbot.waitActive(window):
        window.activateWindow()
    parts = (
        window.sidebar.chooser.methods,
        window.sidebar.hyperparameters.rows["C"].control.slider,
        window.sidebar.hyperparameters.rows["C"].control.field,
        window.sidebar.layers.boxes["slack"],
        window.actions_.classes.buttons[0],
        window.actions_.classes.buttons[1],
        window.canvas,
    )
    for name, part in itertools.product(("light", "dark"), parts):
        if window.appearance.style.theme != name:
            window.appearance.set_theme(name)
        looks = []
        for target in (part, next(other for other in parts if other is not part)):
            target.setFocus(Qt.FocusReason.TabFocusReason)
            window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)  # as Tab does
            QApplication.processEvents()
            corner = part.mapTo(window, part.rect().topLeft())
            image = window.grab(part.rect().translated(corner).adjusted(-3, -3, 3, 3)).toImage()
            image = image.convertToFormat(image.Format.Format_RGB32)
            looks.append(np.array(image.constBits(), dtype=int))
        assert (np.abs(looks[0] - looks[1]) > 40).sum() > 100, (name, part.accessibleName())


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize(
    ("kind", "element"), [(QCheckBox, Part.SE_CheckBoxIndicator), (QRadioButton, Part.SE_RadioButtonIndicator)]
)
def test_every_box_has_an_edge_that_is_seen_and_tells_whether_it_is_checked(qtbot, name, kind, element):
    theme.apply(QApplication.instance(), name)
    around, looks = rgb(theme.palette(name), Role.Window), set()
    for enabled in (True, False):
        for checked in (True, False):
            box = kind("words", autoExclusive=False, checked=checked, enabled=enabled)
            qtbot.addWidget(box)
            box.show()
            option = QStyleOptionButton()
            option.initFrom(box)
            at = box.style().subElementRect(element, option, box)
            image = box.grab().toImage()
            edge = [image.pixelColor(x, at.center().y()).getRgb() for x in range(at.left(), at.left() + 3)]
            assert max(contrast(colour, around) for colour in edge) > (3.0 if enabled else 2.0), (enabled, checked)
            looks.add((image.pixelColor(at.center()).name(), max(edge)))
    assert len(looks) == 4


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("checked", [True, False])
def test_a_box_in_a_chosen_row_has_an_edge_too(qtbot, name, checked):
    theme.apply(QApplication.instance(), name)
    rows = QListWidget()
    qtbot.addWidget(rows)
    QListWidgetItem("a", rows).setCheckState(Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked)
    rows.setCurrentRow(0)
    rows.show()
    image, box = rows.viewport().grab().toImage(), rows.visualItemRect(rows.item(0))
    seen = [image.pixelColor(x, box.center().y()).getRgb() for x in range(box.left(), box.left() + 8)]
    assert max(contrast(colour, rgb(theme.palette(name), Role.Highlight)) for colour in seen) > 4.5


@pytest.mark.parametrize(("dress", "low", "high"), [("light", 0, 80), ("dark", 180, 256)])
def test_every_icon_takes_the_colour_of_the_text(dress, low, high):
    theme.apply(QApplication.instance(), dress)
    for name in NAMES:
        image = icons.icon(name).pixmap(24, 24).toImage()
        inked = [image.pixelColor(x, y) for x in range(24) for y in range(24)]
        inked = [colour.lightness() for colour in inked if colour.alpha() > 200]
        assert len(inked) > 15 and low <= sum(inked) / len(inked) < high, name


@pytest.mark.parametrize("kind", [QListWidget, ColumnList])
def test_a_row_is_as_high_as_the_box_before_it(qtbot, kind):
    theme.apply(QApplication.instance(), "light")
    rows = kind()
    qtbot.addWidget(rows)
    QListWidgetItem("a", rows).setCheckState(Qt.CheckState.Checked)
    rows.show()
    assert rows.sizeHintForRow(0) >= 14 + 2, "a box of 14 pixels has an edge of 1"


def test_a_disabled_icon_is_fainter():
    theme.apply(QApplication.instance(), "light")
    icon = icons.icon("undo")
    assert icon.pixmap(24, 24, QIcon.Mode.Disabled).toImage() != icon.pixmap(24, 24).toImage()


def test_icons_share_one_grid():
    for path in asset("icons").glob("*.svg"):
        if path.stem != "mlviz":
            assert 'viewBox="0 0 24 24"' in path.read_text(), path.name


def test_the_program_has_an_icon():
    assert not icons.app_icon().isNull()
    assert icons.app_icon().pixmap(256, 256).width() == 256
