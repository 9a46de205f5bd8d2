"""What `mlviz study` writes, and what it refuses."""

import pytest

from mlviz.algorithms import registry as methods
from mlviz.cli import main
from mlviz.studies import registry


@pytest.mark.parametrize("name", ["plots", "x.txt"])
def test_a_file_that_says_no_format_is_refused(name, capsys, tmp_path):
    asked = ["study", "--generator", "moons", "--study", "confusion-matrix", "-o", str(tmp_path / name)]
    assert main(asked) == 2 and "ends in" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["plots.svg", "numbers.csv"])
def test_plots_and_numbers_are_written(name, tmp_path):
    path = tmp_path / name
    assert main(["study", "--generator", "moons", "--study", "confusion-matrix", "-o", str(path)]) == 0
    assert ("<svg" if name.endswith(".svg") else "class,") in path.read_text(encoding="utf-8")


def test_a_setting_of_nothing_is_refused_with_those_of_the_study_and_of_the_method(capsys):
    asked = ["study", "--generator", "moons", "--algorithm", "knn", "--study", "calibration", "--set", "x=1"]
    assert main(asked) == 2
    told = capsys.readouterr().err.removesuffix("\n").partition("the parameters are: ")[2].split(", ")
    assert told == [p.key for kind in (registry()["calibration"], methods()["knn"]) for p in kind.parameters()]
