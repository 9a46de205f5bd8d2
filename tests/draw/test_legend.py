import numpy as np

from mlviz.draw import legend
from mlviz.draw.marks import Arrows, Lines, Points, Polygons, Segments, Text

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
    assert found[1].swatches == (legend.Swatch("sample", "class 2"),)
    assert found[5].swatches == (legend.Swatch("line", "path"), legend.Swatch("symbol", "now"))
    assert found[6].swatches == (legend.Swatch("patch", "square"),)
    assert found[7].swatches == (legend.Swatch("arrow", "component"),)


def test_a_symbol_is_as_large_as_the_marks():
    (entry,) = legend.entries([Points("class 1", XY, size=np.array([0.5, 0.5]), label="cluster 2")])
    assert entry.swatches == (legend.Swatch("symbol", "class 1", 0.5),)


def test_samples_of_one_class_without_a_name_are_just_samples():
    one = np.zeros(3, dtype=np.intp)
    assert legend.entries((), one, ("class 1",))[0].label == "samples"
    assert legend.entries((), one, ("setosa",))[0].label == "setosa"
    assert legend.entries((), np.array([0, 1, 0]), ())[0].label == "class 1"


def test_nothing_to_say():
    assert legend.entries(()) == ()


def test_the_corner_that_hides_least():
    area, size = (10.0, 20.0, 100.0, 80.0), (30.0, 20.0)
    top_right = [(100.0, 25.0)]
    assert legend.corner(size, area, []) == (80, 20)
    assert legend.corner(size, area, top_right) == (10, 20)
    assert legend.corner(size, area, top_right, [(12.0, 22.0)]) == (80, 80)
    assert legend.corner(size, area, [(np.nan, np.nan)]) == (80, 20)
    # A boundary and the numbers at contours count, as samples do.
    left = [(12.0, 22.0)]
    assert legend.corner(size, area, left, top_right * (legend.SAMPLE + 1)) == (80, 80)
    bottom = [(12.0, 85.0), (100.0, 85.0)]
    assert legend.corner(size, area, left + bottom, top_right) == (80, 20)


def test_lines_are_stood_for_by_places_along_them_and_words_by_several():
    gap = (np.nan, np.nan)
    line = np.array([(0.0, 0), (10, 20), gap, (5, 5)])
    marks = (Lines("boundary", line), Text("probability", np.array([(1.0, 2)]), ("0.5",)))
    found = legend.anchors(marks)
    line, words = found[: legend.ON_A_LINE], found[legend.ON_A_LINE :]
    there = line[np.isfinite(line).all(axis=1)]
    assert len(there) > 30 and np.ptp(there[:, 0]) == 10
    np.testing.assert_array_equal(words, [(1, 2)] * legend.WORD)
    assert legend.anchors((Lines("boundary", np.empty((0, 2))),)).shape == (0, 2)


def test_one_column_then_several_then_none():
    widths = [40.0] * 9
    assert legend.layout(widths, 10, (200, 100)) == legend.Layout(9, (40.0,))
    assert legend.layout(widths, 10, (200, 50)) == legend.Layout(5, (40.0, 40.0))
    assert legend.layout(widths, 10, (90, 30)) is None
    assert legend.layout(widths, 10, (50, 5)) is None


def test_anchors_are_finite_in_number():
    long = Lines("curve", np.zeros((100_000, 2)))
    assert len(legend.anchors([long, Points("now", XY), Segments("residual", XY, XY)])) < 300
