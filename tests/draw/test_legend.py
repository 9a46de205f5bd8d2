import numpy as np
import pytest

from mlviz.draw import legend
from mlviz.draw.marks import Arrows, Lines, Points, Polygons, Segments, Text
from mlviz.draw.marks.base import Swatch
from mlviz.draw.palette import ink

XY = np.zeros((2, 2))


def test_one_entry_a_label_and_a_class():
    marks = (
        Lines("boundary", XY, label="decision boundary"),
        Lines("margin", XY, label="margin"),
        Lines("margin", XY, label="margin"),
        Points("support vector", XY),
        Segments("path", XY, XY, label="path"),
        Points("now", XY, label="path"),
        Polygons("square", (XY,), label="2 sigma"),
        Arrows("component", XY, XY, label="axes"),
    )
    found = legend.entries(marks, np.array([2, 0, 2]), ("setosa", "versicolor"), np.array([False, True, False]))
    assert [entry.label for entry in found] == [
        "setosa", "class 3", "held out", "decision boundary", "margin", "path", "2 sigma", "axes"
    ]  # fmt: skip
    assert found[1].swatches == (Swatch("sample", "class 2"),)
    assert found[5].swatches == (Swatch("line", "path"), Swatch("symbol", "now"))
    assert found[6].swatches == (Swatch("patch", "square"),)
    assert found[7].swatches == (Swatch("arrow", "component"),)


@pytest.mark.parametrize(("out", "on"), [(False, True), (True, True), (False, False), (True, False)])
def test_held_out_and_switched_off_are_told_where_some_are(out, on):
    found = legend.entries((), np.array([1, 1]), (), np.array([False, out]), np.array([True, on]))
    wanted = {"held out": ("hollow", out), "switched off": ("off", not on)}
    assert [entry.label for entry in found[1:]] == [label for label, (_, there) in wanted.items() if there]
    for entry in found[1:]:
        assert entry.swatches == (Swatch(wanted[entry.label][0], "class 1"),)


def test_a_symbol_is_as_large_as_the_marks():
    (entry,) = legend.entries([Points("class 1", XY, size=np.array([0.5, 0.5]), label="cluster 2")])
    assert entry.swatches == (Swatch("symbol", "class 1", 0.5),)


def test_what_several_clusters_have_is_of_the_colour_of_none():
    marks = [Points(f"vote {code}", XY, label="border samples") for code in (0, 3, 1)]
    (entry,) = legend.entries([*marks, Lines("link 2", XY, label="border samples")])
    assert entry.swatches == (Swatch("symbol", "vote -1"), Swatch("line", "link 2"))
    for theme in ("light", "dark", "print"):
        assert len({ink(f"vote {code}", theme).line for code in (-1, *range(9))}) == 10
    (entry,) = legend.entries(marks[1:2])
    assert entry.swatches == (Swatch("symbol", "vote 3"),), "of one cluster alone its own"


def test_samples_of_one_class_without_a_name_are_just_samples():
    one = np.zeros(3, dtype=np.intp)
    assert legend.entries((), one, ("class 1",))[0].label == "samples"
    assert legend.entries((), one, ("setosa",))[0].label == "setosa"
    assert legend.entries((), np.array([0, 1, 0]), ())[0].label == "class 1"


def test_nothing_to_say():
    assert legend.entries(()) == ()


def around(places, reach=0.0, weight=1.0):
    xy = np.reshape(np.asarray(places, dtype=np.float64), (-1, 2))
    return legend.Obstacles(xy, np.full(len(xy), reach), np.full(len(xy), weight))


def test_the_corner_that_hides_least():
    area, size = (10.0, 20.0, 100.0, 80.0), (30.0, 20.0)
    top_right, top_left = [(100.0, 25.0)], [(12.0, 22.0)]
    bottom = [(100.0, 85.0), (12.0, 85.0)]

    def corner(samples, others=()):
        return legend.corner(size, area, around(samples), around(others))

    assert corner([]) == (80, 20)
    assert corner(top_right) == (10, 20)
    assert corner(top_right, top_left) == (80, 80)
    assert corner([(np.nan, np.nan)]) == (80, 20)
    # A sample outweighs whatever lines and words there are.
    assert corner([*top_left, *bottom], top_right * 10_000) == (80, 20)
    # Where samples are everywhere alike, what else is hidden decides.
    assert corner([*top_right, *top_left, *bottom], [*top_right, *top_left, bottom[0]]) == (10, 80)


def test_the_size_of_a_symbol_counts_not_its_middle_alone():
    area, size = (0.0, 0.0, 100.0, 80.0), (30.0, 20.0)
    beside = [(66.0, 24.0)]
    assert legend.corner(size, area, around(beside, 4.0), around([])) == (70, 0)
    assert legend.corner(size, area, around(beside, 4.1), around([])) == (0, 0)


def test_lines_are_stood_for_by_places_along_them_and_words_and_symbols_weigh_more():
    gap = (np.nan, np.nan)
    line = np.array([(0.0, 0), (10, 20), gap, (5, 5)])
    words = Text("probability", np.array([(1.0, 2)]), ("0.5",))
    points = Points("center", np.array([(3.0, 4), (5, 6)]), size=np.array([1.0, 2.0]))
    found = legend.obstacles((Lines("boundary", line), words, points), scale=1.5)
    there = found.places[:100][np.isfinite(found.places[:100]).all(axis=1)]
    assert len(there) > 30 and np.ptp(there[:, 0]) == 10
    np.testing.assert_array_equal(found.places[100:], [(1, 2), (3, 4), (5, 6)])
    assert (found.weight[:100] == 1).all() and (found.weight[100:] == 5).all()
    half = ink("center", "dark").size / 2
    np.testing.assert_array_equal(found.reach[100:], [0, 1.5 * half, 3 * half])
    assert legend.obstacles((Lines("boundary", np.empty((0, 2))),)).places.shape == (0, 2)


def test_one_column_then_several_then_none():
    widths = [40.0] * 9
    assert legend.layout(widths, 10, (200, 100)) == legend.Layout(9, (40.0,))
    assert legend.layout(widths, 10, (200, 50)) == legend.Layout(5, (40.0, 40.0))
    assert legend.layout(widths, 10, (90, 30)) is None
    assert legend.layout(widths, 10, (50, 5)) is None


def test_anchors_are_finite_in_number():
    long = Lines("curve", np.zeros((100_000, 2)))
    assert len(legend.obstacles([long, Points("now", XY), Segments("residual", XY, XY)]).places) < 300


def test_of_fewer_entries_classes_stay_longest_and_an_area_longer_than_samples_without_a_name():
    marks = (
        Polygons("band", (XY,), label="band"),
        Lines("residual", XY, label="residuals"),
        Lines("curve", XY, label="curve"),
    )
    plain, named = legend.entries(marks, np.array([0, 0])), legend.entries(marks, np.array([0, 1]), ("a", "b"))
    labels = [[[entry.label for entry in choice] for choice in legend.choices(found)] for found in (plain, named)]
    whole = ["band", "residuals", "curve"]
    assert labels[0] == [["samples", *whole], whole, ["band", "curve"], ["band"], ["samples"]]
    assert labels[1] == [["a", "b", *whole], ["a", "b"]]
