"""The window: its parts with menus and keys, following the store and the worker."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from mlviz.picture import PanelPicture
from mlviz.scene.canvas_axes import axes_of_view
from mlviz.scene.change import Change
from mlviz.scene.scene import Scene
from mlviz.studies.values import main_parameter
from mlviz.ui.datasets.break_it import BreakIt
from mlviz.ui.datasets.presets import Presets
from mlviz.ui.documents.recovery import Recovery
from mlviz.ui.paint.scene_view import probe_is_behind
from mlviz.ui.shell import key_routing
from mlviz.ui.shell.actions import Actions
from mlviz.ui.shell.guide import Guide
from mlviz.ui.shell.menu import command_functions
from mlviz.ui.shell.menu.commands import written
from mlviz.ui.shell.picture_requests import PictureRequests
from mlviz.ui.shell.window_parts import WINDOW_SIZE, WindowParts
from mlviz.ui.shell.worker_link import WorkerLink
from mlviz.ui.widgets.after_paint import AfterPaint
from mlviz.ui.widgets.parts import add_submenu
from mlviz.ui.widgets.preferences import Preferences

_BESIDE_MS = 50
"""So long after the hand changed samples, if no answer comes before, what stands beside the canvas follows."""
_SMALL_SCREEN = QSize(1366, 768)
"""On a screen that is narrower or lower the window takes all of it."""


class MainWindow(WindowParts):
    """The parts with commands, files dropped on them, and pictures of the scene as it changes."""

    def __init__(
        self,
        scene: Scene | None = None,
        link: WorkerLink | None = None,
        preferences: Preferences | None = None,
        copies: Path | None = None,
    ) -> None:
        """Copies of unsaved work go into the folder `copies`; without one there are none."""
        super().__init__(scene, link, preferences)
        self.actions_ = Actions(self)
        self.guide = Guide(self.desk, self.panels, self.actions_.action, written, self._where)
        recent = add_submenu(self.actions_.menu("File"), "Open recen&t", before=self.actions_.action("save"))
        open_table, tour = (self.actions_.action(name).trigger for name in ("open table", "tour"))
        self.studies.serve(self.actions_.menu("Study"))
        menus = self.actions_.menu("Data"), recent
        self.presets = Presets(self.desk, self.panels, self.documents.open, open_table, tour, *menus)
        self.breaking = BreakIt(self.desk, self.panels, self.column, self.actions_.menu("Data/Break it"))
        self.reveals.append(self.breaking.put_beside)
        self.setAcceptDrops(True)
        # Old projectors are smaller than the window would like to be, and its title takes its room too.
        title = self.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
        self.resize(QSize(*WINDOW_SIZE).boundedTo(self.screen().availableSize() - QSize(0, title)))
        self._peeking = self._told_of_sides = False
        self._requests = PictureRequests(self.store, self.link, self.panels, self.sides)
        self._numbers = AfterPaint(self)
        self._unfollowed: Change | None = None
        """What the parts beside the canvas have still to follow."""
        self._beside = QTimer(self, singleShot=True, interval=_BESIDE_MS)
        self._connect()
        self.recovery = Recovery(self.desk, self.documents, copies)
        self.panels.show_panels(len(self.store.scene.panels))
        self.appearance.set_theme(self.preferences.theme)
        self._show_panel()
        self._refresh()
        # Otherwise the first chooser would have the keyboard, and arrows would choose another method.
        self.canvas.setFocus()

    def show_first(self) -> None:
        """Show the window for the first time: where the screen is small, as large as it can be."""
        if _SMALL_SCREEN.boundedTo(self.screen().size()) != _SMALL_SCREEN:
            self.showMaximized()
        else:
            self.show()

    def event(self, event: QEvent) -> bool:
        """Leave a key to the control that has the keyboard, where the key means something to it.

        A key that no text field wants, in the place of a digit, is that digit.
        """
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            self._follow()  # which keys can be used depends on it
            digit = key_routing.digit_at(event)
            focus = QApplication.focusWidget()
            if digit is not None and not self.actions_.has_key(event.key()):
                self.actions_.action(f"class {digit}").trigger()
                if focus is not None:
                    focus.installEventFilter(self)
            event.setAccepted(key_routing.belongs_to(event, focus))
            return event.isAccepted()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A key that was a digit is nothing else: a list would look for what is printed on it."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            watched.removeEventFilter(self)
            return key_routing.digit_at(event) is not None
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return and Escape end typing, Escape what `back_out` does, and the tour; G shows what was before."""
        if key_routing.ends_typing(event, QApplication.focusWidget()):
            self.canvas.setFocus()
        elif event.key() == Qt.Key.Key_Escape:
            if not self.back_out():
                self.guide.leave_tour()
        elif key_routing.peeks(event) and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self._peeking = True
            self._show_ghost(True)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """The ghost goes with the key."""
        if key_routing.peeks(event) and self._peeking and not event.isAutoRepeat():
            self._peeking = False
            self._show_ghost(False)
        super().keyReleaseEvent(event)

    def _show_ghost(self, on: bool) -> None:
        self.panels.show_ghost(on)
        self.actions_.refresh()

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
        if not self.documents.may_discard():
            event.ignore()
            return
        self.player.pause()
        self.exporting.close()
        self.importing.close()
        self.link.close()
        self.recovery.close()
        event.accept()

    def _connect(self) -> None:
        self.store.listen(self._changed)
        self.hand.listen(self.actions_.refresh)
        self.breaking.forgotten.connect(self.actions_.refresh)
        self.appearance.parts_changed.connect(self.actions_.refresh)
        self.appearance.styled.connect(self.actions_.show_icons)
        self.hand.listen(lambda: self.status.show_pinned(self.hand.pinned))
        self.player.usable_changed.connect(self.actions_.refresh)
        self.link.pictured.connect(self._show_picture)
        self.link.status.connect(self.say)
        for show in (self._show_panel, self._show_numbers):
            self.panels.current_changed.connect(show)
        self.panels.canvas_made.connect(lambda canvas: canvas.hovered.connect(self._hover))
        self._numbers.due.connect(self._show_numbers)
        self._beside.timeout.connect(self._follow)
        self._numbers.due.connect(self.guide.rest.start)
        self.sidebar.hyperparameters.moved.connect(lambda name, value: self.guide.note(name))
        self.appearance.parts_changed.connect(self.guide.hide_hint)
        self.sidebar.refused.connect(self.say)
        self.sidebar.compared.connect(partial(command_functions.compare_values, self))
        self.sidebar.help_asked.connect(lambda: self.show_help(True))
        self.help.closed.connect(lambda: self.show_help(False))
        self.help.tried.connect(lambda number: command_functions.try_out(self, number))
        self.help.broken.connect(self.breaking.show_named)
        self.sidebar.chooser.done.connect(lambda: self.canvas.setFocus())
        self.sides.dragged.connect(self._drag_handle)

    def _changed(self, change: Change) -> None:
        """Follow the store: every part shows the present scene, and pictures of it are asked for."""
        # Not the change is asked: a listener may have swapped once more, of which nobody has been told yet.
        if len(self.panels.canvases) != (count := len(self.store.scene.panels)):
            self.panels.show_panels(count)
        if change.none:
            self._requests.rest()
            picture = self.pictures.get(self.current)
            if picture is None or picture.key == self.store.scene.dataset.key:
                self._numbers.start()  # otherwise they come with the answer
            return
        if change.pictures:
            # First of all: the worker is at it while the window follows.
            self._requests.ask()
        if change.colours:
            self._show_colours()
        self.player.follow_edit(change)
        self._unfollowed = change if self._unfollowed is None else Change(self._unfollowed.old, change.new)
        if not (change.samples and self.store.gesturing):
            self._follow()
        elif not self._beside.isActive():
            self._beside.start()

    def _follow(self) -> None:
        """Show the present scene beside the canvas."""
        change, self._unfollowed = self._unfollowed, None
        if change is None:
            return
        if change.panels or change.samples or change.attempts:
            self.status.show_change(change, self.canvas.axes)
        if change.panels or change.axes or change.classes or change.split or change.seed:
            self._show_panel()
        if change.old.view.slice is None and change.new.view.slice is not None:
            if not self.sides.open_slice():
                self.say("This method has no sum of bumps to plot along the line: kernel methods have.")
            elif not self.appearance.sides_shown:
                self.say("The function along the line is in the side plots: Shift+F9 opens them.")
        self._refresh()

    def _where(self, name: str) -> tuple[QWidget, QRect]:
        """What the tour speaks of: a widget, and the part of it, empty for all."""
        sidebar = self.sidebar
        methods, rows = sidebar.chooser.methods, sidebar.hyperparameters.rows
        parts = {
            "canvas": self.canvas,
            "next canvas": self.panels.canvases[(self.current + 1) % len(self.panels.canvases)],
            "middle": self.middle,
            "method": methods,
            "main hyperparameter": rows.get(main_parameter(sidebar.panel.pipeline.algorithm) or "", methods),
            "place": self.status,
            "playback": self.player if self.player.usable else methods,
        }
        return (parts[name], QRect()) if name in parts else self.actions_.place(name.removeprefix("command "))

    def _refresh(self) -> None:
        self.actions_.refresh()
        self.status.show_scene(self.store.scene)
        if self.hand.pinned:
            self.status.show_place(axes_of_view(self.store.scene), self.store.scene.view.probe)
        self.refresh_title()

    def _show_panel(self) -> None:
        self.sidebar.show_panel(self.current)
        self.help.show_method(type(self.sidebar.panel.pipeline.algorithm))
        self.show_parts()

    def _show_picture(self, picture: PanelPicture) -> None:
        if picture.panel >= len(self.panels.canvases) or picture.hidden != self.store.scene.hides_answer:
            return
        self.pictures[picture.panel] = picture
        self.panels.canvases[picture.panel].set_picture(picture)
        if picture.panel == self.current:
            self._numbers.start()

    def _show_numbers(self) -> None:
        """Show what the newest picture says beside the canvas, which was painted before that."""
        self._follow()
        if (picture := self.pictures.get(self.current)) is None:
            return
        if not (picture.message or picture.draft or self.store.gesturing):
            if not self.fitted:
                self.fitted = True
                self.show_parts()
            self._tell_of_sides(picture)
        self.sidebar.show_picture(picture)
        if picture.sides is not None:
            self.sides.show_plots(self.studies.shown(picture), self.player.holds(picture))
        self.status.show_picture(picture)
        if probe_is_behind(self.store, self.hand):
            self.status.hide_sentence()
        self.player.show_picture(picture, self.sidebar.panel.pipeline.algorithm.traits.playable)

    def _tell_of_sides(self, picture: PanelPicture) -> None:
        """Say once where the side plots are, when the first ones are there and nothing is said, as under the cursor."""
        if self._told_of_sides or not picture.sides or self.status.currentMessage() or picture.explanation is not None:
            return
        self._told_of_sides = True
        if self.appearance.sides_unknown:
            self.say("The side plots of the method are in the View menu (Shift+F9).")

    def _drag_handle(self, path: str, value: float, finished: bool) -> None:
        self.burst.set_value(self.current, path, value, held=not finished)
        if finished:
            self.burst.settle()

    def _hover(self, place: tuple[float, float] | None) -> None:
        scene = self.store.scene
        self.status.show_place(axes_of_view(scene), place)
        if probe_is_behind(self.store, self.hand):
            self.status.hide_sentence()
        elif not self.store.gesturing and place != scene.view.probe:
            self.store.look(scene.with_view(probe=place))
