import os
import re
import stat
import struct
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.marks import Field, Lines, Points
from mlviz.draw.plot import Plot
from mlviz.picture import PanelPicture
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.figure import figure
from mlviz.ui.paint.axes import Style, metrics
from mlviz.ui.paint.caption import wrapped

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]
SIZE = (480, 400)
CAPTION = "k nearest neighbours, k = 5, euclidean; n = 3, training error 0 %"


def scene(n_panels=1):
    dataset = Dataset(np.array([[-2.0, 0.0], [2.0, 1.0], [0.0, 2.0]]), [0, 1, 1], class_names=("setosa", "virginica"))
    return Scene(dataset, (Panel(Pipeline(registry()["knn"]())),) * n_panels)


def picture(panel=0, caption=CAPTION, message=None):
    x = np.linspace(-4, 4, 40)
    classes = np.repeat([[0] * 20 + [1] * 20], 40, axis=0).astype(np.uint8)
    marks = (
        Field("region", x, x, np.full((40, 40), 180, np.uint8), classes),
        Lines("boundary", np.array([[0.0, -1e6], [0.0, 1e6]]), label="decision boundary"),
        Points("misclassified", np.array([[0.0, 2.0]]), rows=np.array([2]), label="misclassified"),
    )
    plot = Plot("data", "k nearest neighbours", "petal length", "petal width", marks, limits=(-4.0, 4.0, -4.0, 4.0))
    chart = Plot(
        "objective", "Objective", "step", "objective", (Lines("curve", np.array([[0.0, 3], [1, 2], [2, 1.5]])),)
    )
    return PanelPicture(0, panel, "", plot, (chart,), caption=caption, message=message)


def export(path, pictures=None, size=SIZE, theme="print", **facts):
    pictures = pictures or [picture()]
    figure.export(path, pictures, scene(len(pictures)), size, Style(theme), **facts)
    return path.read_bytes()


def rgb(image):
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    flat = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine() // 4, 4)
    return flat[:, : plain.width(), 2::-1].astype(int)


@pytest.mark.parametrize("dpi", [96, 200, 300])
def test_png_has_the_pixels_and_the_resolution_asked_for(tmp_path, dpi):
    content = export(tmp_path / "a.png", dpi=dpi)
    assert struct.unpack(">II", content[16:24]) == (round(480 * dpi / 96), round(400 * dpi / 96))
    image = QImage(str(tmp_path / "a.png"))
    assert abs(image.dotsPerMeterX() * 0.0254 - dpi) < 0.1
    assert image.text("Title") == CAPTION


def test_png_shows_regions_on_both_sides(tmp_path):
    export(tmp_path / "a.png", theme="light")
    pixels = rgb(QImage(str(tmp_path / "a.png")))
    left, right = pixels[250, 110], pixels[250, 420]
    assert left[2] > left[0] + 20  # bluish
    assert right[0] > right[2] + 20  # orange
    assert (pixels[2, 2] == Style("light").colors.paper[:3]).all()


def test_svg_has_real_text_and_is_cut_at_the_area(tmp_path):
    text = export(tmp_path / "a.svg").decode()
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", text))
    for word in ("petal length", "setosa", "decision boundary", "k nearest neighbours, k = 5", "training error"):
        assert word in words
    assert "clip-path" in text
    assert 'viewBox="0 0 480 400"' in text
    assert text.count("<image") == 1


def test_the_same_scene_gives_the_same_svg(tmp_path):
    assert export(tmp_path / "a.svg") == export(tmp_path / "b.svg")


def test_pdf_has_real_text_lines_and_a_lossless_field(tmp_path):
    content = export(tmp_path / "a.pdf")
    assert content.startswith(b"%PDF")
    assert b"/FontFile2" in content
    assert b"DCTDecode" not in content
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)
    assert (float(box[1]), float(box[2])) == pytest.approx((360, 300), abs=1)


def test_svg_and_png_look_alike(tmp_path):
    export(tmp_path / "a.png")
    svg = export(tmp_path / "a.svg")
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        QSvgRenderer(QByteArray(svg)).render(painter)
    # Qt's reader knows no clipping: compare inside the area only.
    a, b = rgb(QImage(str(tmp_path / "a.png")))[40:300, 100:400], rgb(image)[40:300, 100:400]
    assert np.abs(a - b).mean() < 6


def test_sizes_are_those_that_are_painted():
    sizes = figure.plot_sizes((960, 400), scene(2), Style())
    assert len(sizes) == 2
    assert sizes[0] == sizes[1]
    assert 350 < sizes[0][0] < 460
    assert figure.plot_sizes((960, 400), scene(2), Style(), caption=False)[0][1] > sizes[0][1]
    assert figure.plot_sizes((960, 400), scene(2), Style(), sides=True)[0][1] < sizes[0][1]
    assert len(figure.plot_sizes((600, 400), scene(5), Style())) == 5


@pytest.mark.parametrize("caption", [True, False])
@pytest.mark.parametrize("sides", [True, False])
def test_panels_side_plots_and_titles(tmp_path, caption, sides):
    pictures = [picture(0), picture(1, "k-means, 3 clusters; n = 3", message="There are no samples yet.")]
    text = export(tmp_path / "a.svg", pictures, (960, 480), caption=caption, sides=sides).decode()
    words = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", text))
    assert ("3 clusters" in words) == caption
    assert ("There are no samples yet." in words) == caption
    assert (words.count("Objective") == 2) == sides


def test_a_long_caption_is_wrapped_and_kept_whole(tmp_path):
    words = [f"word{k}" for k in range(24)]
    text = export(tmp_path / "a.svg", [picture(caption=" ".join(words))], (720, 300)).decode()
    found = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", text)).split()
    assert [word for word in found if word.startswith("word")] == words


