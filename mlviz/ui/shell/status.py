"""The line at the bottom: where the cursor is, what the model says there, how many points, how long the fit took."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStatusBar, QVBoxLayout, QWidget

from mlviz.draw.numbers import format_coordinate
from mlviz.picture import PanelPicture
from mlviz.scene.canvas_axes import CanvasAxes
from mlviz.scene.change import Change
from mlviz.scene.scene import Scene
from mlviz.ui.paint.caption import wrapped
from mlviz.ui.widgets.fonts import names_of, without_font
from mlviz.ui.widgets.parts import as_tooltip, lay_out, plain_label

_SAY_MS = 5000
"""What is said in passing stays so long."""
COMPONENTS_NOTE = "The new point has the scores of that place and is average otherwise; the components turn with it."


class StatusLine(QStatusBar):
    """Coordinates, explanation, number of points and milliseconds, in two lines."""

    def __init__(self) -> None:
        super().__init__(sizeGripEnabled=False)
        self._sentence, self._pinned = "", False
        self.place, self.here, self.count, self.time = plain_label(), plain_label(), plain_label(), plain_label()
        names = ("Cursor", "Explanation", "Points", "Fit time")
        for label, name in zip((self.place, self.here, self.count, self.time), names, strict=True):
            label.setAccessibleName(name)
            label.setContentsMargins(4, 0, 4, 0)
        # The longest text must not make the window wider than the screen.
        self.here.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.place.setMinimumWidth(90)
        for label in (self.count, self.time):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        numbers = lay_out(QVBoxLayout(), self.count, self.time, margins=(4, 0, 8, 0), spacing=0)
        line = QWidget()
        lay_out(QHBoxLayout(line), self.place, (self.here, 1), numbers)
        self.addWidget(_Still(line), 1)

    def show_scene(self, scene: Scene) -> None:
        """How many points there are, and how many of them are held out or switched off."""
        data = scene.dataset
        n, apart = len(data), ((data.held_out, "held out"), (~data.active, "off"))
        told = (f"{int(mask.sum()):,} {word}" for mask, word in apart if mask.any())
        self.count.setText(", ".join((f"{n:,} point{'' if n == 1 else 's'}", *told)))

    def say(self, sentence: str) -> None:
        """Say something in passing."""
        self.showMessage(sentence, _SAY_MS)

    def show_change(self, change: Change, axes: CanvasAxes) -> None:
        """What was said in passing was about the scene before; names in boxes and a point on components need a word."""
        self.clearMessage()
        names = names_of(change.new.dataset)
        if names != names_of(change.old.dataset) and (missing := without_font(names)):
            self.say(missing)
        elif axes.projection is not None and len(change.new.dataset) == len(change.old.dataset) + 1:
            self.say(COMPONENTS_NOTE)

    def show_place(self, axes: CanvasAxes, place: tuple[float, float] | None) -> None:
        """Where the cursor is, with as many digits as a pixel can tell."""
        if place is None:
            self.place.clear()
            self.here.clear()
            return
        x0, x1, y0, y1 = axes.limits
        rows = zip(axes.names, place, (x1 - x0, y1 - y0), strict=True)
        self.place.setText("\n".join(f"{name} {format_coordinate(value, span)}" for name, value, span in rows))

    def hide_sentence(self) -> None:
        """What was said is of another place than the cursor is at."""
        self._sentence = ""
        self._show_here()

    def show_picture(self, picture: PanelPicture) -> None:
        """What the model says at the cursor, or at the pinned place, and how long the fit took."""
        self._sentence = picture.explanation.sentence if picture.explanation is not None else ""
        self._show_here()
        self.time.setText("" if picture.message or picture.hidden else f"fitted in {_milliseconds(picture.fit_ms)}")

    def show_pinned(self, pinned: bool) -> None:
        """Whether the explanation is of the pinned place; what was said in passing about a pin goes with it."""
        if pinned != self._pinned:
            self._pinned = pinned
            self._show_here()
            if not pinned:
                self.clearMessage()

    def _show_here(self) -> None:
        sentence = self._sentence
        where = "pinned (W lets go)" if self._pinned else "here (W pins)"
        whole = f"{where}: {sentence}" if sentence else ""
        room, fm = self.here.width() - 8, QFontMetricsF(self.here.font())
        first, *others = wrapped(whole, room, fm) or [""]
        rest = "".join(others[:1])
        if len(others) > 1:  # between words: half a number would be another one
            words = " ".join(others).split()
            shorter = (" ".join((*words[:k], "…", *words[len(words) - k :])) for k in range(len(words) // 2, 0, -1))
            rest = next((line for line in shorter if fm.horizontalAdvance(line) <= room), "…")
        self.here.setText(f"{first}\n{rest}" if rest else first)
        self.here.setToolTip(as_tooltip(sentence))


class _Still(QWidget):
    """Holds a widget whose words change all the time, and keeps that from the layout of the window around.

    Laying out the window takes several milliseconds, and each new word in a label would ask for it.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        inside.setParent(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fill it."""
        self._inside.resize(event.size())

    def sizeHint(self) -> QSize:
        """As large as what is inside."""
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """As high as what is inside, and no wider than any window."""
        return QSize(0, self._inside.minimumSizeHint().height())


def _milliseconds(ms: float) -> str:
    if ms >= 1000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"
