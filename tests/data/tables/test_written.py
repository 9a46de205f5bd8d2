"""A table that was written reads as it was, and no spreadsheet runs it where that is asked for."""

import csv
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlviz.data.dataset import Dataset
from mlviz.data.tables.cells import is_number
from mlviz.data.tables.editing import column_headers, copy_cells, with_pasted_cells
from mlviz.data.tables.reading import Format, read_table, write_table
from mlviz.data.tables.table import FLAG_COLUMNS
from mlviz.spec.outside import readable_name
from tests.data.tables.test_tables import content
from tests.sweep import trials

FINITE = st.floats(allow_nan=False, allow_infinity=False)
COLUMNS = [("x1", "x2"), ("1", "2"), ("2019", "2020"), ("a, b", '"c"'), ("=a", "-b"), ("held out", "switched off")]
WHOLE = ["1", "01", "1.0", "1e0", "+1", "2", "-3", "1.", "10", "1e3", "1000", "007", "9007199254740993"]
FRACTIONS = ["0.1", "0.25", ".25", "-0.5", "1e-9", "9007199254740992", "inf", "Infinity", "nan x"]
QUANTITIES = ["5 kg", "6 kg", "30%", "1,000", "(4)"]
NUMBERLIKE = st.sampled_from([*WHOLE, *FRACTIONS, *QUANTITIES])
HEADERS = ["x1", "# 1", "1", "2019", "a, b", '"c"', "=a", "-b", "held out", "switched off", "class", "y", "id", "Größe"]
CODES = st.sampled_from(
    [
        "NA",
        "?",
        "none",
        "Total",
        "mean",
        "yes",
        "=1+1",
        "'x",
        "'=x",
        "@a",
        "+b",
        "-c",
        "--",
        'a "b"',
        "a,b",
        "#3",
        "sep=;",
    ]
)
WORDS = st.text(st.characters(blacklist_categories=["C", "Z"]), min_size=1).filter(
    lambda word: readable_name(word) == word
)


@given(
    st.lists(st.tuples(FINITE, FINITE), min_size=3, max_size=10),
    st.lists(NUMBERLIKE | CODES | WORDS, min_size=3, max_size=3, unique=True),
    st.sampled_from(COLUMNS),
    st.integers(0, 1000),
    st.booleans(),
)
def test_what_was_written_reads_the_same(
    rows: list[tuple[float, float]], names: list[str], columns: tuple[str, str], marks: int, quoted: bool
) -> None:
    labels = np.arange(len(rows)) % 3
    held_out = np.array([marks >> i & 1 for i in range(len(rows))], dtype=bool)
    data = Dataset(rows, labels, columns, "class", tuple(names), held_out)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "points.csv")
        write_table(data, path, quoted)
        again = read_table(path, Format(missing="")).dataset(class_column="class")
    np.testing.assert_array_equal(again.X, data.X)
    assert content(again)[1] == content(data)[1]
    assert again.columns == data.columns
    np.testing.assert_array_equal(again.held_out, data.held_out)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Any samples: few or one, in two to four columns, of classes of which some have none, with every mark."""
    n, d = draw(st.integers(1, 12)), draw(st.integers(2, 4))
    names = draw(st.lists(NUMBERLIKE | CODES | WORDS, max_size=5, unique=True))
    headers = st.lists(st.sampled_from(HEADERS) | WORDS, min_size=d + 1, max_size=d + 1, unique_by=str.lower)
    columns = draw(headers.filter(lambda names: names[-1] not in FLAG_COLUMNS))
    bits = st.lists(st.booleans(), min_size=n, max_size=n)
    values = st.sampled_from([0.0, -0.0, 0.1, 1e-300, 5e-324, 1.7e308, -2.0, 3.0]) | FINITE
    X = draw(st.lists(st.lists(values, min_size=d, max_size=d), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(0, max(0, len(names) - 1)), min_size=n, max_size=n))
    held_out, active = np.array(draw(bits)), np.array(draw(bits))
    return Dataset(np.array(X), labels, tuple(columns[:d]), columns[d], tuple(names), held_out, active)


def same(again: Dataset, data: Dataset) -> None:
    """Every value, the class of every sample by its name, and every mark."""
    np.testing.assert_array_equal(again.X, data.X)
    assert (again.columns, again.class_column) == (data.columns, data.class_column)
    assert content(again)[1] == content(data)[1]
    np.testing.assert_array_equal(again.held_out, data.held_out)
    np.testing.assert_array_equal(again.active, data.active)


@settings(max_examples=len(trials(150)))  # names that look like numbers are few
@given(datasets(), st.booleans())
def test_any_data_set_comes_back_from_a_file(data: Dataset, quoted: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "points.csv")
        write_table(data, path, quoted)
        table = read_table(path, Format(missing="", header=True))
    same(table.dataset(data.columns, data.class_column), data)


@given(datasets())
def test_any_data_set_comes_back_from_the_clipboard(data: Dataset) -> None:
    block = copy_cells(data, slice(0, len(data)), range(len(column_headers(data))))
    empty = Dataset(np.empty((0, len(data.columns))), [], data.columns, data.class_column)
    again, rows = with_pasted_cells(empty, 0, 0, block)
    assert rows == len(data)
    same(again, data)


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "=SUM(A1,B1)", '="a"', "＝x"])
def test_a_spreadsheet_runs_nothing_where_names_are_quoted(tmp_path: Path, name: str) -> None:
    data = Dataset(np.eye(2) * -1, [0, 1], (name, "b"), f"{name} class", (f"{name}y", "-3"))
    for quoted in (True, False):
        write_table(data, tmp_path / "a.csv", quoted)
        with open(tmp_path / "a.csv", encoding="utf-8", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        run = [cell for cell in cells if cell[0] in "=+-@\t\r\n＝" and not is_number(cell)]
        assert len(run) == (0 if quoted else 3) and "-3" in cells
        again = read_table(tmp_path / "a.csv").dataset(class_column=readable_name(f"{name} class"))
        assert again.columns == (readable_name(name), "b")
        assert content(again) == ([[-1.0, 0.0], [0.0, -1.0]], [readable_name(f"{name}y"), "-3"])
