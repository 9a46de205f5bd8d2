"""Measure everything, print the table and write it into the README; with arguments, for pytest, only print it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import readme
from tests.speed.table import measured


def main() -> int:
    """Run the measurements."""
    files = [str(file) for file in sorted(Path(__file__).parent.glob("speed_*.py"))]
    code = pytest.main(["-q", "-p", "no:cacheprovider", "--benchmark-quiet", *files, *sys.argv[1:]])
    print(measured.text())
    if code == 0 and len(sys.argv) == 1:
        readme.write("speed", measured.text())
    return code


# The worker process imports the main module anew: only the first run measures.
if __name__ == "__main__":
    raise SystemExit(main())
