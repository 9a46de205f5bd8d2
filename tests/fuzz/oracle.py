"""What may come of a damaged file: what is told, in time, and nothing else on any channel."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import sys
import threading
import time
import traceback
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from xml.etree import ElementTree

from PySide6.QtCore import QtMsgType, qInstallMessageHandler

from mlviz.ui.widgets.fonts import SAID_BETTER

SECONDS = 2.0
"""How long a sentence may take, in seconds of this process: loaded machines are slow."""
HANG_SECONDS = 10.0
_PATIENCE = 3
"""So many times longer a process may take that others leave no processor."""
LONGEST = 700
"""Characters of a sentence with its file's name; more of it would be the file itself."""
_INSIDE = re.compile(
    r"Traceback|<class '|object at 0x|NoneType|not subscriptable|\bErrno\b|unpack|ufunc|ndarray|dtype|codec can't|"
    r"(?:Value|Type|Key|Index|Attribute|Overflow|Memory|Recursion|ZeroDivision|FloatingPoint|LinAlg|Runtime|"
    r"Assertion|UnicodeDecode|UnicodeEncode)(?:Error|Warning)"
)
"""Words that only a programmer knows."""
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


_PARTS = re.compile(r'".*?"|\d+')
"""What differs between messages of one kind: names and numbers."""


class Hang(BaseException):
    """It takes too long; no handler of the program's catches this."""


@dataclass(frozen=True)
class Fault:
    """Something that must not be: `cause` is the same for all inputs with the same reason."""

    cause: str
    detail: str = ""


@dataclass
class Outcome:
    """What came of one input."""

    kind: str = "nothing"
    """picture, sentence, or what else it is called in the figures."""
    faults: list[Fault] = field(default_factory=list)
    seconds: float = 0.0
    asked: int = 1
    """How many things were wanted, each of which may take its time."""

    def blame(self, cause: str, detail: str = "") -> None:
        """One fault more."""
        self.faults.append(Fault(cause, detail[:4000]))


def cause_of(error: BaseException) -> str:
    """Kind and place of an error: the deepest line of the program in its traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/mlviz/" in frame.filename] or list(frames[-1:])
    where = f"{_within(own[-1].filename)}:{own[-1].name}" if own else "?"
    return f"{type(error).__name__} in {where}"


def _within(file: str) -> str:
    """A file's name within the program, or within the package that it belongs to."""
    return file.rpartition("/mlviz/")[2].rpartition("site-packages/")[2].rpartition("python3.11/")[2]


@contextlib.contextmanager
def watched(outcome: Outcome, hang_seconds: float = HANG_SECONDS) -> Iterator[None]:
    """Blame whatever is raised, warned of, or said by Qt; measure the time; end a hang."""

    def note(error: BaseException) -> None:
        kind = "hang: " if isinstance(error, Hang) else ""
        outcome.blame(kind + cause_of(error), "".join(traceback.format_exception(error)[-12:]))

    def ring(number: int, frame: FrameType | None) -> None:
        patient = time.process_time() - start < hang_seconds / 2 and time.monotonic() - begin < _PATIENCE * hang_seconds
        if not patient:
            raise Hang(f"more than {hang_seconds:g} s")

    def qt(kind: QtMsgType, context: object, message: str) -> None:
        # What the program keeps to itself when nobody else listens.
        if kind != QtMsgType.QtDebugMsg and not message.startswith(SAID_BETTER):
            outcome.blame(f"Qt says: {re.sub(_PARTS, '...', message)[:80]}", message)

    kept = sys.excepthook, sys.unraisablehook, threading.excepthook
    sys.excepthook = lambda kind, error, trace: note(error)
    sys.unraisablehook = lambda told: note(told.exc_value or told.exc_type())
    threading.excepthook = lambda told: note(told.exc_value or told.exc_type())
    former_qt = qInstallMessageHandler(qt)
    former = signal.signal(signal.SIGALRM, ring)
    # Again and again: the first one may be swallowed by a handler that waits for anything.
    former_timer = signal.setitimer(signal.ITIMER_REAL, hang_seconds, hang_seconds)
    start, begin = time.process_time(), time.monotonic()
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                yield
            except (Exception, Hang) as error:
                note(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, *former_timer)  # that of whoever runs the tests
        signal.signal(signal.SIGALRM, former)
        qInstallMessageHandler(former_qt)
        sys.excepthook, sys.unraisablehook, threading.excepthook = kept
    outcome.seconds = time.process_time() - start
    for warning in told:
        place = f"{_within(warning.filename)}:{warning.lineno}"
        outcome.blame(f"{warning.category.__name__} in {_within(warning.filename)}: {warning.message}"[:160], place)
    if outcome.kind == "sentence" and outcome.seconds > SECONDS * outcome.asked:
        outcome.blame("slow sentence", f"{outcome.seconds:.1f} s")


