"""Agreement of two partitions against scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from mlviz.numerics.scoring.agreement import (
    adjusted_rand,
    contingency_table,
    normalized_mutual_information,
    purity,
    with_themselves,
)

RNG = np.random.default_rng(0)
PAIRS = {
    "at random": (RNG.integers(4, size=80), RNG.integers(-1, 3, size=80)),
    "nearly the same": (np.arange(60) // 20, np.append(np.arange(55) // 20, [0] * 5)),
    "the same by other names": (np.arange(30) % 3, (np.arange(30) % 3 + 1) * 5),
    "one group each": (np.zeros(5, dtype=int), np.ones(5, dtype=int)),
    "one group and singles": (np.zeros(5, dtype=int), np.arange(5)),
    "singles": (np.arange(5), np.arange(5)[::-1]),
    "one sample": (np.zeros(1, dtype=int), np.zeros(1, dtype=int)),
    "less than at random": (np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])),
}


@pytest.mark.parametrize("case", PAIRS)
def test_agreement_is_that_of_scikit_learn(case):
    a, b = PAIRS[case]
    table, rows, columns = contingency_table(a, b)
    assert np.array_equal(table, contingency_matrix(a, b))
    assert np.array_equal(rows, np.unique(a)) and np.array_equal(columns, np.unique(b))
    assert_allclose(adjusted_rand(table), adjusted_rand_score(a, b), atol=1e-12)
    assert_allclose(normalized_mutual_information(table), normalized_mutual_info_score(a, b), atol=1e-12)
    assert_allclose(purity(table), contingency_matrix(a, b).max(axis=1).sum() / len(a), atol=1e-12)


def test_a_whole_weight_is_as_many_samples():
    a, b = PAIRS["at random"]
    weights = RNG.integers(0, 3, size=80)
    table, _, _ = contingency_table(a, b, weights.astype(float))
    assert np.array_equal(table, contingency_table(np.repeat(a, weights), np.repeat(b, weights))[0])


def test_weights_below_one_make_no_pairs_with_themselves():
    a, b = PAIRS["at random"]
    for share in (0.01, 0.5, 1.0):
        table, itself = (contingency_table(a, b, w)[0] for w in with_themselves(np.full(80, share)))
        assert_allclose(adjusted_rand(table, itself), adjusted_rand_score(a, b), atol=1e-12)
    weights = RNG.integers(0, 3, size=80)
    table, itself = (contingency_table(a, b, w)[0] for w in with_themselves(weights.astype(float)))
    assert_allclose(
        adjusted_rand(table, itself), adjusted_rand_score(np.repeat(a, weights), np.repeat(b, weights)), atol=1e-12
    )
    # Between 0 and 1 a sample comes in, and nothing jumps.
    near = (adjusted_rand(*(contingency_table(a, b, w)[0] for w in with_themselves(np.append(np.ones(79), last))))
            for last in (0.999, 1.0, 1.001))  # fmt: skip
    assert np.ptp(list(near)) < 1e-3
