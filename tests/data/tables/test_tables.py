import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.data.dataset import Dataset
from mlviz.data.tables import reading
from mlviz.data.tables.reading import BadTable, Table, parse_table, read_table
from mlviz.scene.files import opening
from tests.sweep import share


def table(text: str, encoding: str = "utf-8") -> Table:
    return parse_table(text.encode(encoding))


def content(data: Dataset) -> tuple[list[list[float]], list[str]]:
    return data.X.tolist(), [data.class_name(label) for label in data.labels]


PLAIN = "height,width,kind\n1.5,2,oak\n3,-4e1,elm\n.5,6,oak\n"
ROWS = ([[1.5, 2.0], [3.0, -40.0], [0.5, 6.0]], ["oak", "elm", "oak"])


@pytest.mark.parametrize(
    "raw",
    [
        PLAIN.encode(),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        PLAIN.encode("utf-16-le"),
        PLAIN.encode("utf-16-be"),
        PLAIN.encode("utf-32"),
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        PLAIN.replace("\n", "\n\n").encode(),
        PLAIN.replace(",", "\t").encode(),
        PLAIN.replace(",", "|").encode(),
        PLAIN.replace(",", " , ").encode(),
        PLAIN.replace(",", "   ").encode(),
        PLAIN.replace(",", ";").replace(".", ",").encode(),
        PLAIN.replace(",", "\t").replace(".", ",").encode(),
        PLAIN.replace("\n", ",\n").encode(),
        PLAIN.replace("\n", ",,\n").encode().replace(b"kind,,", b"kind"),
        ("# made by hand\n# 2 columns\n\n" + PLAIN).encode(),
        ("Measurements of trees\n\n" + PLAIN).encode(),
        PLAIN.replace("kind\n", "kind\ncm,cm,-\n").encode(),
        PLAIN.replace("oak", '"oak"').replace("height", '"height"').encode(),
        (PLAIN + ",,\n").encode(),
    ],
)
def test_the_same_table_in_many_spellings(raw: bytes) -> None:
    data = parse_table(raw).dataset()
    assert data.columns == ("height", "width")
    assert data.class_column == "kind"
    assert content(data) == ROWS
    assert data.class_names == ("oak", "elm")


def test_decimal_comma_with_thousands() -> None:
    data = table("a;b\n1.234,5;1\n-12.345.678;0,25\n7 000;2\n").dataset()
    assert data.X.tolist() == [[1234.5, 1.0], [-12345678.0, 0.25], [7000.0, 2.0]]


def test_thousands_with_a_point() -> None:
    data = table('a,b\n"1,234.5",1\n"12,345",0.25\n').dataset()
    assert data.X.tolist() == [[1234.5, 1.0], [12345.0, 0.25]]


def test_no_header() -> None:
    data = table("5.1,3.5,red\n4.9,3,blue\n4,3,red\n").dataset()
    assert data.columns == ("column 1", "column 2")
    assert len(data) == 3


def test_header_in_a_comment() -> None:
    assert table("# u v\n1 2\n3 4\n").columns == ("u", "v")


def test_row_names_without_a_header() -> None:
    found = table('"a","b","kind"\n"r1",1,2,"x"\n"r2",3,4,"y"\n')
    assert found.columns == ("a", "b", "kind")
    assert found.notes == ("1 column without a name left out: it names the rows.",)
    assert found.dataset().X.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_last_number_is_no_class_for_row_names() -> None:
    found = table('"x" "y"\n"1" 1 2\n"2" 3 4\n')
    assert (found.columns, found.guess_class()) == (("x", "y"), None)
    assert found.dataset().X.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_first_column_that_can_not_name_rows_is_kept() -> None:
    found = table("x,y\n1.5,2,red\n3,4,blue\n")
    assert found.columns == ("x", "y", "column 3")
    assert content(found.dataset()) == ([[1.5, 2.0], [3.0, 4.0]], ["red", "blue"])


def test_empty_and_repeated_names_become_distinct() -> None:
    assert table("x,,x,x (2)\n1,2,3,4\n").columns == ("x", "column 2", "x (2)", "x (2) (2)")


