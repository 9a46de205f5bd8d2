import numpy as np
import pytest

from mlviz.draw.numbers import format_number, interval_ends, number, p_equals, plain, typographic


def test_numbers_have_the_true_minus():
    assert (
        format_number(-1.5) == "−1.5"
        and format_number(2.0) == "2"
        and format_number(-1e-7, 3) == "−1e−07"
        and format_number(3.14159, 3) == "3.14"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("f(x) = -0.5, -3 away", "f(x) = −0.5, −3 away"),
        ("prediction 9 = 1 - 8 (x1)", "prediction 9 = 1 − 8 (x1)"),
        ("λ = 1e-05 (-.5 to -2)", "λ = 1e−05 (−.5 to −2)"),
        ("-∞", "−∞"),
        (
            "k-means, one-vs-one, x-1, 2024-01-31, 3-4, log-normal",
            "k-means, one-vs-one, x-1, 2024-01-31, 3-4, log-normal",
        ),
    ],
)
def test_only_a_hyphen_before_a_number_is_a_minus(text, shown):
    assert typographic(text) == shown
    assert plain(shown) == text


@pytest.mark.parametrize(
    ("value", "said"), [(8.359e-16, "8.4e-16"), (0.05474, "0.055"), (12.13, "12"), (234.5, "234"), (17, "17"), (0, "0")]
)
def test_ends_of_a_range_are_short(value, said):
    assert number(value, 2) == said


@pytest.mark.parametrize("digits", [2, 3])
def test_a_probability_is_1_only_where_it_is(digits):
    assert p_equals(1.0, digits) == "p = 1"
    below = 1 - np.geomspace(1e-16, 0.9, 400)
    for value in below.tolist():
        relation, told = p_equals(value, digits)[2:].split()
        assert float(told) < 1, value
        assert value > float(told) if relation == ">" else value == pytest.approx(float(told), rel=0.051)
    assert p_equals(0.9962, 2) == "p = 0.996" and p_equals(0.714, 2) == "p = 0.71"


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (577.74, 578.97, ["577.7", "579"]),
        (-1.25, 1.3499, ["-1.25", "1.35"]),
        (1e6, 1e6 + 0.5, ["1000000", "1000000.5"]),
        (2.0, 2.0, ["2", "2"]),
        (-np.inf, np.inf, ["-∞", "∞"]),
    ],
)
def test_how_long_an_interval_is_can_be_read_off_its_ends(low, high, told):
    assert interval_ends(low, high) == told
