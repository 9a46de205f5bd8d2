"""Which samples are learned from and which are judged: hold-out, Monte Carlo, V-fold, leave-one-out, bootstrap.

What is chosen at random is chosen by the samples' places, their targets and the random numbers, never by the order of
the rows; and while one sample moves, the others stay where they were, but for a few that make up the numbers.
"""

from __future__ import annotations

import math

import numpy as np

from mlviz.numerics.arrays import AnyArray, Array, Labels, Mask, Rows
from mlviz.numerics.sampling import copy_numbers, random_numbers

Fold = tuple[Rows, Rows]
"""The rows of the training samples and those of the test samples, each rising.

In a bootstrap a row is among the training rows as often as it was drawn, and there may be no test rows.
"""
_SEEDS = 2**63
_POISSON = np.cumsum([math.exp(-1) / math.factorial(count) for count in range(20)])
"""The probability that an event that happens once on average happens at most 0, 1, ... 19 times."""


def hold_out(
    X: Array, y: AnyArray | None, rng: np.random.Generator, share: float = 0.3, stratified: bool = True
) -> list[Fold]:
    """One fold, in which a share of the samples X (n, d) is the test.

    If stratified, each class of y (n,) has as equal a share of the test as whole samples allow; values and samples
    without a target have no classes. Each class keeps a training sample where that is possible.
    """
    return monte_carlo(X, y, rng, share, 1, stratified)


def monte_carlo(
    X: Array,
    y: AnyArray | None,
    rng: np.random.Generator,
    share: float = 0.3,
    repeats: int = 10,
    stratified: bool = True,
) -> list[Fold]:
    """So many hold-outs, each drawn anew (R. R. Picard and R. D. Cook, JASA 79 (1984), 575-583)."""
    n = len(X)
    if not 0 < share < 1:
        raise ValueError("The share that is held out must be between 0 and 1.")
    _check_count(n, 2, "Holding samples out")
    keys, codes = _distinct(X, y), _classes(y, n)
    total = min(max(round(share * n), 1), n - 1)
    folds = []
    for seed in rng.integers(_SEEDS, size=repeats).tolist():
        order = np.argsort(random_numbers(keys, seed), kind="stable")
        if stratified:
            test = _test_of_each_class(order, codes, total, np.random.default_rng(seed))
        else:
            test = np.zeros(n, dtype=bool)
            test[order[:total]] = True
            _keep_every_class(test, order, codes)
        folds.append(_fold(test))
    return folds


def v_fold(X: Array, y: AnyArray | None, rng: np.random.Generator, v: int = 10, stratified: bool = True) -> list[Fold]:
    """V folds (M. Stone, JRSS B 36 (1974), 111-147): each of the samples X (n, d) is a test sample in one of them.

    The sizes of their tests differ by at most 1; if stratified, so do the numbers of samples of each class of y (n,). A
    class of two or more samples is in each training set.
    """
    n = len(X)
    if v < 2:
        raise ValueError("There must be at least 2 folds.")
    _check_count(n, v, f"Cross-validation with {v} folds")
    order = np.argsort(random_numbers(_distinct(X, y), int(rng.integers(_SEEDS))), kind="stable")
    codes = _classes(y, n)
    strata = codes if stratified else np.zeros_like(codes)
    # As if the classes, one after the other, were dealt out like cards.
    dealt = np.arange(n) % v
    number = np.empty(n, dtype=np.intp)
    by_class = order[np.argsort(strata[order], kind="stable")]
    ends = np.cumsum(np.bincount(strata))
    for first, last in zip((0, *ends[:-1]), ends, strict=True):
        # A fold has neighbours in the random order: a sample that moves along it moves few others into the next fold.
        number[by_class[first:last]] = np.sort(dealt[first:last])
    if not stratified:
        _spread_every_class(number, order, codes)
    return [_fold(number == fold) for fold in range(v)]


def leave_one_out(X: Array) -> list[Fold]:
    """As many folds as samples X (n, d): the test of the fold i is the row i."""
    n = len(X)
    _check_count(n, 2, "Leaving one sample out")
    rows = np.arange(n)
    return [(np.delete(rows, row), rows[row : row + 1]) for row in range(n)]


def bootstrap(X: Array, y: AnyArray | None, rng: np.random.Generator, repeats: int = 20) -> list[Fold]:
    """So many draws of n out of the n samples X (n, d) with replacement; those that were not drawn are the test.

    B. Efron, Annals of Statistics 7 (1979), 1-26. Where a class of y (n,) was not drawn, it takes one place of another.
    """
    n = len(X)
    _check_count(n, 2, "A bootstrap")
    keys, codes = _distinct(X, y), _classes(y, n)
    folds = []
    for seed in rng.integers(_SEEDS, size=repeats).tolist():
        uniform = random_numbers(keys, seed) / np.float64(2**64)
        counts = _draws(uniform, np.random.default_rng(seed))
        _draw_every_class(counts, np.argsort(uniform, kind="stable"), codes)
        folds.append((np.repeat(np.arange(n), counts), np.flatnonzero(counts == 0)))
    return folds


