"""The studies that the current canvas asks: in a menu to begin and end them, in tabs with their plots and numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from mlviz.data.generators.base import Generator
from mlviz.draw.plot import Area, Plot
from mlviz.files.atomic import write_atomically
from mlviz.picture import PanelPicture
from mlviz.picture.study_pictures import StudyPicture
from mlviz.scene import edits
from mlviz.scene.canvas_axes import axes_of_view
from mlviz.scene.scene import Panel
from mlviz.spec import BadValue
from mlviz.spec.sentences import sentence, with_capital
from mlviz.studies import GROUPS, Offer, Study, registry
from mlviz.ui.desk import Desk
from mlviz.ui.documents.documents import Documents
from mlviz.ui.documents.saving import ask_name, write_and_say
from mlviz.ui.sideplots.tabs import SideTabs
from mlviz.ui.studies.study_bar import StudyBar
from mlviz.ui.widgets.burst import Burst
from mlviz.ui.widgets.parts import as_tooltip

_SOON = "The answer comes in a moment."
_HIDDEN = "The answer is hidden until it is revealed."


class Studies(QObject):
    """Asks studies of the current canvas, and shows their answers in the tabs of the side plots."""

    def __init__(
        self,
        desk: Desk,
        documents: Documents,
        burst: Burst,
        tabs: SideTabs,
        current: Callable[[], int],
        open_tabs: Callable[[], None],
    ) -> None:
        """`open_tabs` brings the side plots into sight."""
        super().__init__(desk.parent)
        self._desk, self._documents, self._burst, self._tabs = desk, documents, burst, tabs
        self._current, self._open_tabs = current, open_tabs
        self._bars: dict[str, StudyBar] = {}
        self._answers: dict[str, StudyPicture] = {}
        self._stepped_back = "", ""
        """The study that has left the front of the tabs, and the plot that took its place."""
        self._factor = 1.0
        self._method = ""
        """The method that was shown last."""
        tabs.companion = self._companion
        tabs.picked.connect(self._pick)
        tabs.pointed.connect(self._point)
        tabs.removed.connect(self._forget)

    def serve(self, menu: QMenu) -> None:
        """Fill the menu each time it is opened."""
        menu.aboutToShow.connect(lambda: self.fill(menu))

    def fill(self, menu: QMenu) -> None:
        """Fill the menu: a tick for each study, below what it is asked for; those that do not apply are idle."""
        menu.clear()
        asked = {study.id for study in self._panel.studies}
        idle = {kind: self._idle(kind) for kind in registry().values() if not kind.by_layer}
        groups = [(group, [kind for kind in idle if kind.group == group]) for group in GROUPS]
        for group, kinds in sorted(groups, key=lambda one: all(idle[kind] for kind in one[1])):
            menu.addSection(group)
            for kind in kinds:
                action = menu.addAction(with_capital(kind.label))
                action.setCheckable(True)
                action.setChecked(kind.id in asked)
                action.setEnabled(not idle[kind] or kind.id in asked)
                why = f"\n{idle[kind]}" if idle[kind] else ""
                action.setToolTip(as_tooltip(f"{with_capital(kind.help)}.{why}"))
                action.toggled.connect(partial(self._switch, kind()))

    def _idle(self, kind: type[Study]) -> str:
        """Why a study has no answer on the current canvas, in a sentence; "" where it has."""
        pipeline = self._panel.pipeline
        if lack := kind().lack(pipeline):
            return f"It {lack}."
        data = self._desk.store.scene.dataset
        if kind.of_source and not len(data):
            return "There are no points yet: choose an example or a generator from the Data menu."
        if kind.of_source and not isinstance(data.source, Generator):
            return "These points do not come from a generator, or have been edited since: their source is not known."
        return ""

    def enlarge(self, factor: float) -> None:
        """Show what stands beside the plots so many times as large as usual."""
        self._factor = factor
        for bar in self._bars.values():
            bar.enlarge(factor)

    def shown(self, picture: PanelPicture) -> tuple[Plot, ...]:
        """The side plots of a picture of the current canvas; a study that has none yet has an empty one."""
        sides, asked = picture.sides or (), self._panel.studies
        told = {answer.study.id: answer for answer in picture.studies}
        if picture.draft:  # has those in front alone
            self._answers |= told
            asked = tuple(study for study in asked if study.id in told)
        else:
            self._answers = {study.id: told.get(study.id) or self._unanswered(study, picture) for study in asked}
        there = {_study_of(plot) for plot in sides}
        for study in asked:
            if (bar := self._bars.get(study.id)) is not None:
                bar.show_settings(study, self._panel.pipeline)
                bar.show_answer(self._answers[study.id], study.id not in there)
        empty = (Plot(one.id, with_capital(one.label), self._words(one), "", ()) for one in asked)
        plots = (*sides, *(plot for plot in empty if plot.id not in there))
        if not picture.draft:
            self._step_back(plots)
        return plots

    def _step_back(self, plots: tuple[Plot, ...]) -> None:
        """A study that does not apply to the method leaves the front to another plot, until it applies again."""
        pipeline, front = self._panel.pipeline, self._tabs.front
        idle = {study.id for study in self._panel.studies if not study.applies(pipeline)}
        left, taken = self._stepped_back
        if left and left not in idle:
            self._stepped_back = "", ""
            if front == taken and any(_study_of(plot) == left for plot in plots):
                self._tabs.bring_to_front(left)
        elif front in idle and pipeline.algorithm.id != self._method:
            others = [plot.id for plot in plots if plot.marks and _study_of(plot) not in idle]
            if others:
                self._stepped_back = front, others[0]
                self._tabs.bring_to_front(others[0])
        self._method = pipeline.algorithm.id

    def _words(self, study: Study) -> str:
        """What stands in the place of a plot."""
        return self._answers[study.id].message or (_SOON if study.plotted else f"On the canvas: {study.help}.")

    @property
    def _panel(self) -> Panel:
        return self._desk.store.scene.panels[self._current()]

    def _unanswered(self, study: Study, picture: PanelPicture) -> StudyPicture:
        """What is said of a study that a picture has no answer of."""
        pipeline = self._panel.pipeline
        if lack := study.lack(pipeline):
            return StudyPicture(study, message=f"This study {lack}.")
        return StudyPicture(study, message=_HIDDEN if picture.hidden else picture.message or "")

    def toggle(self, study_id: str) -> None:
        """Ask a study, or ask it no longer."""
        self._switch(registry()[study_id](), not self.asks(study_id))

    def asks(self, study_id: str) -> bool:
        """Whether the current canvas asks that study."""
        return any(study.id == study_id for study in self._panel.studies)

    def _switch(self, study: Study, on: bool) -> None:
        store, index = self._desk.store, self._current()
        if not on:
            self._end(study.id)
            return
        store.push(edits.with_study(store.scene, index, study), f"ask {study.label}")
        if study.plotted:
            self._open_tabs()
        self._tabs.bring_to_front(study.id)

    def _end(self, study_id: str) -> None:
        store = self._desk.store
        self._answers.pop(study_id, None)
        store.push(edits.without_study(store.scene, self._current(), study_id), "end study")

    def _companion(self, plot: Plot) -> QWidget | None:
        """What stands beside a plot in its tab."""
        study = next((one for one in self._panel.studies if one.id == _study_of(plot)), None)
        if study is None or study.id != plot.id:
            return None
        self._bars[study.id] = bar = StudyBar(study, self._panel.pipeline)
        bar.enlarge(self._factor)
        bar.changed.connect(partial(self._set, study.id))
        bar.released.connect(self._burst.settle)
        bar.refused.connect(self._desk.say)
        bar.adopted.connect(self._adopt)
        bar.copied.connect(partial(self._copy, study.id))
        bar.saved.connect(partial(self._save, study.id))
        bar.ended.connect(partial(self._end, study.id))
        bar.show_answer(self._answers.get(study.id) or StudyPicture(study), not plot.marks)
        return bar

    def _set(self, study_id: str, name: str, value: Any) -> None:
        store, index, bar = self._desk.store, self._current(), self._bars[study_id]
        asked = next((study for study in self._panel.studies if study.id == study_id), None)
        if asked is None:
            return
        try:
            changed = dataclasses.replace(asked, **{name: value})
        except BadValue as error:
            self._desk.say(sentence(str(error)))
            return
        key = self._burst.key((index, study_id, name), bar.form.held)
        label = asked.parameter(name).label
        store.push(edits.with_study(store.scene, index, changed), f"change {label}", key)

    def _adopt(self, offer: Offer) -> None:
        self._set_values(offer.settings, offer.label)

    def _set_values(self, settings: tuple[tuple[str, Any], ...], what: str) -> None:
        store = self._desk.store
        scene = store.scene
        for path, value in settings:
            scene = edits.with_value(scene, self._current(), path, value)
        if scene is not store.scene:
            store.push(scene, what)

    def _forget(self, plot_id: str) -> None:
        self._bars.pop(plot_id, None)
        self._point(None)

    def _point(self, area: Area | None) -> None:
        """Light up the samples that an area of a plot stands for, and look at their place where it is one."""
        store, hand = self._desk.store, self._desk.hand
        data = store.scene.dataset
        rows = np.empty(0, dtype=np.intp) if area is None or area.rows is None else area.rows
        rows = rows[rows < len(data)]
        hand.point_at(rows, data)
        if hand.pinned or store.gesturing:
            return
        places = np.unique(axes_of_view(store.scene).places(data)[rows], axis=0)
        probe = tuple(places[0].tolist()) if len(places) == 1 else hand.cursor
        if probe != store.scene.view.probe:
            store.look(store.scene.with_view(probe=probe))

    def _pick(self, area: Area) -> None:
        if area.settings:
            self._set_values(area.settings, f"adopt {area.label}")
        if area.rows is not None:
            data = self._desk.store.scene.dataset
            rows = area.rows[area.rows < len(data)]
            self._desk.hand.select(rows, data)
            self._desk.say(f"{area.label} (selected; Escape lets them go).")

    def _copy(self, study_id: str) -> None:
        QGuiApplication.clipboard().setText(self._answers[study_id].table.to_csv())
        self._desk.say("The numbers of the study are on the clipboard.")

    def _save(self, study_id: str) -> None:
        answer = self._answers[study_id]
        path = ask_name(
            self._desk.parent, "Save table", self._documents.folder / f"{study_id}.csv", "CSV (*.csv)", ".csv"
        )
        if path is None:
            return
        numbers = answer.table.to_csv().encode("utf-8")
        said = f"The numbers of the {answer.study.label} are in {path.name}."
        write_and_say(self._desk, path, partial(write_atomically, path, numbers), said)


def _study_of(plot: Plot) -> str:
    return plot.id.partition(" ")[0]
