"""The kinds of tables that people bring, each with what a careful person reads in it."""

from pathlib import Path

import numpy as np
import pytest

from mlviz.data.tables.reading import BadTable, Format, parse_table
from mlviz.scene import edits
from mlviz.scene.files import opening
from mlviz.scene.scene import roles

XY = [[1.0, 2.0], [3.0, 4.0]]
PLAIN = "a,b,k\n1,2,x\n3,4,y\n"


def shown(raw: bytes | str, wanted: Format | None = None) -> tuple[list[list[float]], list[str], int]:
    """The places of the samples on the usual axes, their classes, and how many rows were skipped."""
    table = parse_table(raw if isinstance(raw, bytes) else raw.encode(), wanted or Format())
    selection = table.select()
    data = selection.dataset
    axes = table.guess_axes(table.guess_class())
    places = data.X[:, [data.column(name) for name in axes]].tolist()
    skipped = sum(len(some.lines) for some in (*table.skipped, *selection.skipped))
    return places, [data.class_name(label) for label in data.labels], skipped


@pytest.mark.parametrize(
    "raw",
    [
        PLAIN.encode("utf-16-le"),
        PLAIN.encode("utf-16-be"),
        PLAIN.replace("\n", "\r"),
        "a,b,k\r\n1,2,x\n\n\r\n3,4,y\r",
        '"a"\t"b"\t"k"\n"1"\t"2"\t"x"\n"3"\t"4"\t"y"\n',
        "sep=;\na;b;k\n1,0;2;x\n3;4;y\n",
        "a;b;k;;\n1;2;x;;\n3;4;y;;\n",
        "a,,b,k\n1,,2,x\n3,,4,y\n",
        "a , b , k\n1 , 2 , x\n3 , 4 , y\n",
        "a\t\tb\tk\n1\t\t2\tx\n3\t\t4\ty\n",
        "1.0 2.0 x \n3.0 4.0 y \n",
        "| a | b | k |\n| 1 | 2 | x |\n| 3 | 4 | y |\n",
        '"mass, kg","size; m",k\n1,2,x\n3,4,y\n',
        '"","u","v","class"\n"1",1,2,"x"\n"2",3,4,"y"\n',
        '"u" "v" "class"\n"1" 1 2 "x"\n"2" 3 4 "y"\n',
        '"u" "v" "class"\n"7" 1 2 "x"\n"9" 3 4 "y"\n',
        "group,,\na,b,k\n1,2,x\n3,4,y\n",
        "of men,of men,of men,sum,sum,sum\na,b,k,c,d,e\n1,2,x,1,2,3\n3,4,y,3,3,3\n",
        "u,v,k\n1 cm,2.0 kg,x\n3 cm,4 kg,y\n",
        "u;v;k\n1,0cm;2 km/h;x\n3 cm;4 km/h;y\n",
        "1 cm,2 kg,x\n3 cm,4 kg,y\n",
        "id,u,v,class\n7,1,2,x\n8,3,4,y\n",
        ",0,1,2\n0,1,2,x\n1,3,4,y\n",
        "place,2019,2020\nx,1,2\ny,3,4\n",
        "date,u,v,k\n2024-01-05,1,2,x\n2024-01-06,3,4,y\n",
        "date;u;v;k\n05.01.2024;1,0;2;x\n06.01.2024;3,0;4;y\n",
        "u,v,k\n1%,2,x\n3 %,4,y\n",
        "u;v;k\n€ 1,00;2,0;x\n€ 3,00;4;y\n",
        "u,v,k\n１,2,x\n３,4,y\n",
        "u v k\n0.1D+01 2 x\n30d-1 4 y\n",
        '"a,b,k"\n"1,2,x"\n"3,4,y"\n',
        "\ufeffa,b,k\n1,2,x\n\ufeff3,4,y\n",
        PLAIN.encode() + bytes(500),
        "Logger 7\nFirmware: 1, build 3\nOperator; Smith\n\n" + PLAIN,
    ],
)
def test_nothing_is_skipped(raw: bytes | str) -> None:
    places, names, skipped = shown(raw)
    assert (places, names, skipped) == (XY, ["x", "y"], 0)


