"""A command waits for no study whose answer it does not tell, and says on a terminal how far a long one has come."""

import io
import json
import math

import pytest

from mlviz.algorithms import registry as methods
from mlviz.cli import main, progress
from mlviz.cli.progress import Progress
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_study
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.study_run import StudyRun
from mlviz.studies import registry


@pytest.fixture
def studied(tmp_path):
    data = generators()["moons"](n_samples=40).generate(0)
    scene = Scene(data, (Panel(Pipeline(methods()["lda"]())),))
    path = tmp_path / "studied.mlviz"
    scene_file.save(with_study(scene, 0, registry()["learning-curve"]()), path)
    return path


@pytest.mark.parametrize(
    ("command", "asks"),
    [("fit {}", 0), ("fit {} --json", 0), ("render {} -o {}.png", 0), ("render {} -o {}.png --sides", 1)],
)
def test_a_study_is_asked_where_its_answer_is_told(studied, command, asks, monkeypatch, capsys):
    begun = []
    advance = StudyRun.advance
    monkeypatch.setattr(StudyRun, "advance", lambda run, deadline: (begun.append(run), advance(run, deadline)))
    assert main(command.format(studied, studied).split()) == 0
    assert len(set(begun)) == asks
    if "--json" in command:
        (report,) = json.loads(capsys.readouterr().out)
        assert 0 <= report["facts"]["training error"] < 0.5


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("stream", "said"), [(Terminal, 1), (io.StringIO, 0)])
def test_progress_is_told_on_a_terminal_and_nowhere_else(stream, said, monkeypatch):
    written = stream()
    monkeypatch.setattr("sys.stderr", written)
    monkeypatch.setattr(progress, "_FIRST", -math.inf)
    told = Progress()
    told("Validation curve: 16 %")
    told("Validation curve: 17 %")  # too soon after the first
    assert written.getvalue() == "mlviz: Validation curve: 16 % (Ctrl+C gives up)\n" * said
