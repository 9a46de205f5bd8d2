"""What a person is told is a sentence of the product's: no warning of Python's, and no error about the output."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlviz.cli import main

WARNING = '''
import warnings
from dataclasses import dataclass
import numpy as np
from mlviz.algorithms import NearestCentroid

warnings.warn("as it is read")

@dataclass(frozen=True)
class Complaining(NearestCentroid):
    """The nearest centroid, and it complains."""
    id, label = "warning", "complains"

    def steps(self, X, y, rng, sample_weight=None):
        np.array([1e300]) * 1e300
        np.ones(1) / 0
        warnings.warn("as it is fitted", FutureWarning)
        yield from super().steps(X, y, rng, sample_weight)
'''
WORKER = """
import sys
from mlviz.ui.widgets.background import Background
from mlviz.algorithms import find
from mlviz.pipeline.pipeline import Pipeline
from PySide6.QtCore import QCoreApplication

def work():
    Pipeline(find("warning")()).fit([[0.0, 0.0], [1.0, 1.0]], [0, 1])
    return 1

if __name__ == "__main__":
    application = QCoreApplication([])
    background = Background("nothing")
    background.done.connect(lambda answer: print(answer) or application.quit())
    background.failed.connect(lambda problem: print(problem) or application.quit())
    background.start(work)
    application.exec()
"""


def run(folder: Path, *arguments: object, **variables: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "MLVIZ_METHODS": str(folder), "QT_QPA_PLATFORM": "offscreen", **variables}
    call = [sys.executable, *map(str, arguments)]
    return subprocess.run(call, capture_output=True, text=True, env=environment, check=False, timeout=60)


@pytest.mark.first
def test_warnings_reach_nobody_who_has_not_asked_for_them(tmp_path):
    (tmp_path / "warning.py").write_text(WARNING)
    asked = ("--generator", "moons", "--algorithm", "warning")
    render = ("render", *asked, "-o", str(tmp_path / "x.png"))
    both = f"from mlviz.cli import main; assert not main({render!r}) and not main({('fit', *asked)!r})"
    done = run(tmp_path, "-c", both)
    assert (done.returncode, done.stderr) == (0, "")
    wanted = run(tmp_path, "-W", "default", "-m", "mlviz", "fit", *asked).stderr
    assert all(words in wanted for words in ("as it is read", "overflow", "divide by zero", "as it is fitted"))
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "work.py").write_text(WORKER)
    done = run(tmp_path, tmp_path / "script" / "work.py")
    assert (done.stdout, done.stderr) == ("1\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("output", [io.StringIO, lambda: None], ids=["text", "none"])
@pytest.mark.parametrize("errors", [lambda: None, io.StringIO], ids=["none", "text"])
def test_an_output_without_a_descriptor_is_no_error(qapp, tmp_path, monkeypatch, output, errors):
    (figure := tmp_path / "x.png").symlink_to("/dev/full")
    monkeypatch.setattr(sys, "stdout", output())
    monkeypatch.setattr(sys, "stderr", said := errors())
    assert main(["render", "--generator", "moons", "-o", str(figure)]) == 1
    assert said is None or said.getvalue().startswith(f"mlviz: {figure}: No space left")
