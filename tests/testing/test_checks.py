"""Each check finds the fault that it is there for: nearest centroids with one thing wrong at a time."""

import dataclasses
from dataclasses import dataclass

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.algorithms.gaussian.nearest_centroid import NearestCentroid
from mlviz.draw.facts import Fact
from mlviz.draw.layer import Explanation, Overlay
from mlviz.draw.marks import Points
from mlviz.spec import flag
from mlviz.testing import CHECKS, check_method, fits, pictures
from mlviz.testing.__main__ import main
from mlviz.testing.check import cases, degenerate, looking_at


def faulty(**members):
    """The method with other members of the class."""
    return type("Faulty", (NearestCentroid,), {"__doc__": NearestCentroid.__doc__, **members})


def with_model(base=NearestCentroid, **members):
    """The method whose models have other members."""

    def steps(self, X, y, rng, sample_weight=None):
        for model in base.steps(self, X, y, rng, sample_weight):
            kind = dataclasses.make_dataclass("FaultyModel", [], bases=(type(model),), frozen=True, eq=False)
            for name, member in members.items():
                setattr(kind, name, member)
            yield kind(**{field.name: getattr(model, field.name) for field in dataclasses.fields(model)})

    return faulty(steps=steps)


def with_steps(change):
    """The method fitted to what `change(X, rng, sample_weight)` makes of samples and weights."""

    def steps(self, X, y, rng, sample_weight=None):
        X, sample_weight = change(X, rng, sample_weight)
        yield from NearestCentroid.steps(self, X, y, rng, sample_weight)

    return faulty(steps=steps)


def with_overlay(role, place):
    def draw(model, context):
        return (Points(role, place(context.X)),)

    return faulty(overlays=(*NearestCentroid.overlays, Overlay("faulty", "faulty", draw)))


@dataclass(frozen=True)
class Stubborn(NearestCentroid):
    __doc__ = NearestCentroid.__doc__
    main = "stubborn"
    stubborn: bool = flag(False, help="refuses whatever is there")

    def steps(self, X, y, rng, sample_weight=None):
        if self.stubborn:
            raise CannotFit("No.")
        yield from super().steps(X, y, rng, sample_weight)


class Lazy:
    """A follower that never looks again."""

    model = None

    def update(self, algorithm, X, y, sample_weight, deadline):
        self.model = self.model or algorithm.fit(X, y)
        return self.model


def draw_globally(X, rng, weight):
    np.random.rand()  # noqa: NPY002
    return X, weight


def divide_by_the_width(X, rng, weight):
    if not np.ptp(X):
        raise ZeroDivisionError("no width")
    return X, weight


def infinite_where_all_are_one(X):
    return X if np.ptp(X) else X + np.inf


def class_zero(self, X):
    return np.full(len(X), self.classes[0])


def unfrozen(self, X, y, rng, sample_weight=None):
    (model,) = NearestCentroid.steps(self, X, y, rng, sample_weight)
    kind = type("Loose", (), {"__getattr__": lambda _, name: getattr(model, name)})
    yield kind()


def in_place(self, X, y, rng, sample_weight=None):
    (model,) = NearestCentroid.steps(self, X, y, rng, sample_weight)
    coef = model.coef.copy()
    for _ in range(2):
        coef += 1.0
        yield dataclasses.replace(model, coef=coef)


