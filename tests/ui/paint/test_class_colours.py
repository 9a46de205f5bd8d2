"""Other colours of the classes: the picture of every method is that of classes with other numbers, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw import palette
from mlviz.draw.marks import Field, Points
from mlviz.draw.plot import full_limits
from mlviz.picture.render import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene, View
from mlviz.testing.check import cases, ordinary
from mlviz.ui.figure import figure
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.explanation_card import pinned
from mlviz.ui.paint.scene_view import samples_of
from mlviz.ui.paint.stack import FrameContent, paint_content, paint_plot
from tests.sweep import sweep
from tests.ui.paint.paper import painted as on_paper

pytestmark = pytest.mark.usefixtures("qapp")
COLOURS = (3, 5, 6, 7, 8, 0, 1, 2, 4)
"""The first five stay in their order, as the legend lists them."""
NAMES = ("ash", "oak", "elm", "fir")


def scenes_of(method, count=3):
    """A scene for each task of a method, its samples in named classes."""
    for case in cases(method):
        X, y = ordinary(case)
        labels = y if case.task == "classification" else np.arange(len(X)) % count
        data = Dataset(X, labels, ("a", "b")[: X.shape[1]], class_names=NAMES, held_out=np.arange(len(X)) % 7 == 0)
        target = None
        if case.task == "regression":
            data = replace(data, X=np.column_stack((X, y)), columns=(*data.columns, "t"))
            target = "t"
        axes = data.columns[:2]
        hidden = ()  # all layers, also those that are usually off
        view = View(axes=(axes[0], axes[-1]), limits=(-4, 4, -4, 4), probe=(0.5, 0.3), slice=(-2.0, 1.0, 2.0, -1.0))
        yield Scene(data, (Panel(Pipeline(method()), data.columns[: X.shape[1]], target, hidden),), view=view)


def renumbered_role(role):
    kind, _, code = role.rpartition(" ")
    if kind not in palette._CLASS_ROLES or not code.removeprefix("-").isdecimal():
        return role
    return f"{kind} {palette.class_number(int(code), COLOURS)}"


def renumbered(mark):
    """The mark as it would be if the classes had the numbers of `COLOURS` as their codes."""
    changes = {"role": renumbered_role(mark.role)}
    if isinstance(mark, Field) and mark.classes is not None:
        changes["classes"] = np.array(COLOURS)[mark.classes].astype(mark.classes.dtype)
    if isinstance(mark, Points) and mark.mix is not None:
        changes["mix"] = np.zeros((len(mark.mix), 9), dtype=mark.mix.dtype)
        changes["mix"][:, COLOURS[: mark.mix.shape[1]]] = mark.mix
    return replace(mark, **changes)


def renumbered_plot(plot):
    return replace(plot, marks=tuple(map(renumbered, plot.marks)))


def renumbered_all(scene, picture):
    names = [f"class {k + 1}" for k in range(9)]
    for code, name in enumerate(NAMES):
        names[COLOURS[code]] = name
    data = replace(scene.dataset, labels=np.array(COLOURS)[scene.dataset.labels], class_names=tuple(names))
    told = picture.explanation
    return scene.replace(dataset=data), replace(
        picture,
        plot=renumbered_plot(picture.plot),
        sides=tuple(map(renumbered_plot, picture.sides)),
        explanation=told and replace(told, marks=tuple(map(renumbered, told.marks))),
    )


def painted(scene, picture, style, raster):
    """The canvas and the side plots, as on the screen or as in a file."""

    def paint(painter):
        told = pinned(scene, picture)
        if told:  # the beginning of its words, which have the ink of the theme and are long to lay out
            told = replace(told, words=told.words[:60])
        content = FrameContent(
            picture.plot,
            samples_of(scene, 0),
            evidence=told.marks if told else (),
            pinned=told,
            caption=picture.caption,
        )
        paint_content(painter, QRectF(0, 0, 300, 300), content, scene.view.limits, style, raster)
        for place, side in enumerate(picture.sides):
            rect = QRectF(300 * (place + 1), 0, 300, 300)
            paint_plot(painter, rect, side, full_limits(side), style, raster)

    size = (300 * (1 + len(picture.sides)), 300)
    return on_paper(paint, size=size)


@sweep("method, where", registry().values(), ["screen", "file"])
def test_every_mark_of_a_class_has_the_colour_and_shape_of_its_number(method, where):
    raster = where == "screen"
    for scene in scenes_of(method):
        (picture,) = draw(scene, [(300, 300)], resolution=60)
        assert picture.message is None
        coloured = painted(scene, picture, Style(colours=COLOURS), raster)
        other_scene, other = renumbered_all(scene, picture)
        assert np.array_equal(coloured, painted(other_scene, other, Style(), raster))
        usual = painted(scene, replace(picture, sides=()), Style(), raster)
        if samples_of(scene, 0).shades is not None:  # they wear values
            assert np.array_equal(coloured[:, :300], usual)
            continue
        assert (coloured[:, :300] != usual).any(), "the samples at least"


def test_a_figure_has_the_colours_of_its_scene_whatever_the_style():
    scene = next(scenes_of(registry()["lda"])).replace(colours=COLOURS)
    pictures = draw(scene, [(300, 300)], resolution=60)

    def figure_in(style):
        return on_paper(
            lambda p: figure.paint_figure(p, (400, 400), pictures, scene, style, sides=True), size=(400, 400)
        )

    np.testing.assert_array_equal(figure_in(Style()), figure_in(Style(colours=COLOURS)))
    np.testing.assert_array_equal(figure_in(Style(colours=COLOURS[::-1])), figure_in(Style()))
