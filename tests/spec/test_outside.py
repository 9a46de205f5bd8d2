"""Text from outside on its way into sentences."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.spec import outside
from mlviz.spec.outside import composed, printable, shortened, told
from tests.spec.any_text import CHARACTERS

MARKS = [sign for sign in map(chr, range(sys.maxunicode + 1)) if unicodedata.combining(sign)]
FORMS = ("NFC", "NFKC")
marked = st.text(st.sampled_from("eoaé" + "".join(MARKS[::40]) + "\u0344\u0f73 "), max_size=120)


@given(
    st.text(CHARACTERS, max_size=40) | st.text(st.sampled_from("eäö\u0301\u0323\u0344가"), max_size=30),
    st.sampled_from(FORMS),
)
def test_text_is_composed_as_unicode_has_it(text, form):
    assert composed(text, form) == unicodedata.normalize(form, text)


@given(marked, st.sampled_from(FORMS))
def test_composed_twice_is_composed_once(text, form):
    assert composed(composed(text, form), form) == composed(text, form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mark", ["\u0301\u0323", "\u0344\u0323", "\u0f73\u0f71", "".join(MARKS[::-1])])
def test_no_more_accents_are_put_in_order_than_a_language_has(mark, form, monkeypatch):
    """Unicode's way takes time quadratic in how many there are: a megabyte of them took hours."""
    runs = []

    class Watched:
        combining, is_normalized = unicodedata.combining, unicodedata.is_normalized

        @staticmethod
        def normalize(form, text):
            # Of those that are given, and not of the letters between them.
            runs.append(max(map(len, "".join("^" if unicodedata.combining(c) else " " for c in text).split())))
            return unicodedata.normalize(form, text)

    monkeypatch.setattr(outside, "unicodedata", Watched)
    text = "e" + mark * 1_000
    assert len(composed(text, form)) <= 1 + 4 * 30 and runs and max(runs) <= 30


@given(st.text(CHARACTERS, max_size=300), st.integers(2, 60))
def test_what_is_shortened_keeps_its_ends(text, most):
    short = shortened(text, most)
    assert len(short) <= max(most, 3) and (short == text or (len(text) > most and text.startswith(short[: most // 2])))
    assert short[-1:] == text[-1:]
    assert len(told(text)) <= 41


@given(marked)
def test_what_is_printable_has_no_hidden_signs(text):
    assert printable(text).isprintable()