@pytest.mark.parametrize(
    ("raw", "skipped"),
    [
        ("a,b,k\ns,N,-\n1,2,x\n3,4,y\n", 1),
        ("a;b;k\n(s);(N);()\n1,0;2;x\n3;4;y\n", 1),
        ("| a | b | k |\n|---|---|---|\n| 1 | 2 | x |\n| 3 | 4 | y |\n", 1),
        ("a,b,k\n1,2,x\n# moved\n3,4,y\n", 1),
        ("a,b,k\n1,2,x\n3,4,y\nEnd of file\n", 1),
        ("a,b,k\n1,2,x\n3,4,y\nTotal,6,\n", 1),
        ("a,b,k\n1 m,2,x\n3 m,4,y\nTotal,6,\n", 1),
        ("a,b,k\n1,2,x\nlost,5,x\n3,4,y\n", 1),
        ('a,b,k\n1,2,x\n3,4,y\n5,6,""\n7,8, \n', 2),
        ("a,b,k\n1,2,x\n3,4,y\n5,#DIV/0!,x\n\\N,6,x\n", 2),
        ("a;b;k\n1;2;x\n3;4;y\n5;6;–\n".encode("cp1252"), 1),
    ],
)
def test_rows_that_are_no_samples_are_counted(raw: bytes | str, skipped: int) -> None:
    assert shown(raw) == (XY, ["x", "y"], skipped)


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1.234,5", "-12.345.678", "700,25"], [1234.5, -12345678, 700.25]),
        (["1\u00a0234,5", "2\u202f000", "3"], [1234.5, 2000, 3]),
        (["1'234.5", "2’000.5", "3"], [1234.5, 2000.5, 3]),
        (["1,234.5", "2,000.25", "3"], [1234.5, 2000.25, 3]),
        (["(1.5)", "−2.5", "+3"], [-1.5, -2.5, 3]),
        (["1.5e3", ".5", "2."], [1500, 0.5, 2]),
    ],
)
def test_spellings_of_numbers(cells: list[str], values: list[float]) -> None:
    raw = "a;b\n" + "".join(f"{cell};{i}\n" for i, cell in enumerate(cells))
    assert [x for x, _ in shown(raw)[0]] == values


@pytest.mark.parametrize(
    "cell", ["inf", "-inf", "1e400", "0x1F", "1_000", "nan", "1,2,3", "1.2.3", "--5", "(-5)", "5 kg"]
)
def test_what_is_no_number_is_a_gap(cell: str) -> None:
    rows = "".join(f"{i},{i}\n" for i in range(8))
    places, _, skipped = shown(f"a,b\n{rows}{chr(34)}{cell}{chr(34)},1\n")
    assert (len(places), skipped) == (8, 1)


@pytest.mark.parametrize(
    ("raw", "points"),
    [
        ("x;y\n1.234;2,5\n2.345;3,5\n", [[1234, 2.5], [2345, 3.5]]),
        ("x;y\n1,234;2.5\n2,345;3.5\n", [[1234, 2.5], [2345, 3.5]]),
        ("x;y\n1.234;2.125\n2.345;3.125\n", [[1.234, 2.125], [2.345, 3.125]]),
        ("x;y\n1,234;2,125\n0,345;3,125\n", [[1.234, 2.125], [0.345, 3.125]]),
        ("x;y\n" + "1.234;2.125\n" * 8 + "2,5;1.125\n", [[1.234, 2.125]] * 8),
    ],
)
def test_thousands_beside_decimals(raw: str, points: list[list[float]]) -> None:
    assert shown(raw)[0] == points


def test_what_was_left_out_of_numbers_and_below_them_is_said() -> None:
    assert parse_table(b"x;y\n1.234;2,5\n").notes == ("1 cell of x with marks between thousands, in line 2.",)
    assert parse_table(b"x,y\n1 cm,2\n3 cm,4\n").notes == ("2 cells of x without the unit cm, the first in line 2.",)
    assert parse_table(b"group,,\nx,y,k\n1,2,a\n").notes == ("1 line before the table left out, in line 1.",)
    table = parse_table(b"x,y,k\n1,2,a\n2,3,b\nTotal,5,\n")
    assert table.notes == ("1 row skipped for having text below numbers at the end of the table, in line 4.",)
    assert [line.role for line in table.opening] == ["header", "row", "row", "footer"]


