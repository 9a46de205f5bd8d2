"""Another start is offered where a picture changes with the seed, and nowhere else."""

import dataclasses

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.data.generators.catalog import Blobs, SineRegression, TwoGaussians
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.chance import owes_to_chance
from mlviz.scene.defaults import default_scene
from mlviz.scene.scene import Panel
from mlviz.scene.trace import fit_of
from mlviz.studies import registry as studies
from mlviz.studies.resampling.variance_lens import LensResult
from mlviz.testing.check import Case, ordinary
from mlviz.testing.pictures import CANVAS_SIZE, scene_of
from tests.sweep import chosen

METHODS = registry()
FEW, N, MANY = 16, 24, 3100
SHORT = {"tsne": {"max_iter": 20}}
"""What is left to chance is so before the first step; there are a thousand."""
CASES = [
    (method, task, d)
    for method, kind in METHODS.items()
    for task in kind.tasks
    for d in ((1, 2) if task in ("regression", "density estimation") else (2,))
]


def settings(method):
    """The method as it is, and with each choice set otherwise."""
    usual = method()
    yield usual
    for parameter in method.parameters():
        if parameter.kind == "choice":
            yield from (usual.replace(**{parameter.name: value}) for value in parameter.options[1:])


OTHERWISE = chosen(
    [
        (method, task, repr(algorithm).partition("(")[2])
        for method, task in dict.fromkeys((method, task) for method, task, _ in CASES)
        for algorithm in settings(METHODS[method])
        if algorithm != METHODS[method]()
    ],
    fewest=1,
)
"""Method, task, and what is set otherwise."""


def numbers(picture):
    """All arrays and words of the marks, with the name of what they are of."""
    for plot in (picture.plot, *picture.sides):
        for mark in plot.marks:
            for field in dataclasses.fields(mark):
                yield f"{plot.title}: {mark.role}.{field.name}", getattr(mark, field.name)


def differs(one, other):
    """The name of a part in which two pictures differ, beyond rounding; "" where there is none."""
    pairs = [*numbers(one)], [*numbers(other)]
    if [name for name, _ in pairs[0]] != [name for name, _ in pairs[1]]:
        return "the marks"
    for (name, a), (_, b) in zip(*pairs, strict=True):
        if not isinstance(a, np.ndarray):
            if isinstance(a, str) and a != b:
                return name
        elif a.shape != b.shape or a.dtype.kind in "OUV":
            if a.shape != b.shape or (a != b).any():
                return name
        elif not np.allclose(a, b, rtol=1e-4, atol=1 if a.dtype == np.uint8 else 1e-4, equal_nan=True):
            return name
    return ""


def drawn_twice(scene):
    """The picture with two seeds."""
    return (draw(scene.replace(seed=seed), [CANVAS_SIZE], 24)[0] for seed in (0, 1))


@pytest.mark.parametrize(("method", "task", "d"), CASES)
def test_a_picture_that_changes_with_the_seed_offers_another_start(method, task, d):
    case = Case(METHODS[method], task, d)
    X, y = ordinary(case, n=N)
    usual, *others = dict.fromkeys(settings(METHODS[method]))
    alike = [inputs for *of_method, inputs in CASES if of_method == [method, task]]
    # What is random of a method in a task is so of any number of inputs: these share its other settings. Those that a
    # family has in common, such as kernels, are parted among its methods.
    told = [algorithm for algorithm in others if (method, task, repr(algorithm).partition("(")[2]) in OTHERWISE]
    for algorithm in (usual, *told[alike.index(d) :: len(alike)]):
        scene = scene_of(case, X, y, algorithm)
        if not owes_to_chance(scene, 0):
            assert not (found := differs(*drawn_twice(scene))), (algorithm, found)


@pytest.mark.parametrize(
    ("method", "task", "d"), [case for case in CASES if not METHODS[case[0]].traits.random(METHODS[case[0]]())]
)
def test_a_fit_of_many_samples_that_changes_with_the_seed_offers_another_start(method, task, d):
    case = Case(METHODS[method], task, d)
    scene = scene_of(case, *ordinary(case, n=MANY), METHODS[method](**SHORT.get(method, {})))
    offered = owes_to_chance(scene, 0)
    assert offered or METHODS[method].traits.random_above is None
    if not offered:
        fits = [fit_of(scene.replace(seed=seed), 0) for seed in (0, 1)]
        told = [said_at(list(fit.steps())[-1].inner, fit.X[::50]) for fit in fits]
        assert np.array_equal(*told)


def said_at(model, X):
    """What a model says of places, in numbers; an embedding, which says nothing of places, where the samples are."""
    if model.field is not None:
        return getattr(model, model.field)(X)
    return model.transform(X) if hasattr(model, "transform") else model.embedding


