"""Writing on a canvas: a field where the hand writes, whose words become a note of the scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QWidget

from mlviz.interaction.tool_state import Writing
from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.notes import MAX_LETTERS, Note, written
from mlviz.scene.notes.edits import with_note, without_note
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.desk import Desk
from mlviz.ui.paint.axes import metrics
from mlviz.ui.paint.strokes import colour
from mlviz.ui.paint.words import NOTE_SIZE, note_boxes

_LEAST_LETTERS = 8
"""The field is at least as wide as so many letters are high."""
_ENDS = {Qt.Key.Key_Return: True, Qt.Key.Key_Enter: True, Qt.Key.Key_Escape: False}
"""The keys that end writing, and whether what is written stays."""
_ELSEWHERE = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""The keyboard goes for a moment and comes back: to a menu, or to another window."""


class _Field(QLineEdit):
    """A line of text. Keys are letters here, and no commands of the window."""

    ended = Signal(bool)
    """Writing is over; whether what is written stays."""

    def event(self, event: QEvent) -> bool:
        """Keep keys without Ctrl or Alt from the window's shortcuts."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            command = (
                Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
            )
            if not event.modifiers() & command:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return ends writing, Escape takes it back."""
        if (stays := _ENDS.get(Qt.Key(event.key()))) is None:
            super().keyPressEvent(event)
        else:
            self.ended.emit(stays)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Who goes on with something else has written."""
        super().focusOutEvent(event)
        if event.reason() not in _ELSEWHERE:
            self.ended.emit(True)


class NoteWriter:
    """Follows the hand: opens a field where it writes, and says why where it can't."""

    def __init__(self, desk: Desk, panels: PanelGrid, say: Callable[[str], None]) -> None:
        self._desk, self._panels, self._say = desk, panels, say
        self.field: QLineEdit | None = None
        """The field that is open."""
        desk.hand.listen(self._follow)

    def _follow(self) -> None:
        hand = self._desk.hand
        if hand.refusal:
            self._say(hand.refusal)
            hand.refusal = ""
        if self.field is None and hand.writing is not None:
            self._open(hand.writing)
        elif self.field is not None and hand.tool != "text":
            self._end(True)

    def _open(self, at: Writing) -> None:
        canvas, style = self._panels.canvases[at.panel], self._desk.style()
        old, ink = at.old, self._desk.hand.ink if at.old is None else at.old.ink
        axes = axes_of(self._desk.store.scene, at.panel).key
        field = _Field(old.words if old else "", canvas, maxLength=MAX_LETTERS, placeholderText="Type; Return ends")
        field.setFont(style.font(NOTE_SIZE))
        palette = field.palette()
        for role, shade in (
            (QPalette.ColorRole.Text, style.ink(f"{ink} ink").line),
            (QPalette.ColorRole.Base, style.colors.canvas),
            (QPalette.ColorRole.PlaceholderText, style.colors.faint),
        ):
            palette.setColor(role, colour(shade))
        field.setPalette(palette)
        field.setAccessibleName("Text on the picture")
        field.setAccessibleDescription("Return ends writing, Escape takes it back.")
        frame, fm = canvas.frame(), metrics(style, NOTE_SIZE)

        def fit(words: str) -> None:
            """As wide as the words, from their place on, as far as the axes go."""
            boxes = note_boxes(frame, [Note(axes, at.place, words or " ", ink)], style)
            left = boxes[0][1].left() if boxes else frame.area.left()
            wanted = max(_LEAST_LETTERS * fm.height(), fm.horizontalAdvance(words) + 2 * fm.height())
            left = max(frame.area.left(), min(left, frame.area.right() - wanted))
            top = boxes[0][1].top() if boxes else frame.area.top()
            height = field.sizeHint().height()
            field.setGeometry(round(left), round(top), round(min(wanted, frame.area.right() - left)), height)

        field.textChanged.connect(fit)
        field.ended.connect(self._end)
        fit(field.text())
        self.field = field
        field.show()
        field.selectAll()
        field.setFocus()

    def _end(self, stays: bool) -> None:
        """Close the field; what was written becomes a note, or the old one's words."""
        field, hand, at = self.field, self._desk.hand, self._desk.hand.writing
        if field is None or at is None:
            return
        self.field, hand.writing = None, None
        words, canvas = written(field.text()), field.parentWidget()
        _close(field, canvas)
        store = self._desk.store
        old = at.old if at.old in store.scene.notes else None
        if not stays or at.panel >= len(store.scene.panels) or words == (old.words if old else ""):
            return
        if old is None:
            note = Note(axes_of(store.scene, at.panel).key, at.place, words, hand.ink)
            store.push(with_note(store.scene, note), "write text")
        elif words:
            hand.note = replace(old, words=words)
            store.push(with_note(store.scene, hand.note, old), "change text")
        else:
            store.push(without_note(store.scene, old), "remove text")


def _close(field: QLineEdit, canvas: QWidget | None) -> None:
    if canvas is not None and field.hasFocus():
        canvas.setFocus()
    field.hide()
    field.deleteLater()
