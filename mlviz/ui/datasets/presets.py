"""Data from the menu: generators with their dialog, shipped data sets, recent files."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Generator, generators
from mlviz.data.tables import shipped as library
from mlviz.draw.palette import Colours
from mlviz.scene import edits
from mlviz.scene.canvas_axes import fitted_limits
from mlviz.scene.change import Change
from mlviz.scene.defaults import default_method
from mlviz.scene.scene import Scene
from mlviz.scene.splits import edits as splits
from mlviz.scene.values.edits import with_column
from mlviz.spec.sentences import with_capital
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.datasets.examples import EXAMPLES, Example
from mlviz.ui.datasets.generator_dialog import MOST_SEEDS, GeneratorDialog
from mlviz.ui.datasets.generator_list import GROUPS, thumbnail
from mlviz.ui.datasets.preset_rows import GROUPS_APART, PresetRows
from mlviz.ui.desk import Desk
from mlviz.ui.widgets.dialogs import ask
from mlviz.ui.widgets.parts import add_entry, add_submenu


def _values_apart(data: Dataset, source: Generator) -> int:
    """How many columns the samples have beyond those that the generator draws: one of values over the plane."""
    return len(data.columns) - len(source.columns)


class Presets:
    """Fills the Data menu, the menu of recent files and the rows of presets on an empty canvas."""

    def __init__(
        self,
        desk: Desk,
        panels: PanelGrid,
        open_file: Callable[[Path], None],
        open_table: Callable[[], None],
        tour: Callable[[], None],
        data: QMenu,
        recent: QMenu,
    ) -> None:
        """The data are offered first in one menu, and the recent files in another; `tour` is offered beside them."""
        self._desk, self._panels, self._open_file = desk, panels, open_file
        self._drawn: dict[str, Generator] = {}
        self._last: Generator | None = None
        self._kinds: dict[str, QAction] = {}
        self._recent = recent
        first = data.actions()[0]
        made = add_submenu(data, "&Generate", before=first)
        for task, title in GROUPS.items():
            made.addSection(title)
            for kind in generators().values():
                if kind.task == task:
                    ask_for = partial(self.ask_generator, kind)
                    self._kinds[kind.id] = add_entry(made, f"{kind.label}...", kind.about(), ask_for)
        shipped = add_submenu(data, "Data se&ts", before=first)
        for name, entry in library.shipped_tables().items():
            add_entry(shipped, entry.label, entry.description, partial(self.open_shipped, name))
        examples = add_submenu(data, "E&xamples", before=first)
        for example in EXAMPLES:
            add_entry(examples, example.title, example.about, partial(self._draw_example, example))
        data.insertSeparator(first)
        recent.aboutToShow.connect(self._fill_recent)
        self.rows = PresetRows(panels, self.draw_preset, self.open_shipped, open_table, tour)
        self._pictured: Colours = ()
        """The colours of the small pictures."""
        self._follow_samples(desk.store.scene.dataset)
        desk.store.listen(self._follow)

    @property
    def again(self) -> Generator | None:
        """The generator that the points on the canvas come from, edited or erased since or not.

        None where none has drawn, or where the points are those of a table.
        """
        data, last = self._desk.store.scene.dataset, self._last
        drawn: Generator | None = data.source
        if drawn is not None or last is None or data.columns[: len(last.columns)] != last.columns:
            return drawn
        return last if _values_apart(data, last) < 2 else None

    def ask_generator(self, kind: type[Generator]) -> None:
        """Ask for a generator, its parameters and seed, starting from those last drawn with, and draw."""
        start = self._drawn.get(kind.id) or kind()
        style = dataclasses.replace(self._desk.style(), colours=self._colours)
        dialog = GeneratorDialog(start, start.seed, style, self._desk.parent)
        if ask(dialog):
            self.draw(dialog.dataset)

    def draw_preset(self, name: str) -> None:
        """Draw with the generator of that id as it is, or for a clustering method with groups that it can find."""
        method = self._desk.store.scene.panels[self._panels.current].pipeline.algorithm
        apart = GROUPS_APART.get(name) if "clustering" in method.tasks else None
        self.draw((apart or generators()[name]()).generate(0))
        if apart is not None:
            self._desk.say("These groups lie apart: there is less noise than where classes are learned.")

    def _draw_example(self, example: Example) -> None:
        panel, scene, drawn, method = self._panels.current, self._desk.store.scene, example.samples(), ""
        if example.clustering:
            if "clustering" not in scene.panels[panel].pipeline.algorithm.tasks:
                scene, method = edits.with_method(scene, panel, example.clustering), example.clustering
            scene = edits.with_dataset(scene, drawn, "clustering", "none")
        elif isinstance(example.generator, Generator):
            scene = edits.with_drawn(scene, drawn)
            method = default_method(example.generator.task).id if example.settings else ""
        if method:
            scene = edits.with_settings(edits.with_method(scene, panel, method), panel, example.settings)
        self._push(scene, f"draw {example.title.lower()}")
        self._desk.say(example.about)

    def draw_again(self) -> None:
        """Draw the same kind of data with the next seed; view, names of the classes and the share held out stay."""
        store, source = self._desk.store, self.again
        if source is not None:
            drawn = source.generate(source.seed + 1 if source.seed < MOST_SEEDS else 0)
            drawn = dataclasses.replace(drawn, class_names=store.scene.dataset.class_names)
            scene = splits.redrawn(store.scene, drawn)
            if _values_apart(store.scene.dataset, source):
                scene = scene.replace(dataset=with_column(scene.dataset, scene.dataset.labels))
            store.push(scene, f"draw {source.label} again")
            self._desk.say(f"{with_capital(source.label)}, seed {drawn.source.seed}")

    def open_shipped(self, name: str) -> None:
        """Put a shipped data set on the canvas."""
        entry, dataset = library.shipped_tables()[name], library.load_shipped(name)
        scene = edits.with_dataset(self._desk.store.scene, dataset, entry.task, "standardize")
        scene = scene.with_view(axes=entry.axes, equal=False)
        self._push(scene.with_view(limits=fitted_limits(scene)), f"open {entry.label}")

    def draw(self, dataset: Dataset) -> None:
        """Put the samples of a generator on the canvas."""
        self._push(edits.with_drawn(self._desk.store.scene, dataset), f"draw {dataset.source.label}")

    def show_icons(self) -> None:
        """Take the small pictures of the present theme, and of the colours that drawn classes would have."""
        theme, self._pictured = self._desk.style().theme, self._colours
        for name, action in self._kinds.items():
            action.setIcon(thumbnail(name, theme, self._pictured))
        self.rows.show_icons(theme, self._pictured)

    @property
    def _colours(self) -> Colours:
        return edits.colours_in_place(self._desk.store.scene, ())

    def _follow(self, change: Change) -> None:
        self._follow_samples(change.new.dataset)
        if self._pictured != self._colours:
            self.show_icons()
        if not len(change.new.dataset) and change.new.panels != change.old.panels:
            self.rows.place()

    def _follow_samples(self, dataset: Dataset) -> None:
        source = dataset.source
        if isinstance(source, Generator):
            self._last = self._drawn[source.id] = source
        self.rows.setVisible(len(dataset) == 0)

    def _push(self, scene: Scene, what: str) -> None:
        before = self._desk.store.scene.panels
        self._desk.store.push(scene, what)
        for old, new in zip(before, scene.panels, strict=True):
            label = new.pipeline.algorithm.label
            if label != old.pipeline.algorithm.label:
                self._desk.say(f"The method is now {label}, which can learn from these data.")
        self._panels.canvas.setFocus()

    def _fill_recent(self) -> None:
        self._recent.clear()
        files = self._desk.preferences.recent
        names = [path.name for path in files]
        for number, path in enumerate(files, start=1):
            name = path.name if names.count(path.name) == 1 else f"{path.name} in {path.parent.name}"
            text = f"&{number} {name.replace('&', '&&')}"
            add_entry(self._recent, text, str(path), partial(self._open_file, path))
        if files:
            self._recent.addSeparator()
            self._recent.addAction("&Clear this list").triggered.connect(self._desk.preferences.forget_recent)
        else:
            self._recent.addAction("none yet").setEnabled(False)
