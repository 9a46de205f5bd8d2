"""Tries inputs until the time is over, and keeps figures and whatever failed."""

from __future__ import annotations

import faulthandler
import json
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz import command_line, live, places, python
from tests.fuzz.given import inputs
from tests.fuzz.given.inputs import Input
from tests.fuzz.known import is_known
from tests.fuzz.minimise import smaller
from tests.fuzz.oracle import Fault, Outcome
from tests.fuzz.window import Door

INPUTS: dict[str, Callable[[Random], Input]] = {
    "scene": inputs.scene,
    "lesson": inputs.lesson,
    "table": inputs.table,
    "copy": inputs.copy,
    "arrays": python.arrays,
}
KINDS = (*INPUTS, "place")
Try = Callable[[Path, Random, Path], Outcome]
_DEAD_SECONDS = 600
"""After so long in one input, on a loaded machine too, the interpreter is stuck: all stacks are printed, it ends."""
_SLOWEST = 15
_MINIMISE_SECONDS = 6.0


@dataclass
class Figures:
    """What was tried and what came of it."""

    cases: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """(kind of input, door, outcome) -> how often."""
    causes: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str]] = field(default_factory=list)

    def text(self) -> str:
        """All of them, a line each."""
        lines = [f"{sum(self.cases.values()):,} inputs"]
        lines += [f"  {n:7,}  {kind} > {door}: {what}" for (kind, door, what), n in sorted(self.cases.items())]
        lines += ["slowest:", *(f"  {seconds:6.2f} s  {what}" for seconds, what in self.slowest)]
        lines += ["faults:", *(f"  {n:6,}  {cause}" for cause, n in self.causes.most_common())]
        lines += ["known faults:", *(f"  {n:6,}  {cause}" for cause, n in self.known.most_common())]
        return "\n".join(lines)


class Campaign:
    """Inputs of all kinds through all doors, from one seed."""

    def __init__(self, folder: Path, failures: Path | None, own_processes: bool = True) -> None:
        self.figures = Figures()
        self._folder, self._failures = folder, failures
        self._door = Door(folder)
        self._own = own_processes
        self._found: dict[str, int] = {}

    def close(self) -> None:
        """End the window."""
        self._door.close()

    def run(self, seed: int, seconds: float) -> None:
        """Try one input after the other."""
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            self.one(f"{seed}/{number}")
            number += 1

    def one(self, seed: str) -> Outcome:
        """The input and the door of that seed."""
        rng = Random(seed)
        kind = rng.choices(KINDS, (20, 30, 15, 9, 20, 6))[0]
        if kind == "place":
            outcome, what = places.tried(rng, self._folder, self._door)
            self._count("place", what, outcome, Input("place", what, b"", ""), seed, None)
            return outcome
        given = INPUTS[kind](rng)
        name, door = self._chosen(kind, given, rng)
        outcome = self._tried(given, door, seed)
        self._count(kind, name, outcome, given, seed, door)
        return outcome

    def _chosen(self, kind: str, given: Input, rng: Random) -> tuple[str, Try]:
        if kind == "arrays":
            return "fit", python.fit
        if kind == "copy":
            return rng.choice((("read", self._read_copy), ("find", python.find_copies), ("window", self._door.recover)))
        if kind == "lesson":
            at_worker: tuple[str, Try] = ("worker", live.work)
            if b'"studies"' in given.content:  # the worker alone shows them as they come: they may take long
                return at_worker
            others: tuple[tuple[str, Try], ...] = (("command", command_line.in_process), ("window", self._door.open))
            return rng.choices((at_worker, *others), (4, 3, 3))[0]
        if self._own and rng.random() < 0.02:
            return "process", command_line.in_own_process
        if kind == "scene" and b'"studies"' in given.content:  # the command line waits for whole studies
            return "read", self._read_scene
        reading = self._read_scene if kind == "scene" else self._read_table
        doors = (("read", reading), ("command", command_line.in_process), ("window", self._door.open))
        return rng.choices(doors, (3, 3, 2))[0]

    @staticmethod
    def _read_copy(path: Path, rng: Random, folder: Path) -> Outcome:
        return python.read(path, "copy", rng, folder)

    @staticmethod
    def _read_scene(path: Path, rng: Random, folder: Path) -> Outcome:
        return python.read(path, "scene", rng, folder)

    @staticmethod
    def _read_table(path: Path, rng: Random, folder: Path) -> Outcome:
        return python.read(path, "table", rng, folder)

    def _tried(self, given: Input, door: Try, seed: str) -> Outcome:
        path = self._folder / f"input{given.suffix}"
        path.write_bytes(given.content)
        faulthandler.dump_traceback_later(_DEAD_SECONDS, exit=True)
        try:
            return door(path, Random(f"door {seed}"), self._folder)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def _count(self, kind: str, name: str, outcome: Outcome, given: Input, seed: str, door: Try | None) -> None:
        faults = [fault for fault in outcome.faults if not is_known(fault)]
        self.figures.known.update(fault.cause for fault in outcome.faults if is_known(fault))
        self.figures.cases[kind, name, "FAULT" if faults else outcome.kind] += 1
        self.figures.causes.update({fault.cause for fault in faults})
        what = f"{kind} > {name} ({outcome.kind}), {given.how[:100]}, {len(given.content):,} bytes, seed {seed}"
        self.figures.slowest = sorted([*self.figures.slowest, (outcome.seconds, what)], reverse=True)[:_SLOWEST]
        for fault in faults:
            self._keep(fault, given, f"{kind} > {name}", seed, door)

    def _keep(self, fault: Fault, given: Input, where: str, seed: str, door: Try | None) -> None:
        """Write down the first three inputs of each cause, the first one as small as it gets."""
        count = self._found[fault.cause] = self._found.get(fault.cause, 0) + 1
        if self._failures is None or count > 3:
            return
        name = "".join(sign if sign.isalnum() else "-" for sign in fault.cause)[:70]
        base = self._failures / f"{name}-{count}"
        base.with_suffix(f".input{given.suffix}").write_bytes(given.content)
        told = {"cause": fault.cause, "where": where, "seed": seed, "how": given.how, "detail": fault.detail}
        if count == 1 and door is not None and given.kind != "arrays" and "hang" not in fault.cause:
            kept = self._failures / f"{name}.small{given.suffix}"

            def fails(content: bytes) -> bool:
                smaller_input = Input(given.kind, given.how, content, given.suffix)
                return any(other.cause == fault.cause for other in self._tried(smaller_input, door, seed).faults)

            kept.write_bytes(smaller(given.content, fails, _MINIMISE_SECONDS))
        base.with_suffix(".json").write_text(json.dumps(told, indent=1))


def run(seconds: float, seed: int, failures: Path) -> Figures:
    """A campaign with a folder of its own; what failed is written into `failures`."""
    failures.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="mlviz-fuzz-"))
    campaign = Campaign(folder, failures)
    end, part = time.monotonic() + seconds, 0
    try:
        while (left := end - time.monotonic()) > 0:
            campaign.run(seed * 1_000_000 + part, min(20.0, left))
            part += 1
            (failures / "figures.txt").write_text(campaign.figures.text())
    finally:
        campaign.close()
        shutil.rmtree(folder, ignore_errors=True)
    return campaign.figures


def again(seed: str) -> None:
    """Try the one input of that seed, and print what came of it."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), None)
        outcome = campaign.one(seed)
        print(campaign.figures.text())
        for fault in outcome.faults:
            print(fault.cause, fault.detail, sep="\n")
        campaign.close()
