import dataclasses
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import history
from mlviz.scene.change import Change
from mlviz.scene.defaults import default_scene
from mlviz.scene.history import Store
from mlviz.scene.scene import Panel, Scene


def click(scene: Scene, x: float = 0.0) -> Scene:
    return scene.replace(dataset=scene.dataset.add([[x, 0.0]], 0))


def sizes(store: Store) -> int:
    return len(store.scene.dataset)


def test_undo_and_redo_give_back_the_very_scenes() -> None:
    store = Store(default_scene())
    seen = [store.scene]
    for x in range(3):
        store.push(click(store.scene, x), f"add {x}")
        seen.append(store.scene)
    assert (store.undo_what, store.redo_what) == ("add 2", None)
    for scene in reversed(seen[:-1]):
        store.undo()
        assert store.scene.dataset is scene.dataset
    assert (store.undo_what, store.redo_what) == (None, "add 0")
    store.undo()
    assert store.scene.dataset is seen[0].dataset
    for scene in seen[1:]:
        store.redo()
        assert store.scene.dataset is scene.dataset
    store.redo()
    assert sizes(store) == 3


def test_a_change_after_undo_forgets_what_could_be_redone() -> None:
    store = Store(default_scene())
    store.push(click(store.scene), "one")
    store.undo()
    store.push(click(store.scene), "other")
    assert store.redo_what is None
    store.undo()
    assert sizes(store) == 0


def test_a_gesture_is_one_entry() -> None:
    store = Store(default_scene())
    store.push(click(store.scene), "before")
    for _ in range(5):
        store.push(click(store.scene), "spray", merge="stroke 1")
        assert store.gesturing
    store.settle()
    assert not store.gesturing
    store.push(click(store.scene), "spray", merge="stroke 1")
    assert sizes(store) == 7
    for expected in (6, 1, 0):
        store.undo()
        assert sizes(store) == expected


def test_another_key_starts_another_entry() -> None:
    store = Store(default_scene())
    store.push(click(store.scene), "a", merge="a")
    store.push(click(store.scene), "b", merge="b")
    store.push(click(store.scene), "plain")
    store.push(click(store.scene), "a", merge="a")
    for expected in (3, 2, 1, 0):
        store.undo()
        assert sizes(store) == expected


def test_cancel_takes_the_gesture_back_for_good() -> None:
    store = Store(default_scene())
    store.push(click(store.scene), "kept")
    store.push(click(store.scene), "drag", merge="press")
    store.push(click(store.scene), "drag", merge="press")
    store.cancel("press")
    assert sizes(store) == 1 and not store.gesturing
    assert (store.undo_what, store.redo_what) == ("kept", None)
    store.cancel("press")
    store.cancel(None)
    assert sizes(store) == 1


def test_undo_in_the_middle_of_a_gesture_ends_it() -> None:
    store = Store(default_scene())
    store.push(click(store.scene), "drag", merge="press")
    store.undo()
    assert sizes(store) == 0 and not store.gesturing
    store.push(click(store.scene), "drag", merge="press")
    store.undo()
    assert sizes(store) == 0


def test_a_step_of_the_playback_is_left_when_what_is_fitted_changes() -> None:
    store = Store(default_scene())
    store.look(store.scene.with_view(step=4))
    store.push(store.scene.with_panel(0, replace(store.scene.panels[0], hidden=())), "layer")
    assert store.scene.view.step == 4
    store.push(click(store.scene), "add")
    assert store.scene.view.step is None
    store.look(store.scene.with_view(step=4))
    store.undo()
    assert store.scene.view.step is None


def test_a_step_of_the_playback_stays_when_only_the_decision_changes() -> None:
    start = default_scene()
    pipeline = Pipeline(registry()["perceptron"]())
    store = Store(start.with_panel(0, Panel(pipeline)))
    store.look(store.scene.with_view(step=2))
    moved = pipeline.with_decision(rule="threshold", threshold=0.5)
    store.push(store.scene.with_panel(0, Panel(moved)), "threshold")
    assert store.scene.view.step == 2
    store.undo()
    assert store.scene.view.step == 2
    store.push(store.scene.with_panel(0, Panel(pipeline, target="x2")), "task")
    assert store.scene.view.step == 2  # the perceptron has one task only: it fits the same
    store.push(store.scene.replace(seed=1), "seed")
    assert store.scene.view.step is None


