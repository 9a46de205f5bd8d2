"""Scenes and copies for the tests of copies."""

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.recovery.copies import Copy
from mlviz.recovery.slots import CopySlot, find_leftover_copies
from mlviz.scene.defaults import default_scene


def scene_with(n=5, **fields):
    rng = np.random.default_rng(n)
    return default_scene().replace(dataset=Dataset(rng.normal(size=(n, 2)), np.arange(n) % 3, **fields))


def copy_of(scene, when=100.0, file="/home/ada/moons.mlviz"):
    return Copy(scene, file, "abc", when)


def left_behind(folder, *scenes):
    """Copies whose program is gone, each a second younger than the one before."""
    for number, scene in enumerate(scenes):
        slot = CopySlot.new(folder)
        assert slot.write(copy_of(scene, 100.0 + number)) == ""
        slot.release()


def found(folder):
    """The copies left behind; nothing may be wrong with one."""
    left, problems = find_leftover_copies(folder)
    assert problems == []
    return left


def names(folder):
    return sorted(path.suffix for path in folder.iterdir())
