import dataclasses

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.algorithms.margin.svm import SVM
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Overlay
from mlviz.draw.marks import Lines, Points, Segments
from mlviz.picture import draw, leading_parts, viewport_of
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from mlviz.scene.scene import Panel, Scene, View
from mlviz.scene.trace import Trace, fit_of
from tests.odd_algorithms import Stepping
from tests.pipeline.nearest_centre import Mean, NearestCentre

rng = np.random.default_rng(0)
CENTRES = np.array([[-2.0, 100.0], [2.0, 100.0], [0.0, 160.0]])
LABELS = np.repeat([0, 1, 2], 6)
DATASET = Dataset(CENTRES[LABELS] + rng.normal(size=(18, 2)) * (0.3, 0.01), LABELS)
TWO = Dataset(DATASET.X[:12], LABELS[:12])
LIMITS = (-4.0, 4.0, 80.0, 180.0)


@dataclasses.dataclass(frozen=True)
class Watched(NearestCentre):
    """Nearest centre with overlays that show what they were given."""

    id = "watched"
    overlays = ()


def watched(*overlays, **facts):
    return type("Watched", (Watched,), {"overlays": overlays, **facts})()


def spy(seen, parts="whole", marks=()):
    def look(model, context):
        seen.append((model, context))
        return marks

    return Overlay("spy", "spy", look, parts=parts)


def scene_of(algorithm, dataset=TWO, preprocessing="none", view=None, **panel):
    pipeline = Pipeline(algorithm, preprocessing=preprocessing)
    return Scene(dataset, (Panel(pipeline, **panel),), view=view or View(limits=LIMITS, equal=False))


def picture_of(scene, size=(80, 40), resolution=20):
    return draw(scene, [size], resolution)[0]


def test_the_overlays_are_given_the_model_and_the_arrays_in_its_coordinates():
    seen = []
    dataset = dataclasses.replace(TWO, held_out=np.arange(12) == 3, class_names=("no", "yes"))
    scene = scene_of(watched(spy(seen)), dataset, "standardize").with_view(probe=(1.0, 120.0))
    picture = picture_of(scene)
    ((model, context),) = seen
    rows = [0, 1, 2, *range(4, 12)]
    assert context.rows.tolist() == rows and context.y.tolist() == LABELS[rows].tolist()
    X = TWO.X[rows]
    mean, sd = X.mean(axis=0), X.std(axis=0)
    assert np.allclose(context.X, (X - mean) / sd)
    assert np.allclose(context.probe, (np.array([1.0, 120.0]) - mean) / sd)
    assert np.allclose(context.grid.x, (np.linspace(-4, 4, 20) - mean[0]) / sd[0])
    assert len(context.grid.y) == 10 and context.line is None
    assert context.field.shape == (10, 20)
    assert np.allclose(context.field, model.on_grid(context.grid), atol=1e-4)
    assert context.names.inputs == ("x1", "x2") and context.names.classes == ("no", "yes")
    assert context.task == "classification"
    assert picture.plot.limits == LIMITS and (picture.plot.x_label, picture.plot.y_label) == ("x1", "x2")
    assert picture.explanation.sentence == "because"
    assert np.allclose(picture.explanation.marks[0].xy, [[1.0, 120.0]])


def test_marks_come_back_to_the_users_axes():
    marks = (Points("center", (TWO.X - TWO.X.mean(axis=0)) / TWO.X.std(axis=0)),)
    picture = picture_of(scene_of(watched(spy([], marks=marks)), preprocessing="standardize"))
    assert np.allclose(picture.plot.marks[0].xy, TWO.X)


