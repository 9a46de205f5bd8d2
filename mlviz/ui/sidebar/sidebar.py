"""The right-hand side: method, hyperparameters, pipeline, layers and facts of the current panel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from mlviz.draw.layer import Overlay
from mlviz.draw.palette import class_number
from mlviz.draw.tasks import Task
from mlviz.numerics.arrays import occurring
from mlviz.picture import PanelPicture
from mlviz.pipeline.binary_tasks import choose_scheme
from mlviz.scene import edits
from mlviz.scene.history import Store
from mlviz.scene.scene import Panel, Scene, roles
from mlviz.scene.values import task_of, value_column
from mlviz.scene.values.edits import offered_targets, with_values_over_plane
from mlviz.spec.outside import shortened
from mlviz.ui.controls.collapsible_form import CollapsibleForm
from mlviz.ui.controls.form import ParameterForm
from mlviz.ui.controls.number_control import NumberControl
from mlviz.ui.controls.pins import Pins
from mlviz.ui.sidebar.facts_table import HIDDEN, UNFITTED, FactsTable
from mlviz.ui.sidebar.held_out import HeldOutForm
from mlviz.ui.sidebar.input_list import InputList
from mlviz.ui.sidebar.method_chooser import MethodChooser
from mlviz.ui.sidebar.seed_row import SeedRow
from mlviz.ui.widgets.burst import Burst
from mlviz.ui.widgets.parts import as_tooltip, lay_out, note, plain_label

WIDTH = 304
_COSTS = "The decision has costs. Class weights take their place: both would count the same costs twice."
_WEIGHTS = "The classes have weights. Costs take their place: both would count the same costs twice."
_POINT = "Drawn when you point: for the two classes that lead there."
"""What is to be known of a layer of two classes where there are more."""
_INDENT = 22
"""What is said of a layer stands below its name, pixels."""
_SEVERAL = "There are more than two classes: the method decides by itself."
_LIFTED = "It belongs to the features that the method reads, which have no place on the two axes."


class OverlayList(QWidget):
    """A box to tick for each overlay of the method."""

    switched = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self._overlays: tuple[Overlay, ...] = ()
        self._shown: tuple[Panel, Task, int, bool] | None = None
        self.boxes: dict[str, QCheckBox] = {}
        self.notes: dict[str, QLabel] = {}
        self._layout = lay_out(QVBoxLayout(self), spacing=2)

    def show_layers(self, panel: Panel, task: Task, before: QWidget, classes: int = 2, valued: bool = False) -> None:
        """Show which overlays of the panel's method are on, of those that draw something in its task.

        Those that have nothing to draw just now, with so many classes, can't be switched; below them stands why. Of a
        regression there are those of curves, or, where samples have values, those over the plane.

        Tab comes here from `before`.
        """
        if (panel, task, classes, valued) == self._shown:
            return
        self._shown = panel, task, classes, valued
        overlays = panel.overlays_in(task, valued)
        if overlays != self._overlays:
            self._overlays = overlays
            for gone in (*self.boxes.values(), *self.notes.values()):
                gone.hide()
                gone.deleteLater()
            self.boxes, self.notes = {}, {}
            for overlay in overlays:
                box = QCheckBox(overlay.label)
                box.clicked.connect(lambda on, name=overlay.id: self.switched.emit(name, on))
                self.boxes[overlay.id], self.notes[overlay.id] = box, note()
                self.notes[overlay.id].setIndent(_INDENT)
                lay_out(self._layout, box, self.notes[overlay.id])
                QWidget.setTabOrder(before, box)
                before = box
        asked = panel.pipeline.multiclass
        binary = task == "classification" and asked != "direct"
        binary = binary and choose_scheme(panel.pipeline.algorithm, asked, np.arange(classes)) != "direct"
        for overlay, box in zip(self._overlays, self.boxes.values(), strict=True):
            idle = overlay.idle(panel.pipeline.algorithm, classes)
            if panel.pipeline.preprocessor.lifts and overlay.asks & {"grid", "plane"}:
                idle = _LIFTED
            box.setEnabled(not idle)
            box.setToolTip(as_tooltip(idle or overlay.help or overlay.label))
            box.setAccessibleDescription(idle or overlay.help)
            box.setChecked(not panel.hides(overlay.id))
            waits = overlay.parts == "probe" and binary and box.isChecked()
            self.notes[overlay.id].setText(idle or (_POINT if waits else ""))
            self.notes[overlay.id].setVisible(bool(idle or waits))


class Sidebar(QWidget):
    """Shows one panel of the scene and pushes what is changed here into the store.

    The method stays in sight while what is below it scrolls.
    """

    refused = Signal(str)
    """A sentence about what can't be taken, or had to make room."""
    compared = Signal(str, bool)
    """Values of what stands at a path are to be compared; whether the hand is to choose them first."""
    help_asked = Signal()

    def __init__(self, store: Store, burst: Burst, pins: Pins) -> None:
        super().__init__(minimumWidth=WIDTH, accessibleName="Method, hyperparameters, layers and facts")
        self._store, self._burst = store, burst
        self._index = 0
        self.chooser = MethodChooser()
        self.hyperparameters = ParameterForm(pins)
        self.seed = SeedRow()
        self.inputs = InputList()
        self.pipeline = ParameterForm()
        self.weights = CollapsibleForm(
            "Training weights", "What a sample of each class counts while the method learns."
        )
        self.decision = CollapsibleForm("Decision", "What is decided by the model; the fit itself stays.")
        self.held_out = HeldOutForm(store, burst)
        self.layers = OverlayList()
        self.facts = FactsTable()
        layers, facts = (plain_label(title, indent=0, objectName="heading") for title in ("Layers", "Facts"))
        self._results = (layers, self.layers, facts, self.facts)
        body = QWidget()
        self._body = lay_out(
            QVBoxLayout(body),
            plain_label("Hyperparameters", indent=0, objectName="heading"),
            *(self.hyperparameters, self.seed, 6),
            plain_label("Pipeline", indent=0, objectName="heading"),
            *(self.inputs, self.pipeline, self.weights, self.decision, self.held_out, 6),
            *(layers, self.layers, 6, facts, self.facts, None),
            spacing=4,
        )
        self.scrolled = QScrollArea(widgetResizable=True)
        self.scrolled.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scrolled.setFrameShape(QScrollArea.Shape.NoFrame)
        self.scrolled.setWidget(body)
        heading = plain_label("Method", indent=0, objectName="heading")
        room = self.scrolled.verticalScrollBar().sizeHint().width()
        above = lay_out(QVBoxLayout(), heading, self.chooser, margins=(10, 8, 10 + room, 6), spacing=4)
        lay_out(QVBoxLayout(self), above, (self.scrolled, 1), spacing=0)
        self.scrolled.verticalScrollBar().rangeChanged.connect(self._keep_width)
        self._keep_width()

        self.chooser.method_chosen.connect(partial(self._choose, edits.with_method, "choose method"))
        self.chooser.task_chosen.connect(self._choose_task)
        self.chooser.target_chosen.connect(partial(self._choose, with_values_over_plane, "choose target"))
        self.chooser.help_button.clicked.connect(self.help_asked)
        for where, form in (
            ("algorithm", self.hyperparameters),
            ("pipeline", self.pipeline),
            ("weights", self.weights.form),
            ("decision", self.decision.form),
        ):
            form.moved.connect(partial(self._set, where, form))
            form.released.connect(burst.settle)
            form.refused.connect(self.refused)
            form.comparable = True
            form.compared.connect(partial(self._compare, where))
        self.held_out.form.refused.connect(self.refused)
        self.seed.pressed.connect(self.start_again)
        self.layers.switched.connect(self._switch_layer)
        self.inputs.ticked.connect(self._tick_input)
        self.inputs.chosen.connect(partial(self._choose, edits.with_inputs, "choose inputs"))

    @property
    def panel(self) -> Panel:
        """The panel shown here."""
        return self._store.scene.panels[self._index]

    def show_panel(self, index: int) -> None:
        """Show panel `index` of the present scene."""
        self._index = index
        scene, panel = self._store.scene, self.panel
        algorithm = panel.pipeline.algorithm
        role = roles(scene, panel)
        self.chooser.show_method(algorithm, task_of(scene, index), offered_targets(scene), role.target)
        data = scene.dataset
        fitted = int(data.training.sum())
        classes = [
            (code, shortened(data.class_name(code)), class_number(code, scene.colours))
            for code in occurring(data.labels).tolist()
        ]
        labels = data.labels[data.training] if role.task == "classification" else data.labels[:0]
        pairs = panel.pipeline.pair_sizes(labels)
        self.hyperparameters.show_values(algorithm, fitted, classes, pairs)
        self.seed.show_seed(scene, index)
        self.inputs.show_inputs(scene, panel)
        self.pipeline.show_values(panel.pipeline, fitted, classes)
        for part in (self.pipeline.rows["multiclass"], self.weights):
            part.setVisible(role.task == "classification")
        sure = role.task == "regression" and algorithm.is_predictive()
        self.decision.setVisible(role.task == "classification" or sure)
        weights, decision = panel.pipeline.weights, panel.pipeline.decision
        weighs, costs = weights.balance != "none", decision.rule == "costs"
        self.weights.show_values(weights, fitted, classes, weights.balance if weighs else "", _COSTS if costs else "")
        note = "" if sure else _SEVERAL if len(classes) > 2 else _WEIGHTS if weighs else ""
        among = decision.about(role.task)
        self.decision.show_values(decision, fitted, classes, decision.in_force(role.task), note, among)
        threshold = self.decision.form.rows["threshold"].control
        assert isinstance(threshold, NumberControl)
        threshold.set_soft(edits.parameter_at(scene, index, "decision.threshold").soft)
        self.held_out.show_samples()
        before = list(self.held_out.form.rows.values())[-1].control
        self.layers.show_layers(panel, role.task, before, len(classes), value_column(scene, index) is not None)

    def start_again(self) -> None:
        """Fit with the next seed."""
        self._store.push(edits.with_next_seed(self._store.scene), "another start")

    def show_results(self, on: bool) -> None:
        """Show layers and facts: before the first fit there are none."""
        for part in self._results:
            part.setVisible(on)

    def _keep_width(self) -> None:
        """Leave the room of the scroll bar free where there is none, so that nothing moves when it comes."""
        bar = self.scrolled.verticalScrollBar()
        room = 0 if bar.maximum() > bar.minimum() else bar.sizeHint().width()
        self._body.setContentsMargins(10, 0, 10 + room, 8)
        # At once: what is painted before the next event would still be as wide as it was.
        self._body.activate()

    def show_picture(self, picture: PanelPicture) -> None:
        """Show the facts of a picture of this panel."""
        if picture.has_facts:
            self.facts.show_facts(picture.facts, HIDDEN if picture.hidden else UNFITTED if picture.message else "none")

    def _tick_input(self, name: str, on: bool) -> None:
        inputs = set(roles(self._store.scene, self.panel).inputs)
        chosen = inputs | {name} if on else inputs - {name}
        self._choose(edits.with_inputs, f"{'add' if on else 'remove'} input {name}", chosen)

    def _choose_task(self, task: str) -> None:
        before = self._store.scene.dataset
        self._choose(edits.with_task, "choose task", task)
        if new := self._store.scene.dataset.columns[len(before.columns) :]:
            first = "at first the number of their class, from 0" if before.labels.any() else "0 at first"
            where = (
                "a click gives the one chosen above"
                if not len(before)
                else f"{first}; the slider, a brush and the value tool change it"
            )
            self.refused.emit(f"The points have a value now, {new[0]}: {where}.")

    def _choose(self, edit: Callable[[Scene, int, Any], Scene], what: str, choice: Any) -> None:
        self._store.push(edit(self._store.scene, self._index, choice), what)

    def _set(self, where: str, form: ParameterForm, name: str, value: Any) -> None:
        before = self.panel.pipeline
        self._burst.set_value(self._index, f"{where}.{name}", value, form.held)
        after = self.panel.pipeline
        if where == "weights" and after.decision != before.decision:
            self.refused.emit("The decision is natural again: with class weights, its costs would be counted twice.")
        if where == "decision" and after.weights != before.weights:
            self.refused.emit("The class weights are off: with costs in the decision, they would be counted twice.")

    def _compare(self, where: str, name: str, ask: bool) -> None:
        self.compared.emit(f"{where}.{name}", ask)

    def _switch_layer(self, overlay_id: str, shown: bool) -> None:
        scene = edits.with_layer(self._store.scene, self._index, overlay_id, shown)
        self._store.push(scene, f"{'show' if shown else 'hide'} {overlay_id}")
