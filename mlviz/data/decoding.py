"""From the bytes of a table to its text, whatever program wrote it."""

from __future__ import annotations

import codecs

_MARKS = (  # the longer ones first: the mark of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FOREIGN = (  # what people drop on a window for tables, and what to do with it
    (b"PK\x03\x04", "is a spreadsheet or an archive; save the sheet as CSV and open that"),
    (b"\xd0\xcf\x11\xe0", "is an old spreadsheet; save the sheet as CSV and open that"),
    (b"%PDF", "is a PDF document, not a table"),
    (b"\x89PNG", "is a picture, not a table"),
    (b"\xff\xd8\xff", "is a picture, not a table"),
    (b"\x1f\x8b", "is compressed; unpack it and open what is inside"),
)


class BadTable(Exception):
    """A file can't be read as a table; the message is one sentence for a person."""


def decode(content: bytes) -> tuple[str, tuple[str, ...]]:
    """The text, its lines ended by a line feed alone, and notes on what was odd; raises `BadTable`."""
    for start, complaint in _FOREIGN:
        if content.startswith(start):
            raise BadTable(f"The file {complaint}.")
    text, notes = _decode(content)
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def _decode(content: bytes) -> tuple[str, tuple[str, ...]]:
    encoding = _encoding(content)
    try:
        return content.decode(encoding), ()
    except UnicodeDecodeError:
        if encoding != "utf-8" and encoding != "utf-8-sig":
            text = content.decode(encoding, errors="replace")
            return text, (f"Some signs are broken: the file is not quite {encoding.upper()}.",)
    decoded, odd = [], 0
    for line in content.removeprefix(codecs.BOM_UTF8).splitlines(keepends=True):
        try:
            decoded.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            decoded.append(_mixed(line))
            odd += 1
    return "".join(decoded), (f"{odd} line{'s' if odd > 1 else ''} with signs not in UTF-8, read as Windows-1252.",)


def _mixed(line: bytes) -> str:
    """Text put together from several sources: UTF-8 where it is that, else Windows-1252 byte by byte."""
    text = ""
    while line:
        try:
            return text + line.decode("utf-8")
        except UnicodeDecodeError as error:
            text += line[: error.start].decode("utf-8") + line[error.start : error.end].decode(
                "cp1252", errors="replace"
            )
            line = line[error.end :]
    return text


def _encoding(content: bytes) -> str:
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    sample = content[:4096]
    zeros_even, zeros_odd = sample[::2].count(0), sample[1::2].count(0)
    # Without a mark, UTF-16 shows by zeros in every other byte.
    if max(zeros_even, zeros_odd) > len(sample) / 4:
        if min(zeros_even, zeros_odd) > len(sample) / 20:
            raise BadTable("The file is binary, not a table.")
        return "utf-16-be" if zeros_even > zeros_odd else "utf-16-le"
    if sum(byte < 9 or 13 < byte < 32 for byte in sample) > len(sample) / 20:
        raise BadTable("The file is binary, not a table.")
    return "utf-8"
