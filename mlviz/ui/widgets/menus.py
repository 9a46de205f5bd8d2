"""Menus inside menus."""

from __future__ import annotations

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
