"""Choosing a method: in the order of a course, and found by the letters of any word."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.algorithms import BrokenMethod, registry
from mlviz.ui.sidebar import method_chooser
from mlviz.ui.sidebar.method_chooser import BROKEN, COURSE, MethodChooser, found

NAMES = (
    "k nearest neighbours knn",
    "logistic regression logistic",
    "support vector machine svm",
    "SVM by steps svm-sgd",
)


@pytest.fixture
def chooser(qtbot):
    chooser = MethodChooser()
    qtbot.addWidget(chooser)
    chooser.show()
    chooser.fill()
    return chooser


def test_the_list_is_read_when_the_window_has_been_seen_and_the_method_stays(qtbot):
    chooser, chosen = MethodChooser(), []
    qtbot.addWidget(chooser)
    chooser.method_chosen.connect(chosen.append)
    chooser.show_method(registry()["svm"](), "classification")
    assert chooser.methods.count() == 1 and chooser.methods.currentText() == "support vector machine"
    chooser.show()
    qtbot.waitUntil(lambda: chooser.methods.count() > len(registry()))
    assert chooser.methods.currentData() == "svm" and not chosen
    another = MethodChooser()
    qtbot.addWidget(another)
    another.show_method(registry()["svm"](), "classification")
    another.show_method(registry()["lda"](), "classification")
    assert another.methods.currentData() == "lda"


def test_every_method_is_listed_once_under_a_head_of_its_family(chooser):
    model = chooser.methods.model()
    heads, methods = [], {}
    for row in range(model.rowCount()):
        item = model.item(row)
        method = item.data(Qt.ItemDataRole.UserRole)
        if method is None:
            assert not item.isEnabled()
            heads.append(item.text())
        else:
            methods[method] = heads[-1]
    assert methods == {name: kind.family for name, kind in registry().items()}
    known = [head for head in heads if head in dict(COURSE)]
    assert known == [family for family, _ in COURSE if family in known]
    assert len(heads) == len(set(heads))


def test_letters_mean_the_start_of_a_name_then_of_a_word_then_anything():
    for letters, best in (
        ("k", 0),
        ("log", 1),
        ("s", 2),
        ("vec", 2),
        ("svm", 3),
        ("svm-", 3),
        ("mach", 2),
        ("gist", 1),
    ):
        assert found(letters, NAMES) == best, letters
    assert found("zebra", NAMES) is None


def test_typed_letters_choose(qtbot, chooser, monkeypatch):
    clock, chosen = [0.0], []
    monkeypatch.setattr("mlviz.ui.sidebar.method_chooser.monotonic", lambda: clock[0])
    chooser.method_chosen.connect(chosen.append)
    for letters, method in (("vector", "svm"), ("k-m", "kmeans"), ("princ", "pca")):
        clock[0] += 10  # another word
        qtbot.keyClicks(chooser.methods, letters)
        assert chosen[-1] == method


def test_the_same_letter_again_goes_on_to_the_next(qtbot, chooser):
    seen = []
    chooser.methods.setFocus()
    for _ in range(4):
        QTest.keyClick(chooser.methods, Qt.Key.Key_K)
        seen.append(chooser.methods.currentData())
    assert len(set(seen)) > 1


def test_return_ends_the_choice_and_letters_and_arrows_do_not(qtbot, chooser):
    ends = []
    chooser.done.connect(lambda: ends.append(chooser.methods.currentData()))
    qtbot.keyClicks(chooser.methods, "vector")
    QTest.keyClick(chooser.methods, Qt.Key.Key_Down)
    QTest.keyClick(chooser.methods, Qt.Key.Key_Up)
    assert not ends
    QTest.keyClick(chooser.methods, Qt.Key.Key_Return)
    chooser.methods.activated.emit(chooser.methods.currentIndex())  # as the open list does
    assert ends == ["svm", "svm"]


def test_after_return_the_keys_of_the_playback_leave_the_method_alone(make_window, qtbot):
    window = make_window()
    with qtbot.waitActive(window):
        window.activateWindow()
    window.sidebar.chooser.methods.setFocus()
    qtbot.keyClicks(window.sidebar.chooser.methods, "k-m")
    QTest.keyClick(window.sidebar.chooser.methods, Qt.Key.Key_Return)
    assert QApplication.focusWidget() is window.canvas
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Home)
    assert window.sidebar.panel.pipeline.algorithm.id == "kmeans"


def test_a_method_that_cannot_be_used_stands_greyed_with_its_reason(qtbot, monkeypatch):
    missing = BrokenMethod("supper", "supper.py, line 3: NameError: name 'spoon' is not defined.")
    monkeypatch.setattr(method_chooser, "broken", lambda: (missing,))
    chooser = MethodChooser()
    qtbot.addWidget(chooser)
    chooser.show_method(registry()["pca"](), "decomposition")
    chooser.fill()
    model = chooser.methods.model()
    head, item = (model.item(model.rowCount() - k) for k in (2, 1))
    assert head.text() == BROKEN and item.text() == "supper" and not item.isEnabled()
    assert item.toolTip() == item.accessibleDescription() == missing.reason
    # Neither letters nor arrows choose it: "sup" is the support vector machine.
    chooser.methods.view().keyboardSearch("supper")
    assert chooser.methods.currentData() == "pca"
    for _ in range(model.rowCount()):
        QTest.keyClick(chooser.methods, Qt.Key.Key_Down)
    assert chooser.methods.currentData() in registry()