def test_a_curve_has_its_horizontal_axis_scaled_and_its_target_left_alone():
    seen = []
    marks = (Lines("curve", np.array([[0.0, 7.0], [1.0, 8.0]])),)
    algorithm = type("Curve", (Mean,), {"overlays": (spy(seen, marks=marks),)})()
    scene = scene_of(algorithm, preprocessing="standardize").with_view(probe=(1.0, 120.0))
    picture = picture_of(scene)
    (_, context) = seen[0]
    mean, sd = TWO.X[:, 0].mean(), TWO.X[:, 0].std()
    assert np.allclose(context.line, (np.linspace(-4, 4, 40) - mean) / sd)
    assert context.grid is None and context.field is None
    assert np.allclose(context.probe, [(1.0 - mean) / sd])
    assert np.allclose(context.y, TWO.X[:, 1])
    assert np.allclose(picture.plot.marks[0].xy, [[mean, 7.0], [mean + sd, 8.0]])
    assert "training RMSE" in picture.caption


def test_overlays_come_in_the_order_of_the_algorithm_without_the_hidden_ones():
    roles = [mark.role for mark in picture_of(scene_of(Stepping())).plot.marks]
    assert roles == ["support vector", "center"]
    roles = [mark.role for mark in picture_of(scene_of(Stepping(), hidden=())).plot.marks]
    assert roles == ["support vector", "center", "now"]
    assert picture_of(scene_of(Stepping(), hidden=("where", "extra"))).plot.marks == ()


def test_the_visible_part_follows_the_shape_of_the_canvas_where_units_are_equal():
    scene = scene_of(Stepping(), view=View(limits=(-4, 4, -4, 4), equal=True))
    picture = picture_of(scene, size=(80, 40))
    assert picture.plot.limits == (-8, 8, -4, 4) and picture.plot.equal
    assert picture_of(scene, size=(0, 0)).message is None


@pytest.mark.parametrize(
    ("parts", "pairs"),
    [("whole", [None]), ("each", [(0, 1), (0, 2), (1, 2)]), ("probe", [(0, 2)]), ("none", [])],
)
def test_overlays_on_one_vs_one(parts, pairs):
    seen = []
    view = View(limits=LIMITS, equal=False, probe=(-1.0, 140.0))
    picture = picture_of(scene_of(watched(spy(seen, parts)), DATASET, view=view))
    assert "one-vs-one" in picture.caption
    classes = [tuple(np.unique(context.y).tolist()) for _, context in seen]
    assert classes == [(0, 1, 2) if pair is None else pair for pair in pairs]
    for model, context in seen:
        assert np.array_equal(DATASET.X[context.rows], context.X)
        assert (context.field is not None) == (parts in ("whole", "probe"))
        if parts == "probe":
            assert np.allclose(context.field, model.on_grid(context.grid), rtol=1e-4, atol=1e-3)


def test_no_pair_is_drawn_without_a_probe():
    seen = []
    picture_of(scene_of(watched(spy(seen, "probe")), DATASET))
    assert not seen


def test_the_leading_part_of_one_vs_rest_is_that_of_the_predicted_class():
    scene = Scene(DATASET, (Panel(Pipeline(NearestCentre(), multiclass="one-vs-rest")),))
    trace = Trace(fit_of(scene, 0))
    trace.advance(float("inf"))
    model = trace.model(trace.n_steps - 1)
    (part,) = leading_parts(model, CENTRES[2])
    assert part.negative is None and part.positive == model.predict(CENTRES[2:])[0]


def test_other_inputs_than_the_axes_leave_facts_charts_and_marks_on_samples():
    wide = Dataset(np.column_stack((TWO.X, TWO.X[:, 0] ** 2)), TWO.labels, ("x1", "x2", "x3"))
    marks = (
        Points("center", np.zeros((1, 2))),
        Segments("slack", np.zeros((1, 2)), np.ones((1, 2)), rows=np.array([0])),
    )
    seen = []
    algorithm = type("Wide", (Stepping,), {"overlays": (*Stepping.overlays, spy(seen, marks=marks))})()
    scene = scene_of(algorithm, wide, inputs=("x1", "x2", "x3")).with_view(probe=(0.0, 0.0))
    picture = picture_of(scene)
    assert [mark.role for mark in picture.plot.marks] == ["support vector"]
    (_, context) = seen[0]
    assert context.grid is None and context.line is None and context.field is None and context.probe is None
    assert "fitted on x1, x2, x3, which are not the two axes" in picture.caption
    assert picture.facts["number"].value == 9 and len(picture.sides) == 1 and picture.explanation is None
    assert picture.message is None


