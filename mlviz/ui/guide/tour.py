"""The tour as a card in a corner of the window, which stays usable behind it."""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.desk import Desk
from mlviz.ui.guide.tour_steps import RUNS, STEPS, SWITCHES, Moment
from mlviz.ui.widgets.parts import lay_out, named, note, plain_label

_WIDTH = 290
"""Width of the card, pixels: no wider than the panel beside the canvas, of which it hides the lower end."""
_AIR = 8
"""How far it is from the edges of what it stands in, pixels."""
_OPEN, _DONE = "○", "✓"
_MOST_TASKS = max(len(step.tasks) for step in STEPS)
Find = Callable[[str], tuple[QWidget, QRect]]
"""Where something is that a step speaks of: a widget, and the part of it, empty for all."""
_LINE, _GAP = 3, 1
"""Width of the frame, and how far from the control it is, pixels."""
_MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


class Outline(QWidget):
    """Around a part of a widget, or all of it, while that is in sight; it follows it, and lets the mouse through."""

    def __init__(self, around: QWidget, part: QRect) -> None:
        """An empty part is all of the widget."""
        super().__init__(around.window())
        self._around, self._part = around, part
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        within: QWidget | None = around
        while within is not None and not within.isWindow():
            within.installEventFilter(self)
            within = within.parentWidget()
        self._follow()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Dashes in a colour that no other frame has."""
        half = _LINE // 2
        with QPainter(self) as painter:
            painter.setPen(QPen(self.palette().linkVisited(), _LINE, Qt.PenStyle.DashLine, Qt.PenCapStyle.FlatCap))
            painter.drawRect(self.rect().adjusted(half, half, -half - 1, -half - 1))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Go with the control, and with what it stands in."""
        if event.type() in _MOVES:
            self._follow()
        return False

    def _follow(self) -> None:
        # A control of another method's form may be gone already.
        there = shiboken6.isValid(self._around) and self._around.isVisible()
        seen = self._around.visibleRegion().boundingRect() if there else QRect()
        seen = seen & self._part if self._part.isValid() else seen
        self.setVisible(not seen.isEmpty())
        if not seen.isEmpty():
            edge = _LINE + _GAP
            corner = self._around.mapTo(self.window(), QPoint())
            box = seen.translated(corner).adjusted(-edge, -edge, edge, edge) & self.window().rect()
            self.setGeometry(box)
            self.setMask(QRegion(self.rect()) - QRegion(self.rect().adjusted(_LINE, _LINE, -_LINE, -_LINE)))


