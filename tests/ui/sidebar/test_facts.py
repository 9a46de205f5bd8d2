"""The facts and what they mean; the label of the task."""

import dataclasses
import html

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel

from mlviz.algorithms import registry
from mlviz.algorithms.base import Model
from mlviz.cli import main
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Blobs, Circles, SineRegression, TwoGaussians
from mlviz.draw.facts import Fact, ModelFact, Range
from mlviz.draw.layer import Explanation
from mlviz.picture import Drawing, draw
from mlviz.picture.description import summary
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene
from mlviz.ui.shell.status import StatusLine
from mlviz.ui.sidebar.facts_table import FactsTable
from mlviz.ui.sidebar.method_page import method_page
from mlviz.worker.engine import Engine
from tests.sweep import chosen, share
from tests.truth.scenes import drawing
from tests.ui.samples import some_points, told_facts
from tests.worker.requests import request_of, scene_of

SAMPLES = {
    "some": ("none", Blobs()),
    "turned": ("principal-components", Blobs()),
    "few": ("none", TwoGaussians(n_samples=4)),
    "many": ("none", Circles(n_samples=3100)),
    "values": ("principal-components", SineRegression()),
    "few values": ("none", SineRegression(n_samples=3)),
}
SHORTER = {"tsne": {"max_iter": 260}}
"""So few steps end after those with exaggeration: a thousand of three thousand samples take long."""
ASKED = [
    (method, kind)
    for method, cls in registry().items()
    for kind, (_, data) in SAMPLES.items()
    if data.task != "regression" or "regression" in cls.tasks
]


@pytest.mark.parametrize(("name", "kind"), chosen(ASKED))
def test_every_fact_of_every_method_has_a_sentence(name, kind):
    """In every kind of task, with few and many samples."""
    method, (preprocessing, data) = registry()[name], SAMPLES[kind]
    target = "x2" if data.task == "regression" else None
    panel = Panel(Pipeline(method(**SHORTER.get(name, {})), preprocessing=preprocessing), target=target)
    made = drawing(Scene(data.generate(0), (panel,)))
    for fact, told in (made.facts() if isinstance(made, Drawing) else made.facts).items():
        assert told.help.endswith("."), f"what does {fact!r} mean?"
    names = [known.name for known in method.known_facts()]
    assert names and len(set(names)) == len(names)


def test_a_model_tells_the_facts_that_it_has():
    size, none = ModelFact("size", lambda m: m.size, "A.", "share", "solver"), ModelFact("none", lambda m: None, "B.")
    model = type("Made", (Model,), {"known_facts": (size, none), "size": 0.5})()
    assert model.told_facts() == {"size": Fact(0.5, "share", "A.", "solver")} and model.facts() == {"size": 0.5}
    plain = type("Plain", (Model,), {"facts": lambda self: {"size": 2}})()
    assert plain.told_facts() == {"size": Fact(2)}


def test_the_help_of_a_method_lists_the_facts_of_all_its_models():
    names = [known.name for known in registry()["svm"].known_facts()]
    assert {"margin width", "narrowest margin width"} <= set(names)
    page = method_page(registry()["svm"]).replace("\N{WORD JOINER}", "")
    assert all(html.escape(known.help) in page for known in registry()["svm"].known_facts())


def test_tooltips_follow_the_facts(qtbot):
    table = FactsTable()
    qtbot.addWidget(table)
    table.show_facts({"inertia": Fact(3.0, help="Sum of squared distances."), "unheard of": Fact(np.pi)})
    labels = [label for label in table.findChildren(QLabel) if not label.isHidden()]
    assert [label.toolTip() for label in labels] == ["Sum of squared distances."] * 2 + [""] * 2
    assert [label.accessibleDescription() for label in labels] == [label.toolTip() for label in labels]
    table.show_facts({"unheard of": Fact(np.pi)})
    assert told_facts(table) == "unheard of\t3.142"