def test_a_swap_by_a_listener_is_told_of_after_the_first() -> None:
    store = Store(default_scene())
    heard: list[tuple[str, int, int]] = []

    def swap_once(change: Change) -> None:
        heard.append(("first", len(change.old.dataset), len(change.new.dataset)))
        if len(change.new.dataset) == 1:
            store.push(click(store.scene), "more")

    store.listen(swap_once)
    store.listen(lambda change: heard.append(("second", len(change.old.dataset), len(change.new.dataset))))
    store.push(click(store.scene), "add")
    assert heard == [("first", 0, 1), ("second", 0, 1), ("first", 1, 2), ("second", 1, 2)]


def test_a_listener_that_fails_leaves_nothing_untold() -> None:
    store = Store(default_scene())
    heard: list[int] = []

    def fail_once(change: Change) -> None:
        heard.append(len(change.new.dataset))
        if len(heard) == 1:
            raise ValueError("once")

    store.listen(fail_once)
    with pytest.raises(ValueError, match="once"):
        store.push(click(store.scene), "add")
    store.push(click(store.scene), "add")
    assert heard == [1, 2]


def test_a_gesture_goes_on_from_its_second_change_to_its_end() -> None:
    store = Store(default_scene())
    going_on = []
    for key in (1, 1, 2):
        store.push(click(store.scene), "add", merge=key)
        going_on.append(store.going_on)
    assert going_on == [False, True, False]
    store.push(click(store.scene), "add", merge=2)
    store.settle()
    assert not store.going_on


def test_listeners_hear_every_swap_once() -> None:
    store = Store(default_scene())
    heard: list[tuple[Scene, Scene]] = []
    store.listen(lambda change: heard.append((change.old, change.new)))
    first = store.scene
    second = click(first)
    store.push(second, "add", merge=1)
    store.push(second, "nothing")
    store.look(second)
    assert heard == [(first, second)]
    store.settle()
    store.settle()
    assert heard[1:] == [(second, second)]
    store.undo()
    store.undo()
    assert len(heard) == 3 and heard[2][0] is second


def test_reset_starts_a_new_history() -> None:
    store = Store(default_scene())
    store.push(click(store.scene), "add", merge=1)
    other = default_scene()
    store.reset(other)
    assert store.scene is other
    assert (store.undo_what, store.redo_what, store.gesturing) == (None, None, False)


def test_the_history_is_capped_by_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    start = default_scene().replace(dataset=Dataset(np.zeros((1000, 2)), np.zeros(1000)))
    monkeypatch.setattr(history, "HISTORY_BYTES", 10 * 24_000)
    store = Store(start)
    for seed in range(30):
        store.push(store.scene.replace(dataset=store.scene.dataset.relabel([seed], 1)), "relabel")
    undone = 0
    while store.undo_what:
        store.undo()
        undone += 1
    assert 8 <= undone <= 10


def test_a_long_history_of_few_samples_is_capped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "LONG_MEMORY_BYTES", 200_000)
    start = default_scene().replace(dataset=Dataset(np.zeros((20, 2)), np.zeros(20)))
    store = Store(start)
    for _ in range(1000):
        store.push(store.scene.replace(dataset=store.scene.dataset.move([0], [(1.0, 2.0)])), "move")
    undone = 0
    while store.undo_what:
        store.undo()
        undone += 1
    assert history.SURE_STEPS < undone < 120


def test_entries_on_the_same_samples_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    start = default_scene().replace(dataset=Dataset(np.zeros((1000, 2)), np.zeros(1000)))
    monkeypatch.setattr(history, "HISTORY_BYTES", 2 * 24_000)
    store = Store(start)
    for seed in range(1, 31):
        store.push(dataclasses.replace(store.scene, seed=seed), "seed")
    for _ in range(30):
        store.undo()
    assert store.scene.seed == 0


ACTIONS: dict[str, Callable[[Store], None]] = {
    "click": lambda store: store.push(click(store.scene), "add"),
    "drag": lambda store: store.push(click(store.scene), "drag", merge="drag"),
    "settle": Store.settle,
    "cancel": lambda store: store.cancel("drag"),
    "undo": Store.undo,
    "redo": Store.redo,
    "look": lambda store: store.look(store.scene.with_view(step=1)),
}


@given(st.lists(st.sampled_from(sorted(ACTIONS)), max_size=40))
def test_undoing_everything_leads_to_the_start_and_back(actions: list[str]) -> None:
    store = Store(default_scene())
    start = store.scene.dataset
    for action in actions:
        ACTIONS[action](store)
    store.settle()
    end = store.scene.dataset
    while store.redo_what:
        store.redo()
    ahead = store.scene.dataset
    while store.undo_what:
        store.undo()
    assert store.scene.dataset is start
    while store.scene.dataset is not end:
        store.redo()
    while store.redo_what:
        store.redo()
    assert store.scene.dataset is ahead
