"""What `mlviz study` writes, and what it refuses."""

import pytest

from mlviz.cli import main


@pytest.mark.parametrize("name", ["plots", "x.txt"])
def test_a_file_that_says_no_format_is_refused(name, capsys, tmp_path):
    asked = ["study", "--generator", "moons", "--study", "confusion-matrix", "-o", str(tmp_path / name)]
    assert main(asked) == 2 and "ends in" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["plots.svg", "numbers.csv"])
def test_plots_and_numbers_are_written(name, tmp_path):
    path = tmp_path / name
    assert main(["study", "--generator", "moons", "--study", "confusion-matrix", "-o", str(path)]) == 0
    assert ("<svg" if name.endswith(".svg") else "class,") in path.read_text(encoding="utf-8")
