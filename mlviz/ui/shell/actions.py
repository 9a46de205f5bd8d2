"""The commands as Qt actions: menus, toolbar and shortcuts, and which of them can be used just now."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolBar, QToolButton, QWidget

from mlviz.data.dataset import KEYED_CLASSES
from mlviz.interaction.values import keyed_values
from mlviz.scene.values import scale_of, value_column
from mlviz.spec.outside import shortened
from mlviz.ui.controls.class_bar import ClassBar
from mlviz.ui.controls.value_bar import ValueBar
from mlviz.ui.shell.menu import class_colours, command_functions
from mlviz.ui.shell.menu.command import MENUS, Command
from mlviz.ui.shell.menu.commands import COMMANDS
from mlviz.ui.shell.window_parts import WindowParts
from mlviz.ui.widgets import theme
from mlviz.ui.widgets.icons import icon
from mlviz.ui.widgets.parts import add_submenu, lay_out, named


class Actions:
    """One action a command, in the menus, in the toolbar and on the window itself.

    The window holds them too because a hidden menu bar takes its shortcuts with it.
    """

    def __init__(self, window: WindowParts) -> None:
        self._window = window
        self._commands = {command.id: command for command in COMMANDS}
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        self.toolbar = QToolBar("Tools", movable=False, iconSize=QSize(22, 22))
        self.toolbar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        window.addToolBar(self.toolbar)
        for path in MENUS:
            self.menu(path)
        for command in COMMANDS:
            self._add(command)
        classes = [self._actions[f"class {number}"] for number in range(1, KEYED_CLASSES + 1)]
        self.classes = ClassBar(
            classes,
            partial(command_functions.choose_class, window),
            partial(command_functions.rename_class, window),
            partial(class_colours.fill, window),
        )
        self.values = ValueBar(partial(command_functions.choose_value, window), self._end_of_value)
        self._beside = QWidget()
        """Holds what the next point will be: its class, or its value."""
        self._fill_toolbar()

    def action(self, name: str) -> QAction:
        """The action of a command."""
        return self._actions[name]

    def menu(self, path: str) -> QMenu:
        """The menu at a path such as "Edit/Tool"; made where there is none yet."""
        if path not in self._menus:
            above, _, _ = path.rpartition("/")
            self._menus[path] = add_submenu(self.menu(above) if above else self._window.menuBar(), MENUS[path])
        return self._menus[path]

    def place(self, name: str) -> tuple[QWidget, QRect]:
        """Where a command is: its button, empty for all of it, or the part of the menu bar that is its menu's title."""
        button = self.toolbar.widgetForAction(self._actions[name])
        if button is None:
            bar = self._window.menuBar()
            return bar, bar.actionGeometry(self.menu(self._commands[name].menu.partition("/")[0]).menuAction())
        return (button if button.isVisible() else self._more or button), QRect()

    def has_key(self, key: int) -> bool:
        """Whether a command has that key, pressed alone."""
        return any(QKeySequence(key) in action.shortcuts() for action in self._actions.values())

    def refresh(self) -> None:
        """Enable, tick and name the actions as the window is now."""
        window = self._window
        for name, command in self._commands.items():
            action = self._actions[name]
            able = command.enabled is None or command.enabled(window)
            action.setEnabled(able and not (command.bare and window.appearance.presenting))
            if command.checked is not None:
                action.setChecked(command.checked(window))
        scene, hand = window.store.scene, window.hand
        valued, column = (
            self.values.show_value(scene, hand, window.current),
            value_column(scene, window.current),
        )
        if valued and column is not None:
            scale = scale_of(scene.dataset, column)
            self.classes.show_values(shortened(column), keyed_values(scale), scale)
        else:
            self.classes.show_classes(scene, hand.code)
        self.values.setVisible(valued)
        self.classes.setVisible(not valued)
        for name, what in (("undo", window.store.undo_what), ("redo", window.store.redo_what)):
            self._actions[name].setText(f"{self._commands[name].text}{f' {what}' if what else ''}")

    def show_icons(self) -> None:
        """Take the icons and symbols of the present theme."""
        self.classes.show_icons(theme.shown())
        self.values.show_icons(theme.shown())
        self._beside.setFixedWidth(max(self.classes.width(), self.values.sizeHint().width()))
        # What does not fit is behind a button of Qt's, whose own picture can't be seen on dark.
        if self._more is not None:
            named(self._more, "More tools", "More tools").setIcon(icon("more"))
        for name, command in self._commands.items():
            if command.icon is not None:
                self._actions[name].setIcon(icon(command.icon))

    @property
    def _more(self) -> QToolButton | None:
        """The button behind which is what does not fit."""
        more = self.toolbar.findChild(QToolButton, "qt_toolbar_ext_button")
        return more if isinstance(more, QToolButton) else None

    def _add(self, command: Command) -> None:
        shown = f" ({command.native_keys[0]})" if command.keys else ""
        tip = f"{command.name}{shown}\n{command.tip}"
        checkable = command.checked is not None
        action = QAction(command.text, self._window, toolTip=tip, statusTip=command.tip, checkable=checkable)
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.triggered.connect(partial(self._run, command))
        menu = self.menu(command.menu)
        if command.line:
            menu.addSeparator()
        menu.addAction(action)
        self._window.addAction(action)
        self._actions[command.id] = action

    def _end_of_value(self) -> None:
        """The slider of the value is let go: its ends may be others by now."""
        self._window.burst.settle()
        self.refresh()

    def _run(self, command: Command) -> None:
        command.run(self._window)
        # A tick that the click has set must say what is, not what was clicked.
        self.refresh()

    def _fill_toolbar(self) -> None:
        last_menu = None
        for command in COMMANDS:
            if command.toolbar:
                if last_menu not in (None, command.menu) or command.line:
                    self.toolbar.addSeparator()
                if last_menu == "Edit/Tool" != command.menu:
                    lay_out(QHBoxLayout(self._beside), self.classes, self.values, spacing=0)
                    self.toolbar.addWidget(self._beside)
                    self.toolbar.addSeparator()
                last_menu = command.menu
                self.toolbar.addAction(self._actions[command.id])
