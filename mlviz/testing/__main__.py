"""``python -m mlviz.testing METHOD ...``: a line a check; the exit code is 1 where one fails."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from mlviz.algorithms import find, why_missing
from mlviz.testing import CHECKS, DoesNotApply


def main(methods: Sequence[str]) -> int:
    """Check the methods of those ids, which may be written like their files."""
    if not methods:
        print("python -m mlviz.testing METHOD ...", file=sys.stderr)
        return 2
    return max(_checked(name.replace("_", "-")) for name in methods)


def _checked(name: str) -> int:
    try:
        method = find(name, patient=True)
    except KeyError:
        print(f"there is no method {name!r}; {why_missing(name)}", file=sys.stderr)
        return 1
    failed = 0
    for check in CHECKS:
        outcome = "passed"
        try:
            check(method)
        except DoesNotApply as reason:
            outcome = f"does not apply: {reason}"
        except AssertionError as error:
            outcome, failed = f"FAILED: {error}", 1
        print(f"{name} {check.__name__.replace('_', ' ')}: {outcome}", flush=True)
    return failed


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
