"""How a table is written can be said on the command line as in the window."""

import dataclasses
import json

import pytest

from mlviz.cli import main
from mlviz.cli.scene_options import TABLE_OPTIONS
from mlviz.data.tables.reading import FORMAT_CHOICES, Format
from mlviz.ui.tables.format_row import LABELS


@pytest.mark.parametrize(
    ("options", "content"),
    [
        (("--separator", "semicolon", "--decimal", "comma"), "a;b;kind\n1,5;2;x\n2,5;3;y\n3,5;1;x\n"),
        (("--encoding", "cp1251", "--separator", "bar"), "a|b|вид\n1.5|2|да\n2.5|3|нет\n3.5|1|да\n".encode("cp1251")),
        (("--first-row", "sample", "--separator", "tab"), "1.5\t2\tx\n2.5\t3\ty\n3.5\t1\tx\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_how_a_table_is_written_can_be_said(tmp_path, capsys, options, content):
    path = tmp_path / "a.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["fit", str(path), "--algorithm", "nearest-centroid", "--json", *options]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["facts"]["training error"] == 0


def test_one_object_says_how_a_table_is_written_for_window_and_command_line():
    fields = {field.name for field in dataclasses.fields(Format)}
    assert set(FORMAT_CHOICES) == set(TABLE_OPTIONS) == fields == set(LABELS)
