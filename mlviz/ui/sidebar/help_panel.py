"""The help of the present method beside the canvas."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QTextDocument, QTextDocumentFragment
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from mlviz.algorithms import Algorithm
from mlviz.ui.sidebar.formulas import parts, set_formula
from mlviz.ui.sidebar.method_page import BREAK, method_page
from mlviz.ui.widgets.parts import enlarged_font, lay_out, named, plain_label, tool_button

_FORMULA = 1.0
"""Size of the formulas' letters in lines of the text: their indices must be legible."""
_MARGINS = 12
"""Left free beside what is as wide as the page, pixels."""


class HelpPanel(QWidget):
    """What a method does, its formulas, and what to try with it."""

    closed = Signal()
    tried = Signal(int)
    """The place, among those of the method, of what is to be tried."""
    broken = Signal(str)
    """The id of the failure that is to be seen."""

    def __init__(self) -> None:
        super().__init__()
        self._method: type[Algorithm] | None = None
        self._count = 0
        self.browser = named(QTextBrowser(openLinks=False), "Help of the method")
        self.browser.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.browser.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.browser.anchorClicked.connect(self._follow_link)
        self._words: list[QWidget] = [self, self.browser]
        copy = tool_button("Copy", "Copy the help", "Put the whole text on the clipboard.", self._copy)
        close = tool_button("×", "Close the help", "Back to the panel of the method (F1, Escape).", self.closed.emit)
        heading = plain_label("Help", objectName="heading")
        self._words += [heading, copy, close]
        above = lay_out(QHBoxLayout(), heading, None, copy, close, spacing=4)
        lay_out(QVBoxLayout(self), above, (self.browser, 1), margins=(10, 8, 10, 8), spacing=4)

    def show_method(self, method: type[Algorithm]) -> None:
        """Show the help of a method, from its beginning if it is another one."""
        if method is not self._method and not self.isHidden():
            self._method = method
            self._set()

    def enlarge(self, factor: float) -> None:
        """Show words and formulas so many times as large as usual."""
        font = enlarged_font(factor)
        if self.font() != font:
            for words in self._words:  # a style sheet above would keep them from inheriting it
                words.setFont(font)
            self._make_again()

    def changeEvent(self, event: QEvent) -> None:
        """Formulas are pictures in the ink of the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._method is not None:
            self._make_again()

    def _make_again(self) -> None:
        """Make the page anew; one that is not seen takes no time before it is opened."""
        if self.isHidden():
            self._method = None
        elif self._method is not None:
            self._set()

    def _follow_link(self, url: QUrl) -> None:
        kind, place = url.toString().partition(":")[::2]
        if f"{kind}:" == BREAK:
            self.broken.emit(place)
        else:
            self.tried.emit(int(place))

    def _set(self) -> None:
        assert self._method is not None
        self.browser.clear()
        self.browser.setHtml(method_page(self._method, self._picture_of))

    def _picture_of(self, line: str) -> str:
        return " ".join(map(self._formula, parts(line)))

    def _formula(self, line: str) -> str:
        size, room = self.fontMetrics().height() * _FORMULA, self.browser.viewport().width() - _MARGINS
        try:
            image = set_formula(line, size, self.palette().text().color(), room, self.devicePixelRatioF())
        except Exception:  # a method from outside may write what is no formula
            return html.escape(line)
        name = f"formula:{self._count}"
        self._count += 1
        self.browser.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), image)
        width, height = image.deviceIndependentSize().toTuple()
        return f"<img src='{name}' width='{width:.0f}' height='{height:.0f}' style='vertical-align: middle'>"

    def _copy(self) -> None:
        if self._method is not None:
            text = QTextDocumentFragment.fromHtml(method_page(self._method)).toPlainText()
            QGuiApplication.clipboard().setText(text.replace("\N{WORD JOINER}", ""))
