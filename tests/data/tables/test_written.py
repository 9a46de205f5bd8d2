"""A table that was written reads as it was, and no spreadsheet runs it where that is asked for."""

import csv
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlviz.data.dataset import Dataset
from mlviz.data.tables.cells import is_number, numbers
from mlviz.data.tables.reading import Format, read_table, write_table
from mlviz.spec.outside import readable_name
from tests.data.tables.test_tables import content

FINITE = st.floats(allow_nan=False, allow_infinity=False)
COLUMNS = [("x1", "x2"), ("1", "2"), ("2019", "2020"), ("a, b", '"c"'), ("=a", "-b"), ("held out", "switched off")]
NUMBERLIKE = st.sampled_from(["1", "01", "2", "-3", "1.", "10", "1e3", "007", "5 kg", "6 kg", "30%", "1,000", "(4)"])
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
    lambda word: readable_name(word) == word and word.lower() not in ("inf", "infinity") and not _fraction(word)
)


def _value(word: str) -> float | str:
    """The number that a class is called by, however it is spelled, or its name."""
    value = numbers([word], comma=False)[0]
    return float(value) if np.isfinite(value) else word


def _fraction(word: str) -> bool:
    """Whether a word is a number that is not whole, which names no class."""
    value = _value(word)
    return is_number(word) if isinstance(value, str) else bool(value % 1)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(FINITE, FINITE), min_size=3, max_size=10),
    st.lists(NUMBERLIKE | CODES | WORDS, min_size=3, max_size=3, unique_by=_value),
    st.sampled_from(
        [("x1", "x2"), ("1", "2"), ("2019", "2020"), ("a, b", '"c"'), ("=a", "-b"), ("held out", "switched off")]
    ),
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
