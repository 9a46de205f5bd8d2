"""Words in lines: none wider than the room, and a name of any length at once."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from mlviz.algorithms import registry
from mlviz.ui.paint.axes import Style, metrics
from mlviz.ui.paint.caption import fitted, wrapped
from mlviz.ui.paint.cells import alone, on_screen


class Counted:
    """A type that counts how often it is asked for a width."""

    def __init__(self):
        self.asked = 0

    def horizontalAdvance(self, words):
        self.asked += 1
        return 7.0 * len(words)


@pytest.mark.usefixtures("qapp")
def test_no_line_is_wider_than_the_room_and_no_sign_is_lost():
    rng = np.random.default_rng(0)
    fm = QFontMetricsF(QFont())
    for _ in range(200):
        words = " ".join("".join(rng.choice(list("abcdW=,")) for _ in range(rng.integers(1, 30))) for _ in range(6))
        width = float(rng.uniform(30, 200))
        lines = wrapped(words, width, fm)
        assert "".join("".join(lines).split()) == "".join(words.split())
        assert all(fm.horizontalAdvance(line) <= width or len(line) == 1 for line in lines)


@pytest.mark.usefixtures("qapp")
def test_that_directions_may_be_arbitrary_is_told_in_full_beside_another_canvas():
    model = registry()["pca"]().fit(np.array([(1.0, 1), (1, -1.02), (-1, 1), (-1, -1)]))
    _, lines = fitted(f"principal component analysis; n = 100; {model.caveat}", QRectF(0, 0, 420, 32), Style())
    assert model.caveat and " ".join(lines).endswith(model.caveat)


@pytest.mark.parametrize("length", [3_000, 300_000])
def test_a_word_without_blanks_takes_no_longer_the_longer_it_is(length):
    fm = Counted()
    lines = wrapped("canary" * (length // 6), 100.0, fm)
    assert fm.asked < 2_000
    assert "".join(lines).startswith("canarycanary") and lines[-1].endswith("…")


def test_a_word_that_has_room_in_a_line_is_not_looked_into():
    fm = Counted()
    assert len(wrapped("four words " * 50, 80.0, fm)) == 50
    assert fm.asked < 150, "each word once, and once more where it begins a line"


@pytest.mark.usefixtures("qapp")
def test_such_a_word_is_fitted_into_a_caption():
    factor, lines = fitted("W" * 100_000, QRectF(0, 0, 300, 40), Style())
    assert 0 < factor < 1 and lines


@pytest.mark.parametrize("text", [1.0, 1.6])
def test_no_part_of_a_caption_is_cut(qapp, text):
    words = (
        "support vector machine, C = 12.5, polynomial, degree = 3, coef0 = 1; standardized; one-vs-one; n = 4000; "
        "fitted to 3,000 of 4,000 samples, drawn at random; training error 12.3 %"
    )
    style = Style(text=text)
    for width in range(260, 1900, 20):
        box = alone(width, 600, style).caption
        factor, lines = fitted(words, box, style)
        shown = " ".join(lines)
        assert set(re.split("[;,] ", shown)) <= {*re.split("[;,] ", words), "…"}, "parts are whole"
        assert shown.startswith("support vector machine, ") and shown.endswith("training error 12.3 %")
        assert shown == words or width < 720 * text
        fm = metrics(style, factor)
        assert len(lines) * fm.lineSpacing() <= box.height()
        assert fm.capHeight() >= 7.9 * max(1.0, 0.8 * text)


REMARK = "; not separable by a line: it cycles, stopped after 1000 rounds; fitted on x1, x2, x3, seen along the others"


@pytest.mark.parametrize("text", [1.0, 1.6])
@pytest.mark.parametrize("remark", ["", REMARK])
def test_the_results_of_every_method_have_room_among_six_canvases(qapp, text, remark):
    style, results = Style(text=text), 0
    cells = on_screen(QRectF(0, 0, 972 * text, 640 * text), [(0, 0)] * 6, style, 6).cells
    for method in registry().values():
        caption = method().caption(2)
        for words in ("training error 12.3 %", "training RMSE 0.123"):
            _, lines = fitted(f"{caption}; standardized; n = 4000; {words}{remark}", cells[0].caption, style)
            assert words in " ".join(lines), method.id
            results += 1
    assert results > 40


def test_captions_beside_each_other_have_one_size(qapp):
    box = alone(300, 300, Style()).caption
    words = ("k-means, k = 3; n = 20", "support vector machine, C = 12.5, polynomial, degree = 3; n = 20; " * 2)
    assert len({fitted(caption, box, Style())[0] for caption in words}) == 1


def test_a_line_ends_between_the_parts_of_a_caption(qapp):
    words = "logistic regression, L2, λ = 0.01, Newton's method; n = 100; training error 5 %"
    _, lines = fitted(words, QRectF(0, 0, 360, 40), Style())
    assert len(lines) == 2 and lines[0].endswith(";") and " ".join(lines) == words


def test_a_long_caption_has_two_lines_of_full_size_in_a_wide_canvas():
    words = "support vector machine, C = 3.3, expression, " + "gaussian(0.5) + 0.1*linear^2 + " * 5 + "linear; n = 100"
    factor, lines = fitted(words, alone(1080, 600, Style()).caption, Style())
    assert factor == 1.0 and len(lines) == 2


def test_what_tells_two_canvases_apart_stays_longer_than_what_they_share(qapp):
    box = on_screen(QRectF(0, 0, 972, 400), [(0, 0)] * 2, Style(), 2).cells[0].caption
    remark = "fitted on 9 inputs, the others drawn at their means"
    lasso = registry()["linear-regression"](penalty="L1").caption(2, ("penalty", "lambda"))
    captions = [lasso, *(method().caption(2) for method in registry().values())]
    told = 0
    for caption in captions:
        factor, lines = fitted(f"{caption}; standardized; n = 60; training RMSE 0.2906; {remark}", box, Style())
        apart = ", ".join(caption.split(", ")[:3])
        if metrics(Style(), factor).horizontalAdvance(f"{apart}, …; training RMSE 0.2906;") < box.width() - 16:
            assert lines[0].startswith(apart) and lines[0].endswith("RMSE 0.2906;") and lines[1] == remark
            told += 1
    assert told > 20