def test_quotes_with_separators_line_breaks_and_quotes() -> None:
    data = table('x,y,class\n1,2,"a, b"\n3,4,"say ""yes"""\n5,6,"two\nlines"\n').dataset()
    assert data.class_names == ("a, b", 'say "yes"', "two lines")


def test_a_quote_never_closed_costs_no_row() -> None:
    body = "".join(
        f"{i},{i * i},{word},c\n" for i, word in enumerate(["ok", '"broken', "ok", "ok", 'a "late" one', "ok"])
    )
    data = table("x,y,remark,class\n" + body).dataset()
    assert data.X[:, 0].tolist() == [0, 1, 2, 3, 4, 5]


def test_a_quote_never_closed_beside_a_stray_one_swallows_no_full_row() -> None:
    found = table('x,y,k\n1,2,"a, b\n3,4,c\n5,6,d\n7,8,late",e\n9,10,c\n')
    assert found.dataset().X[:, 0].tolist() == [3, 5, 9]
    assert found.notes[:2] == (
        "1 line with a quote that is never closed or not around a cell, taken as text, in line 2.",
        "2 rows skipped for having more or fewer than 3 cells, the first in line 2.",
    )


def test_mixed_encodings_in_one_line() -> None:
    raw = b"x,y,class\n1,2,th\xc3\xa9 d\xe9j\xe0\n3,4,\x80\n"
    found = parse_table(raw)
    assert found.dataset().class_names == ("thé déjà", "€")
    assert found.notes == ("2 lines not in UTF-8 read as Windows-1252 (Western), the first in line 2.",)


def test_gaps_are_skipped_counted_and_said() -> None:
    gaps = ["", "NA", "?", "NaN", "null", "-", "inf", "1e999"]
    body = "".join(f"{gap},1,s\n" for gap in gaps)
    found = table("a,b,class\n" + "1,2,s\n" * 30 + body + "1,,s\n1,2,\n1,2\n")
    selection = found.select()
    assert len(selection.dataset) == 30
    assert selection.notes == (
        "1 row skipped for having more or fewer than 3 cells, in line 42.",
        "5 cells of a read as missing (NA, ?, NaN, null, -), the first in line 33.",
        "2 cells of a without a number, read as missing, the first in line 38.",
        "8 rows skipped without a number in a, the first in line 32.",
        "1 row skipped without a number in b, in line 40.",
        "1 row skipped without a class in class, in line 41.",
    )


def test_a_column_with_more_gaps_than_numbers_is_left_out_unless_asked_for() -> None:
    found = table("a,b,c\n1,2,\n3,4,\n5,6,7\n")
    assert found.dataset().columns == ("a", "b")
    assert any("c" in note for note in found.select().notes)
    assert found.dataset(["a", "c"]).X.tolist() == [[5.0, 6.0, 7.0]]


def test_columns_not_asked_for_stay_where_they_cost_no_row() -> None:
    found = table("a,b,c,d\n1,2,3,\n4,5,6,7\n")
    assert found.dataset(["a", "b"]).columns == ("a", "b", "c")


def test_the_class_column_is_guessed_or_named() -> None:
    text = "id,u,v,sex,species,remark\n" + "".join(
        f"n{i},{i},{-i},{'mf'[i % 2]},{'xyz'[i % 3]},r{i}\n" for i in range(9)
    )
    found = table(text)
    assert found.guess_class() == "species"
    assert found.dataset().class_names == ("x", "y", "z")
    assert found.dataset(class_column="sex").class_names == ("m", "f")
    none = found.dataset(class_column="")
    assert not none.labels.any() and none.class_names == ()
    assert table("u,v,w\n1,2,p\n3,4,p\n").guess_class() == "w"
    assert table("u,v\n1,2\n3,4\n").guess_class() is None


def test_numbers_as_classes_are_in_order_and_no_input() -> None:
    found = table("u,v,label\n1,2,10\n2,3,2\n3,4,10\n4,5,-1\n")
    data = found.dataset()
    assert (data.class_column, data.class_names) == ("label", ("-1", "2", "10"))
    assert data.columns == ("u", "v")
    assert data.labels.tolist() == [2, 1, 2, 0]
    assert found.dataset(class_column="u").class_names == ("1", "2", "3", "4")
    assert found.dataset(["u", "label"]).columns == ("u", "v", "label")


