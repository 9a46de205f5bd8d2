"""Odd places: what is no file or never ends, names that no one would give, and where nothing can be written."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from random import Random

from mlviz.cli import main
from mlviz.recovery.slots import CopySlot, find_leftover_copies
from tests.fuzz import command_line, python
from tests.fuzz.given import seeds
from tests.fuzz.given.mutations import dump
from tests.fuzz.oracle import Channels, Outcome, check_sentence, check_terminal, watched
from tests.fuzz.window import Door

_NAMES = (
    *(
        "a\nb",
        "\x1b[31mcanary",
        "\x07",
        "<b>canary",
        "<img src=canary>",
        "x" * 300,
        "x" * 255,
        "-o",
        "--help",
        " ",
        "\u202efdp",
    ),
    *("\udcff\udcfe", "ä\u0308", ".hidden", "a%sb", "🦆", "fit", "con", "a.svg", "{0}", "\x85", "\u2028"),
)
_WAITING_SECONDS = 1.5
"""Nothing here is large: what takes longer waits for somebody."""


def _file(path: Path, rng: Random) -> None:
    path.write_text(rng.choice((dump(rng.choice(seeds.scenes())), rng.choice(seeds.TABLES))))


def _pipe(path: Path, rng: Random) -> None:
    os.mkfifo(path)


def _folder(path: Path, rng: Random) -> None:
    path.mkdir()


def _socket(path: Path, rng: Random) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))


def _nowhere(path: Path, rng: Random) -> None:
    path.symlink_to(path.parent / "nowhere")


def _loop(path: Path, rng: Random) -> None:
    path.symlink_to(path)


def _to_device(path: Path, rng: Random) -> None:
    path.symlink_to(rng.choice(("/dev/zero", "/dev/null", "/proc/self/mem", "/proc/self/status")))


def _to_pipe(path: Path, rng: Random) -> None:
    os.mkfifo(path.parent / "pipe")
    path.symlink_to(path.parent / "pipe")


def _to_file(path: Path, rng: Random) -> None:
    _file(path.parent / "target", rng)
    path.symlink_to(path.parent / "target")


def _forbidden(path: Path, rng: Random) -> None:
    _file(path, rng)
    path.chmod(rng.choice((0o000, 0o200)))


def _missing(path: Path, rng: Random) -> None:
    """Nothing is made."""


_PLACES = (_file, _pipe, _folder, _socket, _nowhere, _loop, _to_device, _to_pipe, _to_file, _forbidden, _missing)


def tried(rng: Random, folder: Path, door: Door) -> tuple[Outcome, str]:
    """Something odd in the place of a file that is read, of a figure, or of a copy; what came of it and what it was."""
    odd = folder / "odd"
    odd.mkdir()
    make = rng.choice(_PLACES)
    what = make.__name__.strip("_").replace("_", " ")
    try:
        use = rng.choice((_command, _window, _reading, _figure, _copy, _lock))
        outcome = use(odd, make, rng, door)
        return outcome, f"{what}, {use.__name__.strip('_')}"
    finally:
        shutil.rmtree(odd)


def _made(odd: Path, make: Callable[[Path, Random], None], rng: Random, suffix: str = "") -> Path:
    """The place, under an odd name now and then; another place where there can be no such name."""
    name = rng.choice(_NAMES) if rng.random() < 0.5 else "canary"
    path = odd / (name + (suffix or rng.choice(("", ".csv", ".mlviz"))))
    try:
        make(path, rng)
    except (OSError, ValueError):
        if make is not _missing and len(path.name) < 200:
            path = odd / f"canary{suffix}"
            make(path, rng)
    return path


def _command(odd: Path, make: Callable[[Path, Random], None], rng: Random, door: Door) -> Outcome:
    return command_line.in_process(_made(odd, make, rng), rng, door.folder)


def _window(odd: Path, make: Callable[[Path, Random], None], rng: Random, door: Door) -> Outcome:
    return door.open(_made(odd, make, rng), rng, door.folder)


def _reading(odd: Path, make: Callable[[Path, Random], None], rng: Random, door: Door) -> Outcome:
    return python.read(_made(odd, make, rng), rng.choice(("scene", "table")), rng, door.folder, _WAITING_SECONDS)


def _figure(odd: Path, make: Callable[[Path, Random], None], rng: Random, door: Door) -> Outcome:
    """Draw into the place."""
    path = _made(odd, make, rng, rng.choice((".svg", ".png", ".pdf")))
    if make in (_pipe, _to_pipe):
        return Outcome("not tried")  # one who draws into a pipe waits for its reader
    outcome, channels, code = Outcome(), Channels(), -1
    with channels.taken(), watched(outcome):
        try:
            code = main(
                ["render", "--generator", "moons", "--algorithm", "knn", f"--output={path}", "--size", "200x150"]
            )
        except SystemExit as end:
            code = end.code  # type: ignore[assignment]
    if not outcome.faults:
        check_terminal(outcome, code, *channels.said)
    outcome.kind = "picture" if code == 0 else "sentence"
    if left := [other.name for other in odd.glob(".*.part")]:
        outcome.blame("a part of a file is left", str(left))
    return outcome


def _copy(odd: Path, make: Callable[[Path, Random], None], rng: Random, door: Door) -> Outcome:
    """In the place of a copy of unsaved work."""
    return _found(odd, make, rng, "bad.copy")


def _lock(odd: Path, make: Callable[[Path, Random], None], rng: Random, door: Door) -> Outcome:
    """In the place of its lock."""
    return _found(odd, make, rng, "bad.lock")


def _found(odd: Path, make: Callable[[Path, Random], None], rng: Random, name: str) -> Outcome:
    outcome = Outcome("read")
    about, scene, arrays = seeds.copy_parts()[0]
    good = b"".join((dump(about).encode(), b"\n", dump(scene).encode(), b"\n", *arrays))
    (odd / "good.copy").write_bytes(seeds.packed(good))
    make(odd / name, rng)
    with watched(outcome):
        left, problems = find_leftover_copies(odd)
        if "good" not in [one.slot.path.stem for one in left]:
            outcome.blame("a good copy is not found beside an odd one")
        for problem in problems:
            check_sentence(outcome, problem, "a copy's problem")
        for one in left:
            one.slot.release()
        slot = CopySlot.new(odd)
        if sentence := slot.write(left[0].copy if left else None):
            outcome.blame("no copy can be written beside an odd one", sentence)
        slot.remove()
    return outcome
