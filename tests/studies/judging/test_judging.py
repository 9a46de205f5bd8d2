"""Which samples are judged, by which models, and what is refused in a sentence."""

import dataclasses
import json

import numpy as np
import pytest
from sklearn import metrics

from mlviz.algorithms import CannotFit, registry
from mlviz.cli import main
from mlviz.data.dataset import Dataset
from mlviz.numerics.scoring.folds import v_fold
from mlviz.picture import draw
from mlviz.picture.study_pictures import StudyPicture
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.edits import with_study
from mlviz.scene.scene import Panel, Scene, View
from mlviz.spec.sentences import sentence as spoken
from mlviz.studies import Samples
from mlviz.studies import registry as studies
from mlviz.studies.question import Question
from tests.studies.judging.cases import CLASSIFIERS, IDS, asked, close, column, overlapping, pipeline, values
from tests.sweep import sweep

every_study = pytest.mark.parametrize("study", IDS)
X, Y = overlapping(60, (0, 1))
TEST = Samples(*overlapping(40, (0, 1), seed=1), np.arange(100, 140))


def lit(result):
    """The rows of all samples that can be shown by a click."""
    plots = result.plots if isinstance(result, StudyPicture) else result.plots()
    return np.sort(np.concatenate([area.rows for plot in plots for area in plot.areas])).tolist()


@every_study
@pytest.mark.parametrize(
    ("samples", "given", "where", "rows"),
    [
        ("held out if any", TEST, "40 held-out samples", range(100, 140)),
        ("held out if any", None, "60 training samples", range(60)),
        ("held out", TEST, "40 held-out samples", range(100, 140)),
        ("training", TEST, "60 training samples", range(60)),
    ],
)
def test_it_says_which_samples_it_judges(study, samples, given, where, rows):
    result = asked(study, pipeline("logistic"), X, Y, {"samples": samples}, test=given)
    assert values(result)["judged on"] == where and result.study.samples == samples
    assert result.rows.tolist() == list(rows)
    if study in ("calibration", "confusion-matrix", "score-histogram"):
        assert lit(result) == list(rows)


@every_study
def test_held_out_samples_are_wanted(study):
    with pytest.raises(CannotFit, match="No samples are held out"):
        asked(study, pipeline("logistic"), X, Y, {"samples": "held out"})


def test_in_a_scene_the_rows_are_those_of_the_data_set():
    out, off = np.arange(60) % 3 == 0, np.arange(60) % 10 == 1
    data = dataclasses.replace(Dataset(X, Y), held_out=out, active=~off)
    for samples, expected in (("held out if any", out & ~off), ("training", ~out & ~off)):
        scene = Scene(data, (Panel(pipeline("logistic")),), view=View(limits=(-4, 4, -4, 4)))
        for study in IDS:
            scene = with_study(scene, 0, studies()[study](samples=samples))
        (picture,) = draw(scene, [(200, 200)], 60)
        told = {answer.study.id: answer for answer in picture.studies}
        assert sorted(told) == list(IDS)
        for study in ("calibration", "confusion-matrix", "score-histogram"):
            assert lit(told[study]) == np.flatnonzero(expected).tolist()
        what = "training" if samples == "training" else "held-out"
        judged_on = {answer.facts["judged on"].value for answer in told.values()}
        assert judged_on == {f"{expected.sum()} {what} samples"}


def test_samples_without_weight_are_not_judged():
    weight = np.where(np.arange(60) < 20, 0.0, 2.0)
    result = asked("confusion-matrix", pipeline("lda"), X, Y, sample_weight=weight, rows=np.arange(60) + 5)
    assert lit(result) == list(range(25, 65)) and values(result)["judged on"] == "40 training samples"
    close(column(result, "support")[:2], [40, 40])


