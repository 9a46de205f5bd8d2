"""Artificial data: the kinds there are, a form of the chosen one's parameters, and a live preview."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from mlviz.data.dataset import Dataset
from mlviz.data.generators.base import INPUTS
from mlviz.data.generators.catalog import Generator, RegressionGenerator
from mlviz.draw.marks import Field, Lines, Mark
from mlviz.draw.numbers import counted
from mlviz.draw.plot import Limits, Plot, visible_limits
from mlviz.numerics.grid import Grid
from mlviz.scene.scene import DEFAULT_LIMITS
from mlviz.scene.values import scale_of
from mlviz.ui.controls.form import ParameterForm
from mlviz.ui.datasets.generator_list import GeneratorList
from mlviz.ui.paint.axes import Style, plot_area
from mlviz.ui.paint.scene_view import samples_alone
from mlviz.ui.paint.stack import FrameContent, paint_content
from mlviz.ui.widgets.parts import accept_or_cancel, labelled, lay_out, named, note, plain_label

MOST_SEEDS = 2**31 - 1
_NODES = 60
"""Nodes along a side of the shade of a true function."""
_MOST_SHOWN = 3000
"""More samples than these would make the preview lag behind the hand, and show no more."""


class Preview(QWidget):
    """The samples of a data set, and the curve or the shade they were drawn about where there is one."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent, accessibleName="Preview")
        self._style = style
        self._dataset = Dataset.empty()
        self.setMinimumSize(280, 280)

    def sizeHint(self) -> QSize:
        """Room enough to judge the shape of the data."""
        return QSize(420, 400)

    def show_dataset(self, dataset: Dataset) -> None:
        """Show these samples."""
        self._dataset = dataset
        self.setAccessibleDescription(
            f"{counted(len(dataset), 'sample')} in {counted(len(set(dataset.labels.tolist())), 'class', 'classes')}"
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the samples as the canvas would."""
        data, rect = self._dataset, QRectF(self.rect())
        area = plot_area(rect, self._style)
        limits = visible_limits(DEFAULT_LIMITS, area.width(), area.height(), equal=True)
        plot = Plot("preview", "", data.columns[0], data.columns[1], _truth(data, limits))
        # Their order is random, so the first ones are as good as any.
        shown = samples_alone(data if len(data) <= _MOST_SHOWN else _first(data))
        with QPainter(self) as painter:
            paint_content(painter, rect, FrameContent(plot, shown, legend=False), limits, self._style)


def _first(data: Dataset) -> Dataset:
    """The first of very many samples, with their source."""
    return replace(data.erase(np.arange(_MOST_SHOWN, len(data))), source=data.source)


def _truth(data: Dataset, limits: Limits) -> tuple[Mark, ...]:
    """The true function of values: a curve, or a shade over the plane on the scale of the samples."""
    source = data.source
    if not isinstance(source, RegressionGenerator):
        return ()
    if source.target == 1:
        x = np.linspace(*INPUTS, 701)
        return (Lines("reference", np.column_stack((x, source.true_values(x[:, None])))),)
    grid = Grid.over(limits, _NODES, _NODES)
    values = source.true_values(grid.points()).reshape(grid.shape)
    return (Field("value", grid.x, grid.y, scale_of(data, data.columns[source.target]).shades(values)),)


class GeneratorDialog(QDialog):
    """Choose the kind, the parameters and the seed of artificial data; Enter draws.

    In a field for a number Enter takes the number alone, and Ctrl+Enter draws.

    Every kind keeps the values it was given here, so that going from one to another and back loses nothing.
    """

    def __init__(self, generator: Generator, seed: int, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._generator = generator
        self._left: dict[str, Generator] = {}
        self.kinds = GeneratorList(style.theme, style.colours)
        self.about = plain_label(wordWrap=True)
        self.form = ParameterForm()
        seeds = QSpinBox(minimum=0, maximum=MOST_SEEDS, value=min(seed, MOST_SEEDS))
        self.seed = named(seeds, "Seed", "The same seed draws the same samples.")
        self.preview = Preview(style)
        self.note = note()
        self.problem = note("problem")
        self._lay_out()
        self.kinds.chosen.connect(self._take)
        self.form.moved.connect(self._set)
        self.form.refused.connect(self.problem.setText)
        self.seed.valueChanged.connect(self._draw)
        self.kinds.show_kind(type(generator))
        self._show()
        self.kinds.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Whoever ends a number with Return wants to see the preview; keys typed after it must not meet the canvas."""
        entered = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if entered and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.accept()
        elif not entered or not isinstance(self.focusWidget(), QAbstractSpinBox):
            super().keyPressEvent(event)

    def _take(self, kind: type[Generator]) -> None:
        self._left[self._generator.id] = self._generator
        self._generator = self._left.get(kind.id) or kind()
        self._show()

    def _set(self, name: str, value: Any) -> None:
        self._generator = self._generator.replace(**{name: value})
        self._show()

    def _show(self) -> None:
        """Show the present generator everywhere."""
        self.setWindowTitle(f"Data: {self._generator.label}")
        self.about.setText(self._generator.about())
        self.problem.clear()
        self.form.show_values(self._generator, self._generator.n_samples)
        self._draw()

    def _draw(self) -> None:
        self.dataset = self._generator.generate(self.seed.value())
        """The samples that would be drawn; the preview shows them, or the first of them."""
        self.preview.show_dataset(self.dataset)
        known, n = isinstance(self._generator, RegressionGenerator), len(self.dataset)
        how = "Dashed" if self.dataset.X.shape[1] == 2 else "Shade"
        truth = f"{how}: the true f*, which no method gets to see." if known else ""
        shown = f"Shown: the first {_MOST_SHOWN:,} of {n:,} samples." if n > _MOST_SHOWN else ""
        self.note.setText(f"{truth} {shown}".strip())

    def _lay_out(self) -> None:
        tip = "Replace the points on the canvas by these (Enter; Ctrl+Enter from a number); undo brings them back."
        self.kinds.setFixedWidth(212)
        right = lay_out(QVBoxLayout(), (self.preview, 1), self.note)
        columns = lay_out(QHBoxLayout(), self.kinds, self._parameters(), (right, 1), spacing=10)
        lay_out(QVBoxLayout(self), (columns, 1), accept_or_cancel(self, "&Draw", tip), margins=None)
        self.resize(1000, 600)

    def _parameters(self) -> QWidget:
        """What the kind is, its parameters, which scroll where there are many, and the seed."""
        inner = QWidget()
        lay_out(QVBoxLayout(inner), self.form, None, margins=(0, 0, 8, 0))
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inner)
        column = QWidget()
        column.setFixedWidth(280)
        row = labelled(QHBoxLayout(), "see&d", self.seed, stretch=1)
        lay_out(QVBoxLayout(column), self.about, 4, (scroll, 1), self.problem, row)
        return column
