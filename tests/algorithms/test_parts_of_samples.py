"""Of very many samples some may stand for all: then the caption says so, by all methods in the same words."""

import re

import numpy as np

from mlviz.algorithms import registry

N = 10_001
PART = re.compile(r"[\d,]+ of 10,001 (different )?samples, drawn at random")
CENTRES = re.compile(r"approximated with [\d,]+ of 10,001 samples as centres")
"""All samples are learned from; some are the middles of the functions that the answer is made of."""
IN_PART = {
    *("hierarchical", "kernel-kmeans", "kernel-perceptron", "mds", "mean-shift", "parzen"),
    *("rbf-network", "smo", "spectral", "svm", "svr", "tsne"),
}


def first_caveat(method, d=2):
    """What the first model of very many samples does not hide."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, d))
    targets = {"classification": (X[:, 0] > 0).astype(int), "regression": X[:, 0] + rng.normal(size=N)}
    return next(iter(method().steps(X, targets.get(method.tasks[0]), rng))).caveat


def test_a_part_of_the_samples_is_told_in_the_same_words():
    methods, in_part = registry(), set()
    for method in methods.values():
        for piece in first_caveat(method).split("; "):
            if "10,001" in piece:
                assert PART.search(piece) or CENTRES.fullmatch(piece), (method.id, piece)
                in_part |= {method.id} if PART.search(piece) else set()
    assert in_part >= IN_PART
    assert PART.search(first_caveat(methods["kde"], 3))
