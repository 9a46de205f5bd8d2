"""Studies are asked in their menu, shown in tabs, set beside them, adopted from, saved, and ended; all with undo."""

import dataclasses
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel

from mlviz.algorithms import registry as methods
from mlviz.data.generators.catalog import generators
from mlviz.draw.marks import Lines
from mlviz.draw.plot import Area, Plot
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_method
from mlviz.scene.scene import Panel, Scene
from mlviz.studies import Offer, Result, Study, Table, registry
from mlviz.ui.controls.number_control import ChoiceControl
from mlviz.ui.controls.text_control import TextControl
from mlviz.ui.export import exporter
from mlviz.ui.studies import studies as window_studies


@dataclasses.dataclass(frozen=True, eq=False)
class Half(Result):
    def table(self):
        return Table.of(C=[1.0, 2.0], error=[0.25, 0.5])

    def plots(self):
        area = Area((0.0, 1.0, 0.0, 1.0), "C = 7", settings=(("algorithm.C", 7.0),))
        return (Plot("asked", "Asked", "C", "error", (Lines("curve", np.eye(2)),), areas=(area,)),)

    def offers(self):
        return (Offer("C = 3", (("algorithm.C", 3.0),)),)


@dataclasses.dataclass(frozen=True)
class Asked(Study):
    id = "asked"
    label = "asked study"
    help = "something"

    def lack(self, pipeline):
        return "" if pipeline.algorithm.id == "svm" else "needs a street; there is none"

    def steps(self, question):
        yield Half(question, done=1, total=2)
        yield Half(question, done=2, total=2)


@pytest.fixture
def svm(window, monkeypatch):
    monkeypatch.setattr(window_studies, "registry", lambda: registry() | {"asked": Asked})
    window.store.reset(scene())
    window.appearance.sides_wanted = True
    window.show_parts()
    return window


def scene():
    data = generators()["two-gaussians"](n_samples=40).generate(1)
    return Scene(data, (Panel(Pipeline(methods()["svm"]())),))


def answer(window):
    """What the worker would answer."""
    (picture,) = draw(window.store.scene, [(200, 200)])
    window._show_picture(picture)
    window._show_numbers()


def entry(window, text):
    menu = window.actions_.menu("Study")
    menu.aboutToShow.emit()
    return next(action for action in menu.actions() if action.text() == text)


def bar(window, study_id="asked"):
    return window.studies._bars[study_id]


def test_a_study_is_asked_in_the_menu_and_comes_to_the_front(svm):
    answer(svm)
    assert not entry(svm, "Asked study").isChecked()
    entry(svm, "Asked study").trigger()
    assert [study.id for study in svm.store.scene.panels[0].studies] == ["asked"]
    answer(svm)
    assert svm.sides.front == "asked" and entry(svm, "Asked study").isChecked()
    assert not bar(svm).progress.isVisible() and bar(svm)._copy.isEnabled()
    svm.store.undo()
    answer(svm)
    assert "asked" not in svm.sides.plots and not entry(svm, "Asked study").isChecked()


def test_what_it_offers_is_adopted_by_a_click_and_taken_back_by_one_undo(svm):
    entry(svm, "Asked study").trigger()
    answer(svm)
    (button,) = bar(svm)._offers
    assert button.text() == "C = 3"
    button.click()
    assert svm.store.scene.panels[0].pipeline.algorithm.C == 3.0
    svm.sides.picked.emit(svm.sides.plots["asked"].plot.areas[0])
    assert svm.store.scene.panels[0].pipeline.algorithm.C == 7.0
    svm.store.undo()
    svm.store.undo()
    assert svm.store.scene.panels[0].pipeline.algorithm.C == 1.0
    assert svm.store.scene.panels[0].studies == (Asked(),)


def test_its_numbers_go_to_the_clipboard_and_into_a_file(svm, tmp_path, monkeypatch):
    entry(svm, "Asked study").trigger()
    answer(svm)
    bar(svm)._copy.click()
    assert QGuiApplication.clipboard().text() == "C,error\n1.0,0.25\n2.0,0.5\n"
    monkeypatch.setattr(window_studies, "ask_name", lambda *given: tmp_path / "numbers.csv")
    bar(svm)._save.click()
    assert (tmp_path / "numbers.csv").read_text(encoding="utf-8") == "C,error\n1.0,0.25\n2.0,0.5\n"


def test_with_a_method_it_says_nothing_about_it_waits_and_says_so(svm):
    entry(svm, "Asked study").trigger()
    answer(svm)
    svm.store.push(with_method(svm.store.scene, 0, "logistic"), "method")
    answer(svm)
    assert bar(svm).message.text() == "This study needs a street; there is none." and not bar(svm)._copy.isEnabled()
    assert "asked" in svm.sides.plots and not bar(svm).form.isEnabled()
    assert svm.sides.front != "asked", "another plot is in front"
    svm.sides.bring_to_front("asked")
    QApplication.processEvents()
    told = [label for label in svm.sides.findChildren(QLabel) if "needs a street" in label.text() and label.isVisible()]
    assert len(told) == 1, "it is said once"
    answer(svm)
    assert svm.sides.front == "asked", "whoever wants it may have it"
    svm.store.undo()
    answer(svm)
    assert bar(svm).message.text() == "" and bar(svm)._copy.isEnabled() and svm.sides.front == "asked"


