"""What the window consists of, before it has commands: canvas, sidebar, playback and side plots around one store."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMessageBox, QSplitter, QVBoxLayout, QWidget

from mlviz.interaction.tool_state import ToolState
from mlviz.picture import PanelPicture
from mlviz.scene.defaults import first_scene
from mlviz.scene.history import Store
from mlviz.scene.scene import Scene
from mlviz.spec.outside import printable
from mlviz.ui.canvas.canvas import Canvas
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.comparison.fit_pins import FitPins
from mlviz.ui.comparison.strip import ComparisonStrip
from mlviz.ui.controls.animation import Animation
from mlviz.ui.controls.pinned_bar import PinnedBar
from mlviz.ui.controls.pins import Pins
from mlviz.ui.datasets.break_it import BreakIt
from mlviz.ui.datasets.presets import Presets
from mlviz.ui.desk import Desk
from mlviz.ui.documents.documents import Documents
from mlviz.ui.documents.recovery import Recovery
from mlviz.ui.export.exporter import Exporter
from mlviz.ui.notes.writer import NoteWriter
from mlviz.ui.paint.axes import Style
from mlviz.ui.predict.strip import PredictStrip
from mlviz.ui.shell.appearance import STYLE_SHEET, Appearance, Presentation
from mlviz.ui.shell.guide import Guide
from mlviz.ui.shell.player import Player
from mlviz.ui.shell.status import StatusLine
from mlviz.ui.shell.worker_link import WorkerLink
from mlviz.ui.sidebar.help_panel import HelpPanel
from mlviz.ui.sidebar.sidebar import WIDTH, Sidebar
from mlviz.ui.sideplots.tabs import SideTabs
from mlviz.ui.studies.studies import Studies
from mlviz.ui.tables.importer import Importer
from mlviz.ui.widgets.burst import Burst
from mlviz.ui.widgets.dialogs import ask
from mlviz.ui.widgets.parts import lay_out
from mlviz.ui.widgets.preferences import Preferences

WINDOW_SIZE = (1180, 780)
_SIDES_HEIGHT = 210
_RAISED_SHARE = 0.44
"""Of the height, for the side plots of a presentation."""
_WIDE = 1280
"""A window at least so wide, in pixels, has the help and the side panel beside each other."""


class WindowParts(QMainWindow):
    """One scene, its canvases and its controls: what a command may use."""

    presets: Presets
    breaking: BreakIt
    recovery: Recovery
    guide: Guide

    def __init__(self, scene: Scene | None, link: WorkerLink | None, preferences: Preferences | None) -> None:
        super().__init__(animated=False)
        self.store = Store(scene or first_scene())
        self.hand = ToolState()
        self.preferences = preferences or Preferences()
        self.preferences.tell = self.say
        self.link = link or WorkerLink()
        self.appearance = Appearance(self.preferences, self)
        self.appearance.colours = self.store.scene.colours
        self.pictures: dict[int, PanelPicture] = {}
        self.fitted = False
        """Whether there has been a fit."""
        self._dressed: tuple[QPalette, float] | None = None
        """For which colours and size of words the style sheet was set."""
        self.reveals: list[Callable[[], bool]] = []
        """What a clicker asks, one after another, to show what is hidden; each tells whether there was anything."""
        self.desk = Desk(
            self.store,
            self.hand,
            self.preferences,
            style=lambda: self.appearance.style,
            say=lambda sentence: self.say(sentence),
            complain=lambda sentence: self.complain(sentence),
            parent=self,
        )
        self.documents = Documents(
            self.desk,
            open_table=lambda path: self.importing.open(path),
            offer_copy=lambda path: self.recovery.offer(path),
            changed=self._document_changed,
        )
        self.importing = Importer(self.desk, self.documents)
        self.panels = PanelGrid(self.store, self.hand, self.appearance.style)
        self.panels.canvas_made.connect(lambda canvas: canvas.legend.clicked.connect(self._legend_clicked))
        self.link.begun.connect(self.panels.begin)
        self.exporting = Exporter(self.desk, self.documents, self.panels)
        self.player = Player(self.store)
        self.predict = PredictStrip(self.store, self.hand, self.panels, self.link.pictured.emit)
        self.link.pictured.connect(self.predict.show_picture)
        self.reveals.append(self.predict.show_answer)
        self.comparison = ComparisonStrip(self.desk, self.documents, self.panels)
        self.fit_pins = FitPins(self.desk, self.panels, self.pictures)
        self.animation = Animation(self.store, lambda: self.player.interval_ms, lambda: self.link.newest, self)
        self.link.pictured.connect(self.animation.show_picture)
        self.writer = NoteWriter(self.desk, self.panels, self.announce)
        self.burst = Burst(self.store, self)
        self.pins = Pins(self.preferences)
        self.sidebar = Sidebar(self.store, self.burst, self.pins)
        self.pinned = PinnedBar(self.store, self.burst, self.pins)
        self.help = HelpPanel()
        self.helping = self._both = False
        """Whether the help is to be seen, and whether the side panel is too."""
        self.help.hide()
        self._side = QWidget()
        self.sides = SideTabs(self.appearance.style, self.panels.cover)
        self.studies = Studies(
            self.desk,
            self.documents,
            self.burst,
            self.sides,
            current=lambda: self.current,
            open_tabs=lambda: None if self.appearance.sides_shown else self.appearance.toggle_sides(),
        )
        self.status = StatusLine()
        self.setStatusBar(self.status)
        self.presentation = Presentation(self, self.appearance, self.hand, self.panels)
        self._sides_height = _SIDES_HEIGHT
        """Of the side plots where they are not raised."""
        self._raised = False
        """Whether they have the height of a presentation."""
        self._rows = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        """Canvases, and side plots below them."""
        self._lay_out()
        self.pinned.refused.connect(self.presentation.say)
        for follow in (self.comparison.show_picture, self.player.follow):
            self.link.pictured.connect(follow)
        self.sidebar.hyperparameters.animated.connect(lambda name: self.animate(name))
        self.appearance.styled.connect(self._apply_style)
        self.appearance.parts_changed.connect(self.show_parts)
        # What was said in passing may be of parts that were hidden, such as where the side plots are.
        self.appearance.parts_changed.connect(self.status.clearMessage)
        self.sides.closed.connect(self.appearance.toggle_sides)
        self.sides.saving.connect(self.exporting.save_plot)

    @property
    def canvas(self) -> Canvas:
        """The current canvas."""
        return self.panels.canvas

    @property
    def current(self) -> int:
        """The index of the current panel."""
        return self.panels.current

    def show_help(self, on: bool) -> None:
        """Show the help of the method: beside the side panel, or in its place where the window is narrow."""
        self.helping = on
        self.appearance.parts_changed.emit()
        self.help.show_method(type(self.sidebar.panel.pipeline.algorithm))
        (self.help.browser if on else self.canvas).setFocus()

    def back_out(self) -> bool:
        """Stop what is played, uncover the canvas, let go, or close help or presentation; whether there was one."""
        if self.animation.stop() or self.sides.back() or self.canvas.cancel():
            return True
        helping, presenting = self.helping, self.appearance.presenting
        if helping:
            self.show_help(False)
        elif presenting:
            self.presentation.show(False)
        return helping or presenting

    def show_parts(self) -> None:
        """Show what stands beside and below the canvas, or hide it.

        Side plots are where they were asked for, also before the first fit and on an empty canvas: the axes keep their
        place under the hand. The results in the side panel come with the first fit, and stay from then on.
        """
        wanted = self.appearance.sidebar_wanted and not self.appearance.presenting
        if self.sides.isVisible() and not self._raised:
            self._sides_height = self._rows.sizes()[1]
        both = wanted and self.helping and self.width() >= _WIDE
        self._side.setVisible(wanted or self.helping)
        self.help.setVisible(self.helping)
        self.sidebar.setVisible(both or not self.helping)
        if both != self._both:
            self._both = both
            canvas, beside = self.middle.sizes()
            more = beside if both else -beside // 2
            self.middle.setSizes([canvas - more, beside + more])
        self._side_layout.activate()  # formulas go by the width
        self.sidebar.show_results(self.fitted)
        self.sides.setVisible((wanted or self.appearance.presenting) and self.appearance.sides_shown)
        self._share_height(self.appearance.presenting and self.appearance.sides_shown)
        self.pinned.setVisible(self.appearance.presenting and bool(self.pins.names))
        self.pinned.show_panel(self.current)
        self.comparison.show_parts(self.appearance.presenting)

    def _share_height(self, raised: bool) -> None:
        """Give the side plots of a presentation, whose words are larger, more of the height, and take it back after."""
        if raised != self._raised:
            self._raised = raised
            height = sum(self._rows.sizes())
            below = round(_RAISED_SHARE * height) if raised else self._sides_height
            self._rows.setSizes([height - below, below])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The help takes the place of the side panel where there is none for both."""
        super().resizeEvent(event)
        if self.helping:
            self.show_parts()

    def say(self, sentence: str) -> None:
        """Say something in passing."""
        self.status.say(sentence)

    def _legend_clicked(self) -> None:
        self.announce("The legend is in the way: drag it aside, or hide it (Ctrl+L).")

    def announce(self, sentence: str) -> None:
        """Say something in passing where it can be seen: in a presentation on the picture."""
        self.say(sentence)
        self.presentation.say(sentence)

    def animate(self, name: str = "") -> None:
        """Play a hyperparameter of the current panel, or the main one; stop what is played."""
        self.announce(self.animation.start(self.current, name))

    def complain(self, sentence: str) -> None:
        """Say what went wrong and wait until it is read."""
        ask(QMessageBox(QMessageBox.Icon.Warning, "mlviz", printable(sentence), QMessageBox.StandardButton.Ok, self))

    def refresh_title(self) -> None:
        """Name the file and whether it has unsaved changes."""
        self.setWindowTitle(f"{self.documents.name}[*] – mlviz")
        self.setWindowModified(self.documents.modified)

    def _document_changed(self) -> None:
        self.recovery.update()
        self.refresh_title()

    def _apply_style(self, style: Style) -> None:
        dressed = QGuiApplication.palette(), style.text
        if dressed != self._dressed:
            # The sheet takes its colours from the palette when it is set, which measures and dresses every widget there
            # is: not again where only the legend was switched.
            self.setStyleSheet(STYLE_SHEET)
            self._dressed = dressed
        self._paint_in(style)
        self.presets.show_icons()
        self.player.show_icons()
        for part in (self.player, self.help, self.pinned, self.predict, self.comparison, self.studies):
            part.enlarge(style.text)
        self.breaking.enlarge(self.appearance.presenting)

    def _show_colours(self) -> None:
        """Paint the classes in the colours of the present scene."""
        self.appearance.colours = self.store.scene.colours
        self._paint_in(self.appearance.style)

    def _paint_in(self, style: Style) -> None:
        self.panels.set_style(style)
        self.sides.set_style(style)

    def _lay_out(self) -> None:
        """From the outside in: what has its place is not dressed anew for each part that comes around it."""
        self.middle = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        """What stands between the bars."""
        self.setCentralWidget(self.middle)
        rows, left = self._rows, QWidget()
        self.middle.addWidget(rows)
        rows.addWidget(left)
        below = self.player, self.pinned, self.comparison
        self.column = lay_out(QVBoxLayout(left), self.predict, (self.panels, 1), *below, spacing=0)
        """The canvases, and what stands above and below them."""
        rows.addWidget(self.sides)
        rows.setStretchFactor(0, 1)
        rows.setSizes([WINDOW_SIZE[1], _SIDES_HEIGHT])
        self.middle.addWidget(self._side)
        self._side_layout = lay_out(QHBoxLayout(self._side), (self.help, 1), (self.sidebar, 1), spacing=0)
        self.middle.setStretchFactor(0, 1)
        self.middle.setSizes([WINDOW_SIZE[0] - WIDTH, WIDTH])
