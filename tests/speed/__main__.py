"""Measure everything, print the table and write it into the README."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import readme
from tests.speed.table import measured

here = Path(__file__).parent
code = pytest.main(
    [
        "-q",
        "-p",
        "no:cacheprovider",
        "--benchmark-quiet",
        *(str(f) for f in sorted(here.glob("speed_*.py"))),
        *sys.argv[1:],
    ]
)
print(measured.text())
if code == 0 and len(sys.argv) == 1:
    readme.write("speed", measured.text())
raise SystemExit(code)
