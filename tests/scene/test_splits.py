import dataclasses
import json

import numpy as np
import pytest

from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Moons, generators
from mlviz.draw.numbers import plain
from mlviz.picture import draw
from mlviz.picture.description import summary
from mlviz.scene.defaults import default_scene
from mlviz.scene.edits import with_drawn
from mlviz.scene.files import scene_file
from mlviz.scene.splits import edits as splits

TABLE = Dataset(
    np.column_stack((np.linspace(-1, 1, 12), np.arange(12.0), np.arange(12) % 2, np.linspace(0, 5, 12))),
    np.repeat([0, 1, 2], 4),
    ("a", "b", "test", "c"),
    class_names=("red", "green", "blue"),
)


def scene_with(dataset):
    return default_scene().replace(dataset=dataset)


def rows_of(data):
    """The samples as sorted rows of all that is known of each."""
    return sorted(np.column_stack((data.X, data.labels, data.held_out, data.active)).tolist())


def crowd(n=97, seed=0):
    """Samples of three classes of different size, some of them at one place, some switched off."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)).round(1)
    X[: n // 3] = [0.5, -0.5]
    data = Dataset(X, rng.choice(3, n, p=[0.6, 0.3, 0.1]))
    return scene_with(data.with_active(np.arange(n) % 10 > 0))


@pytest.mark.parametrize("stratified", [False, True])
@pytest.mark.parametrize("share", [0.001, 0.2, 1 / 3, 0.5, 0.9, 1.0])
def test_a_random_split_has_its_share_whatever_the_order(share, stratified):
    scene = crowd()
    data = splits.split(scene, share, 3, stratified).dataset
    on = int(data.active.sum())
    assert data.test.sum() == data.held_out.sum() == min(max(round(share * on), 1), on - 1)
    assert data.key != scene.dataset.key and (data.X == scene.dataset.X).all()
    order = np.random.default_rng(1).permutation(len(data))
    shuffled = dataclasses.replace(scene.dataset, X=data.X[order], labels=data.labels[order], active=data.active[order])
    assert rows_of(splits.split(scene_with(shuffled), share, 3, stratified).dataset) == rows_of(data)
    if stratified:
        for code in np.unique(data.labels).tolist():
            mine = data.active & (data.labels == code)
            assert abs(data.held_out[mine].sum() - data.held_out.sum() * mine.sum() / on) < 1


def test_a_larger_share_holds_out_the_same_samples_too_and_another_seed_others():
    scene = crowd()
    less, more = (splits.split(scene, share, 7).dataset.held_out for share in (0.2, 0.5))
    assert (more | ~less).all() and more.sum() > less.sum()
    other = splits.split(scene, 0.2, 8).dataset.held_out
    assert (other != less).any()
    np.testing.assert_array_equal(splits.split(scene, 0.2, 7).dataset.held_out, less)
    assert not splits.split(scene_with(TABLE.with_held_out([1])), 0.0).dataset.held_out.any()


def test_equal_samples_are_split_too():
    data = splits.split(scene_with(Dataset(np.zeros((50, 2)), np.zeros(50, dtype=int))), 0.3).dataset
    assert data.held_out.sum() == 15


@pytest.mark.parametrize("n", [0, 1, 2])
def test_of_next_to_no_samples_one_is_left_to_learn_from(n):
    data = splits.split(scene_with(Dataset(np.arange(2.0 * n).reshape(n, 2), np.zeros(n, dtype=int))), 0.99).dataset
    assert data.held_out.sum() == max(0, n - 1)


def test_swapping_twice_is_identity():
    scene = splits.split(crowd(), 0.3)
    once = splits.swapped(scene).dataset
    np.testing.assert_array_equal(once.test, scene.dataset.training)
    np.testing.assert_array_equal(once.training, scene.dataset.test)
    np.testing.assert_array_equal(splits.swapped(scene.replace(dataset=once)).dataset.held_out, scene.dataset.held_out)
    plain = crowd()
    assert splits.swapped(plain) is plain, "where nothing is held out nothing would be left to learn from"


def test_rows_are_held_out_and_come_back_and_so_are_those_switched_off():
    scene = scene_with(TABLE.with_held_out([0]))
    once = splits.with_rows_held_out(scene, [0, 3])
    assert np.flatnonzero(once.dataset.held_out).tolist() == [0, 3]
    assert not splits.with_rows_held_out(once, [0, 3]).dataset.held_out.any()
    off = splits.with_rows_off(scene, [2, 5])
    assert np.flatnonzero(~off.dataset.active).tolist() == [2, 5]
    assert splits.with_rows_off(off, [5, 2]).dataset.active.all()
    assert splits.all_on(off).dataset.active.all() and splits.all_on(scene) is scene


def test_a_column_says_which_samples_are_held_out_and_is_no_input_any_more():
    scene = scene_with(TABLE).with_view(axes=("test", "b"))
    told = {"test": (0.0, 1.0), "class": ("red", "green", "blue")}
    assert splits.telling_columns(TABLE) == told, "a number of its own for each sample says nothing of a split"
    changed = splits.split_by_column(scene, "test", 1.0)
    np.testing.assert_array_equal(changed.dataset.held_out, TABLE.X[:, 2] == 1)
    assert changed.axes == ("b", "a") and changed.dataset.columns == TABLE.columns
    named = scene.with_panel(0, dataclasses.replace(scene.panels[0], inputs=("a", "test", "c")))
    assert splits.split_by_column(named, "test", 1.0).panels[0].inputs == ("a", "c")
    by_class = splits.split_by_column(scene, "class", "green")
    np.testing.assert_array_equal(by_class.dataset.held_out, TABLE.labels == 1)
    assert by_class.axes == scene.axes


@pytest.mark.parametrize("kind", sorted(generators()))
def test_a_second_sample_comes_from_the_same_source_and_makes_room_for_another(kind):
    source = generators()[kind](n_samples=40)
    scene = with_drawn(default_scene(), source.generate(4))
    twice = splits.with_second_sample(scene, scene.dataset.source)
    data = twice.dataset
    np.testing.assert_array_equal(data.X[:40], scene.dataset.X)
    assert len(data) == 80 and data.held_out.tolist() == [False] * 40 + [True] * 40
    assert data.source == scene.dataset.source and data.key != scene.dataset.key
    assert not (data.X[40:] == data.X[:40]).all()
    other = splits.with_second_sample(twice, data.source, 1).dataset
    assert len(other) == 80 and (other.X[40:] != data.X[40:]).any()
    np.testing.assert_array_equal(other.X[:40], data.X[:40])
    again = splits.redrawn(twice, source.generate(5)).dataset
    assert len(again) == 80 and splits.has_second_sample(again, 40)


def test_a_second_sample_of_clouds_is_drawn_about_the_same_centres():
    scene = with_drawn(default_scene(), generators()["blobs"](n_samples=3000).generate(4))
    data = splits.with_second_sample(scene, scene.dataset.source).dataset
    for code, centre in enumerate(data.source.means()):
        np.testing.assert_allclose(data.X[data.test & (data.labels == code)].mean(axis=0), centre, atol=0.1)


def test_drawing_again_keeps_the_share():
    scene = splits.split(with_drawn(default_scene(), Moons(n_samples=50).generate(0)), 0.3)
    drawn = Moons(n_samples=50).generate(1)
    assert splits.redrawn(scene, drawn).dataset.held_out.sum() == 15
    assert not splits.redrawn(splits.unsplit(scene), drawn).dataset.held_out.any()


def test_both_masks_come_back_from_a_scene_file_bit_for_bit():
    for scene in (
        splits.with_rows_off(splits.split(crowd(), 0.4), [1, 5]),
        splits.with_second_sample(with_drawn(default_scene(), Moons(n_samples=20).generate(0)), Moons(n_samples=20)),
    ):
        back = scene_file.from_json(scene_file.to_json(scene)).dataset
        for name in ("X", "labels", "held_out", "active"):
            np.testing.assert_array_equal(getattr(back, name), getattr(scene.dataset, name))
        assert back.source == scene.dataset.source


def recipes():
    """A scene for each way to hold samples out."""
    named, drawn = scene_with(TABLE), with_drawn(default_scene(), Moons(n_samples=20).generate(0))
    by_hand = splits.with_rows_held_out(splits.split(crowd(), 0.3, 4), [7])
    return {
        "held out: 30 % at random, seed 4, stratified": splits.split(crowd(), 0.3, 4, True),
        "held out: all but 30 % at random, seed 4": splits.swapped(splits.split(crowd(), 0.3, 4)),
        "held out: 30 % at random, seed 4, changed since": by_hand,
        "held out: test = 1": splits.split_by_column(named, "test", 1.0),
        "held out: class = green": splits.split_by_column(named, "class", "green"),
        "held out: a second sample, seed 2": splits.with_second_sample(drawn, drawn.dataset.source, 2),
    }


@pytest.mark.parametrize("words", recipes())
def test_the_recipe_of_a_split_is_told_everywhere_and_saved(words):
    scene = recipes()[words]
    assert f"held out: {splits.told_split(scene)}" == words
    document = json.loads(json.dumps(scene_file.to_json(scene)))
    back = scene_file.from_json(document)
    assert back.split == scene.split and splits.told_split(back) == splits.told_split(scene)
    picture = draw(back, [(300, 300)])[0]
    assert words in plain(picture.caption) and f"H{words[1:]}." in plain(summary(back, 0, picture))
    del document["split"]
    assert splits.told_split(scene_file.from_json(document)) == "", "of an older file nobody knows"


def test_what_is_marked_by_hand_alone_has_no_recipe_and_a_recipe_says_whether_it_still_holds():
    scene = splits.split(crowd(), 0.3, 4)
    none = splits.with_rows_held_out(scene, np.flatnonzero(scene.dataset.held_out))
    assert splits.told_split(none) == "" and splits.with_rows_held_out(none, [3]).split is None
    assert splits.with_rows_held_out(splits.with_rows_held_out(scene, [3]), [3]).split.holds(scene.dataset)
    moved = scene.replace(dataset=scene.dataset.move([3], [[2.0, 2.0]]))
    assert "changed since" in splits.told_split(moved) and splits.unsplit(scene).split is None
    assert splits.told_split(moved, draft=True) + ", changed since" == splits.told_split(moved)
    swapped = splits.swapped(splits.swapped(scene))
    assert swapped.split == scene.split


def test_drawing_again_follows_the_recipe():
    scene = with_drawn(default_scene(), Moons(n_samples=50).generate(0))
    again = splits.redrawn(splits.split(scene, 0.3, 4, True), Moons(n_samples=50).generate(1))
    fresh = with_drawn(default_scene(), Moons(n_samples=50).generate(1))
    np.testing.assert_array_equal(again.dataset.held_out, splits.split(fresh, 0.3, 4, True).dataset.held_out)
    assert splits.told_split(again) == "30 % at random, seed 4, stratified"


def test_a_recipe_that_names_a_class_follows_its_name():
    scene = splits.split_by_column(scene_with(TABLE), "class", "green")
    code = scene.dataset.class_names.index("green")
    named = splits.with_class_name(scene, code, "lime")
    assert splits.told_split(named) == "class = lime" and named.dataset.class_name(code) == "lime"
    usual = splits.with_class_name(splits.swapped(named), code, "")
    assert splits.told_split(usual) == f"all but class = class {code + 1}"
    other = splits.with_class_name(scene, 1 - code, "teal")
    assert other.split == scene.split and other.split.holds(other.dataset)
