"""A legend in a narrow room: labels are cut only as far as they can be read and told apart."""

import pytest

from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.legend import written

LABELS = (("class 1", "class 2"), ("objective", "this step"), ("equal objective", "path", "minimum", "now"), ("fit",))


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("text", [1.0, 1.6])
def test_labels_that_are_cut_can_be_told_apart(labels, text):
    laid_out = [written(labels, (width, 400.0), Style(text=text)) for width in range(20, 400, 4)]
    shown = [words for _, _, words in filter(None, laid_out)]
    assert shown and shown[-1] == labels
    assert all(len(set(words)) == len(labels) for words in shown)
    assert all(len(word) > len(label) / 2 for words in shown for word, label in zip(words, labels, strict=True))
