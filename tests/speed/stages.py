"""Where the time of a click goes: ``python -m tests.speed.stages METHOD`` prints its stages in milliseconds.

The first two overlap with the worker's time where the machine has a second core: the stages do not add up to the total,
which is the wall time from the press until the picture that answers the click has been painted in the window.
"""

from __future__ import annotations

import argparse
import os
from statistics import median
from time import perf_counter
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

CLICKS, WARM_UP = 15, 3
QUIET = 0.7
"""Seconds without a message after which nothing is left to do: a refinement waits for less."""


def stages_of_click(driven: Any, request: str, picture: str) -> dict[str, float]:
    """Click once; seconds of each stage, and how many requests it took."""
    place = driven.free_place()
    driven.wire.messages.clear()
    start = perf_counter()
    driven.click(place)
    handled = perf_counter()
    driven.wait_for_answer()
    first, answered = driven.paints[0], driven.paints[-1]
    sent, came = driven.wire.times(request)[0], driven.wire.times(picture)[0]
    driven.settle(lambda: len(driven.wire.messages), QUIET)
    return {
        "press + release": handled - start,
        "first paint of the point": first.end - first.start,
        "request sent to answer received": came - sent,
        "answer received to painted": answered.end - came,
        "requests": len(driven.wire.times(request)),
        "total": answered.end - start,
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.speed.stages", description=__doc__)
    parser.add_argument("method", metavar="METHOD")
    parser.add_argument("--points", type=int, default=500, metavar="N")
    parser.add_argument("--clicks", type=int, default=CLICKS, metavar="N")
    given = parser.parse_args()
    # The worker imports this module as well, and has no Qt.
    from tests.driven_window import PICTURE, REQUEST, DrivenWindow

    driven = DrivenWindow(given.method, given.points)
    driven.settle(lambda: len(driven.wire.messages), 2 * QUIET)
    clicks = [stages_of_click(driven, REQUEST, PICTURE) for _ in range(WARM_UP + given.clicks)][WARM_UP:]
    driven.close()
    middle = {stage: median(click[stage] for click in clicks) for stage in clicks[0]}
    requests, total = middle.pop("requests"), middle.pop("total")
    for stage, seconds in middle.items():
        print(f"{stage}: {1e3 * seconds:.1f} ms")
    print(f"requests sent per click: {requests:g}")
    print(f"quickest click: {1e3 * min(click['total'] for click in clicks):.1f} ms")
    print(f"total {1e3 * total:.1f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
