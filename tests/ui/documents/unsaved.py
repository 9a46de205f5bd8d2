"""Unsaved work, and copies of it that others leave."""

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.recovery.copies import Copy
from mlviz.recovery.slots import CopySlot
from mlviz.scene.defaults import default_scene


def points(n):
    return Dataset(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2)


def leave(folder, n, file=None, when=100.0, digest=""):
    """What a program with n points leaves that is not closed."""
    slot = CopySlot.new(folder)
    scene = default_scene().replace(dataset=points(n))
    assert slot.write(Copy(scene, None if file is None else str(file), digest, when)) == ""
    slot.release()


def kept(folder):
    """The copies in the folder, whoever holds them."""
    return [Copy.unpack(path.read_bytes()) for path in folder.glob("*.copy")]


def with_points(window, n, what="points"):
    window.store.push(window.store.scene.replace(dataset=points(n)), what)