class Channels:
    """Standard output and error of a program, as a terminal in UTF-8 has them."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO(), io.BytesIO()
        self._out = io.TextIOWrapper(self._bytes[0], "utf-8", write_through=True)
        self._err = io.TextIOWrapper(self._bytes[1], "utf-8", errors="backslashreplace", write_through=True)

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Take what is written in here."""
        with contextlib.redirect_stdout(self._out), contextlib.redirect_stderr(self._err):
            yield

    @property
    def said(self) -> tuple[str, str]:
        """What was written to the two."""
        out, err = (taken.getvalue().decode(errors="replace") for taken in self._bytes)
        return out, err


def unprintable(text: str) -> str:
    """The signs in a text that do something to a terminal, by name; "" where there are none."""
    found = sorted({sign for sign in text if sign != "\n" and _acts(sign)})
    return ", ".join(f"U+{ord(sign):04X}" for sign in found[:5])


def _acts(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in _DIRECTIONS


def check_sentence(outcome: Outcome, text: str, where: str) -> None:
    """Blame a sentence that is none for a person."""
    if not text.strip():
        outcome.blame(f"{where}: nothing is said")
    if bad := unprintable(text):
        outcome.blame(f"{where}: control characters", f"{bad}: {text!r}")
    if found := _INSIDE.search(text):
        outcome.blame(f"{where}: words of a programmer", f"{found[0]}: {text}")
    if len(text) > LONGEST:
        outcome.blame(f"{where}: longer than {LONGEST} characters", f"{len(text)}: {text}")


def check_terminal(outcome: Outcome, code: object, out: str, err: str) -> None:
    """Blame whatever a command has written that is not its answer or its sentences."""
    if bad := unprintable(out):
        outcome.blame("standard output: control characters", f"{bad}: {out!r}")
    lines = err.splitlines()
    if code == 2 and err.startswith("usage:"):
        lines = [line for line in lines if line.startswith("mlviz") and "error:" in line] or ["no error is named"]
    for line in lines:
        if not line.startswith("mlviz"):
            outcome.blame("standard error: a line that no sentence begins", err)
            break
        check_sentence(outcome, line, "standard error")
    if code not in (0, 1, 2):
        outcome.blame(f"exit code {code}", err)
    elif code and not lines:
        outcome.blame(f"exit code {code} without a word")


def check_figure(outcome: Outcome, path: Path) -> None:
    """Blame a figure that no program could open."""
    content = path.read_bytes()
    if path.suffix == ".svg":
        try:
            elements = list(ElementTree.fromstring(content).iter())
        except ElementTree.ParseError as error:
            line = content.splitlines()[error.position[0] - 1][:300]
            outcome.blame("the SVG is no well-formed XML", f"{error}: {line!r}")
            return
        if any("canary.png" in value for element in elements for value in element.attrib.values()):
            outcome.blame("the SVG names a file that the input names")
        if any(element.tag.rpartition("}")[2] in ("script", "a", "b", "h1", "img") for element in elements):
            outcome.blame("the SVG has elements out of the input")
    elif not content.startswith({".png": b"\x89PNG", ".pdf": b"%PDF"}[path.suffix]):
        outcome.blame(f"the figure is no {path.suffix}")