def test_what_matters_less_is_folded_and_stays_as_the_hand_left_it(qtbot):
    table = FactsTable()
    qtbot.addWidget(table)
    assert told_facts(table) == "\tnothing fitted yet" and table.more.isHidden()
    facts = {"objective": Fact(2.0), "gradient norm": Fact(1e-9, level="solver")}
    table.show_facts(facts)
    assert told_facts(table) == "objective\t2" and not table.more.isHidden()
    table.more.head.click()
    assert told_facts(table) == "objective\t2\ngradient norm\t1e−09"
    table.show_facts({"objective": Fact(3.0)})
    assert told_facts(table) == "objective\t3" and table.more.isHidden()
    table.show_facts(facts)
    assert told_facts(table) == "objective\t2\ngradient norm\t1e−09"
    table.more.head.click()
    assert told_facts(table) == "objective\t2"


@pytest.mark.parametrize("method", registry().values(), ids=list(registry()))
def test_at_most_five_facts_are_seen_at_first_and_the_others_behind_more(qtbot, method):
    table = FactsTable()
    qtbot.addWidget(table)
    drawn = ("none", TwoGaussians()), ("whiten", Blobs()), ("none", SineRegression())
    for preprocessing, data in share(drawn, method.id, 2):
        task = "regression" if data.task == "regression" else "classification"
        if data.task == "regression" and task not in method.tasks:
            continue
        panel = Panel(Pipeline(method(), preprocessing=preprocessing), target="x2" if task == "regression" else None)
        facts = draw(Scene(data.generate(0), (panel,)), ((40, 30),), parts="facts")[0].facts
        table.show_facts(facts)
        seen = [line.split("\t")[0] for line in told_facts(table).split("\n")]
        assert 1 <= len(seen) <= 5 and all(facts[name].level == "lesson" for name in seen)
        assert table.more.isHidden() == (len(seen) == len(facts))
        table.more.head.click()
        lines = [line.split("\t")[0] for line in told_facts(table).split("\n")]
        assert lines[: len(seen)] == seen and sorted(lines) == sorted(facts)
        levels = [facts[name].level for name in lines]
        assert levels == sorted(levels, key=("lesson", "more", "solver").index)
        table.more.head.click()


def test_solvers_facts_are_in_the_words_and_on_the_command_line(capsys, tmp_path):
    scene = Scene(TwoGaussians().generate(0), (Panel(Pipeline(registry()["svm"]())),))
    (picture,) = draw(scene, ((40, 30),))
    folded = [name for name, told in picture.facts.items() if told.level == "solver"]
    assert {"relative duality gap", "KKT residual"} <= set(folded) and "support vectors" not in folded
    words = summary(scene, 0, picture)
    path = tmp_path / "scene.mlviz"
    scene_file.save(scene, path)
    assert main(["fit", str(path)]) == 0
    printed = capsys.readouterr().out
    assert all(name in words and name in printed for name in picture.facts)


def test_the_task_has_a_label(window):
    chooser = window.sidebar.chooser
    chooser.choose("knn")
    label = next(label for label in chooser.findChildren(QLabel) if label.text() == "task")
    assert label.isVisible() and label.buddy() is chooser.tasks


def test_slopes_are_in_the_units_of_the_axes_under_the_columns_names():
    x = np.linspace(1000, 3000, 9)
    data = Dataset(np.column_stack((x, 0.02 * x + 5)), np.zeros(9, int), ("Länge", "Preis"))
    for preprocessing in ("none", "standardize"):
        pipeline = Pipeline(registry()["linear-regression"](), preprocessing=preprocessing)
        scene = Scene(data, (Panel(pipeline, target="Preis"),)).with_view(probe=(2000.0, 45.0))
        (picture,) = draw(scene, ((400, 300),))
        assert picture.facts["slope along Länge"].value == pytest.approx(0.02)
        assert "(Länge)" in picture.explanation.sentence and "x1" not in picture.explanation.sentence
    two = TwoGaussians().generate(0)
    slopes, linear = [], [one.id for one in preprocessings().values() if not one.learn(two.X).lifts]
    for preprocessing in linear:
        pipeline = Pipeline(registry()["logistic"](lambda_=1e-9), preprocessing=preprocessing)
        slopes.append(draw(Scene(two, (Panel(pipeline),)), ((400, 300),))[0].facts["slope along x1"].value)
    assert slopes == pytest.approx(slopes[:1] * len(linear), rel=1e-3)


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


