"""Changes to a scene: what a new method keeps of the pipeline."""

import pytest

from mlviz.algorithms.traits import Trial
from mlviz.data.generators.catalog import Moons, TwoGaussians
from mlviz.data.tables.shipped import load_shipped
from mlviz.pipeline.decisions import NATURAL_DECISION, Decision
from mlviz.pipeline.weights import Weights
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene
from mlviz.scene.trying import tried
from mlviz.spec import BadValue
from mlviz.studies import registry as all_studies


def with_pipeline(**settings):
    scene = default_scene()
    panel = scene.panels[0]
    return edits.with_defaults(scene, 0).with_panel(
        0, type(panel)(panel.pipeline.replace(**settings), hidden=("doubt",))
    )


def test_a_threshold_goes_back_to_natural_with_another_method():
    scene = with_pipeline(decision=Decision(rule="threshold", threshold=0.7), weights=Weights(balance="balanced"))
    other = edits.with_method(scene, 0, "logistic").panels[0].pipeline
    assert other.decision == NATURAL_DECISION and other.weights.balance == "balanced"
    same = edits.with_method(scene, 0, "svm").panels[0].pipeline
    assert same.decision.threshold == 0.7
    costs = Decision(rule="costs", cost_fn=3.0)
    assert edits.with_method(with_pipeline(decision=costs), 0, "logistic").panels[0].pipeline.decision == costs


def test_a_method_is_found_as_it_was_left():
    scene = edits.with_value(edits.with_another_panel(default_scene(), 0), 0, "algorithm.C", 3.5)
    away = edits.with_value(edits.with_method(scene, 0, "kmeans"), 0, "algorithm.n_clusters", 7)
    back = edits.with_method(edits.with_method(away, 0, "lda"), 0, "svm")
    assert edits.value_at(back, 0, "algorithm.C") == 3.5
    assert edits.value_at(edits.with_method(back, 0, "kmeans"), 0, "algorithm.n_clusters") == 7
    other = edits.with_method(edits.with_method(back, 1, "kmeans"), 1, "svm")
    assert other.panels[1].pipeline.algorithm == type(other.panels[1].pipeline.algorithm)(), "each canvas has its own"
    reset = edits.with_method(edits.with_method(edits.with_defaults(back, 0), 0, "knn"), 0, "svm")
    assert reset.panels[0].pipeline.algorithm == type(reset.panels[0].pipeline.algorithm)()


def test_a_layer_of_the_pipeline_stays_hidden_while_it_is_not_there():
    scene = edits.with_layer(with_pipeline(), 0, "boundary", False)
    assert set(scene.panels[0].hidden) == {"boundary", "doubt"}
    scene = edits.with_layer(scene, 0, "doubt", True)
    assert scene.panels[0].hidden == ("boundary",)


def decided(scene):
    pipeline = scene.panels[0].pipeline
    return pipeline.decision.rule, pipeline.weights.balance


def test_a_value_is_set_by_its_path():
    scene = default_scene()
    for path, value in (
        ("algorithm.C", 3.5),
        ("algorithm.kernel", "polynomial"),
        ("pipeline.preprocessing", "standardize"),
        ("weights.balance", "balanced"),
        ("decision.rule", "threshold"),
        ("decision.threshold", 0.25),
        ("view.step", 4),
    ):
        before = edits.value_at(scene, 0, path)
        changed = edits.with_value(scene, 0, path, value)
        assert edits.value_at(changed, 0, path) == value != before
        assert edits.with_value(changed, 0, path, value) is changed
        scene = changed


def test_a_value_that_had_no_effect_gets_one():
    scene = edits.with_value(edits.with_method(default_scene(), 0, "kde"), 0, "algorithm.selection", "likelihood")
    algorithm = edits.with_value(scene, 0, "algorithm.width", 0.3).panels[0].pipeline.algorithm
    assert (algorithm.selection, algorithm.width) == ("fixed width", 0.3)


def test_a_value_of_one_panel_leaves_the_others():
    scene = edits.with_another_panel(default_scene(), 0)
    changed = edits.with_value(scene, 1, "algorithm.C", 7)
    assert changed.panels[0] is scene.panels[0] and changed.panels[1].pipeline.algorithm.C == 7.0


def test_costs_and_class_weights_end_each_other_by_path_too():
    scene = edits.with_value(default_scene(), 0, "weights.balance", "balanced")
    scene = edits.with_value(scene, 0, "decision.rule", "costs")
    assert decided(scene) == ("costs", "none")
    assert decided(edits.with_value(scene, 0, "weights.balance", "balanced")) == ("natural", "balanced")


@pytest.mark.parametrize(
    ("path", "value"), [("algorithm.C", -1), ("algorithm.D", 1), ("axes.C", 1), ("C", 1), ("decision.rule", "tall")]
)
def test_a_path_or_a_value_that_there_is_not_is_refused(path, value):
    with pytest.raises(BadValue):
        edits.with_value(default_scene(), 0, path, value)


def test_steps_go_to_round_values_and_leave_words_alone():
    scene = edits.with_value(default_scene(), 0, "algorithm.C", 1.3)
    assert edits.value_at(edits.stepped(scene, 0, "algorithm.C", 2), 0, "algorithm.C") == 5.0
    assert edits.value_at(edits.stepped(scene, 0, "algorithm.C", -1), 0, "algorithm.C") == 1.0
    assert edits.stepped(scene, 0, "algorithm.kernel", 1) is scene


def test_a_threshold_steps_over_the_scores_of_its_method():
    scene = with_pipeline(decision=Decision(rule="threshold", threshold=0.5))
    margin = edits.value_at(edits.stepped(scene, 0, "decision.threshold", 1), 0, "decision.threshold")
    scene = edits.with_method(scene, 0, "knn")
    scene = edits.with_value(scene, 0, "decision.rule", "threshold")
    assert edits.value_at(scene, 0, "decision.threshold") == 0.5
    probability = edits.value_at(edits.stepped(scene, 0, "decision.threshold", 1), 0, "decision.threshold")
    assert margin == 0.8 and probability == 0.55


def test_the_undo_menu_names_what_is_changed():
    scene = default_scene()
    named = [edits.name_of_change(scene, 0, path) for path in ("algorithm.C", "decision.rule", "pipeline.multiclass")]
    assert named == ["change C", "change decision", "change multiclass"]


def test_samples_that_are_drawn_are_not_preprocessed_as_the_table_before_them():
    generator, table = TwoGaussians(), load_shipped("iris")
    standardized = edits.with_dataset(default_scene(), table, "classification", "standardize")
    trial = Trial("the margin", "two-gaussians", {"C": 0.5})
    for drawn in (edits.with_drawn(standardized, generator.generate(1)), tried(standardized, 0, trial)):
        assert drawn.panels[0].pipeline.preprocessing == "none"
    assert drawn.panels[0].pipeline.algorithm.C == 0.5


@pytest.mark.parametrize("study", [study for study in all_studies().values() if not study.by_layer])
def test_what_is_asked_about_a_source_is_not_asked_of_other_data(study):
    scene = edits.with_study(edits.with_drawn(default_scene(), TwoGaussians().generate(1)), 0, study())
    (again,) = edits.with_drawn(scene, TwoGaussians().generate(2)).panels
    assert again.studies == (study(),)
    for other in (load_shipped("iris"), Moons().generate(1)):
        (panel,) = edits.with_dataset(scene, other).panels
        assert panel.studies == (() if study.of_source else (study(),))
