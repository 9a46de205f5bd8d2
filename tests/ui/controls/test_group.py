"""Training weights and decision beside the canvas: shown where they matter, closed where they change nothing."""

import pytest

from mlviz.data.generators.catalog import generators


@pytest.fixture
def sidebar(window):
    window.presets.draw(generators()["moons"]().generate(0))
    window.sidebar.chooser.choose("svm")
    return window.sidebar


def choose(group, name, value):
    group.form.rows[name].control.setCurrentText(value)


def test_groups_are_closed_while_natural_open_by_hand_and_stay_open_when_set(sidebar):
    for group, name, value in ((sidebar.weights, "balance", "balanced"), (sidebar.decision, "rule", "threshold")):
        assert group.isVisible() and not group.form.isVisible()
        group.head.click()
        assert group.form.isVisible()
        choose(group, name, value)
        assert group.form.isVisible()
        group.head.click()
        assert not group.form.isVisible() and group.head.text().endswith(f": {value}")


def test_only_classification_has_them(sidebar):
    sidebar.chooser.choose("kmeans")
    assert not sidebar.weights.isVisible() and not sidebar.decision.isVisible()


def test_each_class_in_the_data_has_a_weight(sidebar, window):
    choose(sidebar.weights, "balance", "by hand")
    control = sidebar.weights.form.rows["class_weight"].control
    assert list(control.controls) == [0, 1]
    control.controls[1].slider.setValue(control.controls[1].slider.maximum())
    assert sidebar.panel.pipeline.weights.class_weight == (1.0, 10.0)
    window.store.undo()
    assert sidebar.panel.pipeline.weights.class_weight == ()


def test_weights_and_costs_make_room_for_each_other_and_say_so(sidebar, window):
    choose(sidebar.weights, "balance", "balanced")
    assert sidebar.decision.note.text() and not sidebar.weights.note.text()
    choose(sidebar.decision, "rule", "costs")
    pipeline = sidebar.panel.pipeline
    assert (pipeline.weights.balance, pipeline.decision.rule) == ("none", "costs")
    assert "twice" in window.status.currentMessage()
    choose(sidebar.weights, "balance", "upsample")
    pipeline = sidebar.panel.pipeline
    assert (pipeline.weights.balance, pipeline.decision.rule) == ("upsample", "natural")
    window.store.undo()
    assert sidebar.panel.pipeline.decision.rule == "costs"


def test_the_slider_of_a_threshold_begins_at_the_natural_one_in_the_unit_of_the_score(sidebar):
    for method, natural, ends in (("knn", 0.5, (0, 1)), ("svm", 0.0, (-3, 3))):
        sidebar.chooser.choose(method)
        choose(sidebar.decision, "rule", "threshold")
        assert sidebar.panel.pipeline.decision.threshold == natural
        slider = sidebar.decision.form.rows["threshold"].control.slider
        assert slider.value() == slider.maximum() // 2
        for tick, end in ((slider.minimum(), ends[0]), (slider.maximum(), ends[1])):
            slider.setValue(tick)
            assert sidebar.panel.pipeline.decision.threshold == end


def test_of_several_classes_it_is_said_that_the_method_decides(sidebar, window):
    assert not sidebar.decision.note.text()
    window.presets.draw(generators()["blobs"](centers=3).generate(0))
    assert "two classes" in sidebar.decision.note.text()
