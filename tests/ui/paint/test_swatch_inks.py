"""What stands before a word of a legend has the ink in which the marks of that word are drawn, in every method."""

from dataclasses import replace
from functools import cache

import numpy as np
from PySide6.QtCore import QRectF

from mlviz.algorithms import registry
from mlviz.draw import legend
from mlviz.draw.plot import full_limits
from mlviz.picture import draw
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.legend import paint_legend
from mlviz.ui.paint.scene_view import samples_of
from mlviz.ui.paint.stack import FrameContent, paint_content
from mlviz.ui.sideplots.plot_view import PlotView
from tests.ui.comparison.test_common_legend import FITS, scene_of
from tests.ui.paint.paper import painted, pixels

SIZE = (420, 320)
NO_LEGEND = Style(legend=False)
_SWATCH_PX = 24
_ALIKE = 72
"""Lines between two pixels of the screen are paler than their ink."""


@cache
def drawn(method):
    """A scene of a method and its picture."""
    scene = scene_of((method,))
    return scene, *draw(scene, [SIZE], 40, fits=FITS)


def swatch_colour(entry):
    """The strongest colour (3,) of the sign before a word, the last where several are drawn over each other."""
    alone = legend.Entry(entry.label, entry.swatches[-1:])
    laid_out = 1.0, legend.Layout(1, (380.0,)), (entry.label,)
    image = painted(lambda painter: paint_legend(painter, ((alone,), laid_out, (0.0, 0.0)), Style()), size=(400, 40))
    part = image[4:16, 8 : _SWATCH_PX + 4].reshape(-1, 3)
    return part[np.abs(part - part[0]).max(axis=1).argmax()]


def seen(plot, samples, qtbot):
    """The pixels of a plot without its legend, with what can be dragged in it."""
    if plot.handles:
        view = PlotView(plot, NO_LEGEND)
        qtbot.addWidget(view)
        view.resize(*SIZE)
        view.show()
        return pixels(view.grab().toImage())
    content, room = FrameContent(plot, samples, legend=False), QRectF(0, 0, *SIZE)
    return painted(lambda painter: paint_content(painter, room, content, full_limits(plot), NO_LEGEND), size=SIZE)


def test_a_sign_has_the_ink_of_marks_that_are_seen(qapp, qtbot):
    wrong, tried = [], set()
    for method in registry():
        scene, picture = drawn(method)
        for plot in (picture.plot, *picture.sides):
            plot = replace(plot, limits=full_limits(plot))
            entries = []
            for entry in legend.entries(plot.marks):
                # What is drawn and named alike in several methods is looked at in one of them.
                of = [(type(mark), mark.role, mark.shape) for mark in plot.marks if mark.label == entry.label]
                look = entry.swatches, bool(plot.handles), *of
                if entry.swatches[-1].shape != "scale" and look not in tried:
                    tried.add(look)
                    entries.append(entry)
            samples = samples_of(scene, 0) if plot.id == "data" else None
            whole = seen(plot, samples, qtbot) if entries else None
            for entry in entries:
                # Where a handle covers the mark, it is the handle that is seen.
                for handles in (plot.handles, ()):
                    bare = replace(plot, handles=handles, marks=tuple(m for m in plot.marks if m.label != entry.label))
                    own = whole[(whole != seen(bare, samples, qtbot)).any(axis=2)]
                    if len(own):
                        break
                away = np.abs(own - swatch_colour(entry)).max(axis=1).min(initial=255)
                if away > _ALIKE:
                    wrong.append((method, plot.id, entry.label, away))
    assert not wrong, "\n".join(map(str, wrong))


def test_a_line_below_one_that_is_dragged_has_its_ink(qapp):
    """The window paints what is dragged over it, and the legend names the line below."""
    wrong, lines = [], 0
    for method in registry():
        _, picture = drawn(method)
        for plot in picture.sides:
            for handle in plot.handles:
                axis = {"upright": 0, "level": 1}.get(handle.kind)
                for mark in plot.marks if axis is not None else ():
                    along = mark.places()[:, axis]
                    if (
                        mark.label
                        and mark.shape == "line"
                        and np.ptp(along) == 0
                        and along[0] == handle.points[handle.at, axis]
                    ):
                        lines += 1
                        wrong += [(method, mark.label)] if mark.role != "now" else []
    assert lines >= 2 and not wrong
