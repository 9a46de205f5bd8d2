"""The facts and what they mean; the label of the task."""

import dataclasses

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Blobs, Circles, SineRegression, TwoGaussians
from mlviz.draw.layer import Explanation
from mlviz.picture import draw
from mlviz.picture.fact_texts import SHARED_FACTS, format_fact, meaning
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.shell.status import StatusLine
from mlviz.ui.sidebar.facts_table import FactsTable

TOLD = [word for word, _ in SHARED_FACTS]


def facts_of(method):
    """The facts of a method, as shown, in every kind of task, with few and many samples."""
    for data in (
        Blobs(),
        TwoGaussians(n_samples=4),
        Circles(n_samples=3100),
        SineRegression(),
        SineRegression(n_samples=3),
    ):
        samples = data.generate(0)
        if data.task not in method.tasks and data.task == "regression":
            continue
        target = "x2" if data.task == "regression" else None
        for preprocessing in ("none", "principal-components"):
            scene = Scene(samples, (Panel(Pipeline(method(), preprocessing=preprocessing), target=target),))
            yield from draw(scene, ((40, 30),))[0].facts


@pytest.mark.parametrize("method", registry().values(), ids=list(registry()))
def test_every_fact_of_every_method_has_a_sentence(method):
    for fact in dict.fromkeys(facts_of(method)):
        sentence = meaning(fact, method.fact_help)
        assert sentence.endswith("."), f"{method.__name__}.fact_help has no sentence for {fact!r}"
    words = [word for word, _ in method.fact_help]
    assert len(set(words)) == len(words)


def test_the_longest_word_explains_and_a_methods_own_comes_first():
    own = (("variance", "A."), ("variance 1 and", "B."), ("lambda", "C."))
    assert [meaning(fact, own) for fact in ("variance", "variance 2", "variance 1 and 2", "variances", "lambda")] == [
        "A.", "A.", "B.", "", "C.",
    ]  # fmt: skip
    assert meaning("lambda").startswith("Regularization")
    assert len(set(TOLD)) == len(TOLD)


def test_tooltips_follow_the_facts(qtbot):
    table = FactsTable()
    qtbot.addWidget(table)
    table.show_facts({"training error": 0.1, "inertia": 3.0}, (("inertia", "Sum of squared distances."),))
    tips = [label.toolTip() for label in table.findChildren(QLabel)]
    assert tips == [meaning("training error")] * 2 + ["Sum of squared distances."] * 2
    table.show_facts({"unheard of": np.pi})
    first, second = table.findChildren(QLabel)[:2]
    assert first.toolTip() == second.toolTip() == second.accessibleDescription() == ""


def test_the_task_has_a_label_where_there_is_a_choice(window):
    chooser = window.sidebar.chooser
    chooser.choose("knn")
    label = next(label for label in chooser.findChildren(QLabel) if label.text() == "task")
    assert label.isVisible() and label.buddy() is chooser.tasks
    chooser.choose("svm")
    assert not label.isVisible()


def test_slopes_are_in_the_units_of_the_axes_under_the_columns_names():
    x = np.linspace(1000, 3000, 9)
    data = Dataset(np.column_stack((x, 0.02 * x + 5)), np.zeros(9, int), ("Länge", "Preis"))
    for preprocessing in ("none", "standardize"):
        pipeline = Pipeline(registry()["linear-regression"](), preprocessing=preprocessing)
        scene = Scene(data, (Panel(pipeline, target="Preis"),)).with_view(probe=(2000.0, 45.0))
        (picture,) = draw(scene, ((400, 300),))
        assert picture.facts["slope along Länge"] == pytest.approx(0.02)
        assert "(Länge)" in picture.explanation.sentence and "x1" not in picture.explanation.sentence
    two = TwoGaussians().generate(0)
    slopes = []
    for preprocessing in preprocessings():
        pipeline = Pipeline(registry()["logistic"](lambda_=1e-9), preprocessing=preprocessing)
        slopes.append(draw(Scene(two, (Panel(pipeline),)), ((400, 300),))[0].facts["slope along x1"])
    assert slopes == pytest.approx(slopes[:1] * len(preprocessings()), rel=1e-3)


def test_an_error_is_told_as_the_caption_tells_it(qtbot):
    table = FactsTable()
    qtbot.addWidget(table)
    table.show_facts({"training error": 0.0376, "R²": 0.5})
    assert table.text() == "training error\t3.76 %\nR²\t0.5"


def test_a_long_explanation_keeps_its_end_and_is_whole_in_the_tip(qtbot):
    line = StatusLine()
    qtbot.addWidget(line)
    line.resize(500, 30)
    line.show()
    (picture,) = draw(Scene(Blobs().generate(0), (Panel(Pipeline(registry()["knn"]())),)), ((40, 30),))
    sentence = "class 1 with a great many neighbours, all of them near, " * 4 + "and none far."
    line.show_picture(dataclasses.replace(picture, explanation=Explanation(sentence)))
    shown = line.here.text()
    assert shown.startswith("here (W pins): class 1") and "…" in shown and shown.endswith("far.")
    assert shown.count("\n") == 1
    assert line.here.toolTip() == sentence


def test_shares_are_told_in_per_cent_also_of_several_models():
    assert format_fact(0.8, "leave-one-out bound") == "80 %"
    assert format_fact("0.05474 to 0.6758", "leave-one-out bound") == "5.47 % to 67.6 %"
    assert format_fact("0.4 to 0.7", "margin width") == "0.4 to 0.7"
