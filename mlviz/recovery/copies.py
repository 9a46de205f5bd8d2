"""Copies of unsaved work, which outlive a program that ends without being closed.

Every running program has one place in a folder: a copy (`NAME.copy`, replaced as a whole) and a lock (`NAME.lock`) held
by its processes. A copy whose lock is free was left behind. It holds a line with a checksum of the rest, a line about
it, a line with the scene but its samples, and the arrays of the samples as NumPy writes them: exact, and quick with
many of them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.files.atomic import write_atomically
from mlviz.recovery.locks import Lock
from mlviz.scene.files import scene_file
from mlviz.scene.files.scene_file import BadScene
from mlviz.scene.scene import Scene

MOST_KEPT_COPIES = 20
"""How many copies that were offered and put off are kept, the newest ones."""
_TITLE = b"mlviz copy 1 "
_ARRAYS = ("X", "labels", "held_out", "active")


class BadCopy(Exception):
    """A copy can't be used; the message says why."""


@dataclass(frozen=True)
class CopyHeader:
    """What a copy is a copy of: the scene file, the digest of that file as it was last read or written, and when."""

    file: str | None
    digest: str
    when: float
    points: int


@dataclass(frozen=True, eq=False)
class Copy:
    """A scene with unsaved changes. `file` is where it was opened or saved, `digest` that file's content then."""

    scene: Scene
    file: str | None
    digest: str
    when: float

    def pack(self) -> bytes:
        """The content of its file."""
        data = self.scene.dataset
        about = CopyHeader(self.file, self.digest, self.when, len(data))
        none = np.empty(0, dtype=bool)
        bare = dataclasses.replace(
            data, X=data.X[:0], labels=data.labels[:0], class_names=(), held_out=none, active=none
        )
        document = scene_file.to_json(self.scene.replace(dataset=bare))
        body = io.BytesIO()
        body.write(json.dumps({**dataclasses.asdict(about), "class_names": data.class_names}).encode() + b"\n")
        body.write(json.dumps(document).encode() + b"\n")
        for name in _ARRAYS:
            np.save(body, getattr(data, name), allow_pickle=False)
        content = body.getbuffer()
        return b"".join((_TITLE, hashlib.sha256(content).hexdigest().encode(), b"\n", content))


def unpack(content: bytes) -> tuple[CopyHeader, Scene]:
    """What `Copy.pack` wrote; raises `BadCopy`.

    A method that this version does not know is no reason to lose the samples: they come with the default method.
    """
    title, _, body = content.partition(b"\n")
    if title != _TITLE + hashlib.sha256(body).hexdigest().encode():
        raise BadCopy("its content is not what was written")
    try:
        file = io.BytesIO(body)
        about = json.loads(file.readline())
        class_names = tuple(about.pop("class_names"))
        document = json.loads(file.readline())
        scene = _scene(document)
        arrays = {name: np.load(file, allow_pickle=False) for name in _ARRAYS}
        dataset = Dataset(
            **arrays,
            columns=tuple(document["columns"]),
            class_column=document["class_column"],
            class_names=class_names,
            source=scene.dataset.source,
        )
        return CopyHeader(**about), scene.replace(dataset=dataset)
    except (BadScene, ValueError, KeyError, TypeError) as error:
        raise BadCopy(f"another version of the program wrote it ({error})") from None


def _scene(document: dict[str, Any]) -> Scene:
    try:
        return scene_file.from_json(document)
    except BadScene:
        return scene_file.from_json({key: document[key] for key in ("format", "columns", "class_column")})


@dataclass(frozen=True, eq=False)
class WriteCopy:
    """Write this copy at that place, or remove the one there when it is None."""

    number: int
    path: Path
    copy: Copy | None

    def carry_out(self) -> str:
        """Do so; returns why it could not be done, "" when it was."""
        try:
            if self.copy is None:
                self.path.unlink(missing_ok=True)
            else:
                write_atomically(self.path, self.copy.pack())
        except OSError as error:
            return error.strerror or str(error)
        except Exception as error:  # a bug in here must not end the only one who keeps copies
            return f"{type(error).__name__}: {error}"
        return ""


def lock_of(path: Path) -> Path:
    """The lock that belongs to a copy."""
    return path.with_suffix(".lock")


class CopySlot:
    """The place of this running program in the folder of copies; raises OSError where there can be none."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path = folder / f"{secrets.token_hex(8)}.copy"
        self._lock = Lock(lock_of(self.path), shared=True)

    def give_up(self) -> None:
        """Remove the copy and the lock: the program ends in good order."""
        _remove(self.path)
        self._lock.release()


class LeftoverCopy:
    """A copy that a program left behind; nobody else is offered it as long as it is held."""

    def __init__(self, path: Path, lock: Lock, about: CopyHeader, scene: Scene) -> None:
        self.path, self.about, self.scene = path, about, scene
        self._lock = lock

    def release(self) -> None:
        """Leave it for later."""
        self._lock.release()

    def discard(self) -> None:
        """Remove it for good."""
        _remove(self.path)
        self._lock.release()


@dataclass(frozen=True, eq=False)
class FoundCopies:
    """The copies left behind, newest first, and a sentence about each that can't be used."""

    left: list[LeftoverCopy]
    problems: list[str]


def find_leftover_copies(folder: Path) -> FoundCopies:
    """The copies of programs that no longer run, held for the caller to release or discard.

    What can't be used is renamed, so that it is told once and still there; what was only begun is removed.
    """
    found = FoundCopies([], [])
    for path, lock in _free(folder):
        try:
            found.left.append(LeftoverCopy(path, lock, *unpack(path.read_bytes())))
        except FileNotFoundError:
            _remove(path)
            lock.release()
        except (BadCopy, OSError) as error:
            lock.release()
            why = str(error) if isinstance(error, BadCopy) else error.strerror or str(error)
            found.problems.append(_put_aside(path, why))
    found.left.sort(key=lambda left: left.about.when, reverse=True)
    return found


def keep_for_later(left: list[LeftoverCopy]) -> None:
    """Leave copies that were offered for later, the `MOST_KEPT_COPIES` newest of them."""
    for position, copy in enumerate(sorted(left, key=lambda copy: copy.about.when, reverse=True)):
        if position < MOST_KEPT_COPIES:
            copy.release()
        else:
            copy.discard()


def _free(folder: Path) -> Iterator[tuple[Path, Lock]]:
    """The places whose lock nobody holds, and that lock."""
    try:
        names = {path.stem for path in folder.iterdir() if path.suffix in (".copy", ".lock")}
    except OSError:
        return
    for name in sorted(names):
        path = folder / f"{name}.copy"
        try:
            lock = Lock(lock_of(path))
        except OSError:
            continue  # its program runs, or another one looks at it just now
        yield path, lock


def _put_aside(path: Path, why: str) -> str:
    aside = path.with_suffix(".damaged")
    try:
        os.replace(path, aside)
        lock_of(path).unlink(missing_ok=True)
    except OSError:
        aside = path
    return f"A copy of unsaved work can't be used: {why}. It is kept as {aside}."


def _remove(path: Path) -> None:
    """Remove a copy with all that belongs to it, the lock last and while it is held."""
    for part in (path, *path.parent.glob(f".{path.name}.*.part"), lock_of(path)):
        # What can't be removed is offered once more.
        with contextlib.suppress(OSError):
            part.unlink()