def test_only_classes_of_kept_rows_have_names() -> None:
    data = table("u,v,k\n1,2,p\n,3,q\n3,4,r\n").dataset()
    assert data.class_names == ("p", "r")
    assert data.labels.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "empty"),
        (b"\n\n  \n", "empty"),
        (b"# only a comment\n", "empty"),
        (b"x,y,class\n", "no rows"),
        (b"PK\x03\x04 ...", "save the sheet as CSV"),
        (b"\x89PNG\r\n\x1a\n...", "picture"),
        (bytes(range(256)) * 20, "binary"),
        (b"\0" * 1000, "binary"),
        (b"a,b\nu,v\nw,x\n", "two columns of numbers"),
        (b"a\n1\n2\n", "two columns of numbers"),
        (b"a,b\n1,\n,2\n", "No row"),
        (b",".join([b"1"] * 6000), "6,000 columns"),
    ],
)
def test_what_is_no_table_says_why(raw: bytes, words: str) -> None:
    with pytest.raises(BadTable, match=words):
        parse_table(raw).dataset()


def test_wrong_choices_say_why() -> None:
    found = table("a,b,text,real\n" + "".join(f"{i},{i},t,{i / 7}\n" for i in range(200)))
    with pytest.raises(BadTable, match=r"no column 'z'.*a, b, text, real"):
        found.dataset(["a", "z"])
    with pytest.raises(BadTable, match="'text' holds text"):
        found.dataset(["a", "text"])
    with pytest.raises(BadTable, match="'real' has too many"):
        found.dataset(class_column="real")


def test_a_file_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 2**20)
    path = tmp_path / "large.csv"
    path.write_bytes(b"1,2\n" * 2**19)
    with pytest.raises(BadTable, match="larger than 1 megabytes"):
        read_table(path)


def table_or_sentence(raw: bytes) -> None:
    try:
        data = parse_table(raw).dataset()
    except BadTable as error:
        sentence = str(error)
    else:
        sentence = "."
        assert len(data) and np.isfinite(data.X).all()
    assert sentence.endswith(".") and "\n" not in sentence


@given(st.binary(max_size=400))
def test_any_bytes_give_a_table_or_a_sentence(raw: bytes) -> None:
    table_or_sentence(raw)


@given(
    st.lists(
        st.lists(st.sampled_from(["1", "2.5", "3,5", '"', '"a"', "b", "", "NA", "\0", "é"]), max_size=4), max_size=9
    )
)
def test_any_cells_give_a_table_or_a_sentence(rows: list[list[str]]) -> None:
    for separator in ",;\t ":
        table_or_sentence("\n".join(separator.join(row) for row in rows).encode())


def test_what_is_to_be_shown_is_kept_of_however_many_columns() -> None:
    rows = np.arange(3)[:, None] + np.arange(1300.0)
    wide = table("\n".join([",".join(f"c{j}" for j in range(1300)), *(",".join(map(str, row)) for row in rows)]))
    for inputs in (None, ["c3", "c4"], [f"c{j}" for j in range(1300)]):
        for shown in share((["c1210", "c7"], ["c1299"], []), inputs, 2):
            data = wide.select(inputs, shown=shown).dataset
            assert len(data.columns) == 1000 and {*shown, *(inputs or ["c0"])[:2]} <= set(data.columns), (inputs, shown)
            assert all(data.X[0, data.column(name)] == int(name[1:]) for name in data.columns)


@pytest.mark.parametrize("target", ["y", "z"])
def test_a_target_that_could_be_a_class_or_has_gaps_is_a_column_of_the_samples(target: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,z,y\n1,2,,1\n2,3,,2\n4,3,7,1\n2,8,8,2\n", "utf-8")
    scene = opening.load(path, target=target, regression=True).scene
    assert scene.panels[0].target == target and target in scene.dataset.columns


def test_numbers_at_the_ends_of_floats_are_read_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = parse_table(b"1e308\t\t\n-1.7e308\t2\n")
        assert table.guess_axes(None)
