"""The language of kernels: what it says, where it complains, and which numbers in it can be moved."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.numerics.kernels.base import Gaussian, Kernel
from mlviz.numerics.kernels.expression import LONGEST_EXPRESSION, BadExpression, numbers, parse
from tests.spec.any_text import CHARACTERS


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a kernel is expected at the start, at character 1"),
        ("   ", "a kernel is expected at the start, at character 4"),
        ("gaussian(1) + ", r"a kernel is expected after \+ at character 15"),
        ("gaussian(1) + * linear", r"a kernel is expected after \+ at character 15"),
        ("gaussian", r"\( is expected after gaussian, as in gaussian\(0.5\), at character 9"),
        ("gaussian()", r"a number, the width, is expected after \( at character 10"),
        ("gaussian(0)", "the width at character 10 is a number from 1e-09 to 1e.09, not 0"),
        ("gaussian(1e999)", "the width at character 10"),
        ("polynomial(3)", r"a comma is expected in polynomial, as in polynomial\(3, 1\), at character 13"),
        ("polynomial(2.5, 1)", "the degree at character 12 is a whole number, not 2.5"),
        ("linear^2^2", "one power follows another at character 9"),
        ("linear linear", r"\+, -, \* or \^ is expected before linear at character 8"),
        ("(linear", r"\) is expected to close the bracket at character 8"),
        ("linear)", r"no bracket is open that \) at character 7 would close"),
        ("linear / 2", "'/' is not understood at character 8"),
        ("__import__(1)", "__import__ at character 1 is none of linear, gaussian"),
        ("(" * 9 + "linear" + ")" * 9, "more than 8 brackets are open at character 9"),
        ("homogeneous(9)*homogeneous(9)", "its polynomial is of degree 18, more than 12"),
        ("(1e9*1e9*1e9*1e9*1e9)^9", "its numbers are too large"),
        ("1e5*1e5*gaussian(1)", r"its numbers make 1e\+10 together, more than 1e\+09"),
        ("linear - (20*gaussian(1))^9", r"its numbers make 5.12e\+11 together"),
        ("1e9" + "*1e9" * 40, "its numbers are too large"),
        ("linear + " * 40 + "linear", f"it is longer than {LONGEST_EXPRESSION} characters"),
    ],
)
def test_it_says_what_is_wrong_where(text, complaint):
    with pytest.raises(BadExpression, match=f"^expression is not a kernel: .*{complaint}.*\\.$"):
        parse(text)


def test_blanks_and_capitals_do_not_matter():
    assert parse(" Gaussian ( .5 )  ") == Gaussian(0.5)
    assert parse("2E-1*linear+gaussian(1.)") == parse("0.2 * linear + gaussian(1)")


PARTS = st.sampled_from(
    [
        "linear",
        "gaussian(",
        "0.5",
        "3",
        ")",
        "(",
        "+",
        "-",
        "*",
        "^",
        "2",
        "exp(",
        "anova(",
        "polynomial(2,1)",
        ",",
        " ",
    ]
)


@given(st.one_of(st.text(CHARACTERS, max_size=60), st.lists(PARTS, max_size=25).map("".join)))
def test_it_is_a_kernel_or_a_sentence(text):
    try:
        kernel = parse(text)
    except BadExpression:
        return
    assert isinstance(kernel, Kernel)
    assert hash(kernel) == hash(parse(text))
    for number in numbers(text):
        assert float(text[number.start : number.stop]) == number.value
        assert number.soft[0] < number.soft[1]


def test_the_numbers_in_it_can_be_moved():
    text = "gaussian(0.5) + 0.1*polynomial(3, 2)^2 + 2*gaussian(1)"
    found = numbers(text)
    assert [text[n.start : n.stop] for n in found] == ["0.5", "0.1", "3", "2", "2", "2", "1"]
    assert [n.label for n in found] == [
        "gaussian σ 1", "number 1", "polynomial m", "polynomial c", "power", "number 2", "gaussian σ 2",
    ]  # fmt: skip
    assert [n.whole for n in found] == [False, False, True, False, True, False, False]
    for number in found:
        for end in number.soft:
            if number.label != "polynomial m":  # whose degree times the power is limited
                parse(f"{text[: number.start]}{end:g}{text[number.stop :]}" if number.label != "power" else text)
    with pytest.raises(BadExpression):
        numbers("linear +")


def test_sliders_do_not_depend_on_the_values():
    one, other = numbers("0.1*gaussian(2) + linear^2"), numbers("7*gaussian(0.3) + linear^3")
    assert [(n.label, n.soft, n.log) for n in one] == [(n.label, n.soft, n.log) for n in other]


def test_the_same_text_is_the_same_kernel():
    X = np.random.default_rng(0).normal(size=(5, 2))
    assert parse("gaussian(1)*linear") == parse("gaussian(1) * linear")
    np.testing.assert_array_equal(parse("gaussian(1)*linear").matrix(X, X), (Gaussian(1.0).matrix(X, X) * (X @ X.T)))
