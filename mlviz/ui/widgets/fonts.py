"""Characters that no font here has: told in one sentence of ours, and not in Qt's twenty lines."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Callable

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QFontMetrics, QGuiApplication

from mlviz.data.dataset import Dataset
from mlviz.spec.outside import printable

SAID_BETTER = ("OpenType support missing", "This plugin does not support")
"""How the lines of Qt's begin that tell a person nothing: of fonts it has tried in vain, and of what a screen lacks."""
_LEVELS = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO, QtMsgType.QtFatalMsg: logging.FATAL}
_UNNAMED = ("Co", "Cn")
"""Characters for private use, and those of later versions of Unicode: no control signs, and painted as boxes."""
log = logging.getLogger("mlviz.qt")


def qt_to_log() -> None:
    """What Qt says goes into the log "mlviz.qt" from now on, unless somebody listens to it already."""
    former: Callable[..., object] | None = qInstallMessageHandler(_note)
    if former is not None:
        qInstallMessageHandler(former)


def _note(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    level = logging.DEBUG if message.startswith(SAID_BETTER) else _LEVELS.get(kind, logging.WARNING)
    log.log(level, "%s", message)


def names_of(dataset: Dataset) -> tuple[str, ...]:
    """The names that are shown of a data set."""
    return (*dataset.columns, dataset.class_column, *dataset.class_names)


def without_font(texts: tuple[str, ...]) -> str:
    """A sentence on the characters of names that can't be shown; empty where all can."""
    metrics = QFontMetrics(QGuiApplication.font())  # which asks the fonts that stand in, too
    seen = [sign for sign in set("".join(texts)) if printable(sign).strip() or unicodedata.category(sign) in _UNNAMED]
    n = sum(not metrics.inFontUcs4(ord(sign)) for sign in seen)
    if n == 0:
        return ""
    many = ("s", "have", "are", "boxes") if n > 1 else ("", "has", "is", "a box")
    return "{} character{} of the names {} no font here and {} shown as {}.".format(n, *many)
