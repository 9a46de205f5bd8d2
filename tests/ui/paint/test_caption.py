"""Words in lines: none wider than the room, and a name of any length at once."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.caption import fitted, wrapped


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


@pytest.mark.parametrize("length", [3_000, 300_000])
def test_a_word_without_blanks_takes_no_longer_the_longer_it_is(length):
    fm = Counted()
    lines = wrapped("canary" * (length // 6), 100.0, fm)
    assert fm.asked < 2_000
    assert "".join(lines).startswith("canarycanary") and lines[-1].endswith("…")


@pytest.mark.usefixtures("qapp")
def test_such_a_word_is_fitted_into_a_caption():
    factor, lines = fitted("W" * 100_000, QRectF(0, 0, 300, 40), Style())
    assert 0 < factor < 1 and lines
