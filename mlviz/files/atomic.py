"""Reading files and no pipes; writing a file so that either the old or the whole new content is there in the end."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
import tempfile
from functools import partial
from pathlib import Path

from mlviz.files.locks import lock

_PART = ".part"
"""How the names of files end that are to take another one's place once they are whole."""


def read_file(path: Path | str, most: int) -> bytes:
    """The first bytes of a file; raises OSError, also for a pipe or a device, which might keep us waiting for ever."""
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    with path.open("rb") as file:
        return file.read(most)


def resolved(path: Path) -> Path:
    """The path without symbolic links; raises OSError where they go in a circle."""
    try:
        return path.resolve()
    except RuntimeError:  # what Python said of it before 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def write_atomically(path: Path, content: bytes) -> None:
    """Replace the content of a file; its permissions stay. Raises OSError, then the old file is untouched.

    What is there but no regular file (a pipe, a terminal) is written to as it is.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    try:
        if path.exists():
            # One that may not be written could be replaced all the same; but somebody wants to keep it as it is.
            os.close(os.open(path, os.O_WRONLY))
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        replace_file(resolved(path), content, mode)  # a symbolic link stays one, and what it points to is replaced
    except OSError as error:
        error.filename, error.filename2 = str(path), None  # not the temporary file's name, which nobody knows
        raise


def replace_file(path: Path, content: bytes, mode: int) -> None:
    """Put a file with these permissions in place of whatever is there; raises OSError, then that is untouched."""
    remove_stale_parts(path)
    descriptor, part = _new_part(path)
    file = os.fdopen(descriptor, "wb")
    try:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
        os.chmod(part, mode)
        if sys.platform == "win32":
            file.close()  # nothing that is open can be renamed there; elsewhere the lock holds until it is
        os.replace(part, path)
        file.close()
    except BaseException:
        for undo in (file.close, partial(os.unlink, part)):
            with contextlib.suppress(OSError):
                undo()
        raise
    _sync_folder(path.parent)


def remove_stale_parts(path: Path) -> None:
    """Remove what programs left behind that were killed while they wrote this file; what is being written stays."""
    start = _part_start(path)
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if entry.name.startswith(start) and entry.name.endswith(_PART) and entry.is_file(follow_symlinks=False):
                _remove_unless_held(entry.path)


def _remove_unless_held(part: str) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(part, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
        try:
            lock(descriptor)
            os.unlink(part)
        finally:
            os.close(descriptor)


def _new_part(path: Path) -> tuple[int, str]:
    """A new file beside another one, open and locked, for its next content."""
    descriptor, part = tempfile.mkstemp(prefix=_part_start(path), suffix=_PART, dir=path.parent)
    with contextlib.suppress(OSError):  # where nothing can be locked nobody takes it for left behind either
        lock(descriptor, wait=True)
    if os.path.exists(part):
        return descriptor, part
    os.close(descriptor)  # another program was quicker and has removed it
    return _new_part(path)


def _part_start(path: Path) -> str:
    return f".{path.name[:50]}.mlviz-"


def digest_of(path: Path) -> str:
    """What tells the content of a file from any other; "" where there is none to read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _sync_folder(folder: Path) -> None:
    """Have the new name on the disk too, where a folder can be opened for that; the file is written in any case."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _umask() -> int:
    # The mask can only be read by setting it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
