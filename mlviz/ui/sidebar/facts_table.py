"""The numbers under the panel: what the model found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from mlviz.picture.fact_texts import format_fact, meaning


class FactsTable(QWidget):
    """Name and value, one a line; the values can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Facts")
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setVerticalSpacing(2)
        self._layout.setColumnStretch(1, 1)
        self._lines: list[tuple[QLabel, QLabel]] = []
        self.show_facts({})

    def show_facts(self, facts: dict[str, Any], help: Iterable[tuple[str, str]] = ()) -> None:
        """Show the facts; labels are kept and rewritten, so that following a drag stays cheap.

        `help` says what those mean that only the present method has.
        """
        shown = [(name, format_fact(value, name)) for name, value in facts.items()] or [("", "nothing fitted yet")]
        while len(self._lines) < len(shown):
            self._add_line()
        for row, (name, value) in enumerate(self._lines):
            visible = row < len(shown)
            name.setVisible(visible)
            value.setVisible(visible)
            if visible:
                name.setText(shown[row][0])
                value.setText(shown[row][1])
                value.setAccessibleName(shown[row][0])
                sentence = meaning(shown[row][0], help)
                for label in (name, value):
                    label.setToolTip(sentence)
                    label.setAccessibleDescription(sentence)

    def text(self) -> str:
        """What is shown, one fact a line."""
        return "\n".join(f"{name.text()}\t{value.text()}" for name, value in self._lines if not name.isHidden())

    def _add_line(self) -> None:
        name = QLabel()
        by_mouse = Qt.TextInteractionFlag.TextSelectableByMouse
        value = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignRight, textInteractionFlags=by_mouse)
        value.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._layout.addWidget(name, len(self._lines), 0)
        self._layout.addWidget(value, len(self._lines), 1)
        self._lines.append((name, value))
