from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import QApplication

from mlviz.assets import asset
from mlviz.ui import theme
from tests.draw.test_palette import contrast

pytestmark = pytest.mark.usefixtures("qapp")
Role = QPalette.ColorRole
NAMES = (
    "pen", "brush", "eraser", "move", "select", "lasso", "relabel", "undo", "redo", "clear", "play", "pause", "step",
    "step-back", "first", "last", "present", "add-panel", "remove-panel", "export", "open", "save", "fit-view",
)  # fmt: skip


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
        (Role.Link, Role.Window),
    ):
        assert contrast(rgb(palette, text), rgb(palette, paper)) > 4.5, (text, paper)


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
    monkeypatch.setattr(theme, "QGuiApplication", SimpleNamespace(styleHints=lambda: hints))
    assert theme.apply(QApplication.instance(), "system") == dress
    assert QApplication.palette().color(Role.Window) == theme.palette(dress).color(Role.Window)


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_takes_the_colour_of_the_text(name):
    app = QApplication.instance()
    shades = []
    for dress in ("light", "dark"):
        theme.apply(app, dress)
        image = theme.icon(name).pixmap(24, 24).toImage()
        inked = [image.pixelColor(x, y) for x in range(24) for y in range(24)]
        inked = [colour.lightness() for colour in inked if colour.alpha() > 200]
        assert len(inked) > 15
        shades.append(sum(inked) / len(inked))
    assert shades[0] < 80
    assert shades[1] > 180


def test_a_disabled_icon_is_fainter():
    theme.apply(QApplication.instance(), "light")
    icon = theme.icon("undo")
    assert icon.pixmap(24, 24, QIcon.Mode.Disabled).toImage() != icon.pixmap(24, 24).toImage()


def test_icons_share_one_grid():
    for path in asset("icons").glob("*.svg"):
        if path.stem != "mlviz":
            assert 'viewBox="0 0 24 24"' in path.read_text(), path.name


def test_the_program_has_an_icon():
    assert not theme.app_icon().isNull()
    assert theme.app_icon().pixmap(256, 256).width() == 256
