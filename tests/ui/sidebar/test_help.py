"""The help beside the canvas: every method explains itself, with formulas, and does what it offers to be tried."""

import inspect
import re
import unicodedata

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QColor, QKeyEvent, QTextDocument
from PySide6.QtWidgets import QApplication, QToolButton

from mlviz.algorithms import registry
from mlviz.algorithms.traits import Trial
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import generators
from mlviz.picture import draw
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.trying import in_words
from mlviz.ui.sidebar.formulas import as_latex, parts, set_formula
from mlviz.ui.sidebar.help_panel import HelpPanel
from mlviz.ui.sidebar.method_page import TRY, method_page
from tests.sweep import of_families, share

METHODS = registry()


def formulas(method):
    return [part for line in inspect.getdoc(method).splitlines() if line.startswith("    ") for part in parts(line)]


@pytest.fixture
def helped(kept_window):
    kept_window.show_help(True)
    return kept_window


@pytest.mark.parametrize(
    ("line", "latex"),
    [
        ("½ |w|² + C Σ ξᵢ", r"\frac{1}{2} |w|^{2} + C \sum  ξ_{i}"),
        ("w = Σ⁻¹ (μ₁ − μ₀)", "w = Σ^{−1} (μ_{1} − μ_{0})"),
        ("Σᵢⱼ αᵢ", r"\sum _{ij} α_{i}"),
        ("ηᵇₜ ← 1/√t", r"η^{b}_{t} ← 1/\sqrt{t}"),
        ("(1/n) log(y)", r"\frac{1}{n} \log (y)"),
        ("f(own class) & {x_1}", r"f(\text{ own class }) \& \{x\_1\}"),
    ],
)
def test_lines_of_mathematics_become_latex(line, latex):
    assert as_latex(line) == latex


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_every_formula_of_every_method_is_set(method):
    for line in formulas(method):
        assert not any(unicodedata.decomposition(sign).startswith(("<su", "<fraction")) for sign in as_latex(line)), (
            line
        )
        image = set_formula(line, 16.0, QColor("black"), room=250.0, pixels=2.0)
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)[:, 3 : 4 * image.width() : 4]
        height, width = pixels.shape
        assert 0 < width <= 500 and height <= 200, line
        # Ink from edge to edge, not beside the picture, and none cut off.
        inked = np.flatnonzero(pixels.any(axis=0))
        assert inked[0] < 12 and inked[-1] > width - 12, line


def test_a_formula_without_room_is_a_dot():
    for room in (-10.0, 0.0, 1.0):
        assert not set_formula("f(x) = w·φ(x) + b", 14.0, QColor("black"), room=room).isNull()


@pytest.mark.parametrize("method", of_families(METHODS))
def test_every_method_explains_itself_beside_the_canvas(helped, method):
    helped.sidebar.chooser.choose(method)
    QApplication.processEvents()
    text = helped.help.browser.toPlainText()
    assert METHODS[method].label in text and helped.help.isVisible()
    for parameter in METHODS[method].parameters():
        assert parameter.help in text
    assert text.count("\ufffc") == len(formulas(METHODS[method]))
    for trial in METHODS[method].trials:
        assert in_words(trial, METHODS[method]) in text
    helped.help.findChildren(QToolButton)[0].click()
    copied = QApplication.clipboard().text()
    assert "\ufffc" not in copied and METHODS[method].label in copied


@pytest.mark.usefixtures("qapp")
def test_no_line_of_the_help_ends_inside_a_formula():
    page = QTextDocument()
    for method in registry().values():
        words = method_page(method)
        assert re.findall(rf"href='{TRY}(\d+)'", words) == [str(k) for k in range(len(method.trials))]
        page.setHtml(words)
        for width in share(range(200, 420, 20), method.id):
            page.setTextWidth(width)
            page.documentLayout().documentSize()  # lays the lines out
            block = page.begin()
            while block.isValid():
                lines = (block.layout().lineAt(k) for k in range(block.layout().lineCount() - 1))
                ends = [line.textStart() + line.textLength() for line in lines]
                assert not [end for end in ends if re.match(r"\|\S", block.text()[end - 1 : end + 1])], block.text()
                block = block.next()