def telling(facts):
    """A method whose models tell those facts and no others."""

    class Told(registry()["kmeans"]):
        __doc__ = registry()["kmeans"].__doc__

        def steps(self, X, y, rng, sample_weight=None):
            for model in super().steps(X, y, rng, sample_weight):
                kind = type("ToldModel", (type(model),), {"told_facts": lambda _: facts})
                yield kind(**{field.name: getattr(model, field.name) for field in dataclasses.fields(model)})

    return Told()


def test_at_rest_the_sidebar_tells_the_facts_of_the_picture_and_nothing_else(make_window):
    methods = [registry()["kmeans"](), registry()["pca"](), telling({}), telling({"iterations": Fact(3, level="more")})]
    window, engine, seen = make_window(), Engine(), set()
    window.sidebar.facts.more.head.click()
    for algorithm in (methods[i] for i in (0, 2, 1, 3, 2, 2, 0)):
        scene = scene_of(algorithm)
        window.store.push(scene, "choose method")
        engine.submit(request_of(1, scene, front=(0, "")))
        while not engine.answered:
            for picture in engine.advance(0.0):
                window.link.pictured.emit(picture)
                window._show_numbers()
        told, facts = told_facts(window.sidebar.facts), window.pictures[0].facts
        assert sorted(told.split("\n")) == (sorted(f"{name}\t{fact}" for name, fact in facts.items()) or ["\tnone"])
        seen.add(told)
    assert len(seen) == len(methods)


def test_facts_are_written_as_a_person_reads_them():
    shares = {0.8: "80\u00a0%", 0.0376: "3.76\u00a0%", Range(0.05474, 0.6758): "5.47\u00a0% to 67.6\u00a0%"}
    assert {value: str(Fact(value, "share")) for value in shares} == shares
    plain = {0.5: "0.5", True: "yes", -2: "−2", np.inf: "∞", Range(0.4, 0.7): "0.4 to 0.7"}
    assert {value: str(Fact(value)) for value in plain} == plain
    assert str(Fact(12.345678, "°")) == "12.35°" and str(Range(0.05474, 0.6758)) == "0.055 to 0.68"


def test_several_binary_models_tell_from_where_to_where_a_number_goes():
    data = Blobs().generate(0)
    (picture,) = draw(Scene(data, (Panel(Pipeline(registry()["svm"]())),)), ((40, 30),))
    bound, parts = picture.facts["leave-one-out bound"], Pipeline(registry()["svm"]()).fit(data.X, data.labels).parts
    each = [part.model.facts()["leave-one-out bound"] for part in parts]
    assert bound.value == Range(min(each), max(each)) and bound.unit == "share"
    assert str(bound) == f"{100 * min(each):.3g}\u00a0% to {100 * max(each):.3g}\u00a0%"


WITH_A_STREET = [
    name for name, method in registry().items() if "margin width" in {known.name for known in method.known_facts()}
]


@pytest.mark.parametrize("method", WITH_A_STREET)
def test_margin_and_street_are_told_beside_each_other(qtbot, method):
    scene = edits.with_method(default_scene().replace(dataset=some_points(20)), 0, method)
    facts = draw(scene, [(300, 200)], 4)[0].facts
    assert facts["street width"].value == pytest.approx(2 * facts["margin width"].value)
    table = FactsTable()
    qtbot.addWidget(table)
    table.show_facts(facts)
    for lines in (table._first, table._others):
        names = [labels[0].text() for labels in lines._lines if not labels[0].isHidden()]
        assert ("margin width" in names) == ("street width" in names)
        if "margin width" in names:
            assert names[names.index("margin width") + 1] == "street width"
