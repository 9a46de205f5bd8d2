"""Help: the method on screen, keys and gestures, the program; made from docstrings and the command table."""

from __future__ import annotations

import html
import inspect
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

import mlviz
from mlviz.algorithms import Algorithm
from mlviz.draw.numbers import typographic
from mlviz.ui.controls.number_control import format_value
from mlviz.ui.shell.command import Command
from mlviz.ui.widgets.parts import lay_out, named


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


def method_page(method: type[Algorithm]) -> str:
    """The help of a method as HTML: its docstring, then its hyperparameters, layers and facts."""
    paragraphs = (inspect.getdoc(method) or "").split("\n\n")
    rows = [
        (p.label, f"{p.help} ({typographic(p.range_text())}; at first {_plain(p.default)})")
        for p in method.parameters()
    ]
    return "".join(
        (
            f"<h2>{html.escape(method.label)}</h2>",
            *(f"<p>{_prose(paragraph)}</p>" for paragraph in paragraphs),
            _table("Hyperparameters", rows),
            _table("Layers", [(overlay.label, overlay.help) for overlay in method.overlays]),
            _table("Facts", [(fact.name, fact.help) for fact in method.known_facts()]),
        )
    )


def shortcuts_page(commands: Sequence[Command], gestures: Sequence[tuple[str, str]]) -> str:
    """Every command with its keys and place in the menus, and what the mouse does."""
    parts = [_table("Mouse and canvas", gestures)]
    for menu in dict.fromkeys(command.menu for command in commands):
        here = [command for command in commands if command.menu == menu and command.keys]
        rows = [(", ".join(command.native_keys), f"{command.name}: {command.tip}") for command in here]
        parts.append(_table(menu.replace("/", " › "), rows))
    return "".join(parts)


def about_page() -> str:
    """Name, version, licence."""
    return (
        f"<h2>mlviz {html.escape(mlviz.__version__)}</h2>"
        "<p>See machine learning happen: click points, watch the algorithms learn, take the picture home.</p>"
        "<p>Free software under the BSD 3-Clause licence.</p>"
    )


def _prose(paragraph: str) -> str:
    lines = paragraph.splitlines()
    if any(line.startswith("    ") for line in lines):
        # Indented lines are formulas: their line breaks and spaces are meant.
        return "<br>".join(html.escape(line).replace("    ", "&nbsp;" * 4) for line in lines)
    return html.escape(" ".join(lines)).replace("``", "").replace("`", "")


def _table(title: str, rows: Sequence[tuple[str, str]]) -> str:
    if not rows:
        return ""
    lines = "".join(
        f"<tr><td style='padding-right: 14px'><b>{html.escape(left)}</b></td><td>{html.escape(right)}</td></tr>"
        for left, right in rows
    )
    return f"<h3>{html.escape(title)}</h3><table cellpadding='2'>{lines}</table>"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return typographic(format_value(value)) if isinstance(value, (int, float)) else str(value)
