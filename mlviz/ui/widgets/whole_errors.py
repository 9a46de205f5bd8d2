"""Errors on their way through Qt, made whole for Python 3.11.

There an error from inside a library, such as an index out of range, is a kind and a message until someone catches it.
Where a method in place of one of Qt's lets it through below a call from Python, PySide takes the message for the error,
and the program ends without a word. Caught and raised again it is whole, and is told. From Python 3.12 on all are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import FunctionType
from typing import Any

from PySide6.QtCore import QObject

_OWN = "mlviz."


def make_errors_whole() -> None:
    """Mend all classes that there are, and those that come later."""
    if sys.version_info >= (3, 12) or "__init_subclass__" in vars(QObject):
        return
    for kind in set(_below(QObject)):
        _mend(kind)
    QObject.__init_subclass__ = classmethod(_begun)  # type: ignore[assignment]


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for part in kind.__subclasses__():
        yield part
        yield from _below(part)


def _begun(kind: type[QObject]) -> None:
    super(QObject, kind).__init_subclass__()  # that of what else it is made from
    _mend(kind)


def _mend(kind: type) -> None:
    """Have each method of a class of the program that takes the place of one of Qt's let whole errors through."""
    if not kind.__module__.startswith(_OWN):
        return
    of_qt = [vars(base) for base in kind.__mro__ if base.__module__.startswith("PySide6.")]
    for name, method in list(vars(kind).items()):
        if isinstance(method, FunctionType) and not name.startswith("__") and any(name in part for part in of_qt):
            setattr(kind, name, _whole(method))


def _whole(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def called(*given: Any, **named: Any) -> Any:
        try:
            return method(*given, **named)
        except BaseException:
            raise

    return called
