"""Asking with a dialog, without leaving it behind."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel, QMessageBox, QWidget


def ask(dialog: QDialog) -> int:
    """Show the dialog until it is answered; returns what `exec` does.

    A dialog lives as long as its parent, the window: asked a hundred times, there would be a hundred of them. It can
    still be read until the event loop runs again. What it says is never taken for markup.
    """
    if isinstance(dialog, QMessageBox):
        dialog.setTextFormat(Qt.TextFormat.PlainText)
    for label in dialog.findChildren(QLabel):
        label.setTextFormat(Qt.TextFormat.PlainText)
    answer = dialog.exec()
    dialog.deleteLater()
    return answer


def confirm(parent: QWidget, title: str, question: str) -> bool:
    """Ask before something that can't be undone; Return and Escape both say no."""
    answers = QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No
    box = QMessageBox(QMessageBox.Icon.Question, title, question, answers, parent)
    box.setDefaultButton(QMessageBox.StandardButton.No)
    return ask(box) == QMessageBox.StandardButton.Yes