def test_units_that_differ_are_text() -> None:
    assert parse_table(b"u,v,w\n1 cm,2,3\n2 kg,3,4\n").numeric == ("v", "w")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("words", [("рост", "кот", "пёс " * 3000), ("高度", "橡树", "榆树")])
def test_wide_signs_without_a_mark(encoding: str, words: tuple[str, str, str]) -> None:
    name, one, other = words
    table = parse_table(f"{name};v;k\n1;2;{one}\n3;4;{other}\n".encode(encoding))
    assert (table.columns, table.format.encoding) == ((name, "v", "k"), encoding)
    assert table.dataset().class_names == (one, other.strip())


def test_whole_numbers_are_no_header_and_small_tables_no_classes() -> None:
    assert shown("1,2,3\n4,5,6\n7,8,10\n")[0] == [[1, 2], [4, 5], [7, 8]]


def test_few_whole_numbers_in_the_last_column_without_a_name_are_classes() -> None:
    raw = "".join(f"{4 + i / 7},{3 - i / 9},{i % 2}\n" for i in range(12))
    assert parse_table(raw.encode()).guess_class() == "column 3"


def test_numbers_that_count_the_rows_are_no_axis_unless_nothing_else_is_there() -> None:
    assert parse_table(b"id,v\n1,5\n2,7\n").guess_axes(None) == ("id", "v")
    assert parse_table(b"id,u,v\n1,5,1\n3,7,1\n").guess_axes(None) == ("id", "u")


def test_a_wide_table_keeps_as_many_columns_as_samples_may_have() -> None:
    rows = "\n".join(",".join(str(i * j) for i in range(1500)) for j in range(3))
    selection = parse_table((",".join(f"w{i}" for i in range(1500)) + "\n" + rows).encode()).select()
    assert selection.dataset.X.shape == (3, 1000)
    (note,) = selection.notes
    assert note.startswith("500 columns left out for being more than 1,000: w1000, w1001, ")


def test_what_was_understood() -> None:
    raw = "größe;breite\n1,5;2\n".encode("cp1252")
    assert parse_table(raw).format == Format("cp1252", ";", True, True)
    assert parse_table(b"1\t2\n3\t4\n").format == Format("utf-8", "\t", False, False)
    assert parse_table("1|2\n".encode("utf-16")).format == Format("utf-16-le", "|", False, False)


def test_every_guess_can_be_overruled() -> None:
    raw = b"1;2,5\n3;4,5\n"
    assert parse_table(raw, Format(comma=False)).numeric == ("column 1",)
    assert parse_table(raw, Format(header=True)).columns == ("1", "2,5")
    assert parse_table(raw, Format(separator=",")).columns == ("column 1", "column 2")
    assert parse_table(b"a,b\n1,2\n", Format(header=False)).columns == ("column 1", "column 2")
    russian = "имя,b\n1,2\n".encode("cp1251")
    assert parse_table(russian, Format(encoding="cp1251")).columns == ("имя", "b")
    notes = parse_table(russian, Format(encoding="utf-8")).notes
    assert notes == ("3 characters not known in UTF-8, the first in line 1.",)


def test_the_first_lines_are_kept_as_they_are() -> None:
    table = parse_table(b"# by hand\n\nu,v\nm,s\n1,2.50\n3\n4,NA\n")
    assert [(line.number, line.cells, line.role) for line in table.opening] == [
        (1, ("# by hand",), "above"),
        (3, ("u", "v"), "header"),
        (4, ("m", "s"), "units"),
        (5, ("1", "2.50"), "row"),
        (6, ("3",), "ragged"),
        (7, ("4", "NA"), "row"),
    ]


