"""Which column is taken for the classes, in whatever order the columns stand."""

from itertools import permutations

import pytest

from mlviz.data.tables.reading import parse_table
from tests.sweep import share

N = 12
FULL = [("dog", "cat", "mouse")[i % 3] for i in range(N)]
SPARSE = ["" if i % 5 else ("a", "b", "c")[i % 3] for i in range(N)]
SINGLE = ["here"] * N
MEASURED = {"u": [f"{i / 7:.3f}" for i in range(N)], "v": [f"{(i * i) % 11}.5" for i in range(N)]}
GAPS = ["" if word == "cat" else f"{i}.5" for i, word in enumerate(FULL)]
ANIMAL = ["cat" if word == "cat" else "other" for word in FULL]


def guessed(columns):
    rows = zip(*columns.values(), strict=True)
    return parse_table("\n".join(map(";".join, (list(columns), *rows))).encode())


@pytest.mark.parametrize(
    ("others", "wanted"),
    [
        ({"animal": FULL, "remark": SPARSE}, "animal"),
        ({"animal": FULL, "place": SINGLE}, "animal"),
        ({"animal": FULL, "class": SPARSE}, "animal"),
        ({"animal": FULL, "class": SINGLE, "remark": SPARSE}, "animal"),
        ({"species": FULL, "animal": ANIMAL}, "species"),
        ({"animal": FULL, "kind": ANIMAL, "w": GAPS}, "animal"),
        ({"place": SINGLE, "remark": SPARSE}, "place"),
        ({"class": SPARSE}, "class"),
        ({"remark": SPARSE}, None),
    ],
)
def test_a_full_column_of_several_classes_comes_first(others, wanted):
    columns = {**MEASURED, **others}
    for order in share(permutations(columns), str(others), 4):
        table = guessed({name: columns[name] for name in order})
        assert table.guess_class() == wanted, order
        data = table.dataset()
        assert len(data) == (N if wanted != "class" else 3) - (4 if "w" in others else 0), order
        assert (len(set(data.labels.tolist())) > 1) == (wanted not in (None, "place"))


def test_the_last_of_several_alike_is_taken_and_what_is_left_is_told():
    table = guessed({**MEASURED, "animal": FULL, "pet": ANIMAL, "remark": SPARSE})
    assert table.guess_class() == "pet"
    alone = guessed({**MEASURED, "remark": SPARSE}).select()
    assert any("no column was chosen for the classes; could be: remark" in note for note in alone.notes)
