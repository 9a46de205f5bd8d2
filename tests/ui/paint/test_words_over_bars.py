"""The shares of the scree plot stand over the bars they belong to, whatever the size of the plot."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from mlviz.draw.marks import Text
from mlviz.draw.overlays.scree import scree_plot
from mlviz.ui.paint.axes import AxesFrame, Style
from mlviz.ui.paint.words import placed_words


@pytest.mark.parametrize("k", [1, 2, 5, 10])
@pytest.mark.parametrize(("width", "height"), [(870, 130), (600, 300), (1200, 700)])
def test_each_share_is_written_over_the_middle_of_its_bar(k, width, height, qapp):
    variances = 3.0 * 0.8 ** np.arange(k)
    plot = scree_plot(variances, 1.1 * variances.sum())
    frame, style = AxesFrame(plot.limits, QRectF(80, 20, width, height)), Style()
    (words,) = [mark for mark in plot.marks if isinstance(mark, Text)]
    placed = placed_words(frame, [words], None, style)
    assert [one.text for one in placed] == list(words.words)
    for one, (x, y) in zip(placed, frame.to_pixels(words.xy).tolist(), strict=True):
        assert abs(one.box.center().x() - x) < 1 and one.box.bottom() <= y
        assert QRectF(frame.area).contains(one.box)
