"""No label, tab, button, box or name of an axis of any method is cut in a small window, nor in a presentation of it."""

import pytest
from PySide6.QtWidgets import QApplication, QTabBar

from mlviz.algorithms import registry
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.ui.paint import axis_painter
from tests.sweep import share
from tests.ui.samples import some_points
from tests.ui.shell.test_calm import answer
from tests.ui.shell.test_legible import cut, shown


@pytest.fixture
def cut_names(monkeypatch):
    """The names of axes that were shortened since it was cleared."""
    found = []
    write = axis_painter.write

    def spy(painter, x, baseline, words, *rest, **more):
        if words.endswith("…"):
            found.append(words)
        write(painter, x, baseline, words, *rest, **more)

    monkeypatch.setattr(axis_painter, "write", spy)
    return found


def cut_tabs(window):
    """Tabs that have no room for their words; the bar scrolls where there are many."""
    for bar in window.findChildren(QTabBar):
        for k in range(bar.count() if bar.isVisible() else 0):
            if bar.tabRect(k).width() < bar.fontMetrics().horizontalAdvance(bar.tabText(k)):
                yield bar.tabText(k)


def faults(window, cut_names):
    """What is cut in the window as it is, with each of the side plots in front."""
    found = [cut(widget) for widget in shown(window)]
    found += cut_tabs(window)
    for name in [*window.sides.plots]:
        window.sides.bring_to_front(name)
        window.sides.plots[name]._follow()
        cut_names.clear()
        window.sides.plots[name].grab()
        found += [f"{name}: {words}" for words in cut_names]
    cut_names.clear()
    window.canvas.grab()
    found += [f"canvas: {words}" for words in cut_names]
    return [words for words in found if words]


@pytest.mark.first
@pytest.mark.parametrize("presenting", [False, True])
def test_no_word_is_cut(kept_window, cut_names, presenting):
    window, wrong = kept_window, {}
    window.appearance.sides_wanted = True
    window.presentation.show(presenting)
    if presenting:
        window.appearance.toggle_sides()
        window.showNormal()
        window.presentation.banner.hide()
    window.resize(1024, 768)
    window.show_parts()
    for method in share(registry(), presenting, 4):
        window.store.reset(edits.with_method(default_scene().replace(dataset=some_points(20)), 0, method))
        answer(window)
        QApplication.processEvents()  # a line that wraps is laid out once its width is known
        if found := faults(window, cut_names):
            wrong[method] = found
    if presenting:
        window.presentation.show(False)
    assert window.size().toTuple() == (1024, 768)
    assert not wrong, "\n".join(f"{method}: {found}" for method, found in wrong.items())
