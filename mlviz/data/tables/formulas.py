"""Names that a spreadsheet runs as a formula, and the apostrophe that keeps it from that."""

from __future__ import annotations

import re

from mlviz.data.tables.cells import is_number
from mlviz.spec.outside import readable_name

_SIGNS = "=+-@\t\r\n＝＋－＠"
_QUOTED = re.compile(rf"'+[{re.escape(_SIGNS)}](?!.*'$)", re.DOTALL)
"""An apostrophe before a formula; at both ends apostrophes are quotes."""


def is_formula(name: str) -> bool:
    """Whether a spreadsheet would run the cell of a name instead of showing it."""
    return name.startswith(tuple(_SIGNS)) and not is_number(name)


def cell_of(name: str, quoted: bool) -> str:
    """The cell that a name is written as; where `quoted`, no spreadsheet runs it. `name_in` reads both back."""
    name = name.replace("\r", "\n")  # the end of an old line would end the row
    return f"'{name}" if (quoted and is_formula(name)) or _QUOTED.match(name) else name


def name_in(cell: str) -> str:
    """The name in a cell as a person reads it, without the apostrophe before a formula."""
    bare = cell.strip(" ")
    return readable_name(bare[1:] if _QUOTED.match(bare) else bare)
