"""Playback of a fit: a bar under the canvas that moves `view.step`. No method knows that it is watched."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from mlviz.draw.numbers import counted
from mlviz.picture import PanelPicture
from mlviz.scene.change import Change
from mlviz.scene.history import Store
from mlviz.ui.controls.number_control import FocusedCombo, FocusedSlider
from mlviz.ui.widgets.icons import icon
from mlviz.ui.widgets.parts import enlarged_font, lay_out, named, plain_label

_SPEEDS = ((0.5, "0.5 / s"), (1.0, "1 / s"), (2.0, "2 / s"), (5.0, "5 / s"), (10.0, "10 / s"), (30.0, "30 / s"))
"""Steps a second, and how the chooser says it."""
_LONGEST_NOTE = "α 0.00000 → 0.00000 and 0.00000 → 0.00000"
"""Room is kept for it, in two lines, so that the slider is as long whatever is said."""
_LEAST_SLIDER = 60
MORE_THAN_ALL = 1 << 30
"""More steps than any fit has."""
BUTTONS = (
    ("first", "First step", "Home", -MORE_THAN_ALL),
    ("step-back", "Step back", "Left", -1),
    ("play", "Play or pause", "Space", 0),
    ("step", "Step forward", "Right", 1),
    ("last", "Last step", "End", MORE_THAN_ALL),
)
"""Icon, name and key of the buttons, and how many steps they go."""


class Player(QWidget):
    """First, back, play, forward, last, a slider over the steps, the step's number and stage, and the speed.

    Of several canvases it counts the steps of the one that has most: a fit that is over stays at its last one.
    """

    usable_changed = Signal()
    """There are steps to play now, or none any more."""

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._n_steps = 1
        self._finished = True
        self._own: PanelPicture | None = None
        """The picture of the current panel."""
        self._steps: dict[int, tuple[int, bool]] = {}
        """How many steps the panels have, and whether these are all."""
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        self.buttons: dict[str, QToolButton] = {}
        self.slider = named(FocusedSlider(), "Step of the fit", "Step of the fit. Drag to go through the steps.")
        self.slider.setMinimumWidth(_LEAST_SLIDER)
        self.note = plain_label("\n")
        self._told, self._note_width, self._lacking = "", 0, 0
        """What the note says, its width where there is room, and by how much there is less."""
        self.speed = named(FocusedCombo(), "Speed", "Steps a second while playing.")
        for name, text, key, steps in BUTTONS:
            self.buttons[name] = named(QToolButton(autoRaise=True), text, f"{text} ({key})")
            self.buttons[name].clicked.connect(partial(self.skip, steps) if steps else self.toggle)
        self.speed.addItems([text for _, text in _SPEEDS])
        self._row = lay_out(QHBoxLayout(self), *self.buttons.values(), margins=(8, 2, 8, 2), spacing=2)
        lay_out(self._row, (self.slider, 1), 8, self.note, 8, self.speed, margins=None)
        self.slider.valueChanged.connect(self.go)
        self.speed.currentIndexChanged.connect(lambda row: self._timer.setInterval(round(1000 / _SPEEDS[row][0])))
        self.speed.setCurrentIndex(2)
        # Its room is kept where there is nothing to play, so that the canvas stays in its place.
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()

    @property
    def playing(self) -> bool:
        """Whether the steps are running."""
        return self._timer.isActive()

    @property
    def interval_ms(self) -> int:
        """The time from step to step at the speed that is chosen."""
        return self._timer.interval()

    @property
    def usable(self) -> bool:
        """Whether there are steps to play."""
        return self._n_steps > 1

    @property
    def at_start(self) -> bool:
        """Whether there is no step before."""
        return not self.usable or self._here() == 0

    @property
    def at_end(self) -> bool:
        """Whether there is no step after."""
        return not self.usable or (self._finished and self._here() >= self._n_steps - 1)

    def holds(self, picture: PanelPicture) -> bool:
        """Whether what stands beside the canvas stays while a gesture lasts; what is to be hidden goes at once."""
        return not picture.hidden and (picture.draft or self._store.gesturing)

    def show_picture(self, picture: PanelPicture, playable: bool) -> None:
        """Follow the picture of the current panel: how many steps there are and which one is shown.

        In a gesture nothing changes.
        """
        held = self.holds(picture)
        self.setEnabled(not held)
        if not held:
            self._own = picture
            self._note(picture, playable)

    def follow(self, picture: PanelPicture) -> None:
        """Follow the picture of another panel, which may have more steps: all of them go by one count."""
        panels = self._store.scene.panels
        other = self._own is not None and self._own.panel != picture.panel < len(panels)
        if other and not (picture.draft or self._store.gesturing):
            self._note(picture, panels[picture.panel].pipeline.algorithm.traits.playable)

    def _note(self, picture: PanelPicture, playable: bool) -> None:
        steps = (picture.n_steps if playable else 1, picture.finished)
        count, usable = len(self._store.scene.panels), self.usable
        if self._steps.get(picture.panel) != steps or max(self._steps) >= count:
            self._steps = {k: told for k, told in self._steps.items() if k < count} | {picture.panel: steps}
            self._n_steps = max(n for n, _ in self._steps.values())
            self._finished = all(finished for _, finished in self._steps.values())
        self.setVisible(self.usable)
        if not self.usable:
            self.pause()
        elif self._own is not None:
            self._show_step(self._own)
        if usable != self.usable:
            self.usable_changed.emit()

    def _show_step(self, shown: PanelPicture) -> None:
        """Show which step is shown and of how many; where canvases have different ones, whose they are."""
        own = self._steps.get(shown.panel, (1, True))[0]
        counted_by = next(k for k, (n, _) in self._steps.items() if n == self._n_steps)
        counts = own == self._n_steps
        step = shown.step if counts else self._here()
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, self._n_steps - 1)
            if not self.slider.isSliderDown():
                self.slider.setValue(step)
        differ = not counts or len({n for n, _ in self._steps.values() if n > 1}) > 1
        whose = f", canvas {(shown.panel if counts else counted_by) + 1}" if differ else ""
        over = not counts and 1 < own <= step
        stage = f"this canvas finished after {counted(own - 1, 'step')}" if over else shown.stage
        self._told = f"step {step} of {self._n_steps - 1}{whose}\n{stage}"
        self._write_note()

    def _write_note(self) -> None:
        """Write as much as there is room for."""
        lines = self._told.split("\n")
        if self._lacking:
            fm, width = self.note.fontMetrics(), self._note_width - self._lacking
            lines = [fm.elidedText(line, Qt.TextElideMode.ElideRight, width) for line in lines]
        self.note.setText("\n".join(lines))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what has room in another width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Where there is no room for all, leave out the speed first, then of the note what is too long."""
        self.speed.show()
        self.note.setFixedWidth(self._note_width)
        self.speed.setVisible(self._row.minimumSize().width() <= self.width())
        self._lacking = max(self._row.minimumSize().width() - self.width(), 0)
        self.note.setFixedWidth(self._note_width - self._lacking)
        self._write_note()

    def enlarge(self, factor: float) -> None:
        """Show buttons and words so many times as large as usual."""
        font = enlarged_font(factor)
        for words in (self.note, self.speed):  # a style sheet above would keep them from inheriting it
            words.setFont(font)
        for button in self.buttons.values():
            button.setIconSize(QSize(1, 1) * round(16 * factor))
        self._note_width = self.note.fontMetrics().horizontalAdvance(_LONGEST_NOTE) + 8
        self.note.setFixedWidth(self._note_width)
        if self.isVisible():
            self._fit()

    def show_icons(self) -> None:
        """Take the icons of the present theme."""
        for name, button in self.buttons.items():
            button.setIcon(icon(name))
        self._show_playing()

    def toggle(self) -> None:
        """Play from here (from the start when at the end), or pause."""
        if self.playing:
            self.pause()
        elif self.usable:
            if self._here() >= self._n_steps - 1:
                self.go(0)
            self._timer.start()
            self._show_playing()

    def pause(self) -> None:
        """Stop where it is."""
        if self.playing:
            self._timer.stop()
            self._show_playing()

    def skip(self, steps: int) -> None:
        """Go so many steps forward or back, and stay there; at the last one however many there will be."""
        self.pause()
        self.go(self._here() + steps)

    def go(self, step: int) -> None:
        """Show a step."""
        if not self.usable:
            return
        step = min(max(step, 0), self._n_steps - 1)
        at_end = step == self._n_steps - 1 and self._finished
        scene = self._store.scene
        goal = None if at_end else step
        if scene.view.step != goal:
            self._store.look(scene.with_view(step=goal))

    def follow_edit(self, change: Change) -> None:
        """Stop at an edit of what is fitted."""
        if self.playing and change.fits:
            self.pause()

    def _here(self) -> int:
        step = self._store.scene.view.step
        return self._n_steps - 1 if step is None else min(step, self._n_steps - 1)

    def _tick(self) -> None:
        self.go(self._here() + 1)
        if self.at_end:
            self.pause()

    def _show_playing(self) -> None:
        button = self.buttons["play"]
        button.setIcon(icon("pause" if self.playing else "play"))
        button.setAccessibleName("Pause" if self.playing else "Play")
