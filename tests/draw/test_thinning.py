import numpy as np

from mlviz.draw.marks import MOST_LINES, Points, Segments, thin_marks
from mlviz.numerics.sampling import subsample


def lines(n, rows=True, seed=0):
    start = np.random.default_rng(seed).normal(0, 1, (n, 2))
    return Segments("residual", start, start + np.array((0.0, 1.0)), rows=np.arange(n) if rows else None)


def test_few_lines_stay_as_they_are():
    marks = (lines(MOST_LINES), Points("center", np.zeros((2, 2))))
    assert thin_marks(marks) == (marks, "")


def test_of_very_many_lines_some_stand_for_all_and_the_caption_says_so():
    marks = (lines(20_000), lines(10_000, seed=1), lines(5000, rows=False), Points("center", np.zeros((2, 2))))
    shown, remark = thin_marks(marks)
    assert remark == "lines drawn for 1 in 10 samples"
    assert [len(mark.start) for mark in shown[:2]] == [2000, 1000]
    assert shown[2:] == marks[2:]
    assert np.array_equal(shown[0].start, marks[0].start[shown[0].rows])
    assert np.array_equal(shown[0].end, marks[0].end[shown[0].rows])
    # They are spread like the samples.
    assert np.allclose(shown[0].start.mean(axis=0), marks[0].start.mean(axis=0), atol=0.1)


def test_the_order_of_the_rows_does_not_matter():
    mark = lines(20_000)
    order = np.random.default_rng(2).permutation(20_000)
    shuffled = Segments("residual", mark.start[order], mark.end[order], rows=np.arange(20_000))
    assert np.array_equal(thin_marks([mark])[0][0].end, thin_marks([shuffled])[0][0].end)


def test_one_line_too_many_halves_them():
    for n, drawn, remark in ((3001, 1501, "1 in 2"), (5999, 3000, "1 in 2"), (6001, 2001, "1 in 3")):
        (shown,), words = thin_marks([lines(n)])
        assert len(shown.start) == drawn and remark in words


def test_rows_are_taken_evenly_along_their_order():
    order = np.random.default_rng(0).permutation(1000)
    assert np.array_equal(subsample(order, 2000), order)
    assert np.array_equal(subsample(order, 4), order[[0, 333, 666, 999]])
    assert len(subsample(order[:0], 5)) == 0
