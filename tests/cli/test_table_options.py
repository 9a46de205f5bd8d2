"""How a table is written can be said on the command line as in the window."""

import argparse
import dataclasses
import json

import numpy as np
import pytest

from mlviz.cli import main
from mlviz.cli.scene_options import add_scene_options, scene_of
from mlviz.cli.table_options import TABLE_OPTIONS, wanted_format
from mlviz.data.tables.reading import FORMAT_CHOICES, Format, TableFile
from mlviz.ui.tables.dialog import TableChoice, TableDialog
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


CODES = """u,v,kind
1.5,2,?
2.5,-999,wolf
-999.0,4,NA
4.5,5.5,fox
5.5,none,?
6.5,7,
7.5,8,none
8.5,9,fox
"""


def by_command(path, *options):
    parser = argparse.ArgumentParser()
    add_scene_options(parser)
    return scene_of(parser.parse_args([str(path), *options])).scene.dataset


def by_dialog(qtbot, path, **wanted):
    dialog = TableDialog(TableFile(path.read_bytes()), path.name, choice=TableChoice(Format(**wanted)))
    qtbot.addWidget(dialog)
    assert dialog.format.wanted == dialog.choice.format == Format(**wanted)
    return dialog.dataset


def content(data):
    return data.X.tolist(), [data.class_name(code) for code in data.labels]


@pytest.mark.parametrize(
    ("options", "wanted", "classes"),
    [
        ((), {}, ["wolf", "fox", "none", "fox"]),
        (("--missing", "empty"), {"missing": ""}, ["?", "wolf", "NA", "fox", "none", "fox"]),
        (("--missing", "-999, NONE"), {"missing": "-999, NONE"}, ["?", "fox", "fox"]),
        (("--missing", "usual,-999,none"), {"missing": "usual,-999,none"}, ["fox", "fox"]),
        (("--missing-class", "class"), {"missing_class": True}, ["?", "wolf", "NA", "fox", "none", "fox"]),
        (
            ("--missing", "?,-999,none", "--missing-class", "class"),
            {"missing": "?,-999,none", "missing_class": True},
            ["?", "fox", "none", "fox"],
        ),
    ],
    ids=str,
)
def test_what_counts_as_missing_is_chosen_in_both_places(tmp_path, qtbot, options, wanted, classes):
    path = tmp_path / "codes.csv"
    path.write_text(CODES)
    data = by_command(path, *options)
    assert content(data) == content(by_dialog(qtbot, path, **wanted))
    assert content(data)[1] == classes


def test_a_code_among_whole_numbers_is_a_class_of_its_own(tmp_path, qtbot):
    path = tmp_path / "codes.csv"
    path.write_text("u,v,class\n1.5,2,2\n2.5,3,NA\n3.5,4,1\n4.5,5,NA\n5.5,6,9\n")
    options = ("--missing", "NA,9", "--missing-class", "class")
    data = by_command(path, *options)
    assert content(data)[1] == ["2", "NA", "1", "NA", "9"] and data.class_names == ("1", "2", "NA", "9")
    assert content(data) == content(by_dialog(qtbot, path, missing="NA,9", missing_class=True))
    assert content(by_command(path, *options[:2]))[1] == ["2", "1"]


SPELLINGS = ["1", "01", "1.0", "1e0", "+1", "2", "0.5", "0.50", "1"]


@pytest.mark.parametrize(
    ("options", "by_value", "classes", "sentence"),
    [
        ((), False, SPELLINGS, "7 classes told apart by the spelling of a number: 0.5, 0.50, 1, +1, 01, 1.0, 1e0."),
        (
            ("--class-numbers", "value"),
            True,
            ["1", "1", "1", "1", "1", "2", "0.5", "0.5", "1"],
            "5 cells of class spelled otherwise than the class they are of, the first in line 3.",
        ),
    ],
)
def test_numbers_that_name_classes_are_told_apart_as_is_chosen(tmp_path, qtbot, options, by_value, classes, sentence):
    path = tmp_path / "codes.csv"
    path.write_text("u,v,class\n" + "".join(f"{i}.5,{-i}.25,{word}\n" for i, word in enumerate(SPELLINGS)))
    parser = argparse.ArgumentParser()
    add_scene_options(parser)
    opened = scene_of(parser.parse_args([str(path), *options]))
    assert content(opened.scene.dataset)[1] == classes
    assert content(opened.scene.dataset) == content(by_dialog(qtbot, path, by_value=by_value))
    assert sentence in [departure.sentence for departure in opened.departures]


def test_columns_of_real_numbers_are_no_classes_unless_they_are_called_so(tmp_path):
    """A table of few rows has few numbers in every column; in one that was written here the classes are named so."""
    path = tmp_path / "few.csv"
    path.write_text("u,v,w,y\n" + "".join(f"{i}.5,{i * i},{-i}.25,{i % 2}.75\n" for i in range(8)))
    assert by_command(path).class_names == ()
    path.write_text(path.read_text().replace("y", "class", 1))
    assert by_command(path).class_names == ("0.75", "1.75")
    path.write_text("u,v,class\n" + "".join(f"{i}.5,{i * i},{-i}.25\n" for i in range(8)))
    assert by_command(path).class_names == ()  # every row has a number of its own


def test_codes_are_typed_in_the_dialog(tmp_path, qtbot):
    path = tmp_path / "codes.csv"
    path.write_text(CODES)
    dialog = TableDialog(TableFile(path.read_bytes()), path.name)
    qtbot.addWidget(dialog)
    line = dialog.format.boxes["missing"].lineEdit()
    line.setText("usual, -999")
    line.editingFinished.emit()
    assert dialog.format.wanted == Format(missing="usual, -999")
    assert dialog.table.format == dataclasses.replace(dialog.table.format, missing="usual, -999")
    assert np.isnan(dialog.table.column("v").values[1]) and np.isnan(dialog.table.column("u").values[2])


@pytest.mark.parametrize("field", FORMAT_CHOICES)
def test_every_choice_of_the_dialog_is_an_option(field):
    parser = argparse.ArgumentParser()
    add_scene_options(parser)
    for value, name in FORMAT_CHOICES[field].items():
        word = value if field == "encoding" else name
        options = parser.parse_args(["a.csv", f"--{TABLE_OPTIONS[field][0]}", word])
        assert getattr(wanted_format(options), field) == value
