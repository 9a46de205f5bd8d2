"""Controls of parameters that hold several numbers: a text with numbers in it, and a number for each class."""

import re
from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mlviz.spec import BadValue, Declared, NumberInText, per_class, real, text
from mlviz.ui.controls.form import ParameterForm
from mlviz.ui.controls.number_control import NumberControl


def check(value):
    if not re.fullmatch(r"[a-z+*() ]+[0-9.e+*() a-z-]*", value) or value.endswith("+"):
        raise BadValue("A word is expected after + at character 3.")


def numbers(value):
    found = re.finditer(r"[0-9.]+", value)
    return tuple(NumberInText(*m.span(), float(m[0]), f"number {k}", (0.0, 10.0)) for k, m in enumerate(found, 1))


@dataclass(frozen=True)
class Several(Declared):
    formula: str = text("a(1) + b(2)", grammar=check, numbers=numbers, help="a formula")
    price: tuple = per_class(1.0, soft=(0.1, 10.0), valid=(0.0, None), open_low=True, log=True, help="price of a class")
    other: float = real(1.0, soft=(0.0, 2.0), help="another")


CLASSES = [(0, "calm", 0), (2, "wild", 2)]


@pytest.fixture
def form(qtbot):
    form = ParameterForm()
    qtbot.addWidget(form)
    form.show_values(Several(), 10, CLASSES)
    form.show()
    form.moves, form.rests = [], []
    form.moved.connect(lambda name, value: form.moves.append((name, value)))
    form.released.connect(lambda: form.rests.append(True))
    return form


def test_a_slider_rewrites_its_number_in_place(form):
    control = form.rows["formula"].control
    assert [part.slider.accessibleName() for part in control.sliders] == ["number 1, slider", "number 2, slider"]
    sliders = [part.slider for part in control.sliders]
    sliders[0].setSliderDown(True)
    for tick in (100, 150, 160):
        sliders[0].setSliderPosition(tick)
    assert form.moves[-1] == ("formula", "a(8) + b(2)") and not form.rests and form.held
    sliders[0].setSliderDown(False)
    assert len(form.rests) == 1
    assert [part.slider for part in control.sliders] == sliders  # nothing is rebuilt under the hand
    assert control.line.text() == "a(8) + b(2)"


def test_an_exact_number_is_typed_beside_its_slider(qtbot, form):
    field = form.rows["formula"].control.sliders[1].field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "123,456")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert form.moves == [("formula", "a(1) + b(123.456)")]


def test_a_bad_text_is_told_below_while_the_last_good_one_stays_in_force(qtbot, form):
    control = form.rows["formula"].control
    control.line.setFocus()
    control.line.selectAll()
    qtbot.keyClicks(control.line, "a(3) +")
    assert form.moves[-1] == ("formula", "a(3) ")
    assert control.problem.isVisible() and control.problem.text() == "A word is expected after + at character 3."
    assert [part.field.lineEdit().text() for part in control.sliders] == ["3"]
    # Another control moves meanwhile: what is being typed stays.
    form.show_values(Several(formula="a(3) "), 10, CLASSES)
    assert control.line.text() == "a(3) +" and control.problem.isVisible()
    # Undo, or Escape, takes it away.
    qtbot.keyClick(control.line, Qt.Key.Key_Escape)
    assert control.line.text() == "a(3) " and not control.problem.isVisible()
    qtbot.keyClicks(control.line, "+")
    form.show_values(Several(), 10, CLASSES)
    assert control.line.text() == "a(1) + b(2)" and not control.problem.isVisible()
    assert len(control.sliders) == 2


def test_a_number_a_class_that_is_in_the_data(form):
    control = form.rows["price"].control
    assert [part.slider.accessibleName() for part in control.controls.values()] == [
        "price, calm, slider",
        "price, wild, slider",
    ]
    control.controls[2].slider.setValue(200)
    assert form.moves == [("price", (1.0, 1.0, 10.0))]
    control.controls[0].slider.setValue(0)
    assert form.moves[-1] == ("price", (0.1, 1.0, 10.0))
    assert control.back.isEnabled()
    control.back.click()
    assert form.moves[-1] == ("price", ()) and not control.back.isEnabled()
    assert [part.field.lineEdit().text() for part in control.controls.values()] == ["1", "1"]


def test_a_double_click_on_a_class_sets_its_number_back(form):
    form.show_values(Several(price=(2.0, 1.0, 3.0)), 10, CLASSES)
    control = form.rows["price"].control
    QTest.mouseDClick(control.names[2], Qt.MouseButton.LeftButton)
    assert form.moves == [("price", (2.0,))]


def test_other_classes_get_other_sliders_and_keep_their_numbers(form):
    form.show_values(Several(price=(2.0, 1.0, 3.0)), 10, [(1, "new", 1)])
    control = form.rows["price"].control
    assert list(control.controls) == [1]
    control.controls[1].slider.setValue(200)
    assert form.moves == [("price", (2.0, 10.0, 3.0))]


def test_tab_goes_down_text_numbers_and_classes(qtbot, form):
    with qtbot.waitActive(form):
        form.activateWindow()
    form.rows["formula"].control.line.setFocus()
    stops = []
    for _ in range(11):
        stops.append(QApplication.focusWidget().accessibleName())
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert stops == [
        "formula",
        *("number 1, slider", "number 1, value", "number 2, slider", "number 2, value"),
        *("price, calm, slider", "price, calm, value", "price, wild, slider", "price, wild, value"),
        *("other, slider", "other, value"),
    ]
    assert isinstance(form.rows["other"].control, NumberControl)
