"""Names of classes are told apart as a person reads them."""

import unicodedata

import pytest

from mlviz.data.tables.cells import is_number
from mlviz.data.tables.reading import parse_table


def words_of(*names):
    table = parse_table("\n".join(["a,b,kind", *(f"{i}.5,{2 * i},{name}" for i, name in enumerate(names))]).encode())
    return table.column("kind").words, table.notes


@pytest.mark.parametrize("name", ["café", "Ångström", "naïve", "한국"])
def test_composed_and_decomposed_letters_are_one_class(name):
    forms = [unicodedata.normalize(form, name) for form in ("NFC", "NFD")]
    assert forms[0] != forms[1]
    words, notes = words_of(*forms, "tea", *forms, "tea")
    assert words == (forms[0], "tea")
    assert notes == (
        "2 names in kind with letters and accents put together, the first in line 3.",
    )  # told: other bytes


@pytest.mark.parametrize(
    "mark", ["\u200b", "\ufeff", "\u00ad", "\u200e", "\u0007", "\u3164", "\u115f", "\u2800", "\u17b4", "\ufe0f"]
)
def test_invisible_marks_part_no_classes(mark):
    assert words_of("red", f"r{mark}ed", "blue", "red")[0] == ("red", "blue")


@pytest.mark.parametrize("pair", ["()", "( )", "(- )"])
def test_many_parentheses_are_no_number_and_no_error(pair):
    assert not is_number(pair[:-1] * 3000 + "1" + ")" * 3000)
    assert is_number("(12)")
