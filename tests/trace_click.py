"""What a click costs in calls: ``python -m tests.trace_click`` counts them in the window and in its worker.

A call is a frame of a function, lambda, comprehension, generator's turn or class body whose file lies in the package,
as `sys.setprofile` sees it, from the press until neither process has anything left to do. Timers and the pace of the
machine change a count a little: the figures are medians of several clicks, each at a fresh place.
"""

from __future__ import annotations

import argparse
import itertools
import os
import pickle
import random
import sys
import tempfile
import threading
from collections import Counter
from importlib.util import find_spec
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from statistics import median
from types import CodeType, FrameType
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

PACKAGE = "mlviz"
CLICKS, TICKS = 5, 10
QUIET = 1.2
"""Seconds without a call after which nothing is left to do: longer than any timer of the window."""
ADDRESS = "MLVIZ_TRACE_CLICK"
"""The environment variable by which the worker finds the tool that counts."""
Call = tuple[int, str, str]
"""Thread, file and name of the function."""


class Calls:
    """The calls of this process, noted from `start` on in this thread and in those that start later."""

    def __init__(self) -> None:
        spec = find_spec(PACKAGE)
        assert spec and spec.origin, "the package is not on the path"
        self._root = str(Path(spec.origin).parent) + os.sep
        self._seen: list[tuple[int, CodeType]] = []

    def start(self) -> None:
        """Begin to note."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def __len__(self) -> int:
        return len(self._seen)

    def take(self) -> list[Call]:
        """What was noted since the last time."""
        seen, self._seen = self._seen, []
        return [(thread, code.co_filename.removeprefix(self._root), code.co_qualname) for thread, code in seen]

    def _note(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(self._root):
            self._seen.append((threading.get_ident(), frame.f_code))


def answer(calls: Calls, tool: Connection) -> None:
    """In the worker, in a thread that is not counted: say how many calls there were, or which."""
    try:
        while True:
            tool.send(len(calls) if tool.recv() == "count" else calls.take())
    except (EOFError, OSError):
        pass  # the tool is done


class FarCalls:
    """The calls of the worker. Asked for in bytes: what goes through `send` is taken for the product's."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def __len__(self) -> int:
        return int(self._ask("count"))

    def take(self) -> list[Call]:
        """What was noted since the last time."""
        found: list[Call] = self._ask("take")
        return found

    def _ask(self, what: str) -> Any:
        self._pipe.send_bytes(pickle.dumps(what))
        return pickle.loads(self._pipe.recv_bytes())


def changes_of_file(calls: list[Call]) -> int:
    """How often a call of a thread stands in another file than the one before it."""
    threads: dict[int, list[str]] = {}
    for thread, file, _ in calls:
        threads.setdefault(thread, []).append(file)
    return sum(a != b for files in threads.values() for a, b in itertools.pairwise(files))


def figures(window: list[Call], worker: list[Call]) -> dict[str, int]:
    """What is printed of one click, but for the messages."""
    return {
        "calls in the window": len(window),
        "calls in the worker": len(worker),
        "files touched": len({file for _, file, _ in window + worker}),
        "changes of file": changes_of_file(window) + changes_of_file(worker),
        "total": len(window) + len(worker),
    }


def count_in_window(
    method: str, points: int, slider: bool
) -> tuple[list[dict[str, int]], Counter[tuple[str, str, str]]]:
    """The figures of each click, or of each ten ticks, and how often each function was called in all."""
    calls, rounds, functions = Calls(), [], Counter[tuple[str, str, str]]()
    with Listener() as listener:
        os.environ[ADDRESS] = str(listener.address)
        # The worker imports this module as well, and has no Qt.
        from tests.driven_window import PICTURE, REQUEST, DrivenWindow

        calls.start()
        driven = DrivenWindow(method, points)
        far = FarCalls(listener.accept())

        def settle() -> None:
            driven.settle(lambda: (len(calls), len(far)), QUIET)

        settle()
        for turn in range(CLICKS):
            if slider:  # other samples, so that no fit is remembered; there and back, so that it never ends
                driven.click(driven.free_place())
                settle()
            place = driven.free_place()
            driven.wire.messages.clear()
            calls.take(), far.take()
            if slider:
                for _ in range(TICKS):
                    driven.tick(up=turn % 2 == 0)
                    driven.wait_for_answer()
            else:
                driven.click(place)
            settle()
            window, worker = calls.take(), far.take()
            sent, came = (len(driven.wire.times(kind)) for kind in (REQUEST, PICTURE))
            rounds.append({**figures(window, worker), "requests sent": sent, "pictures received": came})
            functions.update(("window", file, name) for _, file, name in window)
            functions.update(("worker", file, name) for _, file, name in worker)
        sys.setprofile(None)
        driven.close()
    return rounds, functions


def count_in_render(method: str, points: int) -> tuple[list[dict[str, int]], Counter[tuple[str, str, str]]]:
    """The figures of one `mlviz render` in this process, imports and all."""
    rng = random.Random(1)
    rows = [f"{rng.gauss(2 * (k % 2) - 1)},{rng.gauss(2 * (k % 2) - 1)},{'ab'[k % 2]}" for k in range(points)]
    with tempfile.TemporaryDirectory() as folder:
        table, figure = Path(folder) / "samples.csv", Path(folder) / "figure.png"
        table.write_text("\n".join(["x,y,class", *rows]) + "\n")
        calls = Calls()
        calls.start()
        from mlviz.cli import main as command

        code = command(["render", str(table), "--algorithm", method, "-o", str(figure)])
        sys.setprofile(None)
        assert code == 0, "the figure could not be made"
    return [figures(seen := calls.take(), [])], Counter(("render", file, name) for _, file, name in seen)


def main() -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.trace_click", description=__doc__)
    parser.add_argument("--method", default="lda", metavar="ID")
    parser.add_argument("--points", type=int, default=500, metavar="N")
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="print the N functions called most")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--slider", action="store_true", help="ten ticks of the main hyperparameter instead")
    what.add_argument("--render", action="store_true", help="one `mlviz render` instead")
    given = parser.parse_args()
    if given.render:
        rounds, functions = count_in_render(given.method, given.points)
    else:
        rounds, functions = count_in_window(given.method, given.points, given.slider)
    for names, times in functions.most_common(given.functions):
        print(f"{times / len(rounds):8.1f}", *names)
    for figure in (key for key in rounds[0] if key != "total"):
        print(f"{figure}: {median(each[figure] for each in rounds):g}")
    print(f"total {median(each['total'] for each in rounds):g} calls")
    return 0


if __name__ == "__mp_main__" and ADDRESS in os.environ:  # the worker process, before it does anything
    counted, line = Calls(), Client(os.environ[ADDRESS])
    threading.Thread(target=answer, args=(counted, line), daemon=True).start()
    counted.start()
if __name__ == "__main__":
    raise SystemExit(main())