def _check_count(n: int, least: int, what: str) -> None:
    if n < least:
        raise ValueError(f"{what} needs at least {least} samples; there are {n}.")


def _fold(test: Mask) -> Fold:
    return np.flatnonzero(~test), np.flatnonzero(test)


def _classes(y: AnyArray | None, n: int) -> Labels:
    """The numbers of the classes (n,); where the target has none, all samples are of one."""
    if y is None or y.dtype.kind == "f":
        return np.zeros(n, dtype=np.intp)
    return np.unique(y, return_inverse=True)[1]


def _distinct(X: Array, y: AnyArray | None) -> Array:
    """For each sample what tells it from all others, whatever the order of the rows, (n, d + 2).

    Equal samples are numbered: otherwise they would always share a fold.
    """
    n = len(X)
    target = np.zeros(n) if y is None else _classes(y, n) if y.dtype.kind == "U" else y
    keys = np.column_stack((target, X)).astype(np.float64)
    # The last column is mixed least, so the one that says most of a sample stands there.
    return np.column_stack((copy_numbers(keys), keys))


def _test_of_each_class(order: Rows, codes: Labels, total: int, rng: np.random.Generator) -> Mask:
    """Which samples are the test, (n,): the first of each class in the random order, `total` of them if possible."""
    counts = np.bincount(codes)
    quota = counts * (total / counts.sum())
    # The random part decides between equal remainders.
    given = np.floor(quota + 1e-9).astype(np.intp)
    rest = quota - given + 1e-9 * rng.random(len(counts))
    while given.sum() < total and (open_classes := given < counts - 1).any():
        most = np.argmax(np.where(open_classes, rest, -np.inf))
        given[most] += 1
        rest[most] -= 1
    if not given.any():
        raise ValueError("Each class has a single sample, so none can be held out.")
    test = np.zeros(len(codes), dtype=bool)
    for code, count in enumerate(given.tolist()):
        test[order[codes[order] == code][:count]] = True
    return test


def _keep_every_class(test: Mask, order: Rows, codes: Labels) -> None:
    """Give each class a training sample: it changes places with one of a class that has several."""
    left = np.bincount(codes[~test], minlength=codes.max() + 1)
    for code in np.flatnonzero(left == 0).tolist():
        several = order[~test[order] & (left[codes[order]] > 1)]
        if len(several):
            test[several[0]] = True
            left[codes[several[0]]] -= 1
        elif test.sum() < 2:
            return
        test[order[codes[order] == code][-1]] = False
        left[code] = 1


def _spread_every_class(number: Rows, order: Rows, codes: Labels) -> None:
    """Let no class of several samples lie within one fold: one changes folds with a sample that can be missed."""
    sizes = np.bincount(codes)
    for code in np.flatnonzero(sizes > 1).tolist():
        mine = order[codes[order] == code]
        fold = number[mine[0]]
        if (number[mine] != fold).any():
            continue
        outside = np.bincount(codes[number != fold], minlength=len(sizes))
        others = order[(number[order] != fold) & ((outside[codes[order]] > 1) | (sizes[codes[order]] == 1))]
        if len(others):
            number[mine[0]], number[others[0]] = number[others[0]], fold


def _draws(uniform: Array, rng: np.random.Generator) -> Rows:
    """How often each sample is drawn, (n,), n times in all, for random numbers (n,) in [0, 1).

    Counts that follow Poisson's distribution with the mean 1, by the random number of each sample, are draws with
    replacement once their sum is known. Draws too many are taken back at random, those that are lacking are drawn. So a
    sample that moves leaves nearly all draws of the others as they were, which drawing places in an order would not.
    """
    n = len(uniform)
    counts = np.searchsorted(_POISSON, uniform, side="right")
    surplus, seed = int(counts.sum()) - n, int(rng.integers(_SEEDS))
    if surplus > 0:
        drawn = np.repeat(np.arange(n), counts)
        time = np.arange(len(drawn)) - np.repeat(np.cumsum(counts) - counts, counts)
        back = np.argsort(random_numbers(np.column_stack((time, uniform[drawn])), seed), kind="stable")[:surplus]
        counts -= np.bincount(drawn[back], minlength=n)
    for seed in rng.integers(_SEEDS, size=max(-surplus, 0)).tolist():
        counts[np.argmin(random_numbers(uniform[:, None], seed))] += 1
    return counts


def _draw_every_class(counts: Rows, order: Rows, codes: Labels) -> None:
    """Draw a sample of each class that was not, in the place of one of a class that was drawn several times."""
    drawn = np.bincount(codes, counts)
    for code in np.flatnonzero(drawn == 0).tolist():
        several = order[(counts[order] > 0) & (drawn[codes[order]] > 1)]
        counts[several[0]] -= 1
        drawn[codes[several[0]]] -= 1
        counts[order[codes[order] == code][0]] += 1
        drawn[code] = 1
