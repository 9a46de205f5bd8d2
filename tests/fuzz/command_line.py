"""The door of the command line: `fit` and `render` in this process, and now and then in one of their own."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from random import Random

from mlviz.algorithms import registry
from mlviz.cli import main
from tests.fuzz.given.pieces import NUMBERS, TEXTS
from tests.fuzz.oracle import SECONDS, Channels, Outcome, check_figure, check_terminal, watched

_CHOICES = (
    ("--preprocessing", ("none", "standardize", "whiten", "pca", "nonsense")),
    ("--multiclass", ("auto", "direct", "one-vs-rest", "one-vs-one")),
    ("--balance", ("none", "balanced", "subsample", "upsample")),
    *((name, NUMBERS) for name in ("--threshold", "--seed", "--step", "--reject-cost", "--level")),
    *((name, ("1,2", "0,0", "1e300,1", "nan,1", "1", "-1,1", "5e-324,1e308")) for name in ("--costs", "--value-costs")),
    ("--class-weight", ("1,50", "0,0", "1e300,1e-300", "1", "nan", "5e-324,5e-324", "1,2,3,4,5,6,7,8,9")),
    ("--class-numbers", ("spelling", "value", "nonsense")),
    ("--missing", ("usual", "empty", "usual,-999", "?,1,01", ",")),
    ("--missing-class", ("skipped", "class")),
    ("--features", ("x1_squared", "x1_squared,x1_squared", "sin_x1,x2_squared", "nonsense")),
    ("--columns", ("x,y", "x1,x2", "a,b", "y,x", "x,x", "c,d", "<b>canary,\x1b[1m", "ms,price", "column 1,column 2")),
    ("--target", ("class", "y", "a", "d", "x1", "Art", "price", "\x1b[31mcanary", 'said "so"')),
)


def arguments(path: Path, rng: Random, folder: Path) -> tuple[list[str], Path | None]:
    """A command about that file with options of all sorts, and the figure that it would draw."""
    figure = None
    if rng.random() < 0.5:
        given = ["fit", *(["--json"] if rng.random() < 0.5 else [])]
    else:
        figure = folder / ("figure" + rng.choice((".svg", ".svg", ".svg", ".png", ".pdf")))
        given = ["render", "-o", str(figure), "--size", rng.choice(("200x150", "300x300", "640x200", "100x100"))]
        given += [option for option in ("--sides", "--no-caption") if rng.random() < 0.3]
        given += ["--theme", rng.choice(("light", "dark", "print"))]
    if rng.random() < 0.4:
        given += ["--algorithm", rng.choice((*registry(), "nonsense", "<b>canary", "\x1b[1mcanary"))]
    while rng.random() < 0.3:
        option, values = rng.choice(_CHOICES)
        value = rng.choice(values)
        given.append(f"{option}={value}".replace("\0", ""))
    while rng.random() < 0.15:
        value = rng.choice((*NUMBERS, *TEXTS, "1", "2", "gaussian"))
        given.append(
            f"--set={rng.choice(('k', 'C', 'sigma', 'lambda_', 'degree', 'kernel', 'n_clusters', 'x'))}={value}"
        )
    return [*given, str(path)], figure


def in_process(path: Path, rng: Random, folder: Path) -> Outcome:
    """Run the command here, its output taken."""
    given, figure = arguments(path, rng, folder)
    outcome, channels, code = Outcome(), Channels(), -1
    with channels.taken(), watched(outcome):
        try:
            code = main(given)
        except SystemExit as end:
            code = end.code  # type: ignore[assignment]
    return _judged(outcome, code, channels.said, given, figure)


def in_own_process(path: Path, rng: Random, folder: Path) -> Outcome:
    """Run the command as a person would."""
    given, figure = arguments(path, rng, folder)
    given = [one.replace("\0", "") for one in given]
    outcome, before = Outcome(), resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", "mlviz", *given], capture_output=True, timeout=60, encoding="utf-8", errors="replace"
        )
    except subprocess.TimeoutExpired:
        outcome.blame("hang of a process", " ".join(given))
        return outcome
    outcome = _judged(outcome, ended.returncode, (ended.stdout, ended.stderr), given, figure)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    outcome.seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    if outcome.kind in ("sentence", "wrong call") and outcome.seconds > SECONDS:
        outcome.blame("slow sentence", f"{outcome.seconds:.1f} s of a process: {given}")
    return outcome


def _judged(outcome: Outcome, code: object, said: tuple[str, str], given: list[str], figure: Path | None) -> Outcome:
    out, err = said
    outcome.kind = {0: "picture", 1: "sentence", 2: "wrong call"}.get(code if isinstance(code, int) else -1, "crash")
    if not outcome.faults:
        check_terminal(outcome, code, out, err)
        refused = outcome.kind == "wrong call" or (outcome.kind == "sentence" and not (figure and figure.exists()))
        if refused and outcome.seconds > SECONDS:
            outcome.blame("slow sentence", f"{outcome.seconds:.1f} s")
        if code == 0 and "--json" in given:
            _check_json(outcome, out)
    if figure is not None:
        if figure.exists():
            check_figure(outcome, figure)
            figure.unlink()
        elif code == 0:
            outcome.blame("no figure was drawn")
        if left := [path.name for path in figure.parent.glob(".*.part")]:
            outcome.blame("a part of a file is left", str(left))
    outcome.faults = [type(fault)(fault.cause, f"{given}\n{fault.detail}") for fault in outcome.faults]
    return outcome


def _check_json(outcome: Outcome, out: str) -> None:
    def constant(name: str) -> None:
        raise ValueError(f"{name} is no JSON")

    try:
        json.loads(out, parse_constant=constant)
    except ValueError as error:
        outcome.blame("fit --json prints no JSON", f"{error}: {out[:2000]}")