def test_wrapping_breaks_words_that_are_too_wide():
    fm = metrics(Style())
    lines = wrapped("a " + "m" * 100, 120, fm)
    assert "".join(lines).replace(" ", "") == "a" + "m" * 100
    assert all(fm.horizontalAdvance(line) <= 120 for line in lines)
    assert wrapped("", 100, fm) == []


@pytest.mark.parametrize("size", [(40, 30), (1, 1), (2000, 60)])
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_any_size_is_painted(tmp_path, size, suffix):
    assert export(tmp_path / f"a.{suffix}", [picture()] * 3, size)


def test_what_cannot_be_written_changes_nothing(tmp_path, monkeypatch):
    path = tmp_path / "a.png"
    path.write_text("before")
    with pytest.raises(OSError, match="too many"):
        export(path, size=(15_000, 10_000), dpi=300)
    with pytest.raises(OSError, match="must end in"):
        export(tmp_path / "a.jpg")
    with pytest.raises(FileNotFoundError):
        export(tmp_path / "nowhere" / "a.png")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        export(path)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.png"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_picture_is_as_readable_as_any_new_file(tmp_path):
    plain = tmp_path / "plain"
    plain.touch()
    export(tmp_path / "a.svg")
    assert stat.S_IMODE((tmp_path / "a.svg").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_no_display_is_needed(tmp_path):
    code = (
        "import sys; from mlviz.ui.figure import figure; figure.headless(); figure.headless()\n"
        "from PySide6.QtGui import QGuiApplication as A; print(A.platformName())\n"
        "from mlviz.scene.defaults import default_scene; from mlviz.ui.paint.axes import Style\n"
        "print(figure.plot_sizes((400, 300), default_scene(), Style()))"
    )
    quiet = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    done = subprocess.run([sys.executable, "-c", code], env=quiet, capture_output=True, text=True, check=True)
    if sys.platform.startswith("linux"):
        assert done.stdout.startswith("offscreen")


def test_the_same_scene_gives_the_same_bytes_in_another_process_at_another_time(tmp_path):
    file = tmp_path / "scene.mlviz"
    scene_file.save(scene(2), file)
    suffixes, contents = ("png", "svg", "pdf"), []
    for seed in ("1", "2"):
        targets = [tmp_path / f"{seed}.{suffix}" for suffix in suffixes]
        render = f"main(['render', {str(file)!r}, '-o', target])"
        code = f"from mlviz.cli import main\nfor target in {[*map(str, targets)]}: assert {render} == 0"
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        contents.append([target.read_bytes() for target in targets])
    for suffix, one, another in zip(suffixes, *contents, strict=True):
        assert one == another, suffix


def test_a_pdf_has_its_title_and_no_date(tmp_path):
    export(tmp_path / "a.pdf")
    content = (tmp_path / "a.pdf").read_bytes()
    title = re.search(rb"/Title \(\xfe\xff(.*?)\)\n", content, re.DOTALL)
    assert title[1].decode("utf-16-be") == CAPTION
    assert re.findall(rb"D:(\d{4})", content) == [b"1970"] * 2
    assert set(re.findall(rb'Date="(\d{4})', content)) == {b"1970"}
    assert int(re.search(rb"startxref\n(\d+)", content)[1]) == content.rindex(b"\nxref\n") + 1


def test_files_say_in_words_what_they_show(tmp_path):
    export(tmp_path / "a.png")
    words = QImage(str(tmp_path / "a.png")).text("Description")
    assert "There are 3 points." in words and "1 of setosa (blue circle), at (−2, 0)." in words
    description = re.search(r"<desc>(.*?)</desc>", export(tmp_path / "a.svg").decode(), re.DOTALL)[1]
    assert description.strip() == words.strip()


def test_sizes_may_be_parts_of_pixels(tmp_path):
    size = (8.5 / 2.54 * 96, 6 / 2.54 * 96)
    content = export(tmp_path / "a.png", size=size, dpi=300)
    assert struct.unpack(">II", content[16:24]) == (round(8.5 / 2.54 * 300), round(6 / 2.54 * 300))
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", export(tmp_path / "a.pdf", size=size))
    assert (float(box[1]), float(box[2])) == pytest.approx((8.5 / 2.54 * 72, 6 / 2.54 * 72), abs=0.51)


def test_many_side_plots_stand_in_two_rows():
    below = QRectF(10, 500, 600, 300)
    assert [(r.x(), r.y(), r.width(), r.height()) for r in figure._side_rooms(below, 2)] == [
        (10, 500, 300, 300),
        (310, 500, 300, 300),
    ]
    rooms = figure._side_rooms(below, 5)
    assert [(r.x(), r.y()) for r in rooms] == [(10, 500), (210, 500), (410, 500), (10, 650), (310, 650)]
    assert figure._side_rooms(below, 0) == []


@pytest.mark.parametrize("size", [(768.0, 576.0), (8.5 / 2.54 * 96, 6.4 / 2.54 * 96), (960.0, 540.0), (1600.0, 1200.0)])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_side_plots_stand_so_that_their_axes_are_as_large_as_can_be(size, n):
    below = QRectF(0, 0, size[0] - 16, (size[1] - 60) * 0.36)
    rooms = figure._side_rooms(below, n)
    beside = n - sum(room.y() > 0 for room in rooms)
    other = -(-n // 2) if beside == n else n
    reached, possible = (
        min(below.width() / in_row - 74, below.height() / -(-n // in_row) - 56) for in_row in (beside, other)
    )
    assert reached >= possible and len(rooms) == n
