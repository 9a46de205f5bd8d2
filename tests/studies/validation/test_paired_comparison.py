"""The paired comparison: its tests are those of the same predictions and folds, its rings the samples that differ."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import cross_val_predict, cross_val_score

from mlviz.algorithms import CannotFit, registry
from mlviz.cli import main
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Moons, SineRegression
from mlviz.numerics.scoring.paired import corrected_resampled_t, five_by_two_f, five_by_two_t, mcnemar
from mlviz.picture import draw
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_study
from mlviz.scene.scene import Panel, Scene, View
from mlviz.studies import registry as studies
from tests.studies.validation.wrapped import WrappedClassifier, WrappedRegressor

Paired = studies()["paired-comparison"]
MOONS = Moons(n_samples=80, noise=0.35).generate(1)
SINE = SineRegression(n_samples=40).generate(1)


def last(study, method, X, y, **more):
    *_, result = study.run(Pipeline(registry()[method]()), X, y, **more)
    return result


def test_the_tests_are_those_of_scikit_learns_predictions_and_scores():
    X, y = MOONS.X, MOONS.labels
    result = last(Paired(folds=4), "lda", X, y, rival=Pipeline(registry()["knn"]()))
    estimators = WrappedClassifier("lda", "none", "shrinkage", 0.0), WrappedClassifier("knn", "none", "n_neighbors", 5)
    folds = result.folding.folds
    right = [cross_val_predict(one, X, y, cv=folds[:4]) == y for one in estimators]
    scores = [cross_val_score(one, X, y, cv=folds[4:]) for one in estimators]
    gaps = scores[0] - scores[1]
    expected = {
        "McNemar": mcnemar(*right),
        "5x2cv t": five_by_two_t(gaps[:10].reshape(5, 2)),
        "5x2cv F": five_by_two_f(gaps[:10].reshape(5, 2)),
        "Nadeau-Bengio": corrected_resampled_t(gaps[10:], len(folds[-1][0]), len(folds[-1][1])),
    }
    assert list(result.tests) == list(expected)
    for name, test in expected.items():
        found = result.tests[name]
        for field in ("difference", "low", "high", "p_value"):
            assert_allclose(getattr(found, field), getattr(test, field), rtol=1e-9, atol=1e-12, err_msg=name)
    assert_allclose(result.facts()["p by McNemar"].value, expected["McNemar"].p_value)
    only = [np.flatnonzero(right[0] & ~right[1]), np.flatnonzero(right[1] & ~right[0])]
    assert all(np.array_equal(a, b) for a, b in zip(result.only_right, only, strict=True))
    assert sorted(result.table().columns[0]) == sorted((np.concatenate(only) + 1).tolist())


def test_of_values_squares_are_compared():
    X, y = SINE.X[:, :1], SINE.X[:, 1]
    result = last(Paired(rival="linear-regression"), "kernel-ridge", X, y)
    estimators = (
        WrappedRegressor("kernel-ridge", "none", "lambda_", 0.01),
        WrappedRegressor("linear-regression", "none", "degree", registry()["linear-regression"]().degree),
    )
    scoring = "neg_mean_squared_error"
    gaps = np.subtract(
        *(cross_val_score(one, X, y, cv=result.folding.folds[20:], scoring=scoring) for one in estimators)
    )
    assert_allclose(result.tests["Nadeau-Bengio"].difference, gaps.mean(), rtol=1e-9)
    assert "McNemar" not in result.tests and result.table().names[0] == "test" and len(result.plots()) == 1


def test_a_cell_of_the_counts_shows_its_samples():
    result = last(Paired(rival="lda"), "svm", MOONS.X, MOONS.labels)
    _, counts = result.plots()
    assert len(counts.areas) == 4 and sum(len(area.rows) for area in counts.areas) == len(MOONS.X)
    told = {area.label.rpartition(":")[0]: area.rows for area in counts.areas}
    assert np.array_equal(told["only support vector machine is right"], result.only_right[0])


def test_samples_that_differ_are_ringed_on_the_canvas():
    panels = tuple(Panel(Pipeline(registry()[method]())) for method in ("svm", "lda"))
    scene = Scene(Dataset(MOONS.X, MOONS.labels), panels, view=View(limits=(-4, 4, -4, 4)))
    scene = with_study(scene, 0, Paired())
    picture = draw(scene, [(300, 300)] * 2, 60)[0]
    (answer,) = picture.studies
    rows = np.concatenate([mark.rows for mark in picture.plot.marks if mark.label.startswith("only ")])
    assert sorted((rows + 1).tolist()) == sorted(answer.table.columns[0]) and len(rows)


def test_without_a_rival_a_second_canvas_is_asked_for(capsys):
    with pytest.raises(CannotFit, match="add a second canvas"):
        last(Paired(), "svm", MOONS.X, MOONS.labels)
    for settings, told in (
        (dict(rival="nobody"), "no method 'nobody'"),
        (dict(rival="kernel-ridge"), "the same thing"),
    ):
        with pytest.raises(CannotFit, match=told):
            last(Paired(**settings), "svm", MOONS.X, MOONS.labels)
    call = ["study", "--generator", "moons", "--algorithm", "svm", "--study", "paired-comparison", "--set", "rival=knn"]
    assert main(call) == 0 and "p by McNemar" in capsys.readouterr().out


def test_a_method_does_not_differ_from_itself():
    result = last(Paired(rival="knn"), "knn", MOONS.X, MOONS.labels)
    assert result.tests["McNemar"].difference == 0 and not len(np.concatenate(result.only_right))
    assert result.names[0] != result.names[1] and result.plots() and result.facts()


@pytest.mark.parametrize("method", registry())
def test_every_method_is_compared_or_a_sentence_says_why_not(method):
    kind = registry()[method]
    values = kind.tasks == ("regression",)
    X, y = (SINE.X[:, :1], SINE.X[:, 1]) if values else (MOONS.X, MOONS.labels)
    study = Paired(rival="kernel-ridge" if values else "gmm" if method == "gmm" else "lda", folds=2, repeats=2)
    for some, target in ((X, y), *((X[:count], np.zeros_like(y[:count])) for count in (1, 2, 3))):
        try:
            result, sentence = last(study, method, some, target), ""
        except CannotFit as error:
            result, sentence = None, str(error)
        if result is None:
            assert sentence.endswith(".")
        else:
            assert result.complete and result.plots() and result.facts() and result.table().names
