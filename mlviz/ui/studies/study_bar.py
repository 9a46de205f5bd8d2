"""What stands beside the plot of a study: how far it is, its numbers, what can be adopted, and its settings."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from mlviz.picture.study_pictures import StudyPicture
from mlviz.pipeline.pipeline import Pipeline
from mlviz.studies import Offer, Study
from mlviz.ui.controls.form import ParameterForm
from mlviz.ui.sidebar.facts_table import FactsTable
from mlviz.ui.widgets.parts import as_tooltip, enlarged_font, lay_out, named, note, tool_button

_WIDTH = 290
_PROGRESS_PX = 4


class StudyBar(QScrollArea):
    """Shows what is known of one study beside its plot.

    `changed` carries a setting's name and value, `released` says that the hand let go, `adopted` carries an `Offer`.
    """

    changed = Signal(str, object)
    released = Signal()
    refused = Signal(str)
    adopted = Signal(object)
    copied = Signal()
    saved = Signal()
    ended = Signal()

    def __init__(self, study: Study, pipeline: Pipeline) -> None:
        super().__init__(widgetResizable=True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # nothing moves when it comes
        named(self, f"Settings and numbers of the {study.label}")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFixedWidth(_WIDTH)
        self.progress = QProgressBar(textVisible=False)
        self.progress.setFixedHeight(_PROGRESS_PX)
        self.progress.setAccessibleName("How much of the study is done")
        # Its room stays: nothing below it moves when the work is done.
        policy = self.progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(policy)
        self.message = note("problem")
        self.facts = FactsTable()
        self.form = ParameterForm()
        self._offers: list[QPushButton] = []
        self._told: tuple[Offer, ...] = ()
        self._factor = 1.0
        self._adopting = lay_out(QVBoxLayout(), spacing=2)
        self._copy = tool_button("Copy table", "Copy table", "Put the numbers on the clipboard.", self.copied.emit)
        self._save = tool_button("Save table...", "Save table", "Write the numbers as CSV.", self.saved.emit)
        end = tool_button("End", "End this study", "Close the study; undo brings it back.", self.ended.emit)
        buttons = lay_out(QHBoxLayout(), self._copy, self._save, None, end, spacing=2)
        body = QWidget()
        parts = (self.progress, self.message, self.facts, self._adopting, self.form, buttons, None)
        lay_out(QVBoxLayout(body), *parts, margins=(8, 4, 8, 4), spacing=6)
        self.setWidget(body)
        self.form.moved.connect(self.changed)
        self.form.released.connect(self.released)
        self.form.refused.connect(self.refused)
        self.show_settings(study, pipeline)
        self.show_answer(StudyPicture(study))

    def show_settings(self, study: Study, pipeline: Pipeline) -> None:
        """Show the settings of the study as it is asked of a pipeline; none can be set where it does not apply."""
        self.form.setEnabled(study.applies(pipeline))
        self.form.offer(study.choices(pipeline))
        self.form.show_values(study, 0)
        self.form.setVisible(bool(study.parameters()))

    def show_answer(self, answer: StudyPicture, said: bool = False) -> None:
        """Show what is known by now; its message is `said` already where a plot has none to show."""
        under_way = answer.done < answer.total and not answer.message
        self.progress.setRange(0, max(1, answer.total))
        self.progress.setValue(answer.done)
        self.progress.setVisible(under_way)
        self.message.setText(answer.message)
        self.message.setVisible(bool(answer.message) and not said)
        self.facts.show_facts(answer.facts)
        self.facts.setVisible(bool(answer.facts))
        for button in (self._copy, self._save):
            button.setEnabled(bool(answer.table.names))
        if answer.offers != self._told:
            self._told = answer.offers
            self._show_offers(answer.offers)
        self._set_fonts()

    def enlarge(self, factor: float) -> None:
        """Show words, numbers and settings so many times as large as usual."""
        self._factor = factor
        self.setFixedWidth(round(_WIDTH * factor))
        self._set_fonts()

    def _set_fonts(self) -> None:
        font = enlarged_font(self._factor)
        for part in self.findChildren(QWidget):  # a style sheet above would keep them from inheriting it
            if part.font() != font:
                part.setFont(font)

    def _show_offers(self, offers: tuple[Offer, ...]) -> None:
        while len(self._offers) < len(offers):
            button = QPushButton()
            # A long name must not push the numbers out of sight.
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            button.clicked.connect(partial(self._adopt, len(self._offers)))
            self._offers.append(button)
            self._adopting.addWidget(button)
        for button, offer in zip(self._offers, offers, strict=False):
            button.setText(offer.label)
            button.setToolTip(as_tooltip(f"Set it in the canvas: {offer.label}."))
        for place, button in enumerate(self._offers):
            button.setVisible(place < len(offers))

    def _adopt(self, place: int) -> None:
        self.adopted.emit(self._told[place])
