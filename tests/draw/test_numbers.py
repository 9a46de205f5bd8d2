import pytest

from mlviz.draw.numbers import format_number, number, plain, typographic


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
