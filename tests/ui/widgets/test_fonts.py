"""Characters that no font has are told in one sentence, in the window and beside a figure; Qt says nothing."""

import os
import subprocess
import sys

import pytest
from PySide6.QtGui import QColor, QFont, QImage, QPainter

from mlviz.cli import main
from mlviz.data.dataset import Dataset
from mlviz.scene.edits import with_dataset
from mlviz.ui.widgets.fonts import without_font

pytestmark = pytest.mark.qt_log_ignore("OpenType support missing", "This plugin does not support")
SIGNS = [*"Aéß数ℝ→☃אب", *"कกཀ한ᚠ", "\ue000", "\u0378", "\U00012000", "\U00010348"]


def painted(text):
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    font = QFont()
    font.setPixelSize(20)
    painter.setFont(font)
    painter.drawText(10, 30, text)
    painter.end()
    return bytes(image.constBits())


def test_what_is_told_is_what_is_painted_as_a_box(qapp):
    told = {sign: bool(without_font((sign,))) for sign in SIGNS}
    boxes = {painted(sign) for sign, missing in told.items() if missing}
    real = [painted(sign) for sign, missing in told.items() if not missing]
    assert told["\ue000"] and not told["A"]
    assert len(boxes) <= 2  # that of a font, and that of no font at all
    assert len(set(real)) == len(real) and not boxes & set(real)


def test_each_character_counts_once_and_what_is_never_seen_does_not(qapp):
    assert without_font(("x", "größe", "a\u200bb\x07\u202e")) == ""
    sentence = "1 character of the names has no font here and is shown as a box."
    assert without_font(("x\ue000", "\ue000")) == sentence


@pytest.mark.parametrize(("names", "missing"), [("x,y,z", 0), ("x,\u16a0,z", None), ("x,\U00010348\u0915,z", None)])
def test_a_figure_with_boxes_says_so_in_one_line(qapp, tmp_path, capsys, names, missing):
    """What Qt itself would say stands on the standard error of a process: one is asked for."""
    table = tmp_path / "t.csv"
    table.write_text(f"{names}\n1,2,a\n2,3,b\n3,3,a\n0,1,b\n", "utf-8")
    words = ["render", str(table), "-o", str(tmp_path / "x.svg")]
    if "\u0915" in names:
        call = [sys.executable, "-m", "mlviz", *words]
        told = subprocess.run(call, capture_output=True, text=True, check=True, timeout=60, env=dict(os.environ)).stderr
    else:
        assert main(words) == 0
        told = capsys.readouterr().err
    sentence = without_font(tuple(names.split(",")))
    assert told == (f"mlviz: {table}: {sentence}\n" if sentence else "")
    assert missing is None or bool(missing) == bool(sentence)


def test_the_window_says_it_when_such_names_come(make_window):
    window = make_window()
    points = Dataset([[0.0, 0.0], [1.0, 1.0]], [0, 1], ("\U00010348", "y"), class_names=("\u16a0", "b"))
    for dataset, said in ((points, without_font(("\U00010348\u16a0",))), (points.rename(1, "c"), None)):
        window.store.push(with_dataset(window.store.scene, dataset), "points")
        message = window.status.currentMessage()
        assert said is None or message == said
        assert "shown as" in message
    window.store.push(with_dataset(window.store.scene, window.store.scene.dataset.erase([0])), "erase")
    assert "shown as" not in window.status.currentMessage()
