"""What shows plots, loaded beside the window: importing pyqtgraph takes a third of a second."""

from __future__ import annotations

import contextlib
from functools import cache
from threading import Thread

from PySide6.QtWidgets import QWidget

from mlviz.draw.plot import Plot
from mlviz.ui.paint.axes import Style


def loaded() -> bool:
    """Whether views of plots can be made without a pause; who asks first has everything loaded in a thread."""
    return not _loading().is_alive()


def new_view(plot: Plot, style: Style) -> QWidget:
    """A view of that plot, a `PlotView`."""
    from mlviz.ui.sideplots.plot_view import PlotView

    return PlotView(plot, style)


@cache
def _loading() -> Thread:
    thread = Thread(target=_load)
    thread.start()
    return thread


def _load() -> None:
    # What fails here fails once more where a view is wanted, and is told there.
    with contextlib.suppress(ImportError):
        import mlviz.ui.sideplots.plot_view  # noqa: F401
