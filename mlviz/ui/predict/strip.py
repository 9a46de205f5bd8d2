"""The strip over the canvases while an answer is to be predicted, and the table of attempts once it is revealed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from mlviz.draw.numbers import counted, typographic
from mlviz.interaction.tool_state import ToolState
from mlviz.picture import PanelPicture, hidden_picture
from mlviz.picture.attempts.scores import AttemptScore
from mlviz.scene.attempts.edits import attempts_on, hiding, what_to_draw
from mlviz.scene.change import Change
from mlviz.scene.history import Store
from mlviz.scene.scene import MAX_PANELS
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.widgets.parts import as_tooltip, enlarged_font, lay_out, named, plain_label, tool_button

TOOL = "attempt"
"""The tool that draws what is predicted."""
_LINES = 4
"""The strip is so many lines high, whatever it says: the canvases keep their place while attempts are made."""


class PredictStrip(QFrame):
    """Says what to draw for the method of the current canvas; reveals its answer; tells how the attempts do."""

    def __init__(
        self, store: Store, hand: ToolState, panels: PanelGrid, show: Callable[[PanelPicture], object]
    ) -> None:
        """`show` shows a picture as if the worker had made it: what is to be hidden goes at once."""
        super().__init__()
        self._store, self._hand, self._panels, self._show = store, hand, panels, show
        self._scores: list[tuple[AttemptScore, ...]] = [()] * MAX_PANELS
        """Of the attempts on each canvas."""
        self._said = "", ""
        """What is said, and what is in its place where there is no room for it."""
        self.words = plain_label(
            "", accessibleName="What to predict", wordWrap=True, alignment=Qt.AlignmentFlag.AlignVCenter
        )
        self.table = named(QTableWidget(), "Attempts", description="How well each attempt does beside the method.")
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.table.setTabKeyNavigation(False)
        self.table.setVerticalScrollMode(QTableWidget.ScrollMode.ScrollPerPixel)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        reveal = "Show the method's own answer beside the attempts (F12, or the next page of a remote clicker)."
        self.reveal = tool_button("Reveal", "Reveal the answer", reveal, self.show_answer)
        self.hide_again = tool_button(
            "Hide again", "Hide the answer again", "Hide the answer and predict once more (F12).", self.hide_answer
        )
        tip = "Remove all attempts; undo brings them back."
        self.erase = tool_button("Erase attempts", "Erase attempts", tip, self.erase_attempts)
        buttons = lay_out(QVBoxLayout(), None, self.reveal, self.hide_again, self.erase, None, spacing=4)
        lay_out(QHBoxLayout(self), (self.words, 2), (self.table, 4), buttons, margins=(8, 4, 8, 4), spacing=8)
        self.setObjectName("strip")
        self.enlarge(1.0)
        self.hide()
        if store.scene.hides_answer:
            hand.tool = TOOL
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show_hidden)
        panels.current_changed.connect(self.follow)
        store.listen(self._changed)

    def show_answer(self) -> bool:
        """Reveal what the methods answer; whether it was hidden."""
        hidden = self._store.scene.hides_answer
        self._store.look(hiding(self._store.scene, False))
        return hidden

    def hide_answer(self) -> None:
        """Hide what the methods answer, until it is revealed."""
        self._store.settle()
        self._store.look(hiding(self._store.scene, True))

    def erase_attempts(self) -> None:
        """Remove all attempts."""
        if self._store.scene.attempts:
            self._store.push(self._store.scene.replace(attempts=()), "erase attempts")

    def show_picture(self, picture: PanelPicture) -> None:
        """Follow the picture of a canvas: how well the attempts do."""
        if picture.panel < len(self._scores) and picture.scores != self._scores[picture.panel]:
            self._scores[picture.panel] = picture.scores
            self.follow()

    def enlarge(self, factor: float) -> None:
        """Show buttons and words so many times as large as usual."""
        font = enlarged_font(factor)
        buttons = (self.reveal, self.hide_again, self.erase)
        for part in (self.words, self.table, *buttons):
            part.setFont(font)
        for button in buttons:  # as wide as each other, since one is in the place of another
            button.setMinimumWidth(max(one.sizeHint().width() for one in buttons))
        row = self.words.fontMetrics().lineSpacing() + 6
        self.table.verticalHeader().setDefaultSectionSize(row)
        self.table.verticalHeader().setMinimumSectionSize(row)
        self.setFixedHeight(_LINES * row + 10)
        self.follow()

    def follow(self) -> None:
        """Show the present scene."""
        scene, index = self._store.scene, self._panels.current
        self.setVisible(scene.hides_answer or bool(scene.attempts))
        if self.isHidden() or index >= len(scene.panels):
            return
        hidden, own = scene.hides_answer, scene.panels[index].pipeline.algorithm.label
        shown, known = [number for number, _ in attempts_on(scene, index)], self._scores[index]
        others = len(scene.attempts) - len(shown)
        elsewhere = f" {counted(others, 'more attempt')} for other methods, canvases or axes." if others else ""
        if hidden:
            count = f" {counted(len(shown), 'attempt')} so far." if shown else ""
            told, short = f"{what_to_draw(scene, index)}{count}", f"Predict {own}: draw its answer."
        elif shown:
            told = known[-1].sentence if known else "There is nothing to compare with yet."
            short = "Attempts beside the method's answer, which stands in brackets."
        else:
            told, short = f"No attempt is on this canvas. {what_to_draw(scene, index)}", "None on this canvas."
        scores = () if hidden or not shown else known[::-1]
        self.table.setVisible(bool(scores))
        self.reveal.setVisible(hidden)
        self.hide_again.setVisible(not hidden)
        self.erase.setEnabled(bool(scene.attempts))
        self._fill(scores)
        self._said = typographic(told + elsewhere), typographic(short)
        self._say()

    def _show_hidden(self) -> None:
        """What was to be seen goes, whatever the worker is at, and what screen readers were told of the canvases."""
        scene = self._store.scene
        for index, canvas in enumerate(self._panels.canvases):
            canvas.setAccessibleDescription("")
            if scene.hides_answer:
                self._show(hidden_picture(scene, index, canvas.area_size()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say what there is room for."""
        super().resizeEvent(event)
        self._say()
        self._wrap()

    def _say(self) -> None:
        """The whole sentence, or a short one where that would be cut; all of it is in the tooltip."""
        whole, short = self._said
        layout = self.layout()
        assert layout is not None
        layout.activate()
        self.words.setText(whole)
        if self.words.heightForWidth(self.words.width()) > self.words.height() > 0:
            self.words.setText(short)
        self.words.setToolTip(as_tooltip(whole))
        self.words.setAccessibleDescription(whole)

    def _fill(self, scores: tuple[AttemptScore, ...]) -> None:
        """The newest attempt first; in brackets what the method itself reaches."""
        names = tuple(dict.fromkeys(measure.name for score in scores for measure in score.measures))
        lines = ("method's mean along lines",) if any(score.along for score in scores) else ()
        self.table.setColumnCount(1 + len(names) + len(lines))
        self.table.setRowCount(len(scores))
        larger = {measure.name for score in scores for measure in score.measures if measure.larger}
        headings = (f"{name} ↑" if name in larger else name for name in names)
        self.table.setHorizontalHeaderLabels(["attempt", *headings, *lines])
        for column in range(self.table.columnCount()):
            if (item := self.table.horizontalHeaderItem(column)) is not None:
                item.setFont(self.words.font())  # the header forgets its own when it is first seen
                which = "; larger is better" if item.text().endswith("↑") else ""
                means = "What the method says on average along the lines for each value."
                item.setToolTip(as_tooltip(means if column > len(names) else f"In brackets: the method{which}"))
        for row, score in enumerate(scores):
            told = {measure.name: f"{measure.words[0]}  ({measure.words[1]})" for measure in score.measures}
            along = [", ".join(line.short for line in score.along)] * len(lines)
            for column, words in enumerate([str(score.number), *(told.get(name, "") for name in names), *along]):
                item = QTableWidgetItem(typographic(words))
                item.setToolTip(as_tooltip(score.sentence))
                self.table.setItem(row, column, item)
        self._wrap()

    def _wrap(self) -> None:
        """Let words go on in a further line of their row, where the last column is too narrow."""
        self.table.resizeRowsToContents()

    def _changed(self, change: Change) -> None:
        if not (change.attempts or (change.panels and self.isVisible())):
            return
        if change.hiding and change.new.hides_answer:
            self._hand.tool = TOOL
            self._scores = [()] * MAX_PANELS
            self._soon.start()  # when all have heard of it: canvases forget their pictures
        over = change.attempts and not (change.new.attempts or change.new.hides_answer)
        if over and not (change.recalled or change.taken_back) and self._hand.tool == TOOL:
            self._hand.tool = "pen"
        self.follow()
