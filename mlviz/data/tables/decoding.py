"""From the bytes of a table to its text, whatever program wrote it."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from mlviz.data.tables.departures import Departure, Kind, departures

_MARKS = (  # the longer ones first: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_AS_WESTERN = "mlviz.western"
"""The name under which decoders find what to do with bytes that are no UTF-8."""
_FOREIGN = (  # what people drop on a window for tables, and what to do with it
    (b"PK\x03\x04", "is a spreadsheet or an archive; save the sheet as CSV and open that"),
    (b"\xd0\xcf\x11\xe0", "is an old spreadsheet; save the sheet as CSV and open that"),
    (b"%PDF", "is a PDF document, not a table"),
    (b"\x89PNG", "is a picture, not a table"),
    (b"\xff\xd8\xff", "is a picture, not a table"),
    (b"\x1f\x8b", "is compressed; unpack it and open what is inside"),
    (b"{\\rtf", "is a formatted text; save it as plain text and open that"),
    (b"<!DOCTYPE", "is a web page; save the table on it as CSV and open that"),
    (b"<html", "is a web page; save the table on it as CSV and open that"),
    (b"<?xml", "is XML, not a table; save it as CSV and open that"),
)
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16, low byte first",
    "utf-16-be": "UTF-16, high byte first",
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252 (Western)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "shift_jis": "Shift JIS (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
}
"""Encodings that can be chosen, and what they are called."""


class BadTable(Exception):
    """A file can't be read as a table; the message is one sentence for a person."""


Decoded = tuple[str, str, list[Departure]]
"""A text, its encoding, and what was odd."""


def decode(content: bytes, wanted: str | None = None) -> Decoded:
    """What is in a file, in the encoding `wanted` or in the one it looks like; its lines end in a line feed alone.

    Raises `BadTable`.
    """
    for start, complaint in _FOREIGN:
        if content.startswith(start):
            raise BadTable(f"The file {complaint}.")
    encoding, odd, strict = wanted or _encoding(content), list[Departure](), True
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        strict = False
        if wanted or encoding != "utf-8":
            text = content.decode(encoding, errors="replace")
        else:
            lines = [number for number, line in enumerate(content.splitlines(), start=1) if not _is_utf8(line)]
            odd = departures("encoding", "line", f"not in UTF-8 read as {ENCODINGS['cp1252']}", lines)
            text = content.decode("utf-8", errors=_AS_WESTERN)
            encoding = "cp1252" if text == content.decode("cp1252", errors="replace") else "utf-8"
    odd += _odd_ends(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if not strict:
        odd += _signs(text, "unreadable", "character", f"not known in {ENCODINGS[encoding]}", "\ufffd")
    odd += _signs(text, "zero bytes", "zero byte", "in the text", "\0")
    # A byte order mark stands where files with one were put together.
    odd += _signs(text, "byte order mark", "byte order mark", "within the text left out", "\ufeff")
    return text.replace("\ufeff", "").rstrip("\0"), encoding, odd


def _signs(text: str, kind: Kind, noun: str, what: str, sign: str) -> list[Departure]:
    """The departure that some sign is in a text."""
    n = text.count(sign)
    lines = [number for number, line in enumerate(text.split("\n"), start=1) if sign in line] if n else []
    return departures(kind, noun, what, lines, n)


def _odd_ends(text: str) -> list[Departure]:
    """The lines that end in another way than most."""
    if "\r" not in text:
        return []
    ends = re.findall("\r\n|\r|\n", text)
    usual = Counter(ends).most_common(1)[0][0]
    lines = [number for number, end in enumerate(ends, start=1) if end != usual]
    return departures("line ends", "line", "with another end of line than most", lines)


def _is_utf8(line: bytes) -> bool:
    return line.isascii() or line.decode("utf-8", errors="ignore").encode("utf-8") == line


def _western(error: UnicodeError) -> tuple[str, int]:
    """Reads what is no UTF-8 as Windows-1252, in a text put together from several sources."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


codecs.register_error(_AS_WESTERN, _western)


def _is_text(sample: bytes, encoding: str) -> bool:
    """Whether bytes read as UTF-16 are signs that can be printed, some of them those that every table has."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return False
    usual = sum(sign.isascii() for sign in text)
    return 10 * usual >= len(text) > 0 and all(sign.isprintable() or sign in "\t\r\n\ufeff" for sign in text)


def _encoding(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    # A file that was made longer in advance than it became ends in zeros.
    sample = content[:4096].rstrip(b"\0") if content.endswith(bytes(4)) else content[:4096]
    if content and not sample:
        raise BadTable("The file is binary, not a table.")
    for encoding in ("utf-16-le", "utf-16-be") if 0 in sample else ():
        if _is_text(sample, encoding):
            return encoding
    zeros_even, zeros_odd = sample[::2].count(0), sample[1::2].count(0)
    # Without a mark, UTF-16 shows by zeros in every other byte.
    if max(zeros_even, zeros_odd) > len(sample) / 4:
        if min(zeros_even, zeros_odd) > len(sample) / 20:
            raise BadTable("The file is binary, not a table.")
        return "utf-16-be" if zeros_even > zeros_odd else "utf-16-le"
    if sum(byte < 9 or 13 < byte < 32 for byte in sample) > len(sample) / 20:
        raise BadTable("The file is binary, not a table.")
    return "utf-8"
