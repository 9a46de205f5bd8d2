import json
import re

from mlviz.cli import _parser
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene.files import scene_file
from tests import readme


def test_the_table_of_methods_is_up_to_date():
    assert readme.part("methods") == readme.methods_table(), "run python -m tests.readme"


def test_the_scene_in_the_readme_opens(tmp_path):
    example = re.search(r"```json\n(.*?)```", readme.README.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "scene.json"
    path.write_text(example[1], encoding="utf-8")
    scene = scene_file.load(path)
    assert scene.panels[0].pipeline.algorithm.C == 10
    assert json.loads(example[1]).keys() <= scene_file.to_json(scene).keys()


def test_the_calls_in_the_readme_are_accepted():
    calls = re.findall(r"^    mlviz (render penguins\.csv.*)$", readme.README.read_text(encoding="utf-8"), re.MULTILINE)
    assert calls
    for call in calls:
        _parser().parse_args(call.split())


def test_every_preprocessing_is_named():
    text = readme.README.read_text(encoding="utf-8")
    assert ", ".join(f"`{name}`" for name in preprocessings()) in text
