"""What a copy of unsaved work holds.

A line with a checksum of the rest, a line about the copy, a line with the scene but its samples, and the arrays of the
samples as NumPy writes them: exact, and quick with many of them.
"""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
import io
import json
import os
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.scene.files import checks, scene_file
from mlviz.scene.files.strict_json import BadScene, parse
from mlviz.scene.scene import Scene
from mlviz.spec.parameter import MAX_CLASSES

_TITLE = b"mlviz copy 1 "
_ARRAYS = ("X", "labels", "held_out", "active")
_LONGEST_NAME = 255
"""Bytes of a file's name, without its folders, at the most."""
_KINDS = ("f", "iu", "b", "b")
"""What NumPy calls the kinds of numbers in them."""


class BadCopy(Exception):
    """A copy can't be used; the message says why."""


@dataclass(frozen=True, eq=False)
class Copy:
    """A scene with unsaved changes, and when it had them.

    `file` is where it was opened or saved, `digest` tells that file's content then. `lost` is the sentence that says
    why not all of it could be read, "" where it was.
    """

    scene: Scene
    file: str | None
    digest: str
    when: float
    lost: str = ""

    def pack(self) -> bytes:
        """The content of the copy's file."""
        data = self.scene.dataset
        none = np.empty(0, dtype=bool)
        bare = dataclasses.replace(
            data, X=data.X[:0], labels=data.labels[:0], class_names=(), held_out=none, active=none
        )
        about = {"file": self.file, "digest": self.digest, "when": self.when, "class_names": data.class_names}
        body = io.BytesIO()
        for line in (about, scene_file.to_json(self.scene.replace(dataset=bare))):
            body.write(json.dumps(line).encode() + b"\n")
        for name in _ARRAYS:
            np.save(body, getattr(data, name), allow_pickle=False)
        content = body.getbuffer()
        return b"".join((_TITLE, hashlib.sha256(content).hexdigest().encode(), b"\n", content))

    @classmethod
    def unpack(cls, content: bytes) -> Copy:
        """What `pack` wrote; raises `BadCopy` whatever else the content is."""
        title, _, body = content.partition(b"\n")
        if title != _TITLE + hashlib.sha256(body).hexdigest().encode():
            raise BadCopy("its content is not what was written")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # what NumPy only warns of is damage, too
                return cls._read(io.BytesIO(body))
        except Exception as error:  # the content may be anything, and one copy must not hide the others
            raise BadCopy("it is damaged, or another version of the program wrote it") from error

    @classmethod
    def _read(cls, file: io.BytesIO) -> Copy:
        about, document = parse(file.readline()), parse(file.readline())
        scene, lost = _scene_of(document)
        arrays = {name: np.load(file, allow_pickle=False) for name in _ARRAYS}
        if any(array.dtype.kind not in kinds for array, kinds in zip(arrays.values(), _KINDS, strict=True)):
            raise ValueError("arrays of another kind")
        dataset = Dataset(
            **arrays,
            columns=scene.dataset.columns,
            class_column=scene.dataset.class_column,
            class_names=checks.texts(about["class_names"], "class_names", MAX_CLASSES),
            source=scene.dataset.source,
        )
        file_name, digest, when = about["file"], about["digest"], about["when"]
        if file_name is not None and len(os.fsencode(os.path.basename(file_name))) > _LONGEST_NAME:
            raise ValueError("a name that no file has")
        codes = dataset.labels.min(initial=0), dataset.labels.max(initial=0), len(dataset.class_names) - 1
        proper = isinstance(file_name, str | None) and "\0" not in (file_name or "") and isinstance(digest, str)
        if codes[0] < 0 or max(codes) >= MAX_CLASSES or not proper:
            raise ValueError("values that the program can't have")
        datetime.datetime.fromtimestamp(when)  # raises where no calendar has that day
        return cls(scene.replace(dataset=dataset), file_name, digest, when, lost)


def _scene_of(document: Any) -> tuple[Scene, str]:
    """The scene that a document describes, without what no scene may have, and why that is left out."""
    lost = ""
    rest = tuple(key for key in document if key not in ("format", "columns", "class_column"))
    # A method that this version does not know, or a place beyond all numbers, is no reason to lose the samples.
    for left_out in ((), ("view",), ("panels",), rest):
        try:
            return scene_file.from_json({k: v for k, v in document.items() if k not in left_out}), lost
        except BadScene as error:
            lost = lost or str(error)
    raise BadScene(lost)
