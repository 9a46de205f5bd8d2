"""JSON from a stranger: what is ambiguous, endless or not a number is refused before it is looked at."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import partial
from typing import Any

import numpy as np

MAX_BYTES = 64 * 2**20
_MAX_DEPTH = 32
_MAX_DIGITS = 100
MAX_POINTS = 2_000_000
# Possessive, and to the end of the file where a text is never closed: linear in time whatever comes.
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_QUOTED = re.compile(_TEXT.pattern.decode(), re.DOTALL)
_LONG_NUMBER = re.compile(rb"[0-9]{%d}" % (_MAX_DIGITS + 1))


class BadScene(Exception):
    """A scene file can't be used; the message is one sentence that names the place."""

    def __init__(self, message: str) -> None:
        # Names out of a stranger's file may be megabytes long and have line feeds.
        sentence = " ".join(message[:1000].split())
        super().__init__(sentence if len(sentence) <= 300 else sentence[:299] + "…")


def parse(content: bytes) -> Any:
    """The value of a JSON text; raises `BadScene`."""
    if len(content) > MAX_BYTES:
        raise BadScene(f"The file is larger than {MAX_BYTES // 2**20} megabytes.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadScene(f"The file is not text in UTF-8: line {_line(content, error.start)}.") from None
    _check_shape(content)
    try:
        return json.loads(text, object_pairs_hook=_distinct, parse_constant=partial(_no_constant, text))
    except json.JSONDecodeError as error:
        raise BadScene(
            f"The file is not proper JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        ) from None


def _check_shape(content: bytes) -> None:
    # Without its texts, brackets and digits of a JSON file are what they seem; strings may not contain line feeds, so
    # that the lines stay those of the file.
    if content.count(b'"') > 2 * MAX_POINTS + 100_000:
        raise BadScene("The file has more texts than a scene can have.")
    bare = _TEXT.sub(b"", content)
    signs = np.frombuffer(bare, dtype=np.uint8) | 0x20  # [ becomes { and ] becomes }
    steps = (signs == ord("{")).astype(np.int8) - (signs == ord("}")).astype(np.int8)
    depth = np.cumsum(steps, dtype=np.int32)
    if len(depth) and depth.max() > _MAX_DEPTH:
        place = int(np.argmax(depth > _MAX_DEPTH))
        raise BadScene(f"The file is nested deeper than {_MAX_DEPTH} levels in line {_line(bare, place)}.")
    if np.count_nonzero(steps > 0) > MAX_POINTS + 1000:
        raise BadScene(f"The file has more than {MAX_POINTS:,} points.")
    long = _LONG_NUMBER.search(bare)
    if long:
        raise BadScene(f"The file has a number of more than {_MAX_DIGITS} digits in line {_line(bare, long.start())}.")


def _line(content: bytes, place: int) -> int:
    return content.count(b"\n", 0, place) + 1


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise BadScene(f"The key {twice!r} stands twice in one place.")
    return result


def _no_constant(text: str, name: str) -> Any:
    # What stands between quotation marks is blanked, so that the lines and columns stay those of the file.
    bare = _QUOTED.sub(lambda found: " " * len(found[0]), text)
    place = bare.index(name)
    column = place - bare.rfind("\n", 0, place)
    line = bare.count("\n", 0, place) + 1
    raise BadScene(f"The file contains {name}, which is not a number, in line {line}, column {column}.")
