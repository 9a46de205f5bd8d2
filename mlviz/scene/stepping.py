"""Work that is done step by step, as far as time allows: fits and studies."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from mlviz.algorithms.base import CannotFit

Step = TypeVar("Step")


class Stepping(Generic[Step]):
    """Takes the steps of an iterator. A kind of work says how it begins, and what it does with a step."""

    doing: ClassVar[str] = "This fit"
    """What is said to have failed where nobody can have foreseen it."""

    def __init__(self) -> None:
        self.finished = False
        self.error: str | None = None
        """Why there is no answer, in one sentence."""
        self.seconds = 0.0
        self._since = 0.0
        """When the time began that `seconds` lacks so far (time.perf_counter)."""
        self._steps: Iterator[Step] | None = None

    def advance(self, deadline: float) -> None:
        """Go on until `deadline` (time.perf_counter), by at least one step; never raises."""
        if self.finished:
            return
        self._since = now = time.perf_counter()
        try:
            if self._steps is None:
                self._steps = self._beginning()
            while not self.finished:
                step = next(self._steps, None)
                if step is None:
                    self.finished = True
                    self._check()
                else:
                    self._take(step)
                now = time.perf_counter()
                if now >= deadline:
                    break
        except CannotFit as error:
            self.fail(str(error))
        except Exception as error:
            self.fail(unexpected(error, self.doing))
        self.seconds += now - self._since
        if self.finished:
            self._steps = None

    def fail(self, sentence: str) -> None:
        """Give it up, and say why."""
        self.error, self.finished = sentence, True

    def _beginning(self) -> Iterator[Step]:
        """The steps; raises `CannotFit`."""
        raise NotImplementedError

    def _take(self, step: Step) -> None:
        """Keep a step."""
        raise NotImplementedError

    def _check(self) -> None:
        """Raise `CannotFit` where the steps have come to their end and there is no answer."""
        raise NotImplementedError


def unexpected(error: Exception, doing: str = "This fit") -> str:
    """The sentence for an error that no person can have caused, with the line of the program that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not {"numpy", "scipy"} & set(Path(frame.filename).parts)]
    place = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    what = " ".join(str(error).split()) or "no reason given"
    return f"{doing} failed unexpectedly: {type(error).__name__}, {what}{place}; the points are safe."
