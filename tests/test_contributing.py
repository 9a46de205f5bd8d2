"""What the pages for people who carry on say is so: the template passes the sweep, rooms and files are there."""

import os
import re
import subprocess
import sys
import tomllib

import pytest

from mlviz.testing import CHECKS
from tests.readme import README, ROOT
from tests.test_imports import FILES, imported, names, within

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
ARCHITECTURE = ROOT / "mlviz" / "ARCHITECTURE.md"


def template() -> str:
    (code,) = re.findall(r"```python\n(.*?)```", CONTRIBUTING.read_text(encoding="utf-8"), re.DOTALL)
    return code


def test_the_template_passes_the_sweep(tmp_path):
    (tmp_path / "least_mean_squares.py").write_text(template(), encoding="utf-8")
    environment = {**os.environ, "MLVIZ_METHODS": str(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-m", "mlviz.testing", "least_mean_squares"],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    outcomes = [line.partition(": ")[2] for line in run.stdout.splitlines()]
    assert run.returncode == 0, run.stdout + run.stderr
    assert len(outcomes) == len(CHECKS) and outcomes.count("passed") == len(CHECKS) - 1  # it has no follower


def test_the_template_is_formatted_and_typed_as_the_program_is(tmp_path):
    path = tmp_path / "least_mean_squares.py"
    path.write_text(template(), encoding="utf-8")
    settings = ["--config", str(ROOT / "pyproject.toml")]
    for command in (["ruff", "check", *settings], ["ruff", "format", "--check", *settings]):
        run = subprocess.run([sys.executable, "-m", *command, path], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


def test_the_page_of_the_architecture_names_the_rooms_in_their_order():
    block = re.search(r"```\n(.*?)```", ARCHITECTURE.read_text(encoding="utf-8"), re.DOTALL)[1]
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contracts = tools["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["containers"] == ["mlviz"])
    rooms = [room.strip(" ()") for layer in layers for room in layer.split("|")]
    assert [line.split()[0] for line in block.splitlines()] == [room for room in rooms[::-1] if room != "__main__"]


@pytest.mark.parametrize("page", [CONTRIBUTING, ARCHITECTURE, README], ids=lambda page: page.name)
def test_every_file_that_is_named_is_there(page):
    text = page.read_text(encoding="utf-8")
    top = "|".join(path.name for path in ROOT.iterdir() if path.is_dir() and path.name.isidentifier())
    named = re.findall(rf"`((?:{top})/[^` *]*|[\w.-]+\.(?:md|toml))`", text)
    linked = re.findall(r"\]\(([\w./-]+)\)", text)
    assert len(named) + len(linked) > 2
    assert not [name for name in named if not (ROOT / name).exists()]
    assert not [name for name in linked if not (page.parent / name).exists()]


def test_the_first_screen_of_the_readme_leads_to_the_page():
    assert "(CONTRIBUTING.md)" in "\n".join(README.read_text(encoding="utf-8").splitlines()[:25])


def test_imports_inside_functions_are_those_that_have_a_reason():
    table = CONTRIBUTING.read_text(encoding="utf-8").split("<!-- imports inside functions -->")[1]
    allowed = re.findall(r"^\| `(\S+)` \|", table.split("<!-- end of imports -->")[0], re.MULTILINE)
    late = set()
    for path in FILES:
        inside = set(imported(path)) - set(imported(path, inside=False))
        # What a method's files import of each other is no matter of a slow start.
        if [name for name in inside if not within(name, "mlviz.algorithms")]:
            late.add(f"mlviz/{names(path)}")
    assert not [name for name in sorted(late) if not any(name.startswith(place) for place in allowed)]
    assert not [place for place in allowed if not any(name.startswith(place) for name in late)]