@pytest.mark.parametrize("method", ["logistic", "knn", "svm"])
@pytest.mark.parametrize("classes", [(0, 1), (0, 1, 2)], ids=str)
def test_cross_validated_predictions_are_those_of_models_that_have_not_seen_the_samples(method, classes):
    inputs, y = overlapping(66, classes)
    chosen = {"samples": "cross-validation", "folds": 4}
    predicted, score = np.empty_like(y), np.empty((66, len(classes)))
    for train, test in v_fold(inputs, y, np.random.default_rng(3), 4):
        model = Pipeline(registry()[method](), "standardize").fit(inputs[train], y[train], 3)
        predicted[test] = model.predict(inputs[test])
        scored = "predict_proba" if hasattr(model.inner, "predict_proba") else "decision_function"
        found = getattr(model, scored)(inputs[test])
        score[test] = found if found.ndim == 2 else found[:, None] * (-1, 1)
    table = asked("confusion-matrix", Pipeline(registry()[method](), "standardize"), inputs, y, chosen, seed=3)
    close(table.confusion.counts, metrics.confusion_matrix(y, predicted))
    assert values(table)["judged on"] == "66 training samples, by 4 models that have not seen them"
    assert lit(table) == list(range(66))
    roc = asked("roc", Pipeline(registry()[method](), "standardize"), inputs, y, chosen, seed=3)
    areas = [metrics.roc_auc_score(y == code, score[:, code]) for code in classes]
    close(values(roc).get("mean AUC", values(roc).get("AUC")), np.mean(areas))


@every_study
def test_cross_validation_tells_its_progress_and_follows_the_threshold(study):
    asked_study = studies()[study](samples="cross-validation", folds=5)
    assert not asked_study.immediate and studies()[study]().immediate
    *on_the_way, last = asked_study.run(pipeline("logistic"), X, Y)
    assert sorted({one.done for one in on_the_way}) == [0, 1, 2, 3, 4] and last.complete
    assert all(one.total == 5 and one.plots() == () for one in on_the_way)
    moved = last.of_panel(pipeline("logistic", threshold=0.9))
    assert moved.threshold == 0.9 and last.threshold == 0.0 and moved.scored is last.scored
    assert (moved.predicted == (moved.scored.scores > 0.9)).all()


@pytest.mark.parametrize(
    ("y", "folds", "sentence"),
    [
        (np.append(np.zeros(59, int), 1), 5, "at least two samples of each class"),
        (Y, 61, "61 folds"),
    ],
    ids=["one sample of a class", "too many folds"],
)
def test_cross_validation_refuses_in_a_sentence(y, folds, sentence):
    with pytest.raises(CannotFit, match=sentence):
        asked("roc", pipeline("lda"), X, y, {"samples": "cross-validation", "folds": folds})


@every_study
def test_methods_that_tell_no_classes_are_refused(study):
    for method in ("kmeans", "pca", "linear-regression"):
        assert not studies()[study]().applies(Pipeline(registry()[method]()))
        with pytest.raises(CannotFit, match="needs a method that predicts classes; this one, "):
            asked(study, Pipeline(registry()[method]()), X, X[:, 0])
    with pytest.raises(CannotFit, match="is about classes"):
        asked(study, pipeline("knn"), X, X[:, 0])


def test_models_under_way_are_refused_until_they_know_all_classes():
    inputs, y = overlapping(3000, (0, 1, 2))
    decided, one, told = pipeline("l1-svm"), studies()["roc"](), []
    for model in decided.steps(inputs, y):
        try:
            told.append(one.judge(model, Question(decided, inputs, y)).rows.size)
        except CannotFit as error:
            told.append(str(error))
    assert told[0] == "The models of some classes are still being fitted." and told[-1] == 3000


ODD = {
    "one class": (X, np.zeros(60, int)),
    "one sample": (X[:1], Y[:1]),
    "two samples": (X[:2], Y[:2]),
    "equal samples": (np.ones((20, 2)), np.arange(20) % 2),
    "one of a class": (X, (np.arange(60) == 7).astype(int)),
    "one in each of three": (X[:3], np.arange(3)),
    "far away": (X * 1e9, Y),
    "parted": (X + 1e3 * Y[:, None], Y),
}
ALONE = ("one class", "one sample")


