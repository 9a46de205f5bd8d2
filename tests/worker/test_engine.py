"""The engine in this process: what it answers, in which order, and what it spares itself."""

import itertools
import time
from collections import Counter

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Overlay
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.scene.trace import fit_of
from mlviz.worker import GIVEN_UP, Engine, Request
from tests.odd_algorithms import Followed, Hanging, StepModel, Stepping
from tests.worker.requests import DATASET, SIZE, pictures_of, request_of, scene_of

pytestmark = pytest.mark.slow


class TestEngine:
    def test_nothing_to_do(self):
        engine = Engine()
        assert not engine.busy and engine.answered and engine.seconds_until_work() is None and engine.advance(0.0) == []

    def test_the_first_picture_and_then_a_finer_one(self, monkeypatch):
        for name in ("_REFINE_SECONDS", "_PARTIAL_SECONDS"):
            monkeypatch.setattr(f"mlviz.worker.engine.{name}", 60.0)
        engine, seen = Engine(), []
        engine.submit(request_of(7, scene_of(type("Wide", (Stepping,), {"overlays": (_spy(seen),)})())))
        pictures = pictures_of(engine)
        assert [context.grid.shape for context in seen] == [(50, 100), (200, 400)]
        assert [(p.request, p.panel, p.finished, p.draft) for p in pictures] == [(7, 0, True, False)] * 3

    def test_facts_and_charts_come_after_what_lies_on_the_data(self):
        engine = Engine()
        engine.submit(request_of(7, scene_of(Stepping())))
        (first,) = engine.advance(0.0)
        assert first.sides is None and not first.facts and not engine.answered and first.fit_ms > 0
        (second,) = engine.advance(0.0)
        assert engine.answered and len(second.sides) == 1 and second.facts
        assert second.plot is first.plot and second.request == 7

    def test_a_draft_has_the_chart_in_front_alone(self):
        fronts = {None: 1, (0, "history"): 1, (0, "other"): 0, (1, "history"): None, (0, ""): None}
        for front, count in fronts.items():
            engine = Engine()
            engine.submit(request_of(7, scene_of(Stepping()), draft=True, front=front))
            (draft,) = pictures_of(engine)
            assert draft.draft and draft.code == ""
            assert (None if draft.sides is None else len(draft.sides)) == count

    def test_a_draft_comes_ahead_of_a_fit_that_took_long_before(self):
        engine = Engine()
        scene = scene_of(Followed(pause=0.02))
        engine.submit(request_of(1, scene))
        assert not pictures_of(engine)[0].draft
        engine.submit(request_of(2, scene.replace(dataset=DATASET.add((1, 1), 0))))
        pictures = [p for p in pictures_of(engine) if p.finished]
        assert [(p.request, p.draft) for p in pictures[:2]] == [(2, True), (2, False)]
        assert pictures[0].sides is None and pictures[-1].sides is not None
        engine.submit(request_of(3, scene))  # its fit is remembered
        assert not any(p.draft for p in pictures_of(engine))

    def test_the_finer_one_waits_until_nothing_new_comes(self):
        engine = Engine()
        engine.submit(request_of(1, scene_of(Stepping())))
        pictures = []
        while not engine.answered:  # a busy machine takes more turns
            pictures += engine.advance(0.0)
        assert len(pictures) == 2
        assert engine.answered and engine.busy and engine.advance(0.0) == [] and 0 < engine.seconds_until_work() < 1

    def test_a_slow_field_is_refined_after_a_longer_pause(self, monkeypatch):
        monkeypatch.setattr("mlviz.worker.pieces._FIRST_SHARE", 1)
        engine, fields = Engine(), []
        scene = scene_of(_counting([], fields=fields, seconds=0.08))
        engine.submit(request_of(1, scene))
        pictures_of(engine)
        engine.submit(request_of(2, scene.replace(seed=1)))
        while not engine.answered:
            engine.advance(0.0)
        assert engine.seconds_until_work() > 0.2
        pictures_of(engine)
        # 0.08 s at 200 nodes make 0.32 s at 400: too long to go without an ear for the hand.
        assert fields == [(50, 100), (100, 200), (50, 100), (100, 200)]

    def test_the_newest_request_wins(self):
        engine = Engine()
        engine.submit(request_of(1, scene_of(Stepping(n=500, pause=0.001))))
        engine.advance(0.0)
        engine.submit(request_of(2, scene_of(Stepping(n=3))))
        assert {p.request for p in pictures_of(engine)} == {2}

    def test_panels_take_turns(self):
        engine = Engine()
        engine.submit(request_of(1, scene_of(Stepping(n=300, pause=0.002), Stepping(n=3))))
        first = next(p for _ in range(50) for p in engine.advance(0.0))
        assert first.panel == 1

    def test_the_last_panel_is_served_although_requests_never_stop(self):
        engine, served = Engine(), set()
        for number in range(1, 7):
            engine.submit(request_of(number, scene_of(*[Followed()] * 3), draft=True))
            served |= {p.panel for p in engine.advance(0.0)}
        assert served == {0, 1, 2}

    def test_a_long_fit_shows_how_far_it_has_come(self):
        engine = Engine()
        engine.submit(request_of(1, scene_of(Stepping(n=100, pause=0.003))))
        pictures = pictures_of(engine)
        partial = [p for p in pictures if not p.finished]
        assert partial and not pictures[-1].finished < pictures[-2].finished
        assert [p.n_steps for p in partial] == sorted(p.n_steps for p in partial) and pictures[-1].n_steps == 100

    def test_its_pulse_beats_between_fit_marks_and_words(self):
        beats, seen = [], []
        algorithm = type("Wide", (Stepping,), {"overlays": (_spy(seen),)})(n=1)
        engine = Engine(lambda panel, fit: beats.append(panel))
        engine.submit(request_of(1, scene_of(algorithm)))
        engine.advance(0.0)
        assert beats == [0, 0, 0, 0, -1]

    def test_a_change_of_view_fits_nothing_again(self):
        engine, fits = Engine(), []
        scene = scene_of(_counting(fits))
        engine.submit(request_of(1, scene))
        pictures_of(engine)
        engine.submit(request_of(2, scene.with_view(step=2, probe=(0, 0))))
        assert pictures_of(engine)[-1].step == 2
        engine.submit(request_of(3, scene.replace(seed=9)))
        pictures_of(engine)
        engine.submit(request_of(4, scene))
        assert pictures_of(engine)[-1].step == 9
        assert len(fits) == 2

    def test_a_fit_under_way_goes_on_when_the_view_changes(self):
        engine, fits = Engine(), []
        scene = scene_of(_counting(fits, n=100, pause=0.001))
        for number in range(1, 20):
            engine.submit(request_of(number, scene.with_view(probe=(number / 10, 0))))
            engine.advance(0.0)
        assert pictures_of(engine)[-1].n_steps == 100
        assert len(fits) == 1

    def test_a_moved_probe_computes_no_field(self, monkeypatch):
        monkeypatch.setattr("mlviz.worker.engine._REFINE_SECONDS", 60.0)  # on a busy machine too
        monkeypatch.setattr("mlviz.worker.pieces._FIRST_SHARE", 1)
        engine, fields = Engine(), []
        scene = scene_of(_counting([], fields=fields))
        engine.submit(request_of(1, scene))
        assert pictures_of(engine) and (shapes := list(fields))
        engine.submit(request_of(2, scene.with_view(probe=(0, 0))))
        assert {picture.request for picture in pictures_of(engine)} == {2}
        assert fields == shapes == [(50, 100), (200, 400)]

    def test_drafts_come_from_the_follower_and_the_exact_answer_from_nothing(self):
        engine, scene = Engine(), scene_of(Followed())
        engine.submit(request_of(1, scene, draft=True))
        (draft,) = pictures_of(engine)
        assert draft.draft and draft.facts["number"].value == 1005
        engine.submit(request_of(2, scene))
        exact = pictures_of(engine)[-1]
        assert not exact.draft and exact.facts["number"].value == 9
        engine.submit(request_of(3, scene, draft=True))
        (again,) = pictures_of(engine)
        assert again.draft and again.facts["number"].value == 9

    def test_a_draft_without_a_follower_is_fitted_from_nothing_and_can_be_played(self):
        engine = Engine()
        engine.submit(request_of(1, scene_of(Stepping()), draft=True))
        (picture,) = pictures_of(engine)
        assert picture.draft and picture.n_steps == 10

    def test_a_follower_that_refuses_or_fails(self):
        engine = Engine()
        engine.submit(request_of(1, scene_of(Followed(), dataset=DATASET.erase([0, 3])), draft=True))
        assert pictures_of(engine)[0].message == "Three is a crowd."
        engine.submit(request_of(2, scene_of(Followed(), dataset=DATASET.erase([0])), draft=True))
        assert "ZeroDivisionError, a bug (odd_algorithms.py" in pictures_of(engine)[0].message
        engine.submit(request_of(3, scene_of(Followed()), draft=True))
        assert pictures_of(engine)[0].message is None

    def test_late_drafts_get_coarser_and_an_exact_answer_makes_them_fine_again(self, monkeypatch):
        monkeypatch.setattr("mlviz.worker.fields._DRAFT_SECONDS", float("inf"))  # it is not their fields that are slow
        engine, seen = Engine(), []

        def slow(model, context):
            time.sleep(0.02)
            return _spy(seen).draw(model, context)

        algorithm = type("Slow", (Followed,), {"overlays": (_spy(seen, slow),)})()
        for number in range(1, 12):
            engine.submit(request_of(number, scene_of(algorithm, dataset=DATASET.move([0], [[number, 0]])), draft=True))
            pictures_of(engine)
        sides = [max(context.grid.shape) for context in seen]
        assert sides[0] == 150 and sides[-1] == 100 and sides == sorted(sides, reverse=True)
        engine.submit(request_of(20, scene_of(algorithm)))
        engine.submit(request_of(21, scene_of(algorithm), draft=True))
        pictures_of(engine)
        assert max(seen[-1].grid.shape) == 150

    def test_errors_of_all_kinds_are_sentences(self):
        engine = Engine()
        broken = type("Broken", (Stepping,), {"overlays": (_spy([], lambda model, context: 1 / 0),)})()
        empty = Panel(Pipeline(Stepping()), inputs=("height",))
        scene = Scene(DATASET, (Panel(Pipeline(Stepping(wrong=True))), Panel(Pipeline(broken)), empty))
        engine.submit(request_of(1, scene))
        messages = {p.panel: p.message for p in pictures_of(engine)}
        assert messages[0].startswith("This fit failed unexpectedly: ZeroDivisionError, what a pity")
        assert messages[1].startswith("Drawing this fit failed unexpectedly: ZeroDivisionError")
        assert messages[2].startswith("There is no column 'height'")

    @pytest.mark.parametrize("what", ["_job", "_work", "_draft", "_exact", "_completed", "_finish"])
    def test_whatever_fails_in_the_engine_ends_in_a_sentence_and_the_next_request_is_answered(self, monkeypatch, what):
        engine = Engine()
        scene, failed = scene_of(Stepping(), Followed(), Stepping(n=0)), []
        with monkeypatch.context() as broken:
            broken.setattr(engine, what, lambda *given: 1 / 0)
            for number, draft in enumerate((True, False)):
                engine.submit(request_of(number, scene, draft))
                pictures = {picture.panel: picture for picture in pictures_of(engine)}
                assert set(pictures) == {0, 1, 2} and engine.answered
                assert {picture.request for picture in pictures.values()} == {number}
                failed += [p.message for p in pictures.values() if p.message and "test_engine.py" in p.message]
        assert failed and all(message.startswith("Drawing this fit failed unexpectedly: Zero") for message in failed)
        engine.submit(request_of(9, scene))
        assert [p.message for p in pictures_of(engine) if p.finished and p.message] == ["The method gave no model."]

    @pytest.mark.parametrize("room", ["panel.empty_picture", "panel.fit_of", "render.fit_of", "render.viewport_of"])
    def test_whatever_fails_in_a_picture_ends_in_a_sentence(self, monkeypatch, room):
        scene = scene_of(Stepping())
        for broken in (room, "render.fit_of"):
            monkeypatch.setattr(f"mlviz.picture.{broken}", lambda *given: 1 / 0)
        (picture,) = draw(scene, [SIZE])
        assert picture.message.startswith("Drawing this fit failed unexpectedly: ZeroDivisionError")
        assert picture.key == scene.dataset.key

    def test_a_request_has_a_size_for_each_panel(self):
        for sizes in ((), (SIZE,), (SIZE,) * 3):
            with pytest.raises(ValueError, match=f"{len(sizes)} sizes for 2 panels"):
                Request(1, scene_of(Stepping(), Stepping()), sizes)

    def test_a_refused_fit_is_not_tried(self):
        engine, scene = Engine(), scene_of(Hanging(), Stepping())
        engine.submit(request_of(1, scene, refused=frozenset([fit_of(scene, 0).key])))
        messages = {p.panel: p.message for p in pictures_of(engine)}
        assert messages == {0: GIVEN_UP, 1: None}

    def test_the_watch_sees_every_piece_of_work(self):
        seen = []
        engine = Engine(lambda panel, fit: seen.append(panel))
        engine.submit(request_of(1, scene_of(Stepping(), Stepping(n=2))))
        pictures_of(engine)
        pieces = [panel for panel, _ in itertools.groupby(seen)]  # it may be told in the middle of a piece of work
        assert set(pieces[1::2]) == {-1} and pieces[:3:2] == [0, 1]
        worked = Counter(pieces[::2])
        assert worked.keys() == {0, 1} and min(worked.values()) >= 3  # more where the machine is slow


