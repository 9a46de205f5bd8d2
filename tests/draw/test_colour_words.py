"""Classes named for colours have these colours; no two classes ever have the same."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.draw import palette
from mlviz.draw.colour_words import _WORDS, colour_number, coloured_by_name
from mlviz.draw.palette import COLOUR_NAMES, class_look, class_number, exchanged

WORDS = [word for words in _WORDS.values() for word in words.split(", ")]


def names_of(names, former=(), colours=()):
    """The colours in words of the classes with those names."""
    found = coloured_by_name(names, former, colours)
    return [COLOUR_NAMES[class_number(code, found) % 9] for code in range(len(names))]


def test_every_colour_of_the_palette_has_words_and_every_word_one_colour():
    assert tuple(_WORDS) != () and set(_WORDS) == set(COLOUR_NAMES)
    assert len(set(WORDS)) == len(WORDS)
    assert [colour_number(name) for name in COLOUR_NAMES] == list(range(9))


@pytest.mark.parametrize(
    ("names", "colours"),
    [
        (("red", "green", "blue"), ["red", "green", "blue"]),
        (("ROT", " Grün ", "blau"), ["red", "green", "blue"]),
        (("rouge", "vert", "bleu"), ["red", "green", "blue"]),
        (("rosso", "verde", "azzurro"), ["red", "green", "sky blue"]),
        (("rojo", "amarillo", "gris"), ["red", "yellow", "grey"]),
        (("dark red", "light blue", "hellgrün", "rot-dunkel", "claro"), ["red", "sky blue", "green", "pink", "yellow"]),
        (("purple", "violet", "black", "grey"), ["pink", "orange", "grey", "blue"]),
        (
            ("grey", *"abcdefg", "black"),
            ["grey", "orange", "green", "pink", "yellow", "sky blue", "red", "brown", "blue"],
        ),
        (("setosa", "redwood", "infrared", "Orangery"), ["blue", "orange", "green", "pink"]),
        (("orange", "blue"), ["orange", "blue"]),
        ((), []),
    ],
)
def test_names_say_colours(names, colours):
    assert names_of(names) == colours


def test_only_a_new_name_says_a_colour():
    chosen = exchanged((), 0, 3)
    assert names_of(("red", "b"), ("red", "b"), chosen) == ["pink", "orange"]
    assert names_of(("red", "green"), ("red", "b"), chosen) == ["pink", "green"]
    assert names_of(("red", "rot"), ("red", "b"), exchanged((), 0, 6)) == ["red", "orange"]


@given(st.lists(st.sampled_from([*WORDS, "a", "b", "class 1"]), max_size=12), st.permutations(range(9)))
def test_no_two_classes_share_a_look_and_the_first_with_a_word_has_its_colour(names, colours):
    found = coloured_by_name(names, (), tuple(colours))
    looks = [class_look(class_number(code, found)) for code in range(palette.MOST_CLASS_LOOKS)]
    assert len(set(looks)) == len(looks)
    said = [colour_number(name) for name in names[:9]]
    for code, number in enumerate(said):
        if number is not None and number not in said[:code]:
            assert class_number(code, found) == number


def test_a_colour_is_exchanged_and_every_order_can_be_had():
    assert exchanged((), 2, 2) == () == exchanged(exchanged((), 2, 5), 2, 2)
    for a, b, c in itertools.permutations(range(9), 3):
        colours = ()
        for code, number in enumerate((a, b, c)):
            colours = exchanged(colours, code, number)
        assert [class_number(code, colours) for code in range(3)] == [a, b, c]
        assert sorted(class_number(code, colours) for code in range(9)) == list(range(9))


def test_grey_codes_stay_grey_with_the_shape_of_the_class():
    colours = exchanged((), 1, 6)
    number = class_number(palette.grey_code(1), colours)
    assert number < 0 and palette.class_symbol(number) == palette.class_symbol(6)