class Tour(QFrame):
    """Shows one step after the other, ticks what was done, and outlines what is still to do.

    It looks at the window after each change, and touches nothing of it.
    """

    def __init__(
        self, desk: Desk, panels: PanelGrid, action: Callable[[str], QAction], written: Callable[[str], str], find: Find
    ) -> None:
        """`action` answers the action of a command, `written` puts keys and names of commands into words."""
        super().__init__(desk.parent)
        self._desk, self._panels, self._action, self._written, self._find = desk, panels, action, written, find
        self.step = 0
        """The place of the step that is shown."""
        self.done: set[tuple[int, int]] = set()
        """What was done: the places of steps and of their tasks."""
        self._ran: set[str] = set()
        self._outline: Outline | None = None
        self._around: tuple[QWidget, QRect] | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.look)
        self._build()
        self._middle, _ = find("middle")
        self._before = self._moment()
        self._listen()

    def start(self) -> None:
        """Begin with the first step."""
        self.done.clear()
        self.show()
        # The same height for all steps: the buttons stay under the hand.
        self.setFixedHeight(max(map(self._height, range(len(STEPS)))))
        self._go(0)
        self._place()

    def leave(self) -> None:
        """Put card and outline away; everything else stays as it is."""
        self._show_outline(None)
        if self.isAncestorOf(self.window().focusWidget() or self.window()):
            self._panels.canvas.setFocus()
        self.hide()

    def look(self) -> None:
        """See what has been done since the last look."""
        if self.isHidden():
            return
        before, self._before = self._before, self._moment()
        self._ran.clear()
        for place, task in enumerate(STEPS[self.step].tasks):
            if task.done(before, self._before):
                self.done.add((self.step, place))
        self._show_ticks()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep to the corner when the window changes its size or its parts."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return False

    def _build(self) -> None:
        self.setObjectName("card")
        self.count, self.title = note(), plain_label(objectName="heading", indent=0)
        self.words = plain_label(wordWrap=True)
        self.rows = [(plain_label(), plain_label(wordWrap=True)) for _ in range(_MOST_TASKS)]
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setContentsMargins(0, 0, 0, 0)
        for place, (mark, words) in enumerate(self.rows):
            grid.addWidget(mark, place, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(words, place, 1)
        self.leaving = self._button("&Leave", "Leave the tour: Escape does, too.", self.leave)
        self.back = self._button("&Back", "The step before.", lambda: self._go(self.step - 1))
        self.next = self._button("&Next", "The next step, whatever was done.", self._go_on)
        buttons = lay_out(QHBoxLayout(), self.leaving, None, self.back, self.next, spacing=6)
        parts = self.count, self.title, self.words, grid, None, buttons
        self._column = lay_out(QVBoxLayout(self), *parts, margins=(14, 10, 14, 12), spacing=6)
        self.setFixedWidth(_WIDTH)
        self.hide()

    def _button(self, text: str, tip: str, clicked: Callable[[], object]) -> QPushButton:
        button = named(QPushButton(text), text.replace("&", ""), tip)
        # After a click of the mouse the keys still belong to the canvas.
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(clicked)
        return button

    def _listen(self) -> None:
        self._desk.store.listen(lambda change: self._soon.start())
        self._desk.hand.listen(self._soon.start)
        self._panels.current_changed.connect(lambda index: self._soon.start())
        for name in SWITCHES:
            self._action(name).toggled.connect(lambda on: self._soon.start())
        for name in RUNS:
            self._action(name).triggered.connect(lambda on, name=name: self._note(name))
        self._middle.installEventFilter(self)

    def _note(self, name: str) -> None:
        self._ran.add(name)
        self._soon.start()

    def _moment(self) -> Moment:
        on = frozenset(name for name in SWITCHES if self._action(name).isChecked())
        store, hand = self._desk.store, self._desk.hand
        return Moment(store.scene, self._panels.current, hand.pinned, on, frozenset(self._ran))

    def _go_on(self) -> None:
        if self.step + 1 < len(STEPS):
            self._go(self.step + 1)
        else:
            self.leave()
            self._desk.say(self._written("“{name[shortcuts]}” in the Help menu ({key[shortcuts]}) lists all keys."))

    def _go(self, place: int) -> None:
        self.step = place
        step = STEPS[place]
        self._fill(place)
        self.setAccessibleName(f"{self.count.text()}: {step.title}")
        self.setAccessibleDescription("\n".join([self.words.text(), *(words.text() for _, words in self.rows)]))
        self._before = self._moment()
        self.look()

    def _fill(self, place: int) -> None:
        step = STEPS[place]
        self.count.setText(f"Step {place + 1} of {len(STEPS)}")
        self.title.setText(step.title)
        self.words.setText(self._written(step.words))
        for number, (mark, words) in enumerate(self.rows):
            for label in (mark, words):
                label.setVisible(number < len(step.tasks))
            words.setText(self._written(step.tasks[number].words) if number < len(step.tasks) else "")
        self.back.setEnabled(place > 0)
        self.next.setText("&Next" if place + 1 < len(STEPS) else "Fi&nish")

    def _height(self, place: int) -> int:
        """How high the card must be for a step."""
        self._fill(place)
        self._column.activate()
        return self._column.totalHeightForWidth(_WIDTH)

    def _show_ticks(self) -> None:
        tasks = STEPS[self.step].tasks
        open_ones = [place for place in range(len(tasks)) if (self.step, place) not in self.done]
        for place, (mark, _) in enumerate(self.rows):
            ticked = place not in open_ones
            mark.setText(_DONE if ticked else _OPEN)
            mark.setAccessibleName("done" if ticked else "to do")
        self.next.setDefault(not open_ones)
        self._show_outline(self._find(tasks[open_ones[0]].where) if open_ones else None)

    def _show_outline(self, around: tuple[QWidget, QRect] | None) -> None:
        if around == self._around:
            return
        if self._outline is not None:
            self._outline.hide()
            self._outline.deleteLater()
        self._around, self._outline = around, None if around is None else Outline(*around)
        self.raise_()

    def _place(self) -> None:
        corner = self._middle.mapTo(self.window(), self._middle.rect().bottomRight())
        self.move(corner.x() - _AIR - self.width(), corner.y() - _AIR - self.height())