def _spy(seen, look=None):
    return Overlay("spy", "spy", look or (lambda model, context: seen.append(context) or ()))


def _counting(fits, fields=None, seconds=0.0, **parameters):
    class Counting(Stepping):
        def steps(self, X, y, rng, sample_weight=None):
            fits.append(1)
            for model in super().steps(X, y, rng, sample_weight):
                if fields is not None:
                    object.__setattr__(model, "on_grid", _counted(model, fields, seconds))
                yield model

    return Counting(**parameters)


def _counted(model, fields, seconds):
    def on_grid(grid, dtype):
        fields.append(grid.shape)
        time.sleep(seconds * (max(grid.shape) / 200) ** 2)
        return StepModel.on_grid(model, grid, dtype)

    return on_grid


def test_what_is_told_of_the_samples_is_not_asked_while_the_hand_moves(monkeypatch):
    asked = []
    monkeypatch.setattr("mlviz.pipeline.training.caveat_of_samples", lambda *_: asked.append(1) or "they are alike")
    data = Dataset(np.zeros((3, 2)), [0, 1, 1])
    panel = Panel(Pipeline(registry()["knn"](n_neighbors=1)))
    for draft in (True, False):
        engine = Engine()
        engine.submit(Request(1, Scene(data, (panel,)), ((80, 60),), draft=draft))
        pictures = pictures_of(engine)
        assert ("they are alike" in pictures[-1].caption) == bool(asked) == (not draft)