def judged(study, model, question):
    """What is said of a model, or None and why nothing is."""
    try:
        return studies()[study]().judge(model, question), ""
    except CannotFit as error:
        return None, str(error)


def answer_or_sentence(study, method, samples, **more):
    """The answer, or None and why there is none."""
    try:
        return asked(study, pipeline(method), *samples, **more), ""
    except CannotFit as error:
        return None, str(error)


def check_drawn(result):
    """All that is drawn is in sight, and the table is one."""
    for plot in result.plots():
        x0, x1, y0, y1 = plot.limits
        assert np.isfinite(plot.limits).all() and x0 < x1 and y0 < y1
        assert all(np.isfinite(mark.places()).all() for mark in plot.marks), plot.id
        assert all(np.isfinite(handle.points).all() and np.isfinite(handle.values).all() for handle in plot.handles)
    assert len({len(values) for values in result.table().columns}) == 1
    json.dumps(result.table().to_json(), allow_nan=False)


@sweep("method, case", CLASSIFIERS, ODD)
def test_odd_samples_give_an_answer_or_a_sentence(method, case):
    question = Question(pipeline(method), *ODD[case])
    try:
        model = question.pipeline.fit(*ODD[case])
    except CannotFit:
        return  # the method's own sentence
    reasons = {"All samples are of one class: there is nothing to be told apart."} if case in ALONE else set()
    if not hasattr(model.inner, "predict_proba"):
        label = question.pipeline.algorithm.label
        reasons.add(spoken(f"{label} gives scores and no probabilities, so there is nothing to calibrate"))
    for study in IDS:
        result, sentence = judged(study, model, question)
        if result is None:
            assert any(sentence.startswith(reason) for reason in reasons)
        else:
            assert case not in ALONE
            check_drawn(result)


@every_study
def test_held_out_samples_of_one_class_only(study):
    one = np.flatnonzero(Y == 1)
    result, sentence = answer_or_sentence(study, "logistic", (X, Y), test=Samples(X[one], Y[one], one))
    if study in ("roc", "precision-recall"):
        assert sentence == "The held-out samples are of one class, or of none that the method knows."
    else:
        check_drawn(result)


@every_study
def test_held_out_samples_of_a_class_that_the_method_does_not_know(study):
    samples, y = overlapping(60, (0, 1, 2))
    for classes in ((0, 1), (0, 2)):
        known = np.isin(y, classes)
        result, _ = answer_or_sentence(study, "qda", (samples[known], y[known]), test=Samples(samples, y))
        check_drawn(result)
        assert values(result)["judged on"] == "60 held-out samples"


@pytest.mark.usefixtures("qapp")
@every_study
def test_the_command_line_tells_it_as_json_and_as_a_table(study, capsys, tmp_path):
    file = tmp_path / "points.csv"
    lines = [f"{a},{b},{['no', 'yes'][code]}" for (a, b), code in zip(X.tolist(), Y.tolist(), strict=True)]
    file.write_text("\n".join(["a,b,answer", *lines]), encoding="utf-8")
    options = ["--algorithm", "logistic", "--study", study]
    assert main(["study", str(file), *options, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    told = told[0] if isinstance(told, list) else told
    result = asked(study, Pipeline(registry()["logistic"](), "standardize"), X, Y)
    for ours, theirs in zip(told["table"].values(), result.table().columns, strict=True):
        if study != "confusion-matrix" or not isinstance(theirs[0], str):
            assert np.allclose(np.array(ours, float), np.array(theirs, float), equal_nan=True, atol=1e-9)
    assert told["message"] is None and told["facts"]["judged on"] == "60 training samples"
    picture = tmp_path / "plot.png"
    assert main(["study", str(file), *options, "-o", str(picture)]) == 0 and picture.stat().st_size > 1000
