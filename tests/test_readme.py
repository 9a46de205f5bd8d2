import json
import re
import shlex
import shutil

import numpy as np
import pytest
from PySide6.QtGui import QImage

from mlviz.cli import main
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene.files import panel_file, scene_file
from tests import readme
from tests.speed.cases import every_case

LARGEST = 100_000
"""Bytes of the picture: a page that opens at once."""
ALIKE = 8
"""Mean difference of the pixels, of 255: another machine has other fonts, but the same regions."""


def lines_of_commands() -> list[str]:
    return re.findall(
        r"^    (mlviz (?:render|fit|study) [^{\[\n]*)$", readme.README.read_text(encoding="utf-8"), re.MULTILINE
    )


def pixels(path) -> np.ndarray:
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].astype(float)


def test_the_tables_are_up_to_date():
    assert readme.part("methods") == readme.methods_table(), "run python -m tests.readme"
    assert readme.part("studies") == readme.studies_table(), "run python -m tests.readme"
    assert readme.part("speed") == readme.speed_table(), "run python -m tests.readme"


def test_the_table_of_speed_has_a_line_for_every_measured_method():
    results = readme.RESULTS.read_text(encoding="utf-8").splitlines()
    measured = {line.split("|")[1].split(",")[0].strip() for line in results if "| 500 |" in line}
    shown = [line.split("|")[1].split(",")[0].strip() for line in readme.speed_table().splitlines()[2:]]
    assert sorted(shown) == sorted(measured) and "svm" in shown


def test_every_case_of_speed_has_the_name_of_its_method():
    assert [case.name for case in every_case() if case.name.split(",")[0] != case.pipeline.algorithm.id] == []


def test_the_scene_in_the_readme_opens(tmp_path):
    example = re.search(r"```json\n(.*?)```", readme.README.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "scene.json"
    path.write_text(example[1], encoding="utf-8")
    scene = scene_file.load(path)
    assert scene.panels[0].pipeline.algorithm.C == 10
    assert json.loads(example[1]).keys() <= scene_file.to_json(scene).keys()


@pytest.mark.usefixtures("qapp")
def test_the_commands_run_as_printed(tmp_path, monkeypatch):
    shutil.copytree(readme.ROOT / "assets", tmp_path / "assets")
    (tmp_path / "assets" / "moons.png").unlink()
    monkeypatch.chdir(tmp_path)
    calls = lines_of_commands()
    assert len(calls) >= 3
    for call in calls:
        assert main(shlex.split(call)[1:]) == 0, call
        assert (tmp_path / call.split(" -o ")[1]).stat().st_size > 1000


def test_the_lines_of_python_run_as_printed():
    blocks = re.findall(r"```python\n(.*?)```", readme.README.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        exec(block, {})


@pytest.mark.usefixtures("qapp")
def test_the_picture_is_what_the_line_below_it_draws(tmp_path):
    shown = readme.ROOT / "assets" / "moons.png"
    (call,) = [call for call in lines_of_commands() if call.endswith("-o assets/moons.png")]
    drawn = tmp_path / "moons.png"
    assert main([*shlex.split(call)[1:-1], str(drawn)]) == 0
    assert shown.stat().st_size < LARGEST
    assert pixels(drawn).shape == pixels(shown).shape
    assert np.abs(pixels(drawn) - pixels(shown)).mean() < ALIKE


def test_every_preprocessing_is_named():
    text = readme.README.read_text(encoding="utf-8")
    assert ", ".join(f"`{name}`" for name in preprocessings()) in text


def test_every_key_of_a_scene_file_is_told():
    """Those in the first column of the table; a pipeline's switches stand beside the preprocessing that has them."""
    text = readme.README.read_text(encoding="utf-8").split("## Scene files")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    told = {key for row in rows for key in re.findall(r"`(\w+)`", row)}
    assert told >= set(scene_file._KEYS), set(scene_file._KEYS) - told
    assert all(re.search(rf"\b{key}\b", text) for key in panel_file._PANEL)
