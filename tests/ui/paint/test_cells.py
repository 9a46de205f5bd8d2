"""Canvases beside each other, on the screen and in files: equal areas in rows and columns, names at the edges."""

import itertools

import pytest
from PySide6.QtCore import QRectF

from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.ui.figure.figure import plot_sizes
from mlviz.ui.paint import caption
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.cells import alone, on_screen
from tests.ui.samples import some_points

pytestmark = pytest.mark.usefixtures("qapp")
ROOMS = [(716, 433), (972, 465), (1280, 700), (500, 800), (1900, 900)]
SHARED = ("x1", "x2")


def made(n, room=(972, 465), text=1.0, axes=None):
    return on_screen(QRectF(2, 3, *room), axes or [SHARED] * n, Style(text=text), 6).cells


@pytest.mark.parametrize("text", [1.0, 1.6])
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("n", range(1, 7))
def test_areas_are_equally_large_on_whole_pixels_and_nothing_overlaps(n, room, text):
    for axes in ([SHARED] * n, [("x1", k) for k in range(n)], [(k % 2, "x2") for k in range(n)]):
        cells = made(n, room, text, axes)
        assert len({cell.area.size().toTuple() for cell in cells}) == 1
        assert all(cell.area == QRectF(cell.area.toRect()) for cell in cells)
        whole = QRectF(2, 3, *room)
        assert all(whole.contains(cell.room) and cell.room.contains(cell.area) for cell in cells)
        for one, other in itertools.combinations(cells, 2):
            assert not one.room.intersects(other.room)


@pytest.mark.parametrize("legend", [True, False])
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("n", range(2, 7))
def test_the_common_legend_has_a_room_of_its_own(n, room, legend):
    rooms = on_screen(QRectF(2, 3, *room), [SHARED] * n, Style(legend=legend), 6)
    assert not any(cell.room.intersects(rooms.legend) for cell in rooms.cells)
    columns = {cell.area.left() for cell in rooms.cells}
    assert rooms.legend.isEmpty() != bool(legend or n % len(columns))
    if not rooms.legend.isEmpty():
        assert QRectF(2, 3, *room).contains(rooms.legend)
        assert rooms.legend.height() >= 36 and rooms.legend.width() > 150


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("n", range(1, 7))
def test_areas_stand_in_rows_and_columns_and_captions_have_one_width(n, room):
    cells = made(n, room)
    columns, rows = ({cell.area.getRect()[side] for cell in cells} for side in (0, 1))
    assert len(columns) * len(rows) < n + len(columns)
    assert len({cell.caption.width() for cell in cells}) == 1
    words = ("k-means, k = 3; n = 20", "support vector machine, C = 12.5, polynomial, degree = 3; n = 20; " * 2)
    assert len({caption.fitted(words[k % 2], cell.caption, Style())[0] for k, cell in enumerate(cells)}) == 1


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("n", range(1, 7))
def test_names_stand_at_the_edges_alone_where_the_axes_are_shared(n, room):
    cells = made(n, room)
    for cell in cells:
        assert cell.edges.left == (cell.area.left() == min(other.area.left() for other in cells))
        column = [other.area.top() for other in cells if other.area.left() == cell.area.left()]
        assert cell.edges.below == (cell.area.top() == max(column))


@pytest.mark.parametrize(("room", "columns"), [((716, 433), 2), ((716, 640), 2), ((972, 690), 2), ((500, 800), 1)])
def test_two_stand_side_by_side_where_there_is_room(room, columns):
    assert len({cell.area.left() for cell in made(2, room)}) == columns


def test_axes_that_are_not_those_of_the_canvas_beside_are_named():
    cells = made(4, (972, 800), axes=[SHARED, ("x1", "x3"), ("x4", "x2"), ("x1", "x3")])
    assert [cell.edges.left for cell in cells] == [True] * 4
    assert [cell.edges.below for cell in cells] == [True, False, True, True]


def test_several_canvases_are_no_narrow_strips():
    for n, room in itertools.product(range(1, 7), [(716, 433), (972, 465), (972, 690), (1280, 700)]):
        width, height = made(n, room)[0].area.size().toTuple()
        assert 0.5 < width / height < 3.3, (n, room)


@pytest.mark.parametrize("n", range(2, 7))
def test_sharing_axes_gives_their_room_to_the_areas(n):
    def area(cells):
        return sum(cell.area.width() * cell.area.height() for cell in cells)

    apart = made(n, axes=[(k, k) for k in range(n)])
    assert area(made(n)) > 1.05 * area(apart)
    assert alone(400, 300, Style()).edges == made(1)[0].edges


@pytest.mark.parametrize("sides", [True, False])
@pytest.mark.parametrize("caption", [True, False])
@pytest.mark.parametrize("n", range(1, 7))
def test_areas_in_files_are_equally_large(n, caption, sides):
    scene = default_scene().replace(dataset=some_points(20))
    for _ in range(n - 1):
        scene = edits.with_another_panel(scene, 0)
    for size in ((900, 700), (321.2, 400.7)):
        sizes = plot_sizes(size, scene, Style(), caption, sides)
        assert len(sizes) == n and len(set(sizes)) == 1
