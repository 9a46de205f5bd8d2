"""Wheels and touchpads: up and down zooms, sideways pans, Alt and Shift turn one into the other."""

import numpy as np
import pytest

from mlviz.interaction.tool_state import ToolState
from tests.ui.hands import ALT, SHIFT, Desk

SWIPES = pytest.mark.parametrize(
    ("pixels", "angle"),
    [
        ((0, 0), (30, 0)),
        ((0, 0), (-30, 4)),
        ((15, 0), (30, 0)),
        ((15, 0), (0, 0)),
        ((-9, 3), (-18, 6)),
        ((1, 0), (1, 0)),
    ],
)
"""Parts of a sideways swipe, as systems tell them: by an angle, by pixels, by both; no finger moves quite straight."""


@SWIPES
def test_a_sideways_swipe_pans_by_what_the_fingers_move_and_never_zooms(qtbot, pixels, angle):
    desk = Desk(qtbot, [(0, 0)])
    before, at = desk.limits, desk.canvas.frame().to_pixels([(0.0, 0.0)])[0]
    for _ in range(20):
        desk.swipe(pixels, angle)
    assert np.allclose(np.ptp(desk.limits.reshape(2, 2), axis=1), 8.0)
    assert np.allclose(desk.limits[2:], before[2:])
    moved = desk.canvas.frame().to_pixels([(0.0, 0.0)])[0] - at
    assert np.allclose(moved, (20 * (pixels[0] or angle[0] / 2), 0.0))
    assert desk.store.undo_what is None


@pytest.mark.parametrize("keys", [SHIFT, ALT])
@SWIPES
def test_with_alt_or_shift_a_sideways_swipe_is_a_wheel(qtbot, keys, pixels, angle):
    desk, upright = Desk(qtbot), Desk(qtbot)
    desk.swipe(pixels, angle, keys)
    upright.swipe(pixels[::-1], angle[::-1], keys)
    assert desk.hand.radius == upright.hand.radius and np.allclose(desk.limits, upright.limits)
    assert (desk.hand.radius != ToolState().radius) == (keys == SHIFT)
    assert (np.ptp(desk.limits[:2]) != 8.0) == (keys == ALT)


@pytest.mark.parametrize("small", [1, 2, 5, 12, 30])
def test_many_small_parts_of_a_notch_zoom_as_far_as_the_notch(qtbot, small):
    at_once, *smooth = (Desk(qtbot) for _ in range(4))
    at_once.wheel(1, 1, 1)
    for _ in range(120 // small):
        smooth[0].swipe(angle=(0, small))
        smooth[1].swipe((0, small), (small // 3, small))
    for _ in range(60 // small):
        smooth[2].swipe((0, small))  # some systems tell pixels only
    for desk in smooth:
        assert np.allclose(np.ptp(desk.limits[:2]), np.ptp(at_once.limits[:2]))
        assert np.allclose(desk.limits, at_once.limits, atol=desk.canvas.unit().max())


def test_panning_ends_where_floats_do(qtbot):
    desk = Desk(qtbot)
    desk.store.look(desk.store.scene.with_view(limits=(8e99, 9e99, -1.0, 1.0)))
    for _ in range(300):
        desk.swipe((-30, 0))
    assert 9e99 < desk.limits[1] < 1e100


def test_a_place_under_a_mouse_that_rests_goes_with_the_view(qtbot):
    desk = Desk(qtbot, [(0, 0), (30, 20)])
    told = []
    desk.canvas.hovered.connect(told.append)
    desk.point_at(1, 1)
    pixel = desk.pixel(1, 1)
    for move in (desk.canvas.fit_view, lambda: desk.canvas.zoom(3.0), lambda: desk.swipe((40, 0))):
        move()
        told.clear()
        qtbot.waitUntil(lambda: bool(told))
        assert np.allclose(told[-1], desk.place(pixel)) and np.allclose(desk.hand.cursor, told[-1])


@pytest.mark.parametrize("notches", [1e7, -1e7])
def test_a_driver_that_turns_a_wheel_for_ever_breaks_nothing(qtbot, notches):
    desk = Desk(qtbot)
    desk.wheel(1, 1, notches)
    assert np.isfinite(desk.limits).all() and desk.limits[0] < desk.limits[1]
    desk.wheel(1, 1, notches, SHIFT)
    assert np.isfinite(desk.hand.radius)
