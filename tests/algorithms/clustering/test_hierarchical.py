import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import sklearn.cluster
from sklearn.metrics import adjusted_rand_score

from mlviz.algorithms.clustering.hierarchical import Hierarchical
from mlviz.algorithms.clustering.hierarchical.pictures import assignment, dendrogram, merge, regions
from mlviz.data.dataset import Dataset
from mlviz.draw.layer import Context
from mlviz.draw.marks import Segments
from mlviz.numerics.grid import Grid
from mlviz.numerics.linkage.merging import LINKAGES
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene import edits
from mlviz.scene.scene import Panel, Scene, View
from tests.sweep import each
from tests.truth.scenes import Case, drawn

GRID = Grid(np.linspace(-4, 4, 31), np.linspace(-4, 4, 29))
ISOSCELES = np.array([(0.0, 0.0), (0.5, 0.9), (1.0, 0.0), (9.0, 0.0)])
"""The third place is nearer to the middle of the first two joined than these are to each other."""


def blobs(n=120, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 2)) * 0.5 + rng.choice([-2, 0, 2], size=(n, 2))


def steps(algorithm, X, weights=None):
    return list(algorithm.steps(X, None, np.random.default_rng(0), weights))


def context(X, model, grid=GRID):
    field = model.on_grid(grid)
    return Context(X, None, np.arange(len(X)) + 100, Hierarchical(), "clustering", grid=grid, field=field)


def dendrogram_of(X, model):
    return dendrogram.draw(model, context(X, model))


@each("linkage, k", [linkage for linkage in LINKAGES if linkage != "centroid"], [1, 3, 8])
def test_agrees_with_scikit_learn(linkage, k):
    X = blobs()
    model = Hierarchical(k, linkage).fit(X)
    oracle = sklearn.cluster.AgglomerativeClustering(k, linkage=linkage).fit_predict(X)
    assert adjusted_rand_score(oracle, model.labels) == 1
    np.testing.assert_array_equal(model.predict(X), model.labels)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_each_step_joins_two_clusters_of_the_step_before(linkage):
    X = blobs(40)
    models = steps(Hierarchical(4, linkage), X)
    assert [model.n_clusters for model in models] == list(range(40, 3, -1))
    for before, after in pairwise(models):
        table = np.zeros((before.n_clusters, after.n_clusters), dtype=int)
        np.add.at(table, (before.labels, after.labels), 1)
        assert ((table > 0).sum(axis=1) == 1).all()
        np.testing.assert_array_equal(np.sort((table > 0).sum(axis=0)), [1] * (after.n_clusters - 1) + [2])
    assert models[-1].last and not models[-2].last
    np.testing.assert_array_equal(models[0].hierarchy.colours, models[-1].clusters)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_clusters_are_numbered_from_the_left_whatever_the_order_of_the_rows(linkage):
    X = blobs()
    model = Hierarchical(5, linkage).fit(X)
    leftmost = [X[model.labels == code, 0].min() for code in range(5)]
    assert leftmost == sorted(leftmost)
    shuffle = np.random.default_rng(1).permutation(len(X))
    np.testing.assert_array_equal(Hierarchical(5, linkage).fit(X[shuffle]).labels, model.labels[shuffle])


@pytest.mark.parametrize("linkage", LINKAGES)
def test_weights_are_copies(linkage):
    X = blobs(40)
    times = np.random.default_rng(0).integers(0, 4, 40)
    weighted = Hierarchical(3, linkage).fit(X, sample_weight=times)
    repeated = Hierarchical(3, linkage).fit(np.repeat(X, times, axis=0))
    np.testing.assert_allclose(weighted.tree.merges.heights, repeated.tree.merges.heights, rtol=1e-12)
    np.testing.assert_array_equal(np.repeat(weighted.labels, times), repeated.labels)


def test_many_samples_are_answered_by_some_of_them_and_it_is_said():
    X = np.concatenate((blobs(1600, 1), blobs(1600, 1)[:100]))
    model = Hierarchical(4, "average").fit(X)
    assert model.tree.n == 1500
    assert "linkage of 1,500 of 1,600 different samples" in model.caveat
    gaps = np.linalg.norm(X[:, None] - model.linked.places[None], axis=2)
    np.testing.assert_array_equal(model.labels, model.clusters[gaps.argmin(axis=1)])
    first, *others = steps(Hierarchical(1498), X)
    kept = [model for model in others if model is not first]
    assert first.n_clusters == 1500 and first.stage == "start" and not len(first.tree.merges.heights)
    assert dendrogram_of(X, first) is None
    assert [model.n_clusters for model in kept] == [1500, 1499, 1498]