def test_a_step_of_the_playback():
    picture = picture_of(scene_of(Stepping(n=5)).with_view(step=3))
    assert (picture.step, picture.n_steps, picture.stage, picture.finished) == (3, 5, "odd", True)
    assert "step 3 of 4" in picture.caption and picture.facts["number"].value == 3
    assert " of 4" not in picture_of(scene_of(Stepping(n=5))).caption


def test_the_caption_says_what_was_fitted_on_how_many_samples_and_how_well():
    picture = picture_of(scene_of(Stepping(), preprocessing="standardize"))
    error = 100 * picture.facts["training error"].value
    assert picture.caption.endswith(f"standardized; n = 12; training error {error:.3g}\u00a0%")


@pytest.mark.parametrize("dataset", [TWO, DATASET], ids=["two classes", "three classes"])
def test_the_caption_says_where_less_was_solved_than_was_asked(dataset):
    said = picture_of(scene_of(SVM(C=1e9, sigma=100.0), dataset)).caption
    assert said.count("solved for C = 1e+08") == 1
    assert "solved" not in picture_of(scene_of(SVM(), dataset)).caption


def test_data_that_cannot_be_fitted_give_a_picture_with_a_sentence():
    picture = picture_of(scene_of(Stepping(), Dataset.empty()))
    assert picture.message == "There are no samples yet." and picture.plot.marks == ()
    assert picture.plot.limits == LIMITS and picture.caption.endswith("n = 0")
    picture = picture_of(scene_of(Stepping(), inputs=("height",)))
    assert "height" in picture.message


def test_the_ground_has_as_many_nodes_as_asked_along_its_longer_side():
    scene = scene_of(Stepping())
    grid = viewport_of(scene, fit_of(scene, 0), (300, 600), 100).grid
    assert grid.shape == (100, 50)


def assert_equal_marks(mark, twin):
    assert type(mark) is type(twin)
    for field in dataclasses.fields(mark):
        np.testing.assert_equal(getattr(mark, field.name), getattr(twin, field.name), err_msg=field.name)


@pytest.mark.parametrize("algorithm", [Stepping(ballast=3), *(cls() for cls in registry().values())], ids=str)
def test_the_same_scene_gives_the_same_picture(algorithm):
    scene = scene_of(algorithm, DATASET, "standardize").with_view(probe=(0.5, 110.0))
    first, second = picture_of(scene), picture_of(scene)
    assert (first.facts, first.caption, first.plot.limits) == (second.facts, second.caption, second.plot.limits)
    for plot, other in zip((first.plot, *first.sides), (second.plot, *second.sides), strict=True):
        for mark, twin in zip(plot.marks, other.marks, strict=True):
            assert_equal_marks(mark, twin)


@pytest.mark.parametrize("preprocessing", list(preprocessings()))
@pytest.mark.parametrize("classes", [1, 2])
def test_a_picture_says_what_was_made_of_its_inputs(preprocessing, classes):
    X = np.random.default_rng(0).normal(size=(30, 2)) * (1.0, 20.0)
    pipeline = Pipeline(registry()["svm"](), preprocessing=preprocessing)
    scene = Scene(Dataset(X, np.arange(30) % classes), (Panel(pipeline),))
    (picture,) = draw(scene, [(300, 240)], 40)
    assert (picture.message is None) == (classes == 2) and picture.preprocessing == preprocessing
    words = {"none": "", "standardize": "; standardized;", "whiten": "; whitened", "features": "; features x1², x2²"}
    said = words.get(preprocessing, "; principal components")
    assert said in picture.caption and sum(
        word in picture.caption for word in ("standardized", "whitened", "principal", "features")
    ) == bool(said)
