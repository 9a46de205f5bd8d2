import dataclasses
import math
import re
import sys
import time
import types

import numpy as np
import pytest

from mlviz.algorithms.base import CannotFit
from mlviz.algorithms.traits import Traits
from mlviz.data.dataset import Dataset
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.model_size import size_of
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.trace import RECENT_MODELS, Trace, fit_of, trace_cache
from mlviz.spec import real, text
from tests.odd_algorithms import Stepping
from tests.pipeline.nearest_centre import Mean

DATASET = Dataset([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], [0, 1, 1])


def scene_of(algorithm, dataset=DATASET, **panel):
    return Scene(dataset, (Panel(Pipeline(algorithm), **panel),), seed=3)


def traced(algorithm, **options):
    trace = Trace(fit_of(scene_of(algorithm), 0), **options)
    trace.advance(math.inf)
    return trace


def test_a_fit_takes_the_active_samples_that_are_not_held_out():
    dataset = dataclasses.replace(DATASET, held_out=[True, False, False])
    fit = fit_of(scene_of(Stepping(), dataset), 0)
    assert fit.rows.tolist() == [1, 2] and fit.X.tolist() == [[2, 3], [4, 5]] and fit.y.tolist() == [1, 1]


def test_a_regression_reads_its_target_from_a_column():
    fit = fit_of(scene_of(Mean()), 0)
    assert fit.X.tolist() == [[0], [2], [4]] and fit.y.tolist() == [1, 3, 5]


def test_inputs_named_in_the_other_order_are_taken_in_the_order_of_the_axes():
    assert fit_of(scene_of(Stepping(), inputs=("x2", "x1")), 0).roles.inputs == ("x1", "x2")


def test_the_key_names_what_the_fit_depends_on_and_nothing_else():
    scene = scene_of(Stepping())
    key = fit_of(scene, 0).key
    assert fit_of(scene.with_view(limits=(0, 1, 0, 1), step=3, probe=(0, 0)), 0).key == key
    assert fit_of(scene.with_panel(0, dataclasses.replace(scene.panels[0], hidden=("where",))), 0).key == key
    others = [
        scene_of(Stepping(n=11)),
        scene.replace(seed=4),
        scene.replace(dataset=DATASET.relabel([0], 1)),
        scene_of(Stepping(), inputs=("x1",)),
        scene.with_panel(0, Panel(Pipeline(Stepping(), preprocessing="standardize"))),
        scene.with_panel(0, Panel(Pipeline(Stepping(), multiclass="one-vs-rest"))),
    ]
    assert len({key, *(fit_of(other, 0).key for other in others)}) == 7
    hash(key)


def test_a_column_that_is_not_there_is_named():
    trace = Trace(fit_of(scene_of(Stepping(), inputs=("x1", "height")), 0))
    trace.advance(math.inf)
    assert trace.error == "There is no column 'height'; there are x1, x2."
    with pytest.raises(CannotFit, match="no column 'weight'"):
        fit_of(scene_of(Mean(), inputs=("weight",)), 0).steps()


@pytest.mark.parametrize("what", ["held_out", "active"])
def test_where_all_samples_take_no_part_that_is_said(what):
    mask = np.full(3, what == "held_out")
    data = Dataset([[0, 0], [1, 1], [0, 1]], [0, 1, 0], **{what: mask})
    fit = fit_of(Scene(data, (Panel(Pipeline(Mean())),)), 0)
    with pytest.raises(CannotFit, match="held out or switched off"):
        next(fit.steps())


def test_every_step_is_recorded():
    trace = traced(Stepping(n=4))
    assert trace.finished and trace.error is None and trace.n_steps == 4
    assert trace.stages == ["even", "odd", "even", "odd"] and trace.objectives[3] == 0.25
    assert [trace.model(i).inner.number for i in range(4)] == [0, 1, 2, 3]


@dataclasses.dataclass(frozen=True)
class Loading(Stepping):
    """Loads modules in some steps of its first fit, which takes half a second; a step takes `step` of them."""

    at: str = text("0", grammar=str, numbers=lambda _: (), help="steps")
    step: float = real(0.01, soft=(0.01, 5), valid=(0.01, 5), help="seconds")
    clock = [0.0]

    def steps(self, X, y, rng, sample_weight=None):
        for model in super().steps(X, y, rng, sample_weight):
            name = f"loaded_by_step_{model.number}"
            if str(model.number) in self.at and name not in sys.modules:
                sys.modules[name] = types.ModuleType(name)
                self.clock[0] += 0.5
            self.clock[0] += self.step
            yield model


@pytest.mark.parametrize("at", ["0", "2", "4", "13"])
@pytest.mark.parametrize("piece", [0.0, 0.025, math.inf])
def test_loading_modules_is_no_part_of_the_time_that_a_fit_took(at, piece, monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: Loading.clock[0])
    monkeypatch.setattr(sys, "modules", sys.modules.copy())
    first, second = (Trace(fit_of(scene_of(Loading(n=5, ballast=2, at=at)), 0)) for _ in range(2))
    for trace in (first, second):
        while not trace.finished:
            trace.advance(Loading.clock[0] + piece)
    assert f"loaded_by_step_{at[0]}" in sys.modules
    assert first.seconds == pytest.approx(0.05) and second.seconds == pytest.approx(0.05)
    assert first.objectives == second.objectives and first.nbytes == second.nbytes
    for step in range(5):
        np.testing.assert_array_equal(first.model(step).inner.ballast, second.model(step).inner.ballast)


