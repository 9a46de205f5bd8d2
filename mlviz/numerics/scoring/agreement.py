"""How far two partitions of the same samples agree: clusters and classes, or the clusters of two fits."""

from __future__ import annotations

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels


def contingency_table(a: AnyArray, b: AnyArray, weights: Array | None = None) -> tuple[Array, AnyArray, AnyArray]:
    """How many samples, by weight, are in each group of a (n,) and of b (n,): (r, c); and the groups, rising."""
    rows, row = np.unique(a, return_inverse=True)
    columns, column = np.unique(b, return_inverse=True)
    cells = np.bincount(row * len(columns) + column, weights, minlength=len(rows) * len(columns))
    return cells.reshape(len(rows), len(columns)).astype(np.float64), rows, columns


def with_themselves(weights: Array) -> tuple[Array, Array]:
    """Weights (n,), and how much of their squares a sample has no pair with: itself, or less of a fraction of one."""
    return weights, weights * np.minimum(weights, 1.0)


def adjusted_rand(table: Array, itself: Array | None = None) -> float:
    """The share of pairs of samples on which two partitions agree, corrected for chance; 1 where they are the same.

    A sample of weight 2 is two, which make a pair. One of a smaller weight w than 1 makes none with itself: `itself` is
    the table of the weights w · min(w, 1), which is the same for whole ones.

    About 0 for random partitions of such sizes, below 0 for less. L. Hubert and P. Arabie, Comparing partitions,
    Journal of Classification 2 (1985), 193-218.
    """
    own = table if itself is None else itself
    together, of_rows, of_columns, all_pairs = (
        float(((table.sum(axis=over) ** 2 - own.sum(axis=over)) / 2).sum()) for over in ((), 1, 0, None)
    )
    if of_rows == of_columns == together:
        return 1.0
    expected = of_rows * of_columns / all_pairs
    return (together - expected) / ((of_rows + of_columns) / 2 - expected)


def normalized_mutual_information(table: Array) -> float:
    """The mutual information of two partitions as a share of the mean of their entropies; 1 for two single groups.

    A. Strehl and J. Ghosh, Cluster ensembles, Journal of Machine Learning Research 3 (2002), 583-617, with the
    arithmetic mean.
    """
    joint = table / table.sum()
    rows, columns = _entropy(joint.sum(axis=1)), _entropy(joint.sum(axis=0))
    if rows == columns == 0:
        return 1.0
    shared = rows + columns - _entropy(joint)
    return max(0.0, shared) / ((rows + columns) / 2)


def purity(table: Array) -> float:
    """The share of samples that are of the most frequent column of their row: of the main class of their cluster."""
    return float(table.max(axis=1).sum() / table.sum())


def names_kept(former: Labels, labels: Labels, k: int) -> Labels:
    """A new name for each of the k clusters of labels (n,), so that those alike keep the names of the former ones (n,).

    Alike is what has the largest share of samples in common, of those in one of both: a cluster of at least two samples
    that one has joined or left keeps its name, whatever becomes of the others.
    """
    both = np.zeros((k, k))
    np.add.at(both, (labels, former), 1.0)
    likeness = both / np.maximum(both.sum(axis=1)[:, None] + both.sum(axis=0) - both, 1.0)
    names = np.empty(k, dtype=np.intp)
    for _ in range(k):
        cluster, name = np.unravel_index(np.argmax(likeness), likeness.shape)
        names[cluster] = name
        likeness[cluster], likeness[:, name] = -1.0, -1.0
    return names


def _entropy(shares: Array) -> float:
    there = shares[shares > 0]
    return -float((there * np.log(there)).sum()) + 0.0