def test_lines_skipped_are_known() -> None:
    table = parse_table(b"u,v,k\n1,2,x\n3\nNA,4,y\n5,6,x\n7,8,\n9,9,y\n")
    selection = table.select()
    lines = [some.lines.tolist() for some in (*table.skipped, *selection.skipped)]
    assert lines == [[3], [4], [6]]
    assert selection.dataset.X[:, 0].tolist() == [1, 5, 9]


def test_only_the_columns_asked_for() -> None:
    table = parse_table(b"u,v,w,k\n1,2,3,x\n4,5,,y\n")
    assert table.select(("u", "v"), "k", alone=True).dataset.columns == ("u", "v")
    assert len(table.select(("u", "v"), "k", alone=True).dataset) == 2


def test_a_million_rows_of_words_do_not_make_a_million_words() -> None:
    raw = "u,v,name\n" + "".join(f"{i},{i},n{i}\n" for i in range(500))
    column = parse_table(raw.encode()).column("name")
    assert column.codes is None and column.words == ()


def test_colours_are_no_comments() -> None:
    assert parse_table(b"#ff0000,1,2\n#00ff00,3,4\n#0000ff,5,6\n").dataset().X.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_a_web_page_is_refused() -> None:
    with pytest.raises(BadTable, match="web page"):
        parse_table(b"<!DOCTYPE html><html><table>")


def test_quotes_that_are_never_closed_do_not_take_forever() -> None:
    raw = "u,v,remark\n" + "".join(f'{i},{i},5" pipe\n' for i in range(5000))
    assert np.array_equal(parse_table(raw.encode()).dataset().X[:, 0], np.arange(5000))


@pytest.mark.parametrize(
    "other",
    [
        "cafe\u0301",
        " caf\u00e9\u00a0",
        "caf\u200b\u00e9",
        "ca\u00adf\u00e9",
        "\ufeffcaf\u00e9",
        "caf\u00e9\ufe0f",
        "c\u2060af\u00e9",
    ],
)
def test_classes_that_look_the_same_are_one(other: str) -> None:
    table = parse_table(f"a,b,k\n1,2,caf\u00e9\n3,4,{other}\n5,6,tea\n".encode())
    assert table.dataset().class_names == ("caf\u00e9", "tea")


def test_classes_that_differ_by_capitals_only_are_mentioned() -> None:
    selection = parse_table(b"a,b,k\n1,2,yes\n3,4,Yes\n5,6,no\n").select()
    assert selection.notes == ("2 classes told apart by capitals only: yes, Yes.",)
    assert selection.dataset.class_names == ("yes", "Yes", "no")


def test_a_complaint_about_a_table_of_many_columns_is_a_sentence() -> None:
    raw = ",".join(f"c{i}" for i in range(1200)) + "\n" + ",".join(["1"] * 1200) + "\n"
    table = parse_table(raw.encode())
    assert all(table.column(name).name == name for name in table.columns)
    with pytest.raises(BadTable, match=r"c9 and 1,190 more\.$"):
        table.column("k" * 1000)


@pytest.mark.parametrize("name", ["target", "Target", "y", "outcome"])
@pytest.mark.parametrize("at", [0, 4, 9])
def test_the_values_called_as_a_target_are_predicted_whichever_column_they_are(
    tmp_path: Path, name: str, at: int
) -> None:
    names = [f"x{j}" for j in range(9)]
    names.insert(at, name)
    rows = np.random.default_rng(at).normal(size=(30, 10)).round(4).astype(str)
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(",".join(line) for line in (names, *rows.tolist())))
    for regression in (False, True):
        scene = opening.load(path, regression=regression).scene
        assert scene.axes == ("x0", name)
        read = edits.with_method(scene, 0, "linear-regression")
        role = roles(read, read.panels[0])
        assert (role.inputs, role.target) == (("x0",), name)
        assert len(scene.dataset.columns) == 10
    # A column of classes of that name stays one, and without such a name the first two are shown.
    classes = "\n".join(["a,b,c,target", *(f"{k}.5,{k * k},{k},{k % 2}" for k in range(12))])
    table = parse_table(classes.encode())
    assert (table.guess_class(), table.guess_axes("target")) == ("target", ("a", "b"))
