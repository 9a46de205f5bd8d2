"""JSON from a stranger: what is ambiguous, endless or not a number is refused before it is looked at."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any, NoReturn

import numpy as np

from mlviz.spec.outside import told

MAX_BYTES = 64 * 2**20
_MAX_DEPTH = 32
_MAX_DIGITS = 100
MAX_POINTS = 2_000_000
_MAX_KEYS = 10_000
"""More than six panels that remember every method have."""
# Possessive, and to the end of the file where a text is never closed: linear in time whatever comes.
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_SIGN = re.compile(_TEXT.pattern.decode() + r"|[\[\]{},]|-?Infinity|NaN", re.DOTALL)
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
    encoding = json.detect_encoding(content)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].decode(encoding, "ignore").count("\n") + 1
        name = encoding[:6].upper().rstrip("-")
        raise BadScene(f"The file is not text in {name}: line {line}.") from None
    _check_shape(content if encoding.startswith("utf-8") else text.encode("utf-8"))
    try:
        distinct, no_constant = partial(_distinct, text), partial(_no_constant, text)
        return json.loads(text, object_pairs_hook=distinct, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at").removesuffix(" starting")  # where it is follows in words of our own
        raise BadScene(f"The file is not valid JSON: {what} {_place(text, error.pos)}.") from None


def _check_shape(content: bytes) -> None:
    # Without its texts, brackets and digits of a JSON file are what they seem; strings may not contain line feeds, so
    # that the lines stay those of the file.
    most = 2 * MAX_POINTS + 100_000
    if content.count(b'"') > most:
        place = int(np.flatnonzero(np.frombuffer(content, dtype=np.uint8) == ord('"'))[most])
        raise BadScene(f"The file has more texts than a scene can have, from line {_line(content, place)} on.")
    bare = _TEXT.sub(b"", content)
    signs = np.frombuffer(bare, dtype=np.uint8) | 0x20  # [ becomes { and ] becomes }
    steps = (signs == ord("{")).astype(np.int8) - (signs == ord("}")).astype(np.int8)
    depth = np.cumsum(steps, dtype=np.int32)
    if len(depth) and depth.max() > _MAX_DEPTH:
        place = int(np.argmax(depth > _MAX_DEPTH))
        raise BadScene(f"The file is nested deeper than {_MAX_DEPTH} levels in line {_line(bare, place)}.")
    if np.count_nonzero(steps > 0) > MAX_POINTS + 1000:
        place = int(np.flatnonzero(steps > 0)[MAX_POINTS])
        raise BadScene(f"The file has more than {MAX_POINTS:,} points, from line {_line(bare, place)} on.")
    if bare.count(b":") > _MAX_KEYS:
        place = int(np.flatnonzero(signs == ord(":"))[_MAX_KEYS])
        raise BadScene(f"The file has more than {_MAX_KEYS:,} keys, from line {_line(bare, place)} on.")
    long = _LONG_NUMBER.search(bare)
    if long:
        raise BadScene(f"The file has a number of more than {_MAX_DIGITS} digits in line {_line(bare, long.start())}.")


def _line(content: bytes, place: int) -> int:
    return content.count(b"\n", 0, place) + 1


def _place(text: str, at: int) -> str:
    column = at - text.rfind("\n", 0, at)
    return f"in line {text.count(chr(10), 0, at) + 1}, column {column}"


def _first(text: str, wanted: str) -> str:
    """Where the first such sign of a JSON text stands, and the keys that lead there.

    The sign may be a constant, or "" for a key that its object has already. The text is proper JSON to there.
    """
    levels: list[tuple[set[str] | None, str | int | None]] = []  # an object's keys, and the key or number within
    for found in _SIGN.finditer(text):
        sign = found[0]
        keys, at = levels[-1] if levels else (None, None)
        if sign in ("{", "["):
            levels.append((set(), None) if sign == "{" else (None, 0))
        elif sign in ("}", "]"):
            levels.pop()
        elif sign == ",":
            levels[-1] = keys, at + 1 if isinstance(at, int) else None
        elif keys is not None and at is None:
            at = str(json.loads(sign))
            levels[-1] = keys, at
            sign = "" if at in keys else sign
            keys.add(at)
        if sign == wanted:
            break
    path = "".join(f"[{at}]" if isinstance(at, int) else f".{told(at or '')}" for _, at in levels)
    return f"{_place(text, found.start())}{path and f': {path.lstrip(chr(46))}'}"


def _distinct(text: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise BadScene(f"A key stands twice in one place, the second time {_first(text, '')}.")
    return result


def _no_constant(text: str, name: str) -> NoReturn:
    raise BadScene(f"The file contains {name}, which is not a number, {_first(text, name)}.")