def test_a_study_that_stepped_back_is_in_front_again_where_it_applies(svm):
    entry(svm, "Asked study").trigger()
    answer(svm)
    for method, applies in (("logistic", False), ("svm", True), ("perceptron", False)):
        svm.store.push(with_method(svm.store.scene, 0, method), "method")
        answer(svm)
        assert (svm.sides.front == "asked") is applies, method


def test_full_size_takes_the_height_and_the_numbers_along(svm):
    entry(svm, "Asked study").trigger()
    answer(svm)
    before, low = svm.sides.height(), svm.canvas.height()
    svm.sides.toggle_full()
    QApplication.processEvents()
    pane = svm.sides.plots["asked"]
    assert pane.isAncestorOf(bar(svm)) and bar(svm).isVisible()
    assert pane.height() > low + before / 2
    svm.presentation.show(True)
    assert bar(svm).isVisible() and bar(svm)._offers[0].isVisible()
    svm.presentation.show(False)
    assert svm.sides.back()
    QApplication.processEvents()
    assert not pane.isAncestorOf(bar(svm)) and bar(svm).isVisible()
    assert abs(svm.sides.height() - before) <= 2 and svm.canvas.height() == low


def test_a_study_that_is_ended_takes_its_tab_along(svm):
    entry(svm, "Asked study").trigger()
    answer(svm)
    bar(svm).ended.emit()
    answer(svm)
    assert svm.store.scene.panels[0].studies == () and "asked" not in svm.sides.plots


def test_a_cell_of_the_confusion_matrix_lights_its_samples(svm):
    entry(svm, "Confusion matrix").trigger()
    answer(svm)
    data = svm.store.scene.dataset
    plot = svm.sides.plots["confusion-matrix"].plot
    model = svm.store.scene.panels[0].pipeline.fit(data.X, data.labels)
    found = []
    for area in plot.areas:
        svm.sides.picked.emit(area)
        found.append(svm.hand.selection(data).tolist())
    predicted = model.predict(data.X)
    cells = [np.flatnonzero((data.labels == a) & (predicted == b)).tolist() for a in (0, 1) for b in (0, 1)]
    assert found == cells


def test_a_setting_is_one_step_of_undo_and_asks_anew(svm):
    entry(svm, "Confusion matrix").trigger()
    answer(svm)
    bar(svm, "confusion-matrix").changed.emit("cells", "% of class")
    assert svm.store.scene.panels[0].studies[0].cells == "% of class"
    svm.store.undo()
    assert svm.store.scene.panels[0].studies[0].cells == "counts"


def test_hyperparameters_are_chosen_from_those_of_the_method(svm):
    entry(svm, "Validation curve").trigger()
    answer(svm)
    row = bar(svm, "validation-curve").form.rows["hyperparameter"]
    assert row.control.itemText(0) == "C" and "kernel" in [row.control.itemText(k) for k in range(row.control.count())]
    svm.store.push(with_method(svm.store.scene, 0, "knn"), "method")
    answer(svm)
    row = bar(svm, "validation-curve").form.rows["hyperparameter"]
    assert row.control.itemText(0) == "k"
    row.control.setCurrentText("weights")
    assert svm.store.scene.panels[0].studies[0].hyperparameter == "weights"


def test_no_setting_of_a_study_is_blank(svm, monkeypatch):
    """A setting that is left to the study says what stands for it: a name in a list, or faint words in a line.

    It stands there with the first result, whatever the others are.
    """
    for kind in registry().values():
        if not kind.by_layer:
            svm.store.reset(scene())
            assert_says(svm, kind, monkeypatch)


def assert_says(svm, kind, monkeypatch):
    steps = kind.steps
    monkeypatch.setattr(kind, "steps", lambda study, question: itertools.islice(steps(study, question), 1))
    for method in ("svm", "knn", "linear-regression", "kmeans"):
        svm.store.push(with_method(svm.store.scene, 0, method), "method")
        if kind().applies(svm.store.scene.panels[0].pipeline):
            break
    svm.studies.toggle(kind.id)
    answer(svm)
    if (shown := svm.studies._bars.get(kind.id)) is None:
        assert not kind.plotted or not kind().parameters()
        return
    for row in shown.form.rows.values():
        match row.control:
            case ChoiceControl() as chooser:
                assert chooser.currentText(), (kind.id, row.parameter.name)
            case TextControl(line=line):
                assert line.text() or line.placeholderText(), (kind.id, row.parameter.name)


def test_a_study_that_was_ended_can_be_asked_again(svm):
    for _ in range(2):
        entry(svm, "Asked study").trigger()
        answer(svm)
        assert svm.sides.front == "asked" and bar(svm)._offers
        bar(svm).ended.emit()
        answer(svm)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        assert svm.studies._bars == {}
        svm.store.push(with_method(svm.store.scene, 0, "knn"), "method")
        answer(svm)
        svm.store.undo()
        answer(svm)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_a_plot_is_saved_alone(svm, tmp_path, monkeypatch, suffix):
    entry(svm, "Confusion matrix").trigger()
    answer(svm)
    monkeypatch.setattr(exporter, "ask_name", lambda *given: tmp_path / f"plot{suffix}")
    svm.sides._save()
    assert (tmp_path / f"plot{suffix}").stat().st_size > 500
