import math
import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.draw.numbers import MINUS
from mlviz.draw.ticks import Ticks, ticks, words_of_levels
from tests.sweep import trials


def extent(label):
    return 7.0 * len(label) + 7


def on(low, high, length=400.0, scale="linear", whole=False):
    return ticks(low, high, length, extent, scale, whole=whole)


def test_nice_numbers():
    assert on(-4, 4).labels == ("−4", "−2", "0", "2", "4")
    assert on(-4, 4).values == (-4, -2, 0, 2, 4)
    assert on(0, 1).labels == ("0", "0.2", "0.4", "0.6", "0.8", "1.0")


def test_what_is_counted_has_no_ticks_between_whole_numbers():
    assert on(0, 2).labels[1] == "0.5" and on(0, 2, whole=True).labels == ("0", "1", "2")
    assert on(0.4, 3.6, 4000, whole=True).values == (1, 2, 3)
    assert on(0, 40, whole=True) == on(0, 40)
    assert on(1, 10, 300, whole=True).values == tuple(range(1, 11)), "a few have one each"


def test_there_are_as_many_ticks_as_have_room_from_all_of_them_down_to_one_step():
    assert on(0, 7).values == tuple(range(8)) and on(0, 8).values == (0, 2, 4, 6, 8)
    wide = [ticks(0, 10, length, lambda label: 40.0).values for length in (100, 60, 30)]
    assert wide == [(0, 5, 10), (0, 10), ()]


def test_no_noise():
    labels = on(-0.3, 0.3).labels
    assert "0" in labels
    assert not any(label.startswith("−0") and float(label.replace("−", "-")) == 0 for label in labels)
    assert all(len(label) <= 5 for label in labels)


@pytest.mark.parametrize(("low", "high", "note"), [(0, 3e6, "×10⁶"), (0, 4e-7, "×10⁻⁷")])
def test_large_and_small_numbers_have_one_factor(low, high, note):
    made = on(low, high)
    assert made.note == note
    assert max(map(len, made.labels)) <= 4


def test_a_small_way_far_from_zero_names_the_offset_once():
    made = on(1_000_000.1, 1_000_000.9)
    assert made.note == "+ 1000000"
    assert made.labels[0] == "0.2"
    assert on(-1_000_000.9, -1_000_000.1).note.startswith("−")


def test_decades():
    made = on(1e-5, 1e5, scale="log")
    assert all(math.log10(value).is_integer() for value in made.values)
    assert made.labels[0] == "10⁻⁴"
    assert on(0.001, 1000, scale="log").labels == ("0.001", "0.01", "0.1", "1", "10", "100", "1000")
    assert on(1, 30, scale="log").labels == ("1", "2", "5", "10", "20")


@pytest.mark.parametrize(
    ("low", "high", "length"),
    [
        (1, 1, 100),
        (2, 1, 100),
        (math.nan, 1, 100),
        (0, math.inf, 100),
        (0, 1.5e-323, 500),
        (0, 1, 0),
        (1e300, 1.0000000000000002e300, 99),
        (278519790.0, 278519790.00000012, 10),
    ],
)
def test_nothing_to_tick(low, high, length):
    assert on(low, high, length) == Ticks()


def test_a_log_axis_needs_positive_limits():
    assert on(0, 10, scale="log") == Ticks()


@given(st.floats(-1e9, 1e9), st.floats(1e-9, 1e9), st.floats(10, 2000), st.sampled_from(["linear", "log"]))
def test_labels_never_touch_and_say_where_they_are(low, span, length, scale):
    if scale == "log":
        low = abs(low) + 1e-9
    high = low + span
    made = ticks(low, high, length, extent, scale)
    assert all(low - 1e-9 * span <= value <= high + 1e-9 * span for value in made.values)
    assert len(set(made.labels)) == len(made.labels)
    if made.values:
        place = math.log if scale == "log" else float
        unit = length / (place(high) - place(low))
        rights = [place(v) * unit + extent(w) / 2 for v, w in zip(made.values, made.labels, strict=True)]
        lefts = [place(v) * unit - extent(w) / 2 for v, w in zip(made.values, made.labels, strict=True)]
        assert all(right <= left + 1e-3 for right, left in zip(rights, lefts[1:], strict=False))


def value_read(label, note):
    """What a reader takes the tick for, exactly."""
    note = note.replace(MINUS, "-")
    power = re.search("×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", label + note)
    offset = re.search(r"([+-]) ([0-9.e-]+)$", note)
    number = label.partition("10⁻")[0] if label.startswith("10⁻") else label
    value = Decimal(number.replace(MINUS, "-") or "1")
    if power:
        value = value.scaleb(int(power[1].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))))
    return value + (Decimal(offset[1] + offset[2]) if offset else 0)


def test_thousands_of_axes_are_read_back():
    rng, count = np.random.default_rng(7), len(trials(8_000))
    sizes, shares = 10.0 ** rng.uniform(-12, 15, count), 10.0 ** rng.uniform(-9, 1, count)
    signs = rng.choice([-1.0, 1.0], count)
    for low, span, length in zip(signs * sizes, sizes * shares, rng.uniform(80, 1500, count), strict=True):
        made = on(float(low), float(low + span), float(length))
        step = made.values[1] - made.values[0] if len(made.values) > 1 else abs(low) or 1.0
        for value, label in zip(made.values, made.labels, strict=True):
            assert abs(value_read(label, made.note) - Decimal(value)) <= Decimal(step) / 10, (low, span, made)


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.00007), (-276.32, -276.29), (99999, 99999.9), (0.5, 0.50001)])
def test_where_six_digits_say_it_there_is_no_note(low, high):
    assert not on(low, high).note


def test_labels_on_narrow_log_axes_are_read_back():
    for low, high in [(3e-8, 2e-7), (1e5, 9e5), (47.37, 47.38), (2e-300, 3e-299)]:
        made = on(low, high, scale="log")
        assert made.values
        for value, label in zip(made.values, made.labels, strict=True):
            assert float(value_read(label, made.note)) == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("offset", [0.0, 1.0, 2000.0, -20_000.0, 123_456.0, 1e9])
@pytest.mark.parametrize("step", [1e-3, 0.05, 0.5, 2.0, 1e4])
def test_numbers_of_levels_tell_each_from_the_next(offset, step):
    for levels in (offset + step * np.arange(-3, 5), np.array([offset + step])):
        word = words_of_levels(levels.tolist())
        told = [word(level) for level in levels.tolist()]
        assert len(set(told)) == len(levels)
        read = np.array([float(text.replace(MINUS, "-")) for text in told])
        assert np.abs(read - levels).max() < 0.1 * step


def test_numbers_of_levels_are_short_and_written_out():
    assert [words_of_levels([-1e5, -3e4, -1e4])(v) for v in (-1e5, -3e4)] == [f"{MINUS}100000", f"{MINUS}30000"]
    assert words_of_levels([0.0, 0.2, 0.1 + 0.2])(0.1 + 0.2) == "0.3"
    assert words_of_levels([0.0, 5e12])(5e12) == "5e+12"
