"""The folder of copies: every running program has one slot in it, and those whose program ended badly are found.

A slot is a copy (`NAME.copy`, replaced as a whole) and a lock (`NAME.lock`). The lock's one task is to tell whether
somebody is still there: a copy whose lock is free was left behind. Names are random and never used again, so that a
lock may be removed by anybody who sees that its copy is gone.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from mlviz.files.atomic import remove_stale_parts, replace_file
from mlviz.files.locks import lock
from mlviz.recovery.copies import BadCopy, Copy

MOST_KEPT_COPIES = 20
"""How many copies that were offered and put off are kept, the newest ones."""


class CopySlot:
    """A slot that is held by this program; raises OSError where another one holds it, or where there can be none."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = _lock_file(path.with_suffix(".lock"))

    @classmethod
    def new(cls, folder: Path) -> CopySlot:
        """An empty one."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return cls(folder / f"{secrets.token_hex(8)}.copy")

    def read(self) -> Copy:
        """The copy; raises `BadCopy`, or FileNotFoundError where there is none."""
        try:
            # Nothing but a file is opened: a pipe would never end.
            if not stat.S_ISREG(self.path.lstat().st_mode):
                raise BadCopy("it is no file")
            return Copy.unpack(self.path.read_bytes())
        except FileNotFoundError:
            raise
        except (OSError, MemoryError) as error:
            raise BadCopy(getattr(error, "strerror", None) or "it can't be read") from None

    def write(self, copy: Copy | None) -> str:
        """Put a copy there, or none; returns why that could not be done, "" when it was."""
        try:
            if copy is None:
                self.path.unlink(missing_ok=True)
            else:
                self._make_sure_of_folder()
                replace_file(self.path, copy.pack(), mode=0o600)
        except Exception as error:  # not only of the disk: a bug in here must not stop the program
            return getattr(error, "strerror", None) or "the program went wrong while it wrote"
        return ""

    def _make_sure_of_folder(self) -> None:
        """Make the folder again that somebody has removed, and hold the slot there."""
        if not self.path.parent.exists():
            self.path.parent.mkdir(parents=True, mode=0o700)
            os.close(self._lock)
            self._lock = _lock_file(self.path.with_suffix(".lock"))

    def put_aside(self, why: str) -> str:
        """Rename a copy that can't be used, so that it is told once and still there; returns the sentence to say."""
        aside = self.path.with_suffix(".damaged")
        try:
            os.replace(self.path, aside)
            self.remove()
        except OSError:
            aside = self.path
            self.release()
        return f"A copy of unsaved work can't be used: {why}. It is kept as {aside}."

    def release(self) -> None:
        """Leave the copy for later."""
        os.close(self._lock)

    def remove(self) -> None:
        """Remove the copy for good, with all that belongs to it."""
        _unlink(self.path)
        remove_stale_parts(self.path)
        self.release()
        _unlink(self.path.with_suffix(".lock"))  # not before: some systems remove no file that is open


@dataclass(frozen=True, eq=False)
class LeftoverCopy:
    """A copy that a program left behind; nobody else is offered it as long as the slot is held."""

    slot: CopySlot
    copy: Copy

    @property
    def mark(self) -> str:
        """What no other copy has, nor a later one in the same slot."""
        return f"{self.slot.path.stem}:{self.copy.when:.3f}"


def find_leftover_copies(folder: Path) -> tuple[list[LeftoverCopy], list[str]]:
    """The copies of programs that no longer run, newest first, and a sentence about each that can't be used."""
    left, problems = [], []
    for name in _names(folder):
        try:
            slot = CopySlot(folder / f"{name}.copy")
        except OSError:
            # A file that is held: its program runs, or another one looks at it just now.
            lock_file = folder / f"{name}.lock"
            if lock_file.is_symlink() or not lock_file.is_file():
                problems.append(
                    f"Unsaved work may be in {name}.copy, which can't be looked at: {lock_file} is no file."
                )
            continue
        try:
            left.append(LeftoverCopy(slot, slot.read()))
        except FileNotFoundError:
            slot.remove()
        except BadCopy as error:
            problems.append(slot.put_aside(str(error)))
    left.sort(key=lambda leftover: leftover.copy.when, reverse=True)
    return left, problems


def keep_for_later(left: list[LeftoverCopy]) -> None:
    """Leave copies that were offered, newest first, for later; the `MOST_KEPT_COPIES` first of them."""
    for leftover in left[:MOST_KEPT_COPIES]:
        leftover.slot.release()
    for leftover in left[MOST_KEPT_COPIES:]:
        leftover.slot.remove()


def _names(folder: Path) -> list[str]:
    try:
        return sorted({path.stem for path in folder.iterdir() if path.suffix in (".copy", ".lock")})
    except OSError:
        return []


def _unlink(path: Path) -> None:
    # What can't be removed is offered once more.
    with contextlib.suppress(OSError):
        path.unlink()


def _lock_file(path: Path) -> int:
    """Lock a file, which is made where there is none, until the descriptor that is returned is closed.

    Raises OSError at once where somebody else holds it, or where nothing can be locked at all.
    """
    # Not every system has the flag; a link that somebody put there is not followed where it does.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        lock(descriptor)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
