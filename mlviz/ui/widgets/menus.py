"""Menus inside menus, and their entries."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar


def add_submenu(menu: QMenu | QMenuBar, title: str, before: QAction | None = None) -> QMenu:
    """A new menu in another one or in the bar, above an entry of it or at its end; its entries show their tooltips."""
    made = QMenu(title, menu)
    made.setToolTipsVisible(True)
    if before is None:
        menu.addMenu(made)
    else:
        menu.insertMenu(before, made)
    return made


def add_entry(menu: QMenu, text: str, tip: str, run: Callable[[], object]) -> QAction:
    """A new entry at the end of a menu."""
    action = menu.addAction(text)
    action.setToolTip(tip)
    action.triggered.connect(run)
    return action
