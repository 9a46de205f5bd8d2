"""Measure everything, print the tables and write them down; with arguments, for pytest, only print them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests import readme
from tests.speed.table import measured

HEAD = "# Speed\n\nWritten by `python -m tests.speed`."


def main() -> int:
    """Run the measurements."""
    files = [str(file) for file in sorted(Path(__file__).parent.glob("speed_*.py"))]
    code = pytest.main(["-q", "-p", "no:cacheprovider", *files, *sys.argv[1:]])
    print(measured.text())
    # Where a bound does not hold, half an hour of figures is still true.
    if code in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and len(sys.argv) == 1:
        readme.RESULTS.write_text(f"{HEAD}\n\n{measured.text()}\n", encoding="utf-8")
        readme.write("speed", readme.speed_table())
    return code


# The worker process imports the main module anew: only the first run measures.
if __name__ == "__main__":
    raise SystemExit(main())