def test_the_help_takes_the_place_of_the_panel_and_moves_nothing(window):
    def places():
        QApplication.processEvents()
        return window.canvas.mapTo(window, QPoint()), window.canvas.size()

    before = places()
    action = window.actions_.action("about method")
    closers = (
        action.trigger,
        lambda: window.help.findChildren(QToolButton)[1].click(),
        lambda: QApplication.sendEvent(window, key(Qt.Key.Key_Escape)),
    )
    for close in closers:
        action.trigger()
        assert window.help.isVisible() and not window.sidebar.isVisible() and action.isChecked()
        assert places() == before
        close()
        assert window.sidebar.isVisible() and not window.help.isVisible() and not action.isChecked()
        assert places() == before


@pytest.mark.parametrize("width", [1280, 1600])
def test_in_a_wide_window_the_help_stands_beside_canvas_and_knobs(window, width):
    window.resize(width, 800)
    QApplication.processEvents()
    before = window.canvas.mapTo(window, QPoint()), window.canvas.size()
    for _ in range(2):
        window.show_help(True)
        QApplication.processEvents()
        assert window.help.isVisible() and window.sidebar.isVisible()
        for part in (window.help, window.sidebar):
            corner = part.mapTo(window, QPoint())
            assert part.width() >= 300 and corner.x() + part.width() <= width
        assert window.canvas.width() > width - 700
        window.sidebar.chooser.choose("knn")
        window.burst.set_value(0, "algorithm.n_neighbors", 9, held=False)
        assert window.help.isVisible() and "neighbours" in window.help.browser.toPlainText()
        window.resize(1100, 800)
        assert window.help.isVisible() and not window.sidebar.isVisible()
        window.resize(width, 800)
        assert window.help.isVisible() and window.sidebar.isVisible()
        window.show_help(False)
        QApplication.processEvents()
        assert not window.help.isVisible()
        assert (window.canvas.mapTo(window, QPoint()), window.canvas.size()) == before


def key(code):
    return QKeyEvent(QKeyEvent.Type.KeyPress, code, Qt.KeyboardModifier.NoModifier)


@pytest.mark.parametrize("method", METHODS)
def test_what_the_help_offers_does_what_it_says(kept_window, method):
    """Each over samples or on an empty canvas; its page need not be made for that."""
    for k in range(len(METHODS[method].trials)):
        for points in share((True, False), f"{method} {k}", 2):
            try_out(kept_window, method, k, points)


def try_out(window, method, k, points):
    rng = np.random.default_rng(0)
    samples = Dataset(rng.normal(size=(20, 2)), np.arange(20) % 2)
    scene = default_scene().replace(dataset=samples) if points else default_scene()
    window.store.reset(edits.with_method(scene, 0, method))
    kind, before = METHODS[method], window.store.scene
    trial = kind.trials[k]
    window.help.browser.anchorClicked.emit(QUrl(f"{TRY}{k}"))
    scene, said = window.store.scene, in_words(trial, kind)
    algorithm = window.sidebar.panel.pipeline.algorithm
    assert type(algorithm) is kind and said.endswith(".") and said[0].isupper()
    for name, value in trial.settings.items():
        assert getattr(algorithm, name) == value and kind.parameter(name).label in said
        assert algorithm.matters(kind.parameter(name)), "what is set has an effect"
    if trial.data:
        assert scene.dataset.source.id == trial.data and generators()[trial.data].label in said
    else:
        assert scene.dataset is before.dataset
    if trial.data or points:
        (picture,) = draw(scene, ((60, 40),), 8)
        assert picture.message is None and picture.facts
    window.store.undo()
    assert window.store.scene.panels == before.panels and window.store.scene.dataset is before.dataset


def test_every_method_has_something_to_try():
    assert all(cls.trials for name, cls in METHODS.items())


def test_what_a_method_from_outside_says_is_shown_as_it_is(qtbot, window):
    nasty = '<b>x</b><img src="file:///x"><a href="file:///x">y</a>'
    svm = METHODS["svm"]
    doc = f"{nasty}\n\n    {nasty}  \\begin{{x}} \\frac"
    outside = type("Outside", (svm,), {"__doc__": doc, "label": nasty, "trials": (Trial(nasty, "moons"),)})
    panel = HelpPanel()
    qtbot.addWidget(panel)
    panel.show()
    panel.show_method(outside)
    text = panel.browser.toPlainText()
    assert text.count("<b>x</b>") >= 3
    assert 'href="file' not in panel.browser.toHtml() and 'src="file' not in panel.browser.toHtml()
