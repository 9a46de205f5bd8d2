"""How far each failure is from the truth that its samples were drawn from: a figure that is the smaller the better."""

from functools import cache

import numpy as np
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr
from sklearn.metrics import adjusted_rand_score, roc_auc_score

DRAWS = range(1000, 1010)
"""The seeds of the samples that are judged by; none of them is fitted."""


@cache
def fresh(failure):
    """Clean samples of other seeds: X (n, d) and labels (n,)."""
    drawn = [failure.clean(seed) for seed in DRAWS]
    return np.concatenate([data.X for data in drawn]), np.concatenate([data.labels for data in drawn])


def fitted(failure, pipeline, seed):
    """The model of a pipeline on the samples of a seed."""
    data = failure.samples(seed)
    columns = failure.inputs or (data.columns[:1] if failure.task == "regression" else data.columns[:2])
    X = data.X[:, [data.column(name) for name in columns]]
    y = {"classification": data.labels, "regression": data.X[:, -1]}.get(failure.task)
    return pipeline.fit(X, y)


def class_error(failure, model):
    """The mean over the classes of the share that is wrong: a rare class counts as much as a frequent one."""
    X, labels = fresh(failure)
    found = model.predict(X)
    return float(np.mean([np.mean(found[labels == code] != code) for code in np.unique(labels)]))


def distance_from_curve(failure, model):
    """The root of the mean squared distance from the function that the values were drawn about."""
    x = np.linspace(-3, 3, 200)
    return rms(model.predict(x[:, None]) - failure.clean(failure.seed).source.regression_function(x))


def distance_beyond(failure, model):
    """The same where there are no samples: the line of the generator has the slope 0.7 and goes through 0."""
    x = np.linspace(0.5, 3.5, 100)
    return rms(model.predict(x[:, None]) - 0.7 * x)


def distance_of_slopes(failure, model):
    """The values are the sum of both inputs, so that each slope is 1."""
    return rms(model.inner.coef - 1.0)


def disagreement(failure, model):
    """One minus the adjusted Rand index of clusters and true groups: 0 where they agree, about 1 where by chance."""
    X, labels = fresh(failure)
    return 1.0 - adjusted_rand_score(labels, model.predict(X))


def lost_of_axis(failure, model):
    """One less the correlation of the score shown with the place along the true axis, which was drawn at 20 degrees."""
    X, _ = fresh(failure)
    true = X @ np.array([np.cos(np.radians(20)), np.sin(np.radians(20))])
    return float(1 - abs(np.corrcoef(score_shown(model, X), true)[0, 1]))


def score_shown(model, X):
    """The score along the component shown, the first where there is no choice."""
    return model.component_score(X) if hasattr(model.inner, "component_score") else model.transform(X)[:, 0]


def overlap_of_groups(failure, model):
    """How often the first score has the two groups in the wrong order: 0 where they are apart, 1/2 where by chance."""
    X, labels = fresh(failure)
    area = roc_auc_score(labels, model.transform(X)[:, 0])
    return float(min(area, 1 - area))


def overlap_of_rings(failure, model):
    """The same of the scores along the component shown."""
    X, labels = fresh(failure)
    area = roc_auc_score(labels, score_shown(model, X))
    return float(min(area, 1 - area))


def disorder_of_distances(failure, model):
    """One minus the rank correlation of distances on the map with those of the samples."""
    inner = model.inner
    distances = (pdist(places) for places in (inner.samples.places, inner.embedding))
    return 1.0 - float(spearmanr(*distances).statistic)


def distance_from_three_clouds(failure, model):
    """By how much the density of fresh samples is smaller than the true one, the mean of logarithms."""
    X, labels = fresh(failure)
    means = np.array([X[labels == code].mean(axis=0) for code in np.unique(labels)])
    squares = ((X[:, None] - means) ** 2).sum(axis=2)
    true = np.log(np.exp(-squares / (2 * 0.25**2)).mean(axis=1) / (2 * np.pi * 0.25**2))
    return float(np.mean(true - model.score_samples(X)))


def rms(differences):
    return float(np.sqrt(np.mean(np.square(differences))))


BY_TASK = {"classification": class_error, "regression": distance_from_curve, "clustering": disagreement}
BY_ID = {
    "beyond": distance_beyond,
    "twins": distance_of_slopes,
    "axis-outlier": lost_of_axis,
    "axis-units": overlap_of_groups,
    "rings-one-axis": overlap_of_rings,
    "bump-component": overlap_of_rings,
    "islands": disorder_of_distances,
    "map-units": overlap_of_groups,
    "one-cloud": distance_from_three_clouds,
}
"""Of those whose truth is told otherwise than by the usual figure of their task."""


def figure(failure, setup, seed):
    """How far the model of a set-up on the samples of a seed is from the truth."""
    return _figure(failure, setup.pipeline, seed)


@cache
def _figure(failure, pipeline, seed):
    # Many methods have the same cure.
    judge = BY_ID.get(failure.id) or BY_TASK[failure.task]
    return judge(failure, fitted(failure, pipeline, seed))
