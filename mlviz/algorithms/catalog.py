"""Which methods there are. They are found by the names of their files; what can't be read is told with its reason."""

from __future__ import annotations

import importlib
import logging
import pkgutil
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread, current_thread
from time import monotonic

from mlviz.algorithms import outside
from mlviz.algorithms.base import Algorithm

_ENTRY_POINTS = "mlviz.methods"
"""The group in which an installed package names its methods: ``my-method = "my_package.my_method:MyMethod"``."""
PACKAGE = "mlviz.algorithms"
_FOLDER = Path(__file__).parent
_SECONDS, _PATIENT_SECONDS = 1.5, 10.0
"""So long a file may take to be read: usually, and where a person asks for its method by name and waits for it."""
log = logging.getLogger("mlviz")


@dataclass(frozen=True)
class BrokenMethod:
    """A method that can't be used, and why: one sentence that names the file."""

    id: str
    reason: str
    unread: bool = False
    """Whether its file is still being read."""


@dataclass(frozen=True)
class Source:
    """A module in which the method of that id may stand, under the name `attribute` where one is given."""

    id: str
    module: str
    place: str
    """The file, or who named the entry point."""
    attribute: str = ""
    shared: bool = False
    """Whether it may as well hold what several methods use."""


class _Unusable(Exception):
    """A module that can be imported holds no method that can be used; the message says why."""


def registry() -> dict[str, type[Algorithm]]:
    """Id -> class of every method that can be used, in alphabetical order of the ids."""
    return _everything()[0]


def broken() -> tuple[BrokenMethod, ...]:
    """The methods that can't be used, in alphabetical order of their ids."""
    return _everything()[1]


def find(method: str, patient: bool = False) -> type[Algorithm]:
    """The class of one method by its id, without reading the files of the others; they are named after their methods.

    A file takes as long as it may take among others, or longer for a person who is `patient`. Raises KeyError where
    there is no such method, or none that can be used by then.
    """
    for source in _sources():
        # A file of this package ends, however slow the disk is.
        seconds = _PATIENT_SECONDS if patient or source.shared else _SECONDS
        if source.id == method and isinstance(read := _read(source, seconds), type):
            return read
    raise KeyError(method)


def why_missing(method: str) -> str:
    """Why there is no method of that id: the end of a sentence that says so."""
    reasons = [missing.reason for missing in broken() if missing.id == method]
    return f"its file can't be used: {reasons[0]}" if reasons else f"known are {', '.join(registry())}."


def class_named(name: str) -> type[Algorithm] | None:
    """The method whose class has that name; no file is imported but its own."""
    for source in _sources():
        if name == source.attribute or f"\nclass {name}(" in _text(source.place):
            read = _read(source, _PATIENT_SECONDS)
            if isinstance(read, type) and read.__name__ == name:
                return read
    return None


def _text(place: str) -> str:
    path = Path(place)
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _everything() -> tuple[dict[str, type[Algorithm]], tuple[BrokenMethod, ...]]:
    found = _gathered()
    if any(missing.unread for missing in found[1]):
        _gathered.cache_clear()  # it may have been read when it is asked for again
    return found


@cache
def _gathered() -> tuple[dict[str, type[Algorithm]], tuple[BrokenMethod, ...]]:
    methods: dict[str, type[Algorithm]] = {}
    places: dict[str, str] = {}
    refused = [BrokenMethod(f, "there is no such folder.") for f in outside.__path__ if not Path(f).is_dir()]
    for source in _sources():
        read = _read(source, _SECONDS)
        if isinstance(read, BrokenMethod):
            refused.append(read)
        elif read is not None and methods.setdefault(source.id, read) is not read:
            reason = f"{source.place}: the id {source.id!r} is taken by {places[source.id]}."
            refused.append(BrokenMethod(source.id, reason))
        elif read is not None:
            places.setdefault(source.id, source.place)
    return dict(sorted(methods.items())), tuple(sorted(refused, key=lambda missing: missing.id))


def _sources() -> Iterator[Source]:
    """Where methods may stand: this package, then the folders of other people, then installed packages."""
    yield from _package()
    for folder in outside.__path__:
        yield from _files(folder, outside.__name__)
    yield from _entry_points()