OUT_OF_BOUNDS = np.array([[1e12, 0.0]])
FAULTS = {
    "says_what_it_is": (faulty(__doc__="Centroids."), "has only 10 letters"),
    "is_found_by_its_id": (faulty(id="nowhere"), "name its file nowhere.py"),
    "is_a_value": (faulty(), "pickle"),
    "refuses_a_bad_value_by_name": (
        faulty(from_json=classmethod(lambda cls, values: cls())),
        "a parameter that is not there: it should raise BadValue",
    ),
    "declares_the_field_of_its_models": (faulty(field="predict"), "declares the field 'predict'"),
    "leaves_everything_else_alone": (with_steps(draw_globally), "NumPy's global random numbers"),
    "gives_a_frozen_model_of_its_own": (faulty(steps=unfrozen), "its model is not frozen"),
    "keeps_every_step_as_it_was": (faulty(steps=in_place), "the model of step 0 changes while the fit goes on"),
    "gives_the_same_model_for_the_same_seed": (
        with_steps(lambda X, rng, weight: (X + np.random.default_rng().normal(size=2), weight)),
        "a second fit of seed 0 answers otherwise",
    ),
    "does_not_look_at_the_order_of_the_rows": (
        with_steps(lambda X, rng, weight: (X + X[0], weight)),
        "shuffled samples give another model",
    ),
    "takes_weights_as_repeated_rows": (
        with_steps(lambda X, rng, weight: (X, None)),
        "weights are not repeated rows",
    ),
    "answers_by_its_argument": (with_model(predict=class_zero), "predict says the same everywhere"),
    "mirrors_its_field_on_grids": (
        with_model(on_grid=lambda self, grid, dtype=float: np.ones(grid.shape, dtype)),
        "on_grid of {} is not its decision_function",
    ),
    "gives_plain_facts": (
        with_model(told_facts=lambda self: {"length": Fact(np.float64(1.0))}),
        "the facts are not all plain",
    ),
    "meets_degenerate_samples": (with_steps(divide_by_the_width), "ZeroDivisionError: no width"),
    "explains_in_sentences": (with_model(explain=lambda self, x: Explanation("nan away.")), "nan away"),
    "follows_the_hand_to_where_a_fit_ends": (faulty(follower=lambda self: Lazy()), "its follower and a fit differ"),
    "draws_every_step": (with_overlay("unheard of", lambda X: X), "a role that the palette does not know"),
    "draws_every_setting": (Stubborn, "'stubborn': True}: No."),
    "draws_degenerate_samples": (with_overlay("center", infinite_where_all_are_one), "places that are not finite"),
    "tells_five_classes_apart": (with_model(predict=class_zero), "the training error on five classes is 0.8"),
    "comes_back_from_a_scene_file": (faulty(id="nowhere"), "algorithm is 'nowhere'"),
}


def test_every_check_is_tried():
    assert list(FAULTS) == [check.__name__ for check in CHECKS]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_check_finds_its_fault(check):
    method, sentence = FAULTS[check.__name__]
    with pytest.raises(AssertionError) as failure:
        check(method)
    assert sentence in str(failure.value)


def test_marks_that_cannot_be_seen_are_found():
    with pytest.raises(AssertionError, match="far out of sight"):
        pictures.draws_every_step(with_overlay("center", lambda X: OUT_OF_BOUNDS))


def test_answers_that_are_no_numbers_are_found_at_every_setting():
    steps = with_model(decision_function=lambda self, X: np.full(len(X), np.nan)).steps
    nowhere = type("Faulty", (Stubborn,), {"__doc__": NearestCentroid.__doc__, "steps": steps})
    with pytest.raises(AssertionError, match="give answers that are not finite"):
        pictures.draws_every_setting(nowhere)


def refuse_the_lattice(X, rng, weight):
    if len(X) == 20 and (np.rint(X) == X).all():
        raise CannotFit("No.")
    return X, weight


@pytest.mark.parametrize("check", [fits.meets_degenerate_samples, pictures.draws_degenerate_samples])
def test_degenerate_samples_are_fitted_as_they_are_by_one_of_two_checks(check):
    lattice = [name for name, _, _ in degenerate(cases(NearestCentroid)[0])].index("on a lattice")
    plain = ("standardize", "none")[lattice % 2] == "none"
    drawn = check is pictures.draws_degenerate_samples
    refusing = with_steps(refuse_the_lattice)
    if plain == drawn:
        with pytest.raises(AssertionError, match="on a lattice: it refuses what can be fitted: No"):
            check(refusing)
    else:
        check(refusing)


def test_what_is_not_looked_at_is_left_out():
    tried = []
    with looking_at(lambda case, name: tried.append(name)):
        pictures.draws_every_setting(Stubborn)
    assert "{'stubborn': True}" in tried
    with pytest.raises(AssertionError, match=r"'stubborn': True}: No\."):
        pictures.draws_every_setting(Stubborn)


def test_all_checks_of_a_method_at_once():
    check_method(NearestCentroid)
    with pytest.raises(AssertionError, match=r"^is_found_by_its_id: nowhere: it is not found"):
        check_method(faulty(id="nowhere"))


def test_the_command_prints_a_line_a_check(capsys):
    assert main(["nearest_centroid"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(CHECKS) and all(line.startswith("nearest-centroid ") for line in lines)
    assert "nearest-centroid follows the hand to where a fit ends: does not apply: it has no follower" in lines
    assert main(["nothing"]) == 1
    assert f"there is no method 'nothing'; known are {min(registry())}" in capsys.readouterr().err
    assert main([]) == 2
