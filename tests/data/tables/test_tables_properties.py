"""One table written in every way there is reads the same."""

import io

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mlviz.data.tables.reading import parse_table
from tests.sweep import trials

plain = st.integers(-(10**6), 10**6).map(lambda n: n / 1000)


@settings(max_examples=len(trials(300)))
@given(
    st.lists(st.tuples(plain, plain, st.sampled_from(["north", "south", "état", "grün"])), min_size=4, max_size=15),
    st.sampled_from([";", "\t", "|"]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"]),
    st.booleans(),
)
def test_the_same_table_is_found_however_it_is_written(rows, separator, comma, end, encoding, quoted):
    mark = ("," if comma else ".").join
    text = io.StringIO()
    text.write(separator.join(["height", "width", "kind"]) + end)
    for x, y, word in rows:
        cells = [mark(f"{x:.3f}".split(".")), mark(f"{y:.3f}".split(".")), f'"{word}"' if quoted else word]
        text.write(separator.join(cells) + end)
    table = parse_table(text.getvalue().encode(encoding))
    data = table.select(("height", "width"), "kind").dataset
    assert (np.array([row[:2] for row in rows]) == data.X).all()
    assert [data.class_name(code) for code in data.labels] == [row[2] for row in rows]
