import numpy as np
import pytest
import scipy.cluster.hierarchy as scipy_tree
from sklearn.metrics import adjusted_rand_score

from mlviz.numerics.linkage.merging import LINKAGES, merge_all
from mlviz.numerics.linkage.tree import MergeTree
from mlviz.numerics.pauses import finished
from tests.sweep import each, share

MONOTONE = tuple(linkage for linkage in LINKAGES if linkage != "centroid")
SAMPLES = {
    "one input": lambda rng: rng.normal(size=(30, 1)),
    "two inputs": lambda rng: rng.normal(size=(40, 2)),
    "five inputs": lambda rng: rng.normal(size=(30, 5)),
    "in clouds": lambda rng: rng.normal(size=(40, 2)) * 0.3 + rng.choice([-2, 0, 2], size=(40, 2)),
    "tiny": lambda rng: rng.normal(size=(20, 2)) * 1e-9,
    "huge": lambda rng: rng.normal(size=(20, 2)) * 1e90,
    "far away": lambda rng: rng.normal(size=(20, 2)) + 1e6,
    "ever wider gaps": lambda rng: np.cumsum(1.1 ** np.arange(30.0))[:, None],
    "two": lambda rng: rng.normal(size=(2, 2)),
}


def placed(X):
    return X[np.lexsort(X.T[::-1])]


def merged(X, linkage, weight=None):
    return finished(merge_all(X, np.ones(len(X)) if weight is None else weight, linkage))


def defined(A, a, B, b, linkage):
    """How far two clusters are from each other, by their samples A and B and their weights a and b."""
    if linkage in ("centroid", "ward"):
        means = np.linalg.norm(a @ A / a.sum() - b @ B / b.sum())
        return means if linkage == "centroid" else np.sqrt(2 * a.sum() * b.sum() / (a.sum() + b.sum())) * means
    distances = np.linalg.norm(A[:, None] - B[None], axis=2)
    if linkage == "average":
        return a @ distances @ b / (a.sum() * b.sum())
    return distances.min() if linkage == "single" else distances.max()


def agglomerated(X, weight, linkage):
    """As in a textbook: of all pairs of clusters the nearest is joined, by the definition of their distance."""
    clusters = {i: [i] for i in range(len(X))}

    def apart(i, j):
        p, q = clusters[i], clusters[j]
        return defined(X[p], weight[p], X[q], weight[q], linkage)

    gaps = {(i, j): apart(i, j) for i in clusters for j in clusters if i < j}
    for new in range(len(X), 2 * len(X) - 1):
        a, b = min(gaps, key=gaps.__getitem__)
        yield (a, b), gaps[a, b]
        clusters[new] = clusters.pop(a) + clusters.pop(b)
        gaps = {pair: gap for pair, gap in gaps.items() if not {a, b} & set(pair)}
        gaps |= {(i, new): apart(i, new) for i in clusters if i != new}


@pytest.mark.parametrize(
    ("kind", "linkage"), [(kind, linkage) for kind in SAMPLES for linkage in share(LINKAGES, kind, 2)]
)
def test_agrees_with_the_definition(kind, linkage):
    rng = np.random.default_rng(4)
    X = placed(SAMPLES[kind](rng))
    for weight in share((np.ones(len(X)), np.full(len(X), 3.0), rng.uniform(0.5, 2.5, len(X))), kind):
        merges = merged(X, linkage, weight)
        pairs, heights = zip(*agglomerated(X, weight, linkage), strict=True)
        np.testing.assert_allclose(merges.heights, heights, rtol=1e-9)
        np.testing.assert_array_equal(np.sort(merges.pairs, axis=1), pairs)


