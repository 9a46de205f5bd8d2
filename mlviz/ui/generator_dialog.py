"""Artificial data: a form of the generator's parameters beside a live preview."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from mlviz.data.dataset import Dataset
from mlviz.data.generators import Generator
from mlviz.draw.plot import Plot, visible_limits
from mlviz.state.scene import DEFAULT_LIMITS
from mlviz.ui import painter as painting
from mlviz.ui.controls import ParameterForm

MOST_SEEDS = 2**31 - 1


class Preview(QWidget):
    """The samples of a data set, nothing else."""

    def __init__(self, style: painting.Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._dataset = Dataset.empty()
        self.setAccessibleName("Preview")
        self.setMinimumSize(300, 300)

    def sizeHint(self) -> QSize:
        """Room enough to judge the shape of the data."""
        return QSize(420, 400)

    def show_dataset(self, dataset: Dataset) -> None:
        """Show these samples."""
        self._dataset = dataset
        self.setAccessibleDescription(f"{len(dataset)} samples in {len(set(dataset.labels.tolist()))} classes")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the samples as the canvas would."""
        data, rect = self._dataset, QRectF(self.rect())
        plot = Plot("preview", "", data.columns[0], data.columns[1], ())
        samples = painting.Samples(data.X[:, :2], data.labels, data.names(), data.held_out, data.active)
        painter = QPainter(self)
        area = painting.plot_area(rect, self._style)
        limits = visible_limits(DEFAULT_LIMITS, area.width(), area.height(), equal=True)
        painting.paint_plot(painter, rect, plot, limits, self._style, samples, legend=False)
        painter.end()


class GeneratorDialog(QDialog):
    """Choose the parameters and the seed of a generator; Enter draws."""

    def __init__(self, generator: Generator, seed: int, style: painting.Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Data: {generator.label}")
        self._generator = generator
        self.form = ParameterForm()
        self.seed = QSpinBox(minimum=0, maximum=MOST_SEEDS, value=seed)
        self.seed.setAccessibleName("Seed")
        self.seed.setToolTip("The same seed draws the same samples.")
        self.preview = Preview(style)
        self.problem = QLabel()
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self._lay_out()
        self.form.moved.connect(self._set)
        self.form.refused.connect(self.problem.setText)
        self.seed.valueChanged.connect(self._draw)
        self.form.show_values(generator, generator_size(generator))
        self._draw()

    @property
    def dataset(self) -> Dataset:
        """The samples shown in the preview."""
        return self._dataset

    def _set(self, name: str, value: Any) -> None:
        self._generator = self._generator.replace(**{name: value})
        self.problem.clear()
        self.form.show_values(self._generator, generator_size(self._generator))
        self._draw()

    def _draw(self) -> None:
        self._dataset = self._generator.generate(self.seed.value())
        self.preview.show_dataset(self._dataset)

    def _lay_out(self) -> None:
        about = QLabel((type(self._generator).__doc__ or "").strip())
        about.setWordWrap(True)
        buttons = QDialogButtonBox()
        draw = buttons.addButton("&Draw", QDialogButtonBox.ButtonRole.AcceptRole)
        draw.setDefault(True)
        draw.setToolTip("Replace the points on the canvas by these (Enter).")
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        left = QVBoxLayout()
        left.addWidget(about)
        left.addWidget(self.form)
        seed_label = QLabel("see&d")
        seed_label.setBuddy(self.seed)
        left.addWidget(seed_label)
        left.addWidget(self.seed)
        left.addWidget(self.problem)
        left.addStretch(1)
        columns = QHBoxLayout()
        side = QWidget()
        side.setLayout(left)
        side.setFixedWidth(290)
        columns.addWidget(side)
        columns.addWidget(self.preview, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(columns, 1)
        layout.addWidget(buttons)
        self.resize(760, 500)


def generator_size(generator: Generator) -> int:
    """How many samples it draws."""
    return int(getattr(generator, "n_samples", 0))
