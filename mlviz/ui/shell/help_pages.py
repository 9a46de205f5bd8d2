"""Help: the picture in words, keys and gestures, the program; made from the command table."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

import mlviz
from mlviz.ui.shell.key_routing import PEEK
from mlviz.ui.shell.menu.command import Command
from mlviz.ui.sidebar.method_page import table
from mlviz.ui.widgets.parts import lay_out, named

GESTURES: tuple[tuple[str, str], ...] = (
    ("left click", "adds a point of the active class"),
    ("right click, Shift+click", "adds a point of the next class that has points (of the second with one class)"),
    (
        "right click, Shift+click where points have values",
        "adds a point of the opposite value, mirrored at the middle of the scale",
    ),
    ("drag a point up or down with the value tool", "changes its value; a click takes it for the next points"),
    ("Ctrl+click", "removes the nearest point"),
    ("drag a point", "moves it; the fit follows"),
    ("drag on empty space with the move tool, middle drag, Alt+drag", "moves the view"),
    (
        "drag, or two clicks, with the tool for answers",
        "draws what the method will answer; Shift adds a line or a place",
    ),
    ("drag a centre, a value or a level line with that tool", "moves it"),
    ("click on a value or a level line with that tool", "gives it the present value"),
    ("Ctrl+click with the tool for answers", "removes the nearest attempt"),
    ("click with the tool for text, then type", "writes there; Return ends writing, Escape takes it back"),
    ("drag, double click and Ctrl+click on a text with that tool", "move it, change it, remove it"),
    ("drag the line under a canvas onto another canvas", "swaps the two"),
    ("right click on a hyperparameter", "compares its values, each in a canvas of its own, or animates it"),
    ("drag the legend", "moves it; a double click folds it up, or opens it"),
    ("wheel, two fingers up or down on a touchpad", "zooms at the cursor"),
    ("sideways wheel, two fingers sideways on a touchpad", "moves the view"),
    ("Shift+wheel", "size of the brush"),
    ("wheel, drag and double click in a side plot", "zoom, move it, show all of it; its handles can be dragged"),
    ("double click on the tab of a side plot", "shows it full size"),
    ("Escape", "lets go of the selection, cancels a gesture, leaves a side plot at full size and the presentation"),
    ("arrows with points, or a text, selected", "nudge them by a pixel, with Shift by ten"),
    ("Return, Escape in a field", "end typing there; the keys are the canvas's again"),
    ("Return", "shows a cursor that the arrows move; Return then clicks there, with Shift and Ctrl as the mouse does"),
    ("1 to 9", "choose a class by the place of the key: on a French keyboard too, without Shift"),
    ("1 to 9 where points have values", "choose a value: 1 the low end of the scale, 5 its middle, 9 the high end"),
    (f"hold {PEEK}", "shows the fit before the last change over the present one"),
)
"""What the mouse does, and the keys that belong to the canvas: the rest of the help page of shortcuts."""


class Page(QDialog):
    """A page of text with a heading; Escape closes it, the window stays usable beside it."""

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.browser = named(QTextBrowser(openExternalLinks=True), title)
        self.browser.setHtml(text)
        self.browser.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setToolTip("Put the whole text on the clipboard.")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.browser.toPlainText()))
        buttons.rejected.connect(self.reject)
        lay_out(QVBoxLayout(self), self.browser, buttons, margins=None)
        self.resize(620, 560)


def words_page(words: str) -> str:
    """A description of the picture, a paragraph a line."""
    return "<h2>The picture in words</h2>" + "".join(f"<p>{html.escape(line)}</p>" for line in words.splitlines())


def shortcuts_page(commands: Sequence[Command], gestures: Sequence[tuple[str, str]]) -> str:
    """Every command with its keys and place in the menus, and what the mouse does."""
    parts = [table("Mouse and canvas", gestures)]
    for menu in dict.fromkeys(command.menu for command in commands):
        here = [command for command in commands if command.menu == menu and command.keys]
        rows = [(", ".join(command.native_keys), f"{command.name}: {command.tip}") for command in here]
        parts.append(table(menu.replace("/", " › "), rows))
    return "".join(parts)


def about_page() -> str:
    """Name, version, licence."""
    return (
        f"<h2>mlviz {html.escape(mlviz.__version__)}</h2>"
        "<p>See machine learning happen: click points, watch the algorithms learn, take the picture home.</p>"
        "<p>Free software under the BSD 3-Clause licence.</p>"
    )