def test_a_long_step_is_not_made_again_for_the_modules_that_it_loaded(monkeypatch):
    monkeypatch.setattr(time, "perf_counter", lambda: Loading.clock[0])
    monkeypatch.setattr(sys, "modules", sys.modules.copy())
    trace, start = Trace(fit_of(scene_of(Loading(n=1, ballast=2, step=5.0)), 0)), Loading.clock[0]
    trace.advance(math.inf)
    assert trace.finished
    assert Loading.clock[0] - start == trace.seconds == 5.5


def test_a_trace_goes_on_where_it_stopped():
    trace = Trace(fit_of(scene_of(Stepping(n=3)), 0))
    seen = []
    while not trace.finished:
        trace.advance(time.perf_counter())
        seen.append((trace.n_steps, trace.finished))
    assert seen == [(1, False), (2, False), (3, False), (3, True)]
    trace.advance(math.inf)
    assert trace.n_steps == 3


def test_the_state_is_clamped_to_the_steps_there_are():
    trace = traced(Stepping(n=3))
    assert [trace.state(step).step for step in (None, 0, 2, 99, -5)] == [2, 0, 2, 2, 0]


def test_thinned_models_are_found_again_forwards_and_backwards():
    n = 200
    trace = traced(Stepping(n=n, ballast=1000), memory=100_000)
    assert trace.nbytes <= 100_000 and trace.n_steps == len(trace.objectives) == n
    whole = traced(Stepping(n=n, ballast=1000))
    for step in (*range(n), *range(n - 1, -1, -7), 5, 6, 7, 190, 0):
        model = trace.model(step).inner
        assert model.number == step
        assert np.array_equal(model.ballast, whole.model(step).inner.ballast)
    assert len(trace._found) <= RECENT_MODELS


def test_finding_a_step_again_can_take_several_turns():
    trace = traced(Stepping(n=50, ballast=1000), memory=20_000)
    step = next(s for s in range(30, 50) if s not in trace._kept)
    turns = 1
    while trace.model(step, deadline=0.0) is None:
        turns += 1
    assert 10 < turns <= step + 1
    assert trace.model(step).inner.number == step


def test_a_method_that_is_not_played_has_one_step():
    trace = traced(type("Still", (Stepping,), {"traits": Traits(playable=False)})(n=9))
    assert trace.n_steps == 1 and trace.model(0).inner.number == 8
    assert trace.nbytes == size_of(trace.model(0)) > 0
    trace.fail("enough")
    assert trace.nbytes == 0


class Hesitant(Stepping):
    """Yields each model three times, to be interrupted in between."""

    def steps(self, *given):
        for model in super().steps(*given):
            yield from (model, model, model)


def test_a_model_that_comes_again_is_a_chance_to_stop_and_no_step():
    trace, turns = Trace(fit_of(scene_of(Hesitant(n=30, ballast=1000)), 0), memory=20_000), 0
    while not trace.finished:
        trace.advance(0.0)
        turns += 1
    assert turns == 91 and trace.n_steps == 30
    assert [trace.model(step).inner.number for step in (29, 3, 17, 0)] == [29, 3, 17, 0]


def test_no_model_and_unexpected_errors_become_sentences():
    assert traced(Stepping(n=0)).error == "The method gave no model."
    error = traced(Stepping(wrong=True)).error
    assert re.fullmatch(
        r"This fit failed unexpectedly: ZeroDivisionError, what a pity \(odd_algorithms.py, line \d+\); "
        r"the points are safe\.",
        error,
    )
    refused = Trace(fit_of(scene_of(Stepping()), 0))
    refused.fail("no")
    assert refused.finished and refused.error == "no"


def test_an_array_that_two_models_share_counts_once():
    first, second = traced(Stepping(n=2, ballast=100)).model(0), traced(Stepping(n=2, ballast=100)).model(1)
    assert size_of(first) >= 800
    assert size_of(first, beside=first) == 0
    assert size_of(second, beside=first) >= 800


def test_a_part_in_two_places_is_looked_at_once():
    part = np.zeros(100)
    for _ in range(60):  # looked at in each place, it would be so 2^60 times
        part = (part, part)
    assert size_of(part) == 800


def test_the_cache_forgets_what_was_used_longest_ago():
    traces = trace_cache(most=2)
    a, b, c = (traced(Stepping(n=n)) for n in (1, 2, 3))
    for trace in (a, b):
        traces.use(trace.fit.key, trace)
    assert traces.used(a.fit.key) is a
    traces.use(c.fit.key, c)
    assert traces.used(b.fit.key) is None and traces.used(a.fit.key) is a and len(traces) == 2


def test_the_cache_is_bounded_by_memory():
    traces = trace_cache(memory=20_000)
    for n in range(1, 8):
        trace = traced(Stepping(n=n, ballast=1000))
        traces.use(trace.fit.key, trace)
    assert len(traces) == 1