@pytest.mark.parametrize("weight", [1.0, np.tile([1.0, 2.0], 8)], ids=["equal", "different"])
@pytest.mark.parametrize("linkage", LINKAGES)
def test_each_merge_joins_two_clusters_that_are_nearest_at_that_moment(linkage, weight):
    """On a lattice, where most distances are equal: the heights are those of their definition, and none is lower."""
    X = placed(np.array([(i, j) for i in range(4) for j in range(4)]) * 0.1)
    w = np.ones(16) * weight
    merges, clusters = merged(X, linkage, w), {i: [i] for i in range(len(X))}
    for t, (a, b) in enumerate(merges.pairs.tolist()):
        apart = {
            (i, j): defined(X[p], w[p], X[q], w[q], linkage)
            for i, p in clusters.items()
            for j, q in clusters.items()
            if i < j
        }
        assert apart[min(a, b), max(a, b)] == pytest.approx(merges.heights[t], rel=1e-10)
        assert merges.heights[t] <= min(apart.values()) * (1 + 1e-10)
        assert min(clusters[a]) < min(clusters[b])
        clusters[len(X) + t] = clusters.pop(a) + clusters.pop(b)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_weights_are_copies_that_were_joined_first(linkage):
    rng = np.random.default_rng(1)
    X, times = placed(rng.normal(size=(40, 2))), rng.integers(1, 5, 40)
    oracle = scipy_tree.linkage(np.repeat(X, times, axis=0), linkage)[:, 2]
    copies = times.sum() - len(X)
    np.testing.assert_array_equal(oracle[:copies], 0)
    np.testing.assert_allclose(merged(X, linkage, times).heights, oracle[copies:], rtol=1e-10)


@pytest.mark.parametrize("linkage", MONOTONE)
def test_no_cluster_is_lower_than_its_parts(linkage):
    lattice = placed(np.array([(i, j) for i in range(15) for j in range(15)]) / 3)
    for weight in (np.ones(225), 1.0 + np.arange(225) % 3):
        tree = MergeTree(len(lattice), merged(lattice, linkage, weight))
        assert (np.diff(tree.merges.heights) >= 0).all()
        assert (tree.node_heights[tree.merges.pairs].max(axis=1) <= tree.merges.heights).all()
        assert not len(tree.inversions)


@each("linkage, k", LINKAGES, [1, 2, 5, 60])
def test_clusters_are_those_of_scipy_numbered_by_their_first_place(linkage, k):
    X = placed(np.random.default_rng(7).normal(size=(60, 2)))
    tree = MergeTree(len(X), merged(X, linkage))
    clusters = tree.clusters_after(len(X) - k)
    oracle = scipy_tree.cut_tree(scipy_tree.linkage(X, linkage), k)[:, 0]
    assert adjusted_rand_score(oracle, clusters) == 1
    np.testing.assert_array_equal(np.unique(clusters), np.arange(k))
    assert (np.diff(np.unique(clusters, return_index=True)[1]) > 0).all()


@pytest.mark.parametrize("linkage", MONOTONE)
def test_a_cut_at_its_height_leaves_its_clusters(linkage):
    X = placed(np.random.default_rng(8).normal(size=(50, 2)))
    tree, oracle = MergeTree(len(X), merged(X, linkage)), scipy_tree.linkage(X, linkage)
    for k in share(range(1, len(X) + 1), linkage):
        below = scipy_tree.fcluster(oracle, tree.cut_for(k), "distance")
        assert adjusted_rand_score(below, tree.clusters_after(len(X) - k)) == 1
        assert tree.room_for(k) > 0


def test_branches_stand_beside_each_other():
    X = placed(np.random.default_rng(9).normal(size=(40, 2)))
    tree = MergeTree(len(X), merged(X, "average"))
    np.testing.assert_array_equal(np.sort(tree.order), np.arange(40))
    assert tree.order[0] == 0
    for t, (a, b) in enumerate(tree.merges.pairs.tolist()):
        whole = tree.leaves(40 + t)
        np.testing.assert_array_equal(whole, np.concatenate((tree.leaves(a), tree.leaves(b))))
        assert tree.earliest[40 + t] == whole.min()
        assert tree.across[40 + t] == (tree.across[a] + tree.across[b]) / 2


def test_inversions_and_ties_are_no_cuts():
    """The third place is nearer to the middle of the other two than these are to each other."""
    X = np.array([(0.0, 0.0), (0.5, 0.9), (1.0, 0.0)])
    tree = MergeTree(3, merged(X, "centroid"))
    np.testing.assert_allclose(tree.merges.heights, [1.0, 0.9])
    np.testing.assert_array_equal(tree.inversions, [1])
    assert tree.room_for(2) == pytest.approx(-0.1) and tree.room_for(1) == tree.room_for(3) == np.inf
    line = MergeTree(4, merged(np.array([[0.0], [0.1], [0.2], [5.0]]), "single"))
    assert line.room_for(2) == pytest.approx(4.7) and line.room_for(3) == 0
    assert line.widest_gap == 2
