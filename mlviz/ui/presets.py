"""Data from the menu: generators with their dialog, shipped data sets, recent files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mlviz.data import library
from mlviz.data.dataset import Dataset
from mlviz.data.generators import Generator, generators
from mlviz.state import edits, opening
from mlviz.state.scene import Scene
from mlviz.ui.generator_dialog import GeneratorDialog

if TYPE_CHECKING:
    from mlviz.ui.window import MainWindow


class Presets:
    """Fills the Data menu and the menu of recent files."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        menu = window.actions_.menu("Data")
        first = menu.actions()[0]
        made = window.actions_.submenu("Data", "&Generate", before=first)
        for generator in generators().values():
            action = made.addAction(f"{generator.label}...")
            action.setToolTip((generator.__doc__ or "").strip())
            action.triggered.connect(partial(self.ask_generator, generator))
        shipped = window.actions_.submenu("Data", "Data &sets", before=first)
        for name, entry in library.library().items():
            action = shipped.addAction(entry.label)
            action.setToolTip(entry.description)
            action.triggered.connect(partial(self.open_shipped, name))
        menu.insertSeparator(first)
        self._recent = window.actions_.submenu("File", "Open &recent", before=window.actions_.action("save"))
        self._recent.aboutToShow.connect(self._fill_recent)

    def ask_generator(self, kind: type[Generator]) -> None:
        """Ask for the parameters of a generator, starting from those last drawn with, and draw."""
        source = self._window.store.scene.dataset.source
        start = source if isinstance(source, kind) else kind()
        dialog = GeneratorDialog(start, start.seed, self._window.style_now, self._window)
        if dialog.exec():
            self.draw(dialog.dataset)

    def draw_again(self) -> None:
        """Draw the same kind of data with the next seed; the view stays."""
        store = self._window.store
        source = store.scene.dataset.source
        if isinstance(source, Generator):
            store.push(store.scene.replace(dataset=source.generate(source.seed + 1)), f"draw {source.label} again")

    def open_shipped(self, name: str) -> None:
        """Put a shipped data set on the canvas."""
        entry, dataset = library.library()[name], library.load(name)
        scene = edits.with_dataset(self._window.store.scene, dataset, entry.task, standardize=True)
        scene = scene.with_view(axes=entry.axes, equal=False)
        self._push(scene.with_view(limits=opening.fitted_limits(scene)), f"open {entry.label}")

    def draw(self, dataset: Dataset) -> None:
        """Put the samples of a generator on the canvas."""
        source: Generator = dataset.source
        self._push(edits.with_dataset(self._window.store.scene, dataset, source.task), f"draw {source.label}")

    def _push(self, scene: Scene, what: str) -> None:
        before = self._window.store.scene.panels
        self._window.store.push(scene, what)
        for old, new in zip(before, scene.panels, strict=True):
            label = new.pipeline.algorithm.label
            if label != old.pipeline.algorithm.label:
                self._window.say(f"The method is now {label}, which can learn from these data.")
        self._window.canvas.setFocus()

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._window.preferences.recent:
            action = self._recent.addAction(path.name)
            action.setToolTip(str(path))
            action.triggered.connect(partial(self._open_recent, path))
        if self._recent.isEmpty():
            self._recent.addAction("none yet").setEnabled(False)

    def _open_recent(self, path: Path) -> None:
        self._window.documents.open(path)
