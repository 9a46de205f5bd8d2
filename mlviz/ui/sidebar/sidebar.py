"""The right-hand side: method, hyperparameters, pipeline, facts and layers of the current panel."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from mlviz.picture import PanelPicture
from mlviz.scene import edits
from mlviz.scene.history import Store
from mlviz.scene.scene import Panel, roles
from mlviz.ui.controls.collapsible_form import CollapsibleForm
from mlviz.ui.controls.form import ParameterForm
from mlviz.ui.controls.number_control import NumberControl
from mlviz.ui.sidebar.facts_table import FactsTable
from mlviz.ui.sidebar.method_chooser import MethodChooser
from mlviz.ui.sidebar.overlay_list import OverlayList

WIDTH = 304
COSTS = "The decision has costs. Class weights take their place: both would count the same costs twice."
WEIGHTS = "The classes have weights. Costs take their place: both would count the same costs twice."
SEVERAL = "There are more than two classes: the method decides by itself."
SCORES, PROBABILITIES = (-3.0, 3.0), (0.0, 1.0)
"""Where thresholds are looked for: margins and log odds are of this size whatever the data."""


class Sidebar(QScrollArea):
    """Shows one panel of the scene and pushes what is changed here into the store."""

    refused = Signal(str)
    """A sentence about what can't be taken, or had to make room."""
    help_asked = Signal()

    def __init__(self, store: Store, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._index = 0
        self._gesture = 0
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(WIDTH)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Method, hyperparameters, facts and layers")
        body = QWidget()
        self._layout = QVBoxLayout(body)
        self._layout.setContentsMargins(10, 8, 10, 8)
        self._layout.setSpacing(4)
        self.setWidget(body)

        self.chooser = MethodChooser()
        self.hyperparameters = ParameterForm()
        self.pipeline = ParameterForm()
        self.weights = CollapsibleForm(
            "Training weights", "What a sample of each class counts while the method learns."
        )
        self.decision = CollapsibleForm("Decision", "Where the two classes part; the fit itself stays.")
        self.facts = FactsTable()
        self.layers = OverlayList()
        self._head("Method", self.chooser)
        self._head("Hyperparameters", self.hyperparameters)
        self._head("Pipeline", self.pipeline, self.weights, self.decision)
        self._head("Facts", self.facts)
        self._head("Layers", self.layers)
        self._layout.addStretch(1)

        self.chooser.method_chosen.connect(self._choose_method)
        self.chooser.task_chosen.connect(self._choose_task)
        self.chooser.help_button.clicked.connect(self.help_asked)
        for form, change in (
            (self.hyperparameters, self._set_hyperparameter),
            (self.pipeline, self._set_pipeline),
            (self.weights.form, self._set_weights),
            (self.decision.form, self._set_decision),
        ):
            form.moved.connect(change)
            form.rested.connect(self._rest)
            form.refused.connect(self.refused)
        self.layers.switched.connect(self._switch_layer)

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
        self.chooser.show_method(algorithm, role.task)
        data = scene.dataset
        fitted = int((data.active & ~data.held_out).sum())
        classes = [(code, data.class_name(code)) for code in np.unique(data.labels).tolist()]
        self.hyperparameters.show_values(algorithm, fitted, classes)
        self.pipeline.show_values(panel.pipeline, fitted, classes)
        for part in (self.pipeline.row("multiclass"), self.weights, self.decision):
            part.setVisible(role.task == "classification")
        weights, decision = panel.pipeline.weights, panel.pipeline.decision
        weighs, costs = weights.balance != "none", decision.rule == "costs"
        self.weights.show_values(weights, fitted, classes, weights.balance if weighs else "", COSTS if costs else "")
        rule = "" if decision.rule == "natural" else decision.rule
        note = SEVERAL if len(classes) > 2 else WEIGHTS if weighs else ""
        self.decision.show_values(decision, fitted, classes, rule, note)
        threshold = self.decision.form.control("threshold")
        assert isinstance(threshold, NumberControl)
        threshold.set_soft(PROBABILITIES if panel.pipeline.answers_by_probability else SCORES)
        threshold.show_value(decision.threshold)
        before = self.decision.form.control(self.decision.form.names()[-1])
        self.layers.show_layers(panel, role.task, before, len(classes))

    def show_picture(self, picture: PanelPicture) -> None:
        """Show the facts of a picture of this panel."""
        self.facts.show_facts(picture.facts)

    def step_main(self, steps: int) -> None:
        """Move the method's main hyperparameter by whole steps, as the Up and Down keys do."""
        name = edits.main_parameter(self.panel.pipeline.algorithm)
        control = self.hyperparameters.control(name) if name else None
        if isinstance(control, NumberControl):
            control.field.stepBy(steps)

    def set_hyperparameter(self, name: str, value: Any, finished: bool) -> None:
        """Set a hyperparameter from outside (a handle in a side plot); `finished` ends the gesture."""
        self._set_hyperparameter(name, self.panel.pipeline.algorithm.parameter(name).check(value))
        if finished:
            self._rest()

    def _head(self, title: str, *parts: QWidget) -> None:
        label = QLabel(title)
        label.setObjectName("heading")
        label.setIndent(0)
        self._layout.addWidget(label)
        for part in parts:
            self._layout.addWidget(part)
        self._layout.addSpacing(6)

    def _choose_method(self, method: str) -> None:
        scene = edits.with_method(self._store.scene, self._index, method)
        self._store.push(scene, "choose method")

    def _choose_task(self, task: str) -> None:
        self._store.push(edits.with_task(self._store.scene, self._index, task), "choose task")

    def _set_hyperparameter(self, name: str, value: Any) -> None:
        pipeline = self.panel.pipeline
        changed = pipeline.replace(algorithm=pipeline.algorithm.replace(**{name: value}))
        self._push(changed, name, f"change {pipeline.algorithm.parameter(name).label}")

    def _set_pipeline(self, name: str, value: Any) -> None:
        self._push(self.panel.pipeline.replace(**{name: value}), name, f"change {name}")

    def _set_weights(self, name: str, value: Any) -> None:
        pipeline = self.panel.pipeline
        changed = pipeline.with_weights(**{name: value})
        self._push(changed, f"weights {name}", f"change {changed.weights.parameter(name).label}")
        if changed.decision != pipeline.decision:
            self.refused.emit("The decision is natural again: with class weights, its costs would be counted twice.")

    def _set_decision(self, name: str, value: Any) -> None:
        pipeline = self.panel.pipeline
        changed = pipeline.with_decision(**{name: value})
        what = f"change {'decision' if name == 'rule' else changed.decision.parameter(name).label}"
        self._push(changed, f"decision {name}", what)
        if changed.weights != pipeline.weights:
            self.refused.emit("The class weights are off: with costs in the decision, they would be counted twice.")

    def _push(self, pipeline: Any, name: str, what: str) -> None:
        if pipeline != self.panel.pipeline:
            scene = self._store.scene.with_panel(self._index, dataclasses.replace(self.panel, pipeline=pipeline))
            self._store.push(scene, what, ("control", self._index, name, self._gesture))

    def _rest(self) -> None:
        self._gesture += 1
        self._store.settle()

    def _switch_layer(self, overlay_id: str, shown: bool) -> None:
        scene = edits.with_layer(self._store.scene, self._index, overlay_id, shown)
        self._store.push(scene, f"{'show' if shown else 'hide'} {overlay_id}")