def test_few_samples_are_all_used_whatever_the_seed():
    """Only methods that draw some of many say from how many on."""
    drawing = {name for name, kind in METHODS.items() if kind.traits.random_above is not None}
    assert drawing >= {"svm", "gp", "kernel-ridge"}
    for name in drawing - {"gp"}:  # of which functions are drawn at random
        case = Case(METHODS[name], METHODS[name].tasks[0], 2)
        assert not owes_to_chance(scene_of(case, *ordinary(case, n=N), METHODS[name]()), 0)


DRAWN = [
    (method, part.id)
    for method, kind in METHODS.items()
    for part in (*kind.overlays, *kind.charts)
    if part.random(kind())
]


@pytest.mark.parametrize(("method", "part"), DRAWN)
def test_what_is_drawn_at_random_is_drawn_otherwise_with_another_seed_unless_it_is_hidden(method, part):
    case = Case(METHODS[method], "regression", 1)
    scene = scene_of(case, *ordinary(case, n=N))
    others = tuple(one.id for one in scene.panels[0].overlays if one.id != part)
    alone = scene.with_panel(0, dataclasses.replace(scene.panels[0], hidden=others))
    assert owes_to_chance(alone, 0) and differs(*drawn_twice(alone))


def test_functions_drawn_at_random_offer_another_start_where_they_are_seen():
    gp = METHODS["gp"]
    curve, plane = (scene_of(case, *ordinary(case, n=N)) for case in (Case(gp, "regression", d) for d in (1, 2)))
    hidden = curve.with_panel(0, dataclasses.replace(curve.panels[0], hidden=("functions",)))
    assert [owes_to_chance(scene, 0) for scene in (curve, plane, hidden)] == [True, False, False]


@pytest.mark.parametrize("balance", ["none", "balanced", "subsample", "upsample"])
def test_samples_drawn_to_balance_classes_offer_another_start(balance):
    draw_from = np.random.default_rng(0)
    case, y = Case(METHODS["lda"], "classification", 2), np.repeat((0, 1), (20, 9))
    scene = scene_of(case, draw_from.normal(size=(29, 2)) + y[:, None], y, weights=Weights(balance=balance))
    assert owes_to_chance(scene, 0) == bool(differs(*drawn_twice(scene))) == (balance in ("subsample", "upsample"))


STUDIES = [
    kind
    for kind in studies().values()
    # What layers ask is the fit itself, and the criteria are of a method that leaves its start to chance.
    if not kind.of_source and not kind.by_layer and kind.id != "information-criteria"
]


@pytest.mark.parametrize("kind", STUDIES, ids=lambda kind: kind.id)
def test_a_study_says_where_its_answer_changes_with_the_seed(kind):
    """With a method that leaves nothing to chance, and each choice of the study."""
    few = {p.name: max(2, int(p.valid[0] or 2)) for p in kind.parameters() if p.kind == "integer" and p.name != "most"}
    asked = []
    for study in dict.fromkeys(one.replace(**few) for one in settings(kind)):
        found = (answers(study, METHODS[method]()) for method in WITHOUT_CHANCE)
        differ = [answer[0] != answer[1] for answer in until_they_differ(found)]
        if differ:
            asked.append(study)
            assert study.random == any(differ), study
    assert asked


WITHOUT_CHANCE = ("lda", "kernel-ridge", "hierarchical", "logistic")


def until_they_differ(found):
    """The answers that there are, up to the first two that differ: no other one can say more."""
    for answer in found:
        if answer is not None:
            yield answer
            if answer[0] != answer[1]:
                return


def answers(study, algorithm):
    """The numbers of a study with two seeds; None where it does not apply."""
    data = {"classification": CLASSES, "regression": VALUES, "clustering": GROUPS}[algorithm.tasks[0]]
    X, y = (data.X[:, :1], data.X[:, 1]) if data is VALUES else (data.X, None if data is GROUPS else data.labels)
    pipeline, rival = Pipeline(algorithm), Pipeline(algorithm, preprocessing="standardize")
    found = []
    for seed in (0, 1):
        try:
            *_, last = study.run(pipeline, X, y, seed, rival=rival, classes=data.labels)
        except CannotFit:
            return None
        lines = [mark.places().tolist() for plot in last.plots() for mark in plot.marks]
        fits = last.bundle.models if isinstance(last, LensResult) else ()
        bundle = [model.predict(X).tolist() for model in fits]
        found.append(repr((last.table(), lines, bundle)))
    return tuple(found)


CLASSES, GROUPS = TwoGaussians(n_samples=FEW).generate(1), Blobs(n_samples=FEW).generate(1)
VALUES = SineRegression(n_samples=FEW).generate(1)


def test_a_study_that_draws_offers_another_start_for_a_method_that_does_not():
    scene = default_scene()
    panel = Panel(Pipeline(METHODS["lda"]()))
    study = studies()["validation-curve"]
    alone, asked = (scene.with_panel(0, dataclasses.replace(panel, studies=some)) for some in ((), (study(),)))
    one_by_one = scene.with_panel(0, dataclasses.replace(panel, studies=(study(scheme="leave-one-out"),)))
    assert [owes_to_chance(one, 0) for one in (alone, asked, one_by_one)] == [False, True, False]
