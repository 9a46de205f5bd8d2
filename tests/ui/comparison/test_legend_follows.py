"""The legends of two canvases name just what these draw, whatever method or task one of them turns to."""

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import registry
from mlviz.draw.marks import Lines
from mlviz.scene import edits
from mlviz.ui.paint.axes import Style
from mlviz.ui.paint.legend import common, entries_of
from tests.sweep import share
from tests.ui.comparison.test_common_legend import answer, scene_of, shown


def assert_names_what_is_drawn(window, said):
    drawn = [entries_of(*canvas.named(), False) for canvas in window.panels.canvases]
    own = [entries_of(*c.named(), False, c.named_elsewhere) for c in window.panels.canvases]
    found = shown(window)[0] if shown(window) else ()
    assert set(found) <= {entry for entries in drawn for entry in entries}, said
    assert all(set(mine) | (set(found) & set(all_)) == set(all_) for mine, all_ in zip(own, drawn, strict=True)), said
    # Where there is no room for all, the canvas whose method was there first does not take it all.
    words, signs = {entry.label for entry in found}, {entry.swatches for entry in found}
    alone = [[entry for entry in drawn[k] if entry not in drawn[1 - k]] for k in (0, 1)]
    free = [[entry for entry in mine if entry.label not in words and entry.swatches not in signs] for mine in own]
    if found and all(alone[k] and free[k] for k in (0, 1)):
        assert all(set(alone[k]) & set(found) for k in (0, 1)), said


def test_a_change_of_method_or_task_in_one_of_two_canvases_leaves_no_word_of_what_was_before(kept_window):
    window = kept_window
    window.resize(1024, 768)
    window.store.reset(scene_of(("kmeans", "gmm")))
    answer(window)
    for place, kind in enumerate(share(registry().values(), "legend", 2)):
        index = place % 2
        for task in kind.tasks:
            scene = edits.with_method(window.store.scene, index, kind.id)
            window.store.push(edits.with_task(scene, index, task), "choose")
            answer(window)
            assert_names_what_is_drawn(window, (kind.id, task))


def test_after_a_burst_of_keys_the_legend_is_that_of_what_is_seen(staged):
    window = staged(scene_of(("kmeans", "dbscan")))
    answer(window)
    key = object()
    for k in (3, 4):
        scene = edits.with_value(window.store.scene, 0, "algorithm.n_clusters", k)
        window.store.push(scene, "change k", key)
        answer(window)
    window.store.settle()
    for _ in range(3):
        QApplication.processEvents()
    assert "cluster 4" in [entry.label for entry in shown(window)[0]]
    assert_names_what_is_drawn(window, "burst")


def test_where_there_is_no_room_for_all_each_canvas_has_its_share(qapp):
    shown = [
        (tuple(Lines(f"{who} {k}", np.zeros((2, 2)), label=f"{who} {k}") for k in range(6)), None)
        for who in ("one", "other")
    ]
    width = 20.0
    while (made := common(shown, QRectF(0, 0, width, 40), Style())) is None or len(made[0]) < 5:
        width += 10
    told = [entry.label.split()[0] for entry in made[0]]
    assert 2 <= told.count("one") <= 3 and 2 <= told.count("other") <= 3
