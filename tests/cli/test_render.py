"""Pictures in files from the command line."""

import json
import re
import struct
import subprocess
import sys

import pytest

from mlviz.cli import main
from tests.cli.tables import COLUMNS, IRIS, PENGUINS, without_display

# A painting application made without windows would be in the way of the tests that open one.
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_render_writes_each_format_without_a_display(tmp_path, capsys, suffix):
    """One of them in a process of its own: this one's application shows nothing either."""
    figure = tmp_path / f"figure.{suffix}"
    words = ["render", PENGUINS, *COLUMNS, "--set", "C=10", "--size", "500x400", "-o", str(figure)]
    if suffix == "png":
        call = [sys.executable, "-m", "mlviz", *words]
        run = subprocess.run(call, env=without_display(), capture_output=True, text=True)
        code, told = run.returncode, (run.stdout, run.stderr)
    else:
        code, told = main(words), capsys.readouterr()
    assert (code, told[0]) == (0, "")
    assert told[1].splitlines() == [
        f"mlviz: {PENGUINS}: 2 columns left out for holding text: island, sex.",
        f"mlviz: {PENGUINS}: 2 rows skipped without a number in bill_length, the first in line 5.",
    ]
    content = figure.read_bytes()
    if suffix == "png":
        assert struct.unpack(">II", content[16:24]) == (500, 400)
    else:
        assert content.startswith({"svg": b"<?xml", "pdf": b"%PDF"}[suffix])
    if suffix == "svg":
        assert b"support vector machine" in content and b"bill_length" in content


def test_dpi_scales_the_pixels(tmp_path):
    figure = tmp_path / "figure.png"
    assert main(["render", PENGUINS, *COLUMNS, "--size", "480x360", "--dpi", "200", "-o", str(figure)]) == 0
    assert struct.unpack(">II", figure.read_bytes()[16:24]) == (1000, 750)


def test_a_size_can_be_given_in_centimetres(tmp_path):
    figure = tmp_path / "figure.png"
    for size in ("8.5cmx6cm", "8.5x6cm"):
        assert main(["render", PENGUINS, *COLUMNS, "--size", size, "--dpi", "254", "-o", str(figure)]) == 0
        assert struct.unpack(">II", figure.read_bytes()[16:24]) == (850, 600)


@pytest.mark.parametrize(
    ("method", "titles"),
    [
        (["kmeans"], ["Objective"]),
        (["linear-regression", "--set", "penalty=L2"], ["Weights", "Coefficient path"]),
        (["knn"], []),
    ],
)
def test_sides_add_the_plots_that_the_method_has(tmp_path, method, titles):
    def heights(*more):
        figure = tmp_path / "figure.svg"
        assert main(["render", IRIS, "--size", "700x550", "--algorithm", *method, "-o", str(figure), *more]) == 0
        text = figure.read_text(encoding="utf-8")
        image = re.search(r'<image[^>]* height="([\d.]+)"', text)
        return re.findall(r"<text[^>]*>([^<]*)</text>", text), image and float(image[1])

    words, alone = heights()
    assert not {"Objective", "Weights", "Coefficient path"} & set(words)
    words, above = heights("--sides")
    assert [word for word in words if word in ("Objective", "Weights", "Coefficient path")] == titles
    assert alone is None or (above < alone) == bool(titles)


def test_classes_are_rendered_in_the_colours_wished_for(tmp_path, capsys):
    def rendered(*wishes):
        figure = tmp_path / "figure.png"
        options = [f"--class-colour={wish}" for wish in wishes]
        code = main(["render", "--generator", "moons", "--algorithm", "lda", *options, "-o", str(figure)])
        return figure.read_bytes() if code == 0 else code

    assert rendered("class 1=orange") == rendered("class 2=blau") != rendered()
    assert rendered("class 3=red") == 2
    assert "there is no class 'class 3'; there are class 1, class 2" in capsys.readouterr().err
    many = tmp_path / "many.json"
    points, labels = [[k, 0] for k in range(12)], list(range(12))
    many.write_text(json.dumps({"format": 1, "points": points, "labels": labels}))
    assert main(["render", str(many), "--class-colour", "class 12=red", "-o", str(tmp_path / "a.png")]) == 2
    assert "only the first 9 classes have colours of their own" in capsys.readouterr().err
    assert rendered("class 1=beige") == rendered("red") == 2
    assert "it is NAME=COLOUR, with one of blue, orange" in capsys.readouterr().err
