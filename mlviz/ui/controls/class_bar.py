"""The classes in the toolbar: a symbol for each one in use, and one more for the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from mlviz.data.dataset import KEYED_CLASSES, default_class_name
from mlviz.draw.numbers import format_number
from mlviz.draw.palette import Colours, class_look, class_number
from mlviz.draw.value_scale import ValueScale
from mlviz.scene.scene import Scene
from mlviz.spec.outside import shortened, told
from mlviz.ui.paint.samples import class_icon, shaded_icon
from mlviz.ui.widgets.parts import add_submenu, as_tooltip, lay_out, tool_button

_FIRST = 3
"""So many classes are offered from the start."""


class ClassBar(QWidget):
    """A button for each class; its actions are those of the menu. "+" takes the first class that has no button yet.

    A double click, or the entry of the context menu, asks for the name of the class; the menu has its colours, too.
    """

    def __init__(
        self,
        actions: Sequence[QAction],
        choose: Callable[[int], None],
        rename: Callable[[int], None],
        offer_colours: Callable[[int, QMenu], None],
    ) -> None:
        super().__init__()
        self._actions = actions
        self._rename, self._offer_colours = rename, offer_colours
        self._theme = ""
        self._shown = 0
        self._names: tuple[str, ...] = ()
        self._colours: Colours = ()
        self.buttons: list[QToolButton] = []
        for code, action in enumerate(actions):
            button = QToolButton(autoRaise=True, toolButtonStyle=Qt.ToolButtonStyle.ToolButtonIconOnly)
            button.setDefaultAction(action)
            button.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            button.customContextMenuRequested.connect(partial(self._offer, code))
            button.installEventFilter(self)
            self.buttons.append(button)
        self.more = tool_button("+", "One more class", "Take one more class.", lambda: choose(self._shown))
        self.more.setAutoRaise(True)
        lay_out(QHBoxLayout(self), *self.buttons, self.more, spacing=0).addStretch(1)

    def show_classes(self, scene: Scene, active: int) -> None:
        """Show a button for each class in use, the active one and the first few."""
        dataset = scene.dataset
        used = int(dataset.labels.max(initial=-1)) + 1
        count = min(max(_FIRST, used, active + 1), KEYED_CLASSES)
        if (count, dataset.class_names, scene.colours) == (self._shown, self._names, self._colours):
            return
        self._shown, self._names, self._colours = count, dataset.class_names, scene.colours
        names = tuple(shortened(dataset.class_name(code)) for code in range(len(self.buttons)))
        for code, (button, name) in enumerate(zip(self.buttons, names, strict=True)):
            button.setVisible(code < count)
            button.setAccessibleName(name)
            usual = name == default_class_name(code)
            action = self._actions[code]
            action.setText(f"Class &{code + 1}" if usual else f"Class &{code + 1}: {name.replace('&', '&&')}")
            action.setStatusTip(f"New points belong to {told(name)}; selected points are moved to it.")
            look = class_look(class_number(code, self._colours))
            more = "A double click gives it a name, a right click another colour."
            action.setToolTip(as_tooltip(f"{told(name)} ({code + 1}), {look}\n{action.statusTip()}\n{more}"))
        self._paint_icons()
        self.more.setVisible(count < KEYED_CLASSES)

    def show_values(self, name: str, values: Sequence[float], scale: ValueScale) -> None:
        """Where points have values, the menu's entries, and the digits, choose one of these instead."""
        for number, (action, value) in enumerate(zip(self._actions, values, strict=True), start=1):
            told = format_number(value)
            action.setText(f"{name.replace('&', '&&')} = {told} (&{number})")
            action.setStatusTip(f"New points have the value {told}, and the selected ones get it.")
            action.setToolTip(as_tooltip(action.statusTip()))
            if self._theme:
                action.setIcon(shaded_icon(int(scale.shades(value)), self._theme))
        self._shown = 0  # the classes come back with their own words

    def show_icons(self, theme: str) -> None:
        """Take the symbols of a theme."""
        if theme != self._theme:
            self._theme = theme
            self._paint_icons()
            # Room for all of them, so that one more class shifts nothing.
            self.setFixedWidth(sum(button.sizeHint().width() for button in (*self.buttons, self.more)))

    def _paint_icons(self) -> None:
        for code, action in enumerate(self._actions if self._theme else ()):
            action.setIcon(class_icon(class_number(code, self._colours), self._theme))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See double clicks on the buttons."""
        if (
            not isinstance(event, QMouseEvent)
            or event.type() != QEvent.Type.MouseButtonDblClick
            or event.button() != Qt.MouseButton.LeftButton
            or watched not in self.buttons
        ):
            return False
        # After the click is over: a dialog inside it would keep the button from seeing its end.
        QTimer.singleShot(0, self, partial(self._rename, self.buttons.index(watched)))
        return True

    def _offer(self, code: int, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        name = told(self.buttons[code].accessibleName()).replace("&", "&&")
        menu.addAction(f"Rename {name}...", partial(self._rename, code))
        self._offer_colours(code, add_submenu(menu, f"Colour of {name}"))
        menu.popup(self.buttons[code].mapToGlobal(at))
