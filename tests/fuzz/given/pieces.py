"""What is put in the place of numbers, texts and values."""

from __future__ import annotations

NUMBERS = (
    *("nan", "NaN", "Infinity", "-Infinity", "inf", "1e300", "-1e300", "1e308", "-1.7976931348623157e308", "1e999"),
    *("-0", "-0.0", "0", "1", "-1", "2", "3", "0.5", "5e-324", "1e-300", "1e-400", "1e100", "1e12", "1e13", "1e-9"),
    *("9007199254740993", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "-1e-300"),
    *("1" + "0" * 99, "9" * 101, "0x10", "1_000", "+1", "1e5", "01", "1.", ".5", "--1", "1e", "1,5", "1.5.5", "٣"),
    *("−2", "１", "½", "1e+", "1 000", "1'000", "(5)", "5%", "$5", "12:30", "2024-02-30", "1/2", "1d5"),
)
"""Numbers at the ends of what there is, and what may be taken for one."""
TEXTS = (
    *("\x00", "\x1b[31mcanary\x07", "\x9b31m", "\x7f", "\b\b\b", "a\rb", "a\nb", "a\tb", "\u2028", "\u202ecanary"),
    *("<b>canary</b>", '<img src="file:///canary.png">', '<a href="file:///canary">x</a>', "&canary;", "canary & <"),
    *("<h1>canary", "<script>canary</script>", "]]>canary", "%s%n canary", "{0.__class__}", "../../canary"),
    *("\ufffe\uffff", "\ufeff", "e\u0301", "\u200b", "🦆", "=1+1", "@SUM(A1)", "", " ", '"', "'", "\\", "ﷺ", "x" * 300),
    *("canary" * 5000, "\U0010ffff", "İ", "ß", "class", "x1", "x2", "null", "true", "none", "auto", "gaussian", "knn"),
)
"""Names that have ended badly somewhere; those with "canary" are looked for where they must not stand."""


FINITE = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, 5e-324, -5e-324, 1e-300, 1e-160, 1e-17, 1e-9, 1e9, 1e12, -1e12, 1e15, 1e100, -1e155),
    *(1e300, -1e300, 1.7e308, 2.0**53 + 2, 1700000000000.0, 1.0 + 1e-12, 47.37688, 1e-5, 3.0, 60.0),
)
"""Numbers that can be read."""
MODERATE = 1e12
"""Up to this a sample is one."""


class Raw(str):
    """JSON that is written as it is."""


def _nested(depth: int) -> Raw:
    return Raw("[" * depth + "]" * depth)


VALUES: tuple[object, ...] = (
    *(
        None,
        True,
        False,
        [],
        {},
        [[]],
        [{}],
        [None],
        [True],
        {"": None},
        {"a": {"b": []}},
        [1, 2],
        ["x1"],
        ["x1", "x2"],
    ),
    *("x1", "class", 0, 1, 2, -1, 0.5, 1.5, 1e300, -1e300, 5e-324, 1e-300, 1e12, -0.0, 2**31, 2**63, 2**64, 10**99),
    *map(Raw, ("NaN", "Infinity", "-Infinity", "1e999", "-0", "9" * 101, '"\\ud800"', '"\\ud800\\udc00"', '"\\u0000"')),
    *(_nested(20), _nested(40), [0] * 5, ["a"] * 5, [[0, 0]] * 3, [[0, 0, 0]], [["a", "b"]], [[1e300, -1e300]] * 4),
)
"""Values of every type, for every place of a scene."""
