"""The classes in the toolbar: a symbol for each one in use, and one more for the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from mlviz.data.dataset import KEYED_CLASSES, Dataset, default_class_name
from mlviz.spec.outside import told
from mlviz.ui.paint.samples import class_icon
from mlviz.ui.widgets.parts import as_tooltip, lay_out, tool_button

_FIRST = 3
"""So many classes are offered from the start."""


class ClassBar(QWidget):
    """A button a class; its actions are those of the menu. "+" takes the first class that has no button yet.

    A double click, or the entry of the context menu, asks for the name of the class.
    """

    def __init__(
        self,
        actions: Sequence[QAction],
        choose: Callable[[int], None],
        rename: Callable[[int], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self._rename = rename
        self._theme = ""
        self._shown = 0
        self._names: tuple[str, ...] = ()
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

    def show_classes(self, dataset: Dataset, active: int) -> None:
        """Show a button for each class in use, the active one and the first few."""
        used = int(dataset.labels.max(initial=-1)) + 1
        count = min(max(_FIRST, used, active + 1), KEYED_CLASSES)
        names = tuple(dataset.class_name(code) for code in range(len(self.buttons)))
        if (count, names) == (self._shown, self._names):
            return
        self._shown, self._names = count, names
        for code, (button, name) in enumerate(zip(self.buttons, names, strict=True)):
            button.setVisible(code < count)
            button.setAccessibleName(name)
            usual = name == default_class_name(code)
            action = self._actions[code]
            action.setText(f"Class &{code + 1}" if usual else f"Class &{code + 1}: {name.replace('&', '&&')}")
            action.setStatusTip(f"New points belong to {told(name)}; selected points are moved to it.")
            action.setToolTip(
                as_tooltip(f"{told(name)} ({code + 1})\n{action.statusTip()}\nA double click gives it a name.")
            )
        self.more.setVisible(count < KEYED_CLASSES)

    def show_icons(self, theme: str) -> None:
        """Take the symbols of a theme."""
        if theme != self._theme:
            self._theme = theme
            for code, action in enumerate(self._actions):
                action.setIcon(class_icon(code, theme))
            # Room for all of them, so that one more class shifts nothing.
            self.setFixedWidth(sum(button.sizeHint().width() for button in (*self.buttons, self.more)))

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
        menu.addAction(f"Rename {self.buttons[code].accessibleName()}...", partial(self._rename, code))
        menu.popup(self.buttons[code].mapToGlobal(at))
