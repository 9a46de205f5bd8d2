"""The bar of playback where there is little room for it."""

import itertools

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from mlviz.scene.defaults import default_scene
from mlviz.scene.history import Store
from mlviz.ui.shell.player import Player
from tests.ui.shell.test_player import picture

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("factor", "whole"), [(1.0, 640), (1.6, 900)])
@pytest.mark.parametrize("width", [400, 420, 500, 640, 900, 1024])
def test_nothing_in_the_bar_stands_over_another(qtbot, factor, whole, width):
    around = QWidget()
    qtbot.addWidget(around)
    player = Player(Store(default_scene()))
    qtbot.addWidget(player)
    player.show_picture(picture(5, stage="α 0.10000 → 0.20000 and 0.30000 → 0.40000"), playable=True)
    player.setParent(around)  # as a screen does, it gives the bar no more width than there is
    around.show()
    player.resize(width, 60)
    player.show()
    player.enlarge(factor)
    QApplication.processEvents()
    parts = [part for part in (*player.buttons.values(), player.slider, player.note, player.speed) if part.isVisible()]
    assert {player.slider, player.note} < {*parts} and (player.speed in parts) == (width >= whole)
    for part, following in itertools.pairwise(parts):
        assert part.geometry().right() < following.geometry().left()
    assert parts[-1].geometry().right() <= width
    fm, words = player.note.fontMetrics(), player.note.text()
    assert max(map(fm.horizontalAdvance, words.splitlines())) <= player.note.width()
    assert width < whole or "…" not in words
    player.setParent(None)
