"""Declared parameters as controls: every control shows, moves and refuses as its declaration says."""

import pytest
from PySide6.QtCore import QPoint, Qt

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import generators
from mlviz.spec.scale import Scale
from mlviz.ui.controls.form import ParameterForm
from mlviz.ui.controls.number_control import NumberControl, format_value
from tests.ui.hands import turn_wheel

METHODS = registry()
OWNERS = {**METHODS, **{f"data {name}": kind for name, kind in generators().items()}}
NUMBERS = {
    f"{name} {parameter.key}": parameter
    for name, kind in OWNERS.items()
    for parameter in kind.parameters()
    if parameter.kind in ("real", "integer")
}


@pytest.fixture
def form(qtbot):
    form = ParameterForm()
    qtbot.addWidget(form)
    return form


def test_every_position_of_a_slider_is_a_valid_round_value():
    for name, parameter in NUMBERS.items():
        scale = Scale(parameter)
        values = [scale.value(tick) for tick in range(scale.ticks + 1)]
        assert [parameter.check(value) for value in values] == values, name
        assert values == sorted(set(values)), name
        assert (values[0], values[-1]) == pytest.approx(parameter.soft), name
        assert [scale.tick(value) for value in values] == list(range(scale.ticks + 1)), name
        assert all(len(format_value(value)) <= 8 for value in values), name


def test_the_arrows_go_to_valid_values_both_ways_and_stop_at_the_ends():
    for name, parameter in NUMBERS.items():
        scale, value = Scale(parameter), parameter.default
        assert scale.step(value, 1) > value or value == parameter.valid[1], name
        assert scale.step(value, -1) < value or value == parameter.valid[0], name
        for direction in (1, -1):
            value = parameter.default
            for _ in range(100):
                value = parameter.check(scale.step(value, direction))


@pytest.mark.parametrize("name", OWNERS)
def test_a_form_shows_every_parameter_that_matters_and_says_when_one_moves(qtbot, form, name):
    owner, classes = OWNERS[name](), [(0, "one", 0), (1, "two", 1)]
    form.show_values(owner, 20, classes)
    form.show()
    moves = []
    form.moved.connect(lambda which, value: moves.append((which, value)))
    for parameter in owner.parameters():
        assert form.rows[parameter.name].isVisible() == owner.matters(parameter)
        assert form.rows[parameter.name].toolTip().startswith(parameter.help)
        control = form.rows[parameter.name].control
        moves.clear()
        match parameter.kind:
            case "choice":
                control.setCurrentIndex(1)
                assert moves == [(parameter.name, parameter.options[1])]
            case "flag":
                control.click()
                assert moves == [(parameter.name, not parameter.default)]
            case "text":
                for part in control.sliders:
                    part.slider.setValue(part.slider.maximum())
                    part.slider.setValue(0)
                assert bool(moves) == bool(control.sliders)
                assert all(parameter.check(text) == text for _, text in moves)
            case "per class":
                control.controls[1].slider.setValue(0)
                assert moves == [(parameter.name, (parameter.missing, pytest.approx(parameter.soft[0])))]
            case _:
                control.slider.setValue(control.slider.maximum())
                control.slider.setValue(0)
                assert moves and all(which == parameter.name for which, _ in moves)
                assert parameter.check(moves[-1][1]) == pytest.approx(parameter.soft[0])
        form.show_values(owner, 20, classes)
        assert not moves or moves[-1] is not None


def test_a_control_is_made_when_it_is_first_seen_and_tab_comes_to_it_in_its_turn(form):
    svm = METHODS["svm"]
    for kernel in ("linear", "polynomial", "gaussian"):  # the width of the last one stands before the degree
        form.show_values(svm(kernel=kernel, degree=5, sigma=0.25), 10)
        made = {name for name, row in form.rows.items() if row.is_made}
        assert kernel != "polynomial" or form.rows["degree"].control.field.value == 5
        assert {name for name, row in form.rows.items() if not row.isHidden()} <= made
        assert ("sigma" in made) == (kernel == "gaussian") and "expression" not in made
        chain, widget = [], form.nextInFocusChain()
        while widget is not form:
            chain += [name for name in made if form.rows[name].control is widget]
            widget = widget.nextInFocusChain()
        assert chain == [name for name in form.rows if name in made]
    form.show_values(METHODS["kernel-ridge"](kernel="linear", degree=4), 10)
    assert form.rows["degree"].isHidden() and form.rows["degree"].control.field.value == 4  # for who asks for it


def test_showing_a_value_emits_nothing(form):
    svm = METHODS["svm"]()
    form.show_values(svm, 10)
    form.moved.connect(lambda *_: pytest.fail("a shown value was taken for a moved one"))
    form.show_values(svm.replace(C=123.456, kernel="linear", hard_margin=True), 10)
    assert form.rows["C"].control.field.lineEdit().text() == "123.456"
    assert form.rows["kernel"].control.currentText() == "linear"


def test_an_exact_value_is_typed_with_point_or_comma_and_a_bad_one_is_refused_in_words(qtbot, form):
    form.show_values(METHODS["svm"](), 10)
    form.show()
    moves, problems = [], []
    form.moved.connect(lambda _, value: moves.append(value))
    form.refused.connect(problems.append)
    field = form.rows["C"].control.field
    for typed in ("2.5", "2,75", "1e-9", "1e4"):
        field.selectAll()
        qtbot.keyClicks(field, typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert moves == [2.5, 2.75, 1e-9, 1e4]
    for typed in ("-1", "0", "many", "1e999", ""):
        field.lineEdit().setText(typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert field.lineEdit().text() == "10000"
    assert moves == [2.5, 2.75, 1e-9, 1e4]
    assert len(problems) == 5 and all(text.startswith("C is a number ") for text in problems)


def test_a_drag_is_over_when_the_slider_is_let_go_and_a_choice_at_once(qtbot, form):
    form.show_values(METHODS["svm"](), 10)
    form.show()
    control = form.rows["C"].control
    assert isinstance(control, NumberControl)
    releases = []
    form.released.connect(lambda: releases.append(True))
    control.slider.setSliderDown(True)
    control.slider.setSliderPosition(20)
    control.slider.setSliderPosition(30)
    assert not releases and form.held
    control.slider.setSliderDown(False)
    assert len(releases) == 1 and not form.held
    qtbot.keyClick(control.slider, Qt.Key.Key_Right)
    qtbot.keyClick(control.slider, Qt.Key.Key_Right)
    assert len(releases) == 1
    form.rows["kernel"].control.setCurrentText("linear")
    assert len(releases) == 2


def test_the_equivalent_in_the_other_convention_stands_below(form):
    form.show_values(METHODS["svm"](), 50)
    notes = {p.name: form.rows[p.name].note.text() for p in METHODS["svm"].parameters() if p.equivalent}
    assert notes and all(notes.values())


def test_the_wheel_goes_by_a_control_without_the_keyboard(qtbot, form):
    form.show_values(METHODS["svm"](), 10)
    with qtbot.waitActive(form):
        form.show()
        form.activateWindow()
    moves = []
    form.moved.connect(lambda name, _: moves.append(name))
    for part in (form.rows["C"].control.slider, form.rows["C"].control.field, form.rows["kernel"].control):
        moves.clear()
        form.setFocus()
        turn_wheel(part, QPoint(5, 5), -1)
        assert not moves
        part.setFocus()
        turn_wheel(part, QPoint(5, 5), -1)
        assert moves
