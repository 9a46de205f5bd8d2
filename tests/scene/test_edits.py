"""Changes to a scene: what a new method keeps of the pipeline."""

from mlviz.pipeline.decisions import NATURAL, Decision
from mlviz.pipeline.weights import Weights
from mlviz.scene import edits
from mlviz.scene.defaults import default_scene


def with_pipeline(**settings):
    scene = default_scene()
    panel = scene.panels[0]
    return edits.with_defaults(scene, 0).with_panel(
        0, type(panel)(panel.pipeline.replace(**settings), hidden=("doubt",))
    )


def test_a_threshold_goes_back_to_natural_with_another_method():
    scene = with_pipeline(decision=Decision(rule="threshold", threshold=0.7), weights=Weights(balance="balanced"))
    other = edits.with_method(scene, 0, "logistic").panels[0].pipeline
    assert other.decision == NATURAL and other.weights.balance == "balanced"
    same = edits.with_method(scene, 0, "svm").panels[0].pipeline
    assert same.decision.threshold == 0.7
    costs = Decision(rule="costs", cost_fn=3.0)
    assert edits.with_method(with_pipeline(decision=costs), 0, "logistic").panels[0].pipeline.decision == costs


def test_a_layer_of_the_pipeline_stays_hidden_while_it_is_not_there():
    scene = edits.with_layer(with_pipeline(), 0, "boundary", False)
    assert set(scene.panels[0].hidden) == {"boundary", "doubt"}
    scene = edits.with_layer(scene, 0, "doubt", True)
    assert scene.panels[0].hidden == ("boundary",)
