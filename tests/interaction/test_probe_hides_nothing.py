"""The place that is pointed at is ringed: a sample there, such as one just clicked, is seen whole."""

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.draw import palette
from mlviz.draw.marks import Points
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.canvas_axes import axes_of
from mlviz.scene.defaults import default_scene
from mlviz.ui.paint.explanation_card import pinned
from mlviz.ui.paint.samples import SAMPLE_SIZE
from mlviz.ui.paint.scene_view import marks_over_samples
from tests.sweep import sweep
from tests.ui.hands import Desk
from tests.ui.samples import some_points


def covering(marks, place):
    """The roles of filled symbols at a place."""
    for mark in marks:
        if isinstance(mark, Points) and (np.abs(mark.xy - place).max(axis=1) < 1e-9).any():
            ink = palette.ink(mark.role, "light")
            if ink.fill is not None and ink.fill[3] > 80:
                yield mark.role


@sweep("method", registry())
def test_what_is_said_of_a_place_hides_no_sample_there(method):
    data = some_points(30)
    place = tuple(data.X[0].tolist())
    scene = edits.with_method(default_scene().replace(dataset=data), 0, method).with_view(probe=place)
    (picture,) = draw(scene, ((300, 300),), 8)
    told = pinned(scene, picture)
    assert not [*covering(() if told is None else told.marks, place)]


@pytest.mark.slow
def test_a_pin_hides_no_sample_below_it(qtbot):
    desk = Desk(qtbot, [(1.0, 1.0)])
    desk.store.look(desk.store.scene.with_view(probe=(1.0, 1.0)))
    desk.hand.pinned = True
    marks = marks_over_samples(desk.store.scene, axes_of(desk.store.scene, 0), desk.hand, None)
    assert [mark.role for mark in marks] == ["probe"] and not [*covering(marks, (1.0, 1.0))]
    assert palette.ink("probe", "light").size > 1.5 * SAMPLE_SIZE
