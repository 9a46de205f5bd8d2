import numpy as np
import pytest

from mlviz.numerics.scoring.folds import bootstrap, hold_out, leave_one_out, monte_carlo, v_fold
from tests.sweep import each, trials

WAYS = {
    "hold-out": lambda X, y, rng: hold_out(X, y, rng, 0.3),
    "hold-out, not stratified": lambda X, y, rng: hold_out(X, y, rng, 0.3, stratified=False),
    "monte carlo": lambda X, y, rng: monte_carlo(X, y, rng, 0.25, 5),
    "folds": lambda X, y, rng: v_fold(X, y, rng, 7),
    "folds, not stratified": lambda X, y, rng: v_fold(X, y, rng, 7, stratified=False),
    "bootstrap": lambda X, y, rng: bootstrap(X, y, rng, 10),
}


def samples(n=83, k=3, seed=0, values=None):
    """Samples of k classes, or copies of few places where the number of values is given."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) if values is None else rng.integers(values, size=(n, 2)).astype(float)
    return X, rng.integers(k, size=n)


def as_sets(folds, X, y):
    """The folds as lists of samples, whatever their rows."""
    told = np.column_stack((X, np.zeros(len(X)) if y is None else y))
    return [tuple(sorted(map(tuple, told[rows])) for rows in fold) for fold in folds]


@each("values, way", [None, 2, 5], WAYS)
def test_the_order_of_the_rows_changes_nothing(way, values):
    X, y = samples(values=values)
    order = np.random.default_rng(1).permutation(len(X))
    for target in (y, None, X[:, 0] * 2):
        folds = WAYS[way](X, target, np.random.default_rng(5))
        shuffled = WAYS[way](X[order], None if target is None else target[order], np.random.default_rng(5))
        expected = as_sets(folds, X, target)
        assert as_sets(shuffled, X[order], None if target is None else target[order]) == expected
    first, again, other = (as_sets(WAYS[way](X, y, np.random.default_rng(seed)), X, y) for seed in (5, 5, 6))
    assert first == again != other


@pytest.mark.parametrize("way", WAYS)
def test_training_and_test_part_the_rows(way):
    X, y = samples()
    for training, test in WAYS[way](X, y, np.random.default_rng(0)):
        assert (np.diff(test) > 0).all() and (np.diff(training) >= 0).all()
        np.testing.assert_array_equal(np.union1d(training, test), np.arange(len(X)))
        assert not np.intersect1d(training, test).size
        assert len(training) == len(X) if way == "bootstrap" else len(training) + len(test) == len(X)


@pytest.mark.parametrize("way", WAYS)
def test_while_one_sample_moves_the_others_stay(way):
    X, y = samples(400)
    moved = X.copy()
    moved[17] += 0.01
    before, after = (WAYS[way](places, y, np.random.default_rng(0)) for places in (X, moved))
    for (training, _), (later, _) in zip(before, after, strict=True):
        counts, now = (np.bincount(rows, minlength=400) for rows in (training, later))
        # It takes a place and gives one up, and pushes one from each fold into the next; a bootstrap's sum is mended.
        assert np.abs(counts - now).sum() <= 12


@pytest.mark.parametrize("n", [7, 20, 83])
def test_each_sample_is_tested_once_and_the_folds_are_equal(n):
    X, y = samples(n)
    for stratified in (True, False):
        folds = v_fold(X, y, np.random.default_rng(0), 7, stratified)
        np.testing.assert_array_equal(np.sort(np.concatenate([test for _, test in folds])), np.arange(n))
        sizes = [len(test) for _, test in folds]
        assert len(folds) == 7 and max(sizes) - min(sizes) <= 1
    shares = np.array([np.bincount(y[test], minlength=3) for _, test in v_fold(X, y, np.random.default_rng(0), 7)])
    assert (np.ptp(shares, axis=0) <= 1).all()


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_a_stratified_test_has_the_shares_of_the_classes(share):
    X, y = samples(90)
    (training, test), *_ = hold_out(X, y, np.random.default_rng(0), share)
    assert len(test) == round(share * 90) and len(training) == 90 - len(test)
    assert np.abs(np.bincount(y[test], minlength=3) - share * np.bincount(y)).max() < 1


@pytest.mark.parametrize("seed", trials(20))
@pytest.mark.parametrize("way", WAYS)
def test_each_class_of_two_or_more_is_learned(way, seed):
    # Three rare classes among many of one, which chance alone would often leave out.
    X, _ = samples(30, seed=seed)
    y = np.array([0] * 24 + [1] * 2 + [2] * 2 + [3] * 2)
    for training, test in WAYS[way](X, y, np.random.default_rng(seed)):
        assert set(y[training]) == {0, 1, 2, 3} and len(test)


@pytest.mark.parametrize("way", ["hold-out", "hold-out, not stratified", "monte carlo", "bootstrap"])
def test_a_class_with_a_single_sample_is_learned(way):
    X, _ = samples(6)
    y = np.array([0, 0, 0, 1, 2, 3])
    for seed in trials(30):
        for training, _ in WAYS[way](X, y, np.random.default_rng(seed)):
            assert set(y[training]) == {0, 1, 2, 3}


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("way", ["hold-out, not stratified", "bootstrap"])
def test_few_samples_of_as_many_classes(way, n):
    X = np.arange(2.0 * n).reshape(n, 2)
    for training, test in WAYS[way](X, np.arange(n), np.random.default_rng(0)):
        assert len(training) >= n - 1 and len(training) + len(test) == n


def test_too_few_samples_are_told():
    X, y, rng = np.zeros((3, 2)), np.array([0, 1, 1]), np.random.default_rng(0)
    for asked, told in (
        (lambda: v_fold(X, y, rng, 4), "Cross-validation with 4 folds needs at least 4 samples; there are 3."),
        (lambda: v_fold(X, y, rng, 1), "at least 2 folds"),
        (lambda: hold_out(X[:1], y[:1], rng), "needs at least 2 samples; there are 1"),
        (lambda: hold_out(X, y, rng, 1.0), "between 0 and 1"),
        (lambda: hold_out(X, np.arange(3), rng), "single sample"),
        (lambda: leave_one_out(X[:1]), "needs at least 2 samples"),
        (lambda: bootstrap(X[:0], y[:0], rng), "needs at least 2 samples"),
    ):
        with pytest.raises(ValueError, match=told):
            asked()


def test_leaving_one_out():
    folds = leave_one_out(np.zeros((4, 1)))
    assert [test.tolist() for _, test in folds] == [[0], [1], [2], [3]]
    assert folds[1][0].tolist() == [0, 2, 3]


@pytest.mark.parametrize("X", [samples(60)[0], samples(60, values=2)[0], np.zeros((60, 2))], ids=["any", "few", "one"])
@pytest.mark.parametrize("way", ["hold out", "fold"])
def test_chance_is_fair(way, X):
    rng, repeats = np.random.default_rng(0), len(trials(1600))
    folds = (
        monte_carlo(X, None, rng, 0.25, repeats)
        if way == "hold out"
        else [v_fold(X, None, rng, 4)[1] for _ in range(repeats)]
    )
    tested = np.array([np.bincount(test, minlength=60) for _, test in folds])
    # Each sample is held out a quarter of the times, and 20 samples vary in number as draws without replacement do.
    assert np.abs(tested.mean(axis=0) - 0.25).max() < 4.5 * np.sqrt(0.25 * 0.75 / repeats)
    expected = 15 * (20 / 60) * (40 / 60) * (45 / 59)
    # The standard error of a variance is sqrt(2 / repeats) of it.
    assert tested[:, :20].sum(axis=1).var() == pytest.approx(expected, rel=4.5 * np.sqrt(2 / repeats))


def test_a_bootstrap_draws_like_draws_with_replacement():
    X, n, repeats = samples(40)[0], 40, len(trials(4000))
    counts = np.array(
        [np.bincount(rows, minlength=n) for rows, _ in bootstrap(X, None, np.random.default_rng(0), repeats)]
    )
    assert (counts.sum(axis=1) == n).all()
    variance = 1 - 1 / n
    assert np.abs(counts.mean(axis=0) - 1).max() < 4.5 * np.sqrt(variance / repeats)
    # The fourth moment makes the standard error of the variance about sqrt(3 / repeats).
    assert np.abs(counts.var(axis=0) - variance).max() < 4.5 * np.sqrt(3 / repeats)
    covariances = np.cov(counts.T)[np.triu_indices(n, 1)]
    assert np.abs(covariances + 1 / n).max() < 5 / np.sqrt(repeats)
    shares = [(counts == number).mean() for number in range(5)]
    expected = [39.0**40 / 40.0**40 * factor for factor in (1, 40 / 39, 40 * 39 / 2 / 39**2)]
    np.testing.assert_allclose(shares[:3], expected, atol=4.5 * 0.5 / np.sqrt(n * repeats))
