"""The window: puts canvas, sidebar, playback, side plots and menus together around one store."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMessageBox, QSplitter, QVBoxLayout, QWidget

from mlviz.interaction.tool_state import ToolState
from mlviz.picture import PanelPicture
from mlviz.scene.defaults import default_scene
from mlviz.scene.history import Store
from mlviz.scene.scene import Scene
from mlviz.ui.canvas.canvas import Canvas
from mlviz.ui.canvas.panel_grid import PanelGrid
from mlviz.ui.datasets.presets import Presets
from mlviz.ui.documents.documents import Documents
from mlviz.ui.documents.recovery import Recovery
from mlviz.ui.export.exporter import Exporter
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.scene_view import same_classes
from mlviz.ui.shell import command_functions, key_routing
from mlviz.ui.shell.actions import Actions
from mlviz.ui.shell.appearance import Appearance
from mlviz.ui.shell.player import Player
from mlviz.ui.shell.presentation import Presentation
from mlviz.ui.shell.status import StatusLine
from mlviz.ui.shell.worker_link import WorkerLink
from mlviz.ui.sidebar.sidebar import WIDTH, Sidebar
from mlviz.ui.sideplots.tabs import SideTabs
from mlviz.ui.tables.importer import Importer
from mlviz.ui.widgets.preferences import Preferences

SIZE = (1180, 780)
SAY_MS = 5000


class MainWindow(QMainWindow):
    """One scene, its canvases and its controls."""

    store: Store
    hand: ToolState
    preferences: Preferences
    documents: Documents
    importing: Importer
    presets: Presets
    exporting: Exporter
    recovery: Recovery
    player: Player
    sidebar: Sidebar
    panels: PanelGrid
    presentation: Presentation
    appearance: Appearance

    def __init__(
        self,
        scene: Scene | None = None,
        link: WorkerLink | None = None,
        preferences: Preferences | None = None,
        copies: Path | None = None,
    ) -> None:
        """Copies of unsaved work go into the folder `copies`; without one there are none."""
        super().__init__()
        self.store = Store(scene or default_scene())
        self.hand = ToolState()
        self.preferences = preferences or Preferences()
        self.preferences.tell = self.say
        self.presentation = Presentation(self)
        self.appearance = Appearance(self)
        self._closing = False
        self.pictures: dict[int, PanelPicture] = {}
        self.link = link or WorkerLink()
        self.documents = Documents(self)
        self.importing = Importer(self)
        self.panels = PanelGrid(self.store, self.hand, self.style_now)
        self.player = Player(self.store)
        self.sidebar = Sidebar(self.store)
        self.sides = SideTabs(self.style_now)
        self.status = StatusLine()
        self.setStatusBar(self.status)
        self._lay_out()
        self.actions_ = Actions(self)
        self.presets = Presets(self)
        self.exporting = Exporter(self)
        self.setAcceptDrops(True)
        # Old projectors are smaller than the window would like to be.
        self.resize(QSize(*SIZE).boundedTo(self.screen().availableSize()))
        # Several canvases change size in one go: one request for all of them.
        self._resized = QTimer(self, singleShot=True, interval=0)
        self._connect()
        self.recovery = Recovery(self, copies)
        self.panels.show_panels(len(self.store.scene.panels))
        self.set_theme(self.preferences.theme)
        self._show_panel()
        self._refresh()
        # Otherwise the first chooser would have the keyboard, and arrows would choose another method.
        self.canvas.setFocus()

    @property
    def canvas(self) -> Canvas:
        """The current canvas."""
        return self.panels.canvas

    @property
    def canvases(self) -> list[Canvas]:
        """The canvases on screen."""
        return self.panels.canvases

    @property
    def current(self) -> int:
        """The index of the current panel."""
        return self.panels.current

    @property
    def style_now(self) -> Style:
        """How pictures are painted at present."""
        return self.appearance.style

    @property
    def presenting(self) -> bool:
        """Whether this is presentation mode."""
        return self.presentation.on

    def present(self, on: bool) -> None:
        """Start or leave presentation mode: canvas only, larger text."""
        self.presentation.show(on)

    def show_ghost(self, on: bool) -> None:
        """Lay the fit before the last change over the present one, or take it away."""
        self.panels.show_ghost(on)
        self.actions_.refresh()

    def set_theme(self, name: str) -> None:
        """Use a theme from now on: "light", "dark" or "system"."""
        self.appearance.set_theme(name)

    def say(self, sentence: str) -> None:
        """Say something in passing."""
        self.status.showMessage(sentence, SAY_MS)

    def complain(self, sentence: str) -> None:
        """Say what went wrong and wait until it is read."""
        QMessageBox.warning(self, "mlviz", sentence)

    def refresh_title(self) -> None:
        """Name the file and whether it has unsaved changes."""
        self.setWindowTitle(f"{self.documents.name}[*] – mlviz")
        self.setWindowModified(self.documents.modified)

    def event(self, event: QEvent) -> bool:
        """Leave a key to the control that has the keyboard, where the key means something to it."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            event.setAccepted(key_routing.belongs_to(event, QApplication.focusWidget()))
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves the presentation; G shows what was before for as long as it is held."""
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if event.key() == Qt.Key.Key_Escape and self.presenting:
            self.present(False)
        elif event.key() == Qt.Key.Key_G and plain:
            self.show_ghost(True)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """The ghost goes with the key."""
        if event.key() == Qt.Key.Key_G and not event.isAutoRepeat():
            self.show_ghost(False)
        super().keyReleaseEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a file from the desktop, or text from a spreadsheet."""
        if self.importing.takes(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        event.acceptProposedAction()
        self.importing.take(event.mimeData())

    def changeEvent(self, event: QEvent) -> None:
        """Coming back to the window, see whether its file is still what it was."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.documents.look_at_disk()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes; leave no process behind."""
        if not self._closing and not self.documents.may_discard():
            event.ignore()
            return
        self.player.pause()
        self.exporting.close()
        self.importing.close()
        self.link.close()
        self.recovery.close()
        event.accept()

    def close_without_asking(self) -> None:
        """Close the window and give up what is not saved."""
        self._closing = True
        self.close()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.panels, 1)
        column.addWidget(self.player)
        rows = QSplitter(Qt.Orientation.Vertical)
        rows.addWidget(left)
        rows.addWidget(self.sides)
        rows.setStretchFactor(0, 1)
        rows.setSizes([SIZE[1], 190])
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.addWidget(rows)
        columns.addWidget(self.sidebar)
        columns.setStretchFactor(0, 1)
        columns.setSizes([SIZE[0] - WIDTH, WIDTH])
        for splitter in (rows, columns):
            splitter.setChildrenCollapsible(False)
        self.setCentralWidget(columns)

    def _connect(self) -> None:
        self.store.listen(self._changed)
        self.hand.listen(self.actions_.refresh)
        self.hand.listen(lambda: self.status.show_pinned(self.hand.pinned))
        self.link.pictured.connect(self._show_picture)
        self.link.status.connect(self.say)
        self.panels.current_changed.connect(self._show_panel)
        self.panels.resized.connect(self._resized.start)
        self.panels.canvas_made.connect(lambda canvas: canvas.hovered.connect(self._hover))
        self._resized.timeout.connect(self._request)
        self.sidebar.refused.connect(self.say)
        self.sidebar.help_asked.connect(lambda: command_functions.explain_method(self))
        self.sidebar.chooser.done.connect(lambda: self.canvas.setFocus())
        self.sides.dragged.connect(self.sidebar.set_hyperparameter)

    def _changed(self, old: Scene, new: Scene) -> None:
        """Follow the store: every part shows the present scene, and pictures of it are asked for."""
        self.player.follow_edit(old, new)
        if old.panels != new.panels or old.dataset is not new.dataset:
            self.status.clearMessage()  # what was said in passing was about the scene before
        if len(old.panels) != len(new.panels):
            self.panels.show_panels(len(new.panels))
        if old.panels != new.panels or old.axes != new.axes or not same_classes(old, new):
            self._show_panel()
        if new.view.slice is not None and old.view.slice is None and not self.sides.open_slice():
            self.say("This method has no sum of bumps to plot along the line: kernel methods have.")
        self._refresh()
        self._request()

    def _refresh(self) -> None:
        self.actions_.refresh()
        self.status.show_scene(self.store.scene)
        if self.hand.pinned:
            self.status.show_place(self.store.scene, self.store.scene.view.probe)
        self.refresh_title()

    def _request(self) -> None:
        sizes = tuple(canvas.area_size() for canvas in self.panels.canvases)
        self.link.request(self.store.scene, sizes, draft=self.store.gesturing)

    def _show_panel(self) -> None:
        self.sidebar.show_panel(self.current)
        self.appearance.show_parts()
        picture = self.pictures.get(self.current)
        if picture is not None:
            self._show_numbers(picture)

    def _show_picture(self, picture: PanelPicture) -> None:
        if picture.panel >= len(self.panels.canvases):
            return
        self.pictures[picture.panel] = picture
        self.panels.canvases[picture.panel].set_picture(picture)
        if picture.panel == self.current:
            self._show_numbers(picture)

    def _show_numbers(self, picture: PanelPicture) -> None:
        algorithm = self.sidebar.panel.pipeline.algorithm
        self.sidebar.show_picture(picture)
        self.sides.show_plots(picture.sides, picture.draft)
        self.status.show_picture(picture)
        usable = self.player.usable
        self.player.show_picture(picture, algorithm.traits.playable)
        if usable != self.player.usable:
            self.actions_.refresh()

    def _hover(self, place: tuple[float, float] | None) -> None:
        scene = self.store.scene
        self.status.show_place(scene, place)
        if not self.store.gesturing and place != scene.view.probe:
            self.store.look(scene.with_view(probe=place))
