"""What was measured, as the tables of `RESULTS.md`, one line of which for each method the README shows."""

from __future__ import annotations

import math
import os
import platform
from dataclasses import dataclass, field
from datetime import date

import numpy
import scipy
import sklearn

OURS, THEIRS = "mlviz", "scikit-learn"


@dataclass
class Measurements:
    """Milliseconds, medians where repeated: methods as (method, n, mode) -> who -> ms, the window as what -> ms."""

    methods: dict[tuple[str, int, str], dict[str, float]] = field(default_factory=dict)
    window: dict[str, float] = field(default_factory=dict)
    waits: dict[tuple[str, int], dict[str, float]] = field(default_factory=dict)
    """(method, n) -> "fit", "silence", and the processor's part of each -> ms."""
    tables: dict[str, dict[str, float]] = field(default_factory=dict)
    """How a table of a megabyte is written -> way in -> ms of the processor's time."""
    limits: dict[str, dict[str, float]] = field(default_factory=dict)
    """What must not take long, whatever there is of it -> "ms" of the processor's time, and the "limit" of these."""

    def method(self, case: tuple[str, int, str], who: str, seconds: float) -> None:
        """Note one median."""
        self.methods.setdefault(case, {})[who] = seconds * 1e3

    def text(self) -> str:
        """Both tables in Markdown, with date and machine size."""
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
        lines = [
            f"Measured on {date.today().isoformat()}, {os.cpu_count()} cores and {memory:.0f} GiB, one BLAS thread, "
            f"Python {platform.python_version()}, NumPy {numpy.__version__}, SciPy {scipy.__version__}, "
            f"scikit-learn {sklearn.__version__}. Medians; both sides in one run, in turn.",
            "",
        ]
        if self.methods:
            lines += [
                "Fit + field on a 200x200 grid (regression: a curve of 400 places), cold (from nothing) and while one",
                "point is dragged, in milliseconds of the processor's time:",
                "",
                "| method | n | cold ms | scikit-learn ms | ratio | drag ms | scikit-learn ms | ratio |",
                "|---|---|---|---|---|---|---|---|",
            ]
            for method, n in dict.fromkeys((m, n) for m, n, _ in self.methods):
                cells = [method, str(n)]
                for mode in ("cold", "drag"):
                    # A run of some cases only has gaps.
                    both = self.methods.get((method, n, mode), {})
                    ours, theirs = both.get(OURS, math.nan), both.get(THEIRS, math.nan)
                    cells += [f"{ours:.2f}", f"{theirs:.1f}", f"{theirs / ours:.1f}"]
                lines.append("| " + " | ".join(cells) + " |")
        if self.waits:
            lines += [
                "",
                "A whole fit, and how long at most it can't be interrupted, by the clock and by the processor's time:",
                "",
                "| method | n | fit ms | processor | longest silence ms | processor |",
                "|---|---|---|---|---|---|",
            ]
            for (method, n), ms in self.waits.items():
                lines.append(f"| {method} | {n} | {' | '.join(f'{value:.1f}' for value in ms.values())} |")
        if self.tables:
            ways = list(next(iter(self.tables.values())))
            lines += ["", "Tables of a megabyte, milliseconds of the processor's time:", ""]
            lines += [f"| table | {' | '.join(ways)} |", "|---" * (len(ways) + 1) + "|"]
            for written, ms in self.tables.items():
                lines.append(f"| {written} | {' | '.join(f'{value:.0f}' for value in ms.values())} |")
        if self.limits:
            lines += ["", "What must not take long, milliseconds of the processor's time:", "", "| what | ms | limit |"]
            lines.append("|---|---|---|")
            lines += [f"| {what} | {ms['ms']:.1f} | {ms['limit']:.0f} |" for what, ms in self.limits.items()]
        if self.window:
            lines += [
                "",
                "The window, end to end (offscreen, 1200x800, n = 500):",
                "",
                "| what | median ms |",
                "|---|---|",
            ]
            lines += [f"| {what} | {ms:.1f} |" for what, ms in self.window.items()]
        return "\n".join(lines)


measured = Measurements()