@cache
def _package() -> tuple[Source, ...]:
    families = [family.name for family in pkgutil.iter_modules([str(_FOLDER)]) if family.ispkg]
    return tuple(s for name in families for s in _files(str(_FOLDER / name), f"{PACKAGE}.{name}", shared=True))


def _files(folder: str, package: str, shared: bool = False) -> Iterator[Source]:
    """The files and folders in a folder, none of which is read for it; those with an underscore are private."""
    for file in pkgutil.iter_modules([folder]):
        if not file.name.startswith("_"):
            path = Path(folder, file.name, "__init__.py") if file.ispkg else Path(folder, f"{file.name}.py")
            yield Source(file.name.replace("_", "-"), f"{package}.{file.name}", str(path), shared=shared)


@cache
def _entry_points() -> tuple[Source, ...]:
    # Takes 16 ms to import, and the window opens without it.
    from importlib import metadata

    found = []
    for point in metadata.entry_points(group=_ENTRY_POINTS):
        owner = "an installed package" if point.dist is None else f"the package {point.dist.name}"
        module, _, attribute = point.value.partition(":")
        found.append(Source(point.name, module.strip(), f"{owner} ({point.value})", attribute.strip()))
    return tuple(found)


class _Reading(Thread):
    """Reads one file: whatever that does, for however long, others can be read and the program goes on."""

    def __init__(self, source: Source) -> None:
        super().__init__(name=f"mlviz reads {source.id}", target=_read_here, args=(source,), daemon=True)
        self._begin, self._place = monotonic(), source.place
        self.start()

    def ends_within(self, seconds: float) -> bool:
        """Wait for its end, for so many seconds from its beginning at the most."""
        for moment in (min(seconds, _SECONDS), seconds):
            self.join(max(0.0, self._begin + moment - monotonic()))
            if self.is_alive() and self._place:
                log.warning("mlviz: %s is still being read", self._place)
                self._place = ""  # it is said once
        return not self.is_alive()


_reading = cache(_Reading)


def _read(source: Source, seconds: float) -> type[Algorithm] | BrokenMethod | None:
    """The method that stands there, or why it can't be used; None where the file holds what several methods use.

    A file that takes more than so many seconds can't be used yet.
    """
    within = isinstance(current_thread(), _Reading)  # one file needs another
    if not within and not _reading(source).ends_within(seconds):
        reason = f"{source.place}: reading it has not ended after {seconds:g} s."
        return BrokenMethod(source.id, reason, unread=True)
    return _read_here(source)


@cache
def _read_here(source: Source) -> type[Algorithm] | BrokenMethod | None:
    try:
        return _method(source)
    # Whatever somebody's file does as it is read, the other methods have to stay.
    except BaseException as error:
        return BrokenMethod(source.id, _sentence(source, error))


def _method(source: Source) -> type[Algorithm] | None:
    module = importlib.import_module(source.module)
    if not source.attribute and not Path(module.__file__ or "").samefile(source.place):
        raise _Unusable(f"the name is taken by {module.__file__}")
    things = [getattr(module, source.attribute)] if source.attribute else list(vars(module).values())
    classes = [t for t in things if isinstance(t, type) and issubclass(t, Algorithm) and "id" in vars(t)]
    for cls in classes:
        if cls.id == source.id:
            cls().caption()  # raises where the window could not list it
            return cls
    own = [cls.id for cls in classes if source.attribute or f"{cls.__module__}.".startswith(f"{module.__name__}.")]
    if own:
        raise _Unusable(f"the method in it has the id {own[0]!r}, which has to be that of its name, {source.id!r}")
    if source.shared:
        return None
    raise _Unusable("there is no method in it: a class derived from Algorithm with an id of its own")


def _sentence(source: Source, error: BaseException) -> str:
    """Where and why the file failed, on one line."""
    if isinstance(error, _Unusable):
        return f"{source.place}: {error}."
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == source.place]
    line = f", line {lines[-1]}" if lines else ""
    try:
        message = next(iter(str(error).splitlines()), "").rstrip(".")
    except Exception:  # an error of theirs may not even know its own words
        message = ""
    return f"{source.place}{line}: {type(error).__name__}{message and ': '}{message}."