def test_fewer_samples_than_clusters_and_cuts_that_are_none_are_told():
    assert Hierarchical(3).fit([[0.0], [1.0], [1.0]]).caveat == (
        "only 2 clusters for k = 3, since there are only 2 distinct samples"
    )
    assert Hierarchical(3).fit([[2.0], [2.0]]).caveat.startswith("only 1 cluster for k = 3, since there is only 1")
    tied = Hierarchical(3, "single").fit([[0.0], [1.0], [2.0], [9.0]])
    assert tied.caveat == "no height cuts the tree into 3 clusters: merges there are equally high"
    inverted = Hierarchical(3, "centroid").fit(ISOSCELES)
    assert inverted.caveat == "no height cuts the tree into 3 clusters: a later merge is lower, an inversion"
    assert inverted.facts()["inversions"] == 1
    assert Hierarchical(2, "centroid").fit(ISOSCELES).caveat == ""


def test_facts_tell_the_merges_beside_the_cut():
    X = blobs()
    model = Hierarchical(3, "complete").fit(X)
    facts, heights = model.facts(), model.tree.merges.heights
    assert facts["clusters"] == 3
    assert [int(size) for size in facts["samples per cluster"].split(", ")] == np.bincount(model.labels).tolist()
    assert (facts["height of the last merge"], facts["height of the next merge"]) == (heights[-3], heights[-2])
    gaps = np.diff(heights)
    assert facts["widest gap at k"] == len(X) - 1 - int(np.argmax(gaps))
    assert "inversions" not in facts


def test_the_sentence_tells_the_nearest_sample():
    X = blobs()
    model = Hierarchical(4).fit(X)
    told = model.explain(np.array([0.7, -0.4]))
    gaps = np.linalg.norm(X - (0.7, -0.4), axis=1)
    assert told.sentence.startswith(f"cluster {model.labels[gaps.argmin()] + 1}, that of the nearest sample")
    assert float(re.search(r"([\d.]+) away", told.sentence)[1]) == pytest.approx(gaps.min(), rel=5e-3)


def test_borders_part_samples_of_different_clusters():
    X = blobs(50)
    for model in steps(Hierarchical(3, "average"), X)[20::10]:
        (border,) = regions.draw(model, context(X, model))[1:]
        middle = (border.xy[0::3] + border.xy[1::3]) / 2
        gaps = np.linalg.norm(middle[:, None] - X[None], axis=2)
        two = np.argsort(gaps, axis=1)[:, :2]
        np.testing.assert_allclose(*np.take_along_axis(gaps, two, axis=1).T, rtol=1e-9)
        assert (np.diff(model.labels[two], axis=1) != 0).all()


def test_regions_are_tinted_once_samples_are_joined():
    X = blobs(50)
    models = steps(Hierarchical(3, "average"), X)
    for model in (models[0], models[20], models[-1]):
        region = regions.draw(model, context(X, model))[0]
        nearest = np.linalg.norm(GRID.points()[:, None] - X[None], axis=2).argmin(axis=1)
        np.testing.assert_array_equal(region.classes.ravel(), models[-1].labels[nearest])
        alone = np.bincount(model.labels)[model.labels] == 1
        np.testing.assert_array_equal(region.strength.ravel() < 10, alone[nearest] & (not model.last))
        dots = assignment.draw(model, context(X, model))
        assert sum(len(mark.rows) for mark in dots) == (len(X) if model.last else (~alone).sum())


@pytest.mark.parametrize("linkage", LINKAGES)
def test_the_line_of_the_last_merge_is_what_its_height_measures(linkage):
    X = blobs(60)
    for done in (1, 30, 57):
        model = steps(Hierarchical(3, linkage), X)[done]
        (mark,) = merge.draw(model, context(X, model))
        lengths = np.linalg.norm(mark.end - mark.start, axis=1)
        height = model.tree.merges.heights[done - 1]
        sizes = [len(model.tree.leaves(node)) for node in model.tree.merges.pairs[done - 1]]
        factor = np.sqrt(2 * sizes[0] * sizes[1] / sum(sizes)) if linkage == "ward" else 1.0
        if len(lengths) < sizes[0] * sizes[1] and linkage == "average":
            assert f"of {sizes[0] * sizes[1]:,}, {len(lengths)} drawn" in mark.label
            assert lengths.mean() == pytest.approx(height, rel=0.02)
        else:
            assert factor * lengths.mean() == pytest.approx(height, rel=1e-9)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_the_dendrogram_stands_at_true_heights(linkage):
    X = blobs(80)
    model = Hierarchical(3, linkage).fit(X)
    plot, tree = dendrogram_of(X, model), model.tree
    forks = [mark for mark in plot.marks if mark.role == "later merge" or mark.role.startswith("branch")]
    level = np.concatenate([mark.start[mark.start[:, 1] == mark.end[:, 1]][:, 1] for mark in forks])
    np.testing.assert_array_equal(np.sort(level), np.sort(tree.merges.heights))
    for mark in forks:
        if mark.role.startswith("branch"):
            leaves = np.unique(np.concatenate((mark.start, mark.end))[:, 0])
            inside = model.clusters[tree.order] == int(mark.role.split()[1])
            assert inside[np.rint(leaves).astype(int)].all()
    assert plot.limits[3] > tree.merges.heights.max() and plot.limits[2] < 0


