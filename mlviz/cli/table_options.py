"""The options that say how a table is written, where what is found out goes wrong."""

from __future__ import annotations

import argparse
from typing import Any

from mlviz.data.tables.reading import FORMAT_CHOICES, Format

TABLE_OPTIONS = {
    "encoding": ("encoding", "how a table is encoded (default: found out, as all that follows)"),
    "separator": ("separator", "what stands between its cells"),
    "comma": ("decimal", "its decimal sign"),
    "header": ("first-row", "whether its first row names the columns or is a sample"),
    "missing": ("missing", "what counts as missing: the usual marks, empty cells only, or codes separated by commas"),
    "missing_class": ("missing-class", "whether rows whose class is such a code are skipped, or it is a class itself"),
    "by_value": ("class-numbers", "whether numbers that name classes, such as 1 and 01, are told apart by"),
}
"""The fields of a `Format`: option and help."""


def add_table_options(command: argparse.ArgumentParser) -> None:
    """Declare them for a command."""
    for field, (name, help) in TABLE_OPTIONS.items():
        known = tuple(_words(field))
        wish = {"metavar": "CODES"} if field == "missing" else {"choices": known}
        command.add_argument(f"--{name}", dest=field, help=f"{help}: {', '.join(known)}", **wish)


def wanted_format(options: argparse.Namespace) -> Format:
    """What they say."""
    given = {field: getattr(options, field) for field in TABLE_OPTIONS}
    return Format(**{field: _words(field).get(word, word) for field, word in given.items() if word is not None})


def _words(field: str) -> dict[str, Any]:
    """What a field of a `Format` is called on the command line -> its value."""
    return {value if field == "encoding" else name: value for value, name in FORMAT_CHOICES[field].items()}