def test_the_handle_of_the_cut_sets_k_and_a_click_below_a_fork_finds_its_samples():
    X = blobs(80)
    model = Hierarchical(3, "average").fit(X)
    plot = dendrogram_of(X, model)
    (handle,) = plot.handles
    assert (handle.path, handle.kind) == ("algorithm.n_clusters", "level")
    assert handle.values[handle.at] == 3
    heights = model.tree.merges.heights
    for (_, height), k in zip(handle.points, handle.values, strict=True):
        assert (heights > height).sum() == k - 1
    scene = Scene(Dataset(X, np.zeros(80, dtype=int), ("x1", "x2")), (Panel(Pipeline(Hierarchical())),), 0, View())
    assert edits.with_value(scene, 0, handle.path, 5.0).panels[0].pipeline.algorithm.n_clusters == 5
    for area in plot.areas:
        inside = [a for a in plot.areas if a.limits[0] >= area.limits[0] and a.limits[1] <= area.limits[1]]
        assert all(np.isin(a.rows, area.rows).all() for a in inside)
        samples = "1 sample" if len(area.rows) == 1 else f"{len(area.rows)} samples"
        assert area.label.startswith(f"{samples}, joined at")
    assert sorted(plot.areas[0].rows.tolist()) == list(range(100, 180))
    assert sorted(area.rows[0] for area in plot.areas if len(area.rows) == 1) == list(range(100, 180))
    two = [model.labels[area.rows - 100] for area in plot.areas[2:4]]
    assert all(len(np.unique(codes)) == 1 for codes in two)


def test_inversions_are_marked_and_named():
    plot = dendrogram_of(ISOSCELES, Hierarchical(2, "centroid").fit(ISOSCELES))
    (mark,) = [mark for mark in plot.marks if mark.role == "inversion"]
    assert isinstance(mark, Segments) and "inversion" in mark.label
    np.testing.assert_allclose(mark.start[:, 1], 0.9)


def test_a_picture_of_each_step_has_its_dendrogram():
    scene = Scene(
        Dataset(blobs(30), np.zeros(30, dtype=int), ("x1", "x2")), (Panel(Pipeline(Hierarchical(2))),), 0, View()
    )
    for step in (0, 1, 15, None):
        (picture,) = draw(scene.with_view(step=step), [(300, 200)], resolution=30)
        assert picture.message is None
        (plot,) = [plot for plot in picture.sides if plot.id == "dendrogram"]
        marked = any(mark.role == "last merge" for mark in plot.marks)
        assert marked == (step in (1, 15))


def test_before_the_end_colours_are_said_to_be_those_of_the_end():
    scene = Case("hierarchical", task="clustering").scene((0.1, 0.2))
    for step, name in ((14, "at the end cluster "), (None, "cluster ")):
        shown = drawn(scene.with_view(step=step))
        labels = [mark.label for mark in shown.plot.marks if mark.role.startswith("member")]
        assert labels and all(label.startswith(name) for label in labels)
        assert (
            ("of this step" in shown.explanation.sentence) == ("samples per cluster" not in shown.facts) == (step == 14)
        )


@pytest.mark.parametrize("linkage", LINKAGES)
def test_the_branches_of_the_sample_that_is_pointed_at_are_lit_up_to_the_last_merge(linkage):
    X = blobs(40)
    model = Hierarchical(3, linkage).fit(X)
    for row in (0, 17, 39):
        plot = dendrogram.draw(model, replace(context(X, model), probe=X[row] + 1e-4))
        (way,) = [mark for mark in plot.marks if mark.role == "pointed branch"]
        np.testing.assert_array_equal(way.start[1:], way.end[:-1])
        # The clusters that hold the sample, by the sets of rows that are joined one after the other.
        sets = [{k} for k in range(model.tree.n)]
        own, heights = model.linked.group[row], [0.0]
        for pair, height in zip(model.tree.merges.pairs, model.tree.merges.heights, strict=True):
            sets.append(sets[pair[0]] | sets[pair[1]])
            heights += [height] if own in sets[-1] else []
        np.testing.assert_allclose(way.end[::2, 1], heights[1:])
        assert way.start[0].tolist() == [model.tree.order.tolist().index(own), 0.0]
        assert way.end[-1].tolist() == [model.tree.across[-1], heights[-1]]
    assert not [mark for mark in dendrogram_of(X, model).marks if mark.role == "pointed branch"]
