"""The Python lines that are copied are run, on the table as it is saved, and agree with the model on the screen."""

import dataclasses

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.data.dataset import Dataset
from mlviz.data.tables.reading import write_table
from mlviz.picture import sklearn_code
from mlviz.picture.sklearn_code import python_code
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.rating import rated
from mlviz.pipeline.weights import Weights
from mlviz.scene.scene import Panel, Scene, roles
from tests.sweep import sweep

CLASSIFIERS = [
    ("svm", {"C": 10.0, "sigma": 0.7}),
    ("svm", {"kernel": "linear"}),
    ("svm", {"kernel": "polynomial", "degree": 2, "coef0": 0.5}),
    ("svm", {"kernel": "laplacian", "sigma": 2.0}),
    ("svm", {"kernel": "exponential", "sigma": 2.0}),
    ("svm", {"kernel": "expression"}),
    ("svm", {"kernel": "expression", "expression": "0.5*(gaussian(2) + 1)^2*linear + exp(laplacian(2))"}),
    ("l1-svm", {}),
    ("l1-svm", {"lambda_": 0.03}),
    ("knn", {"n_neighbors": 4, "metric": "manhattan", "weights": "distance"}),
    ("knn", {"n_neighbors": 500}),
    *(("knn", {"weights": weights}) for weights in ("gaussian", "triangular")),
    *(("parzen", {"window": window}) for window in ("gaussian", "box", "triangular", "exponential")),
    ("nearest-centroid", {}),
    ("rls-classifier", {"lambda_": 0.2}),
    ("kernel-rls", {"lambda_": 0.003}),
    ("kernel-rls", {"kernel": "polynomial", "degree": 2, "coef0": 0.5}),
    ("kernel-rls", {"kernel": "expression"}),
    ("perceptron", {"order": "given order", "max_iter": 30}),
    ("smo", {"C": 10.0, "tol": 1e-5}),
    ("smo", {"kernel": "laplacian", "tol": 1e-5}),
    ("logistic", {"lambda_": 0.03}),
    ("logistic", {"lambda_": 0.03, "penalty": "L1"}),
    ("logistic", {"lambda_": 0.03, "solver": "gradient, line search", "max_iter": 2000}),
    ("kernel-logistic", {"lambda_": 0.003}),
    ("kernel-logistic", {"kernel": "laplacian"}),
    ("kernel-logistic", {"kernel": "polynomial", "degree": 2, "coef0": 0.5}),
    *((name, {"prior": prior}) for name in ("lda", "qda", "naive-bayes") for prior in ("from data", "equal")),
    ("lda", {"shrinkage": 0.3}),
    ("qda", {"reg_param": 0.2}),
    ("rbf-network", {"n_clusters": 6, "lambda_": 0.003}),
    ("rbf-network", {"centers": "all samples", "normalized": True, "sigma": 0.5}),
    ("random-features", {"n_components": 40}),
]
COSTS = Decision(rule="costs", cost_fp=1.0, cost_fn=3.0, reject=True, reject_cost=0.2)
GROUPINGS = [
    ("kmeans", {"n_clusters": 4}),
    *(("gmm", {"covariance_type": kind}) for kind in ("full", "diagonal", "spherical", "tied")),
]


@pytest.fixture(autouse=True)
def way(request, monkeypatch):
    """Few samples stand in the lines, more are read out of a table: every second test is of that."""
    if sum(map(ord, request.node.name)) % 2:
        monkeypatch.setattr(sklearn_code, "_WRITTEN_OUT", 0)


def dataset(n_classes, n=90, apart=2.5):
    rng = np.random.default_rng(n_classes)
    labels = np.arange(n) % (n_classes + 1) % n_classes  # the first one is larger
    X = rng.normal(size=(n, 2)) * (1.0, 0.6) + apart * np.column_stack((np.cos(2.2 * labels), np.sin(2.2 * labels)))
    names = ('the "first", in quotes', "zweite Ähre", "#3")[:n_classes]
    held_out, active = np.arange(n) % 10 == 3, np.arange(n) % 10 != 7
    return Dataset(X, labels, ("width, cm", "height"), "kind", names, held_out, active)


def run(tmp_path, monkeypatch, name, values, data, preprocessing="none", multiclass="auto", target=None, **deciding):
    """What the copied code leaves behind, the model on the screen, and the samples it was fitted on."""
    pipeline = Pipeline(registry()[name](**values), preprocessing=preprocessing, multiclass=multiclass, **deciding)
    scene = Scene(data, (Panel(pipeline, target=target),))
    role = roles(scene, scene.panels[0])
    rows = data.active & ~data.held_out
    X = data.X[rows][:, [data.column(c) for c in role.inputs]]
    y = {"classification": data.labels, "regression": data.X[:, 1]}.get(role.task)
    model = pipeline.fit(X, None if y is None else y[rows])
    write_table(data, tmp_path / "points.csv")
    monkeypatch.chdir(tmp_path)
    left = {}
    exec(python_code(scene, 0, model), left)
    np.testing.assert_array_equal(left["X"], X)
    return left, model, X


def assert_printed(capsys, data, model, what, within):
    """Training and test error are printed, and are those of the model on the screen."""
    printed = dict(line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    X, targets = data.X[data.test][:, : model.training.X.shape[1]], data.labels if what == "error" else data.X[:, 1]
    assert float(printed.pop(f"training {what}")) == pytest.approx(model.rating.named[1], abs=within)
    one = 1.001 / len(X) if what == "error" else 0.0  # which may lie on the boundary
    tested = pytest.approx(rated(model, X, targets[data.test]).error, abs=max(within, one))
    assert float(printed.pop(f"test {what}")) == tested and not printed


ASKED = [(2, "auto", "none"), (2, "auto", "standardize"), (3, "auto", "none"), (3, "one-vs-rest", "standardize")]


@sweep("case, asked", CLASSIFIERS, ASKED)
def test_classes(tmp_path, monkeypatch, capsys, case, asked):
    (name, values), (n_classes, multiclass, preprocessing) = case, asked
    data = dataset(n_classes)
    left, model, X = run(tmp_path, monkeypatch, name, values, data, preprocessing, multiclass)
    ours = np.array(data.names())[model.predict(X)]
    # Ties and samples on the boundary may fall to either side.
    assert np.mean(left["model"].predict(X) == ours) > 0.98
    assert_printed(capsys, data, model, "error", 0.02)


@pytest.mark.parametrize("preprocessing", ["whiten", "principal-components"])
@pytest.mark.parametrize("name", ["svm", "logistic", "knn", "lda"])
def test_classes_of_turned_inputs(tmp_path, monkeypatch, capsys, name, preprocessing):
    data = dataset(3)
    left, model, X = run(tmp_path, monkeypatch, name, {}, data, preprocessing)
    assert np.mean(left["model"].predict(X) == np.array(data.names())[model.predict(X)]) > 0.98
    assert "PCA(" in python_code(Scene(data, (Panel(Pipeline(registry()[name](), preprocessing)),)), 0, model)


@pytest.mark.parametrize("switches", [{}, {"sin_x2": True, "x1_squared": False, "features_standardized": True}])
@pytest.mark.parametrize("name", ["svm", "logistic", "lda"])
def test_classes_told_apart_by_features(tmp_path, monkeypatch, name, switches):
    data = dataset(3)
    left, model, X = run(tmp_path, monkeypatch, name, {}, data, "features", **switches)
    assert np.mean(left["model"].predict(X) == np.array(data.names())[model.predict(X)]) > 0.98
    # Each line stands for the same columns.
    np.testing.assert_allclose(left["model"][:-1].transform(X), model.training.inputs, rtol=1e-9)


@pytest.mark.parametrize("standardized", [False, True])
def test_values_of_one_input_that_has_no_features(tmp_path, monkeypatch, standardized):
    name, data = "kernel-ridge", dataset(2)
    left, model, X = run(
        tmp_path, monkeypatch, name, {}, data, "features", target="height", features_standardized=standardized
    )
    np.testing.assert_allclose(left["model"].predict(X), model.predict(X), rtol=1e-4, atol=1e-4)


def test_several_classes_at_once_by_a_street_for_each_pair(tmp_path, monkeypatch):
    values = {"kernel": "linear"}
    left, model, X = run(tmp_path, monkeypatch, "svm", values, dataset(3), "standardize", "direct")
    assert np.mean(left["model"].predict(X) == np.array(dataset(3).names())[model.predict(X)]) > 0.98


@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
@pytest.mark.parametrize(
    ("name", "deciding"),
    [
        ("svm", {"weights": Weights(balance="balanced")}),
        ("svm", {"decision": Decision(rule="threshold", threshold=0.4)}),
        ("logistic", {"weights": Weights(balance="by hand", class_weight=(1.0, 6.0))}),
        ("logistic", {"decision": Decision(rule="threshold", threshold=-1.0)}),
        ("logistic", {"decision": Decision(rule="threshold", threshold=-800.0)}),
        ("qda", {"decision": Decision(rule="threshold", threshold=50.0)}),
        ("logistic", {"decision": COSTS}),
        ("knn", {"decision": COSTS}),
    ],
)
def test_weights_and_decisions(tmp_path, monkeypatch, capsys, name, deciding, preprocessing):
    left, model, X = run(tmp_path, monkeypatch, name, {}, dataset(2, apart=1.0), preprocessing, **deciding)
    plain = Pipeline(registry()[name](), preprocessing).fit(X, np.array(left["y"] == left["model"].classes_[1], int))
    assert (plain.predict(X) != model.predict(X)).any()
    assert_printed(capsys, dataset(2, apart=1.0), model, "error", 0.02)
    if "rejected" in left:
        assert np.mean(left["rejected"] == (model.predict(X) == -1)) > 0.98


@pytest.mark.parametrize("names", [("9", "10"), ("yes", "no"), ("1", "2")])
def test_a_decision_is_for_the_second_class_however_the_names_sort(tmp_path, monkeypatch, names):
    data = dataclasses.replace(dataset(2, apart=1.0), class_names=names)
    costs = Decision(rule="costs", cost_fn=9.0)
    for name in ("logistic", "knn"):
        left, model, X = run(tmp_path, monkeypatch, name, {}, data, decision=costs)
        decided = left["decided"] if names == ("1", "2") else np.array(names)[left["decided"]]
        assert np.mean(decided == np.array(names)[model.predict(X)]) > 0.98


def test_weights_that_scikit_learn_does_not_take():
    data = dataset(2)
    for name, kind in (("svm", "subsample"), ("knn", "balanced")):
        pipeline = Pipeline(registry()[name](), weights=Weights(balance=kind))
        assert python_code(Scene(data, (Panel(pipeline),)), 0, pipeline.fit(data.X, data.labels)) == ""


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("svm-sgd", {"lambda_": 0.1, "max_iter": 200}),
        ("kernel-perceptron", {"order": "given order", "max_iter": 10}),
        ("kernel-perceptron", {"order": "given order", "max_iter": 10, "kernel": "exponential"}),
    ],
)
@pytest.mark.parametrize(("n_classes", "preprocessing"), [(2, "none"), (3, "standardize")])
def test_classes_one_by_one(tmp_path, monkeypatch, name, values, n_classes, preprocessing):
    left, model, X = run(tmp_path, monkeypatch, name, values, dataset(n_classes), preprocessing, "one-vs-rest")
    ours = np.array(dataset(n_classes).names())[model.predict(X)]
    assert np.mean(left["model"].predict(X) == ours) > 0.95


@pytest.mark.parametrize(("name", "values"), GROUPINGS)
@pytest.mark.parametrize("preprocessing", ["none", "standardize"])
def test_groups(tmp_path, monkeypatch, name, values, preprocessing):
    left, model, X = run(tmp_path, monkeypatch, name, values, dataset(3), preprocessing)
    estimator = left["model"] if preprocessing == "none" else left["model"][-1]
    np.testing.assert_array_equal(left["model"].predict(X), model.predict(X))
    if name == "kmeans":
        assert estimator.inertia_ == pytest.approx(model.facts()["inertia"])
    else:
        assert estimator.lower_bound_ == pytest.approx(model.facts()["log-likelihood per sample"], abs=1e-6)


def test_components(tmp_path, monkeypatch):
    left, model, _ = run(tmp_path, monkeypatch, "pca", {}, dataset(3), "standardize")
    np.testing.assert_allclose(left["model"][-1].explained_variance_, model.inner.explained_variance)


def test_a_step_on_the_way_is_where_scikit_learn_starts(tmp_path, monkeypatch):
    data = Dataset(dataset(3).X, np.zeros(90, dtype=int))
    pipeline = Pipeline(registry()["kmeans"]())
    scene = Scene(data, (Panel(pipeline),))
    *_, last = steps = list(pipeline.steps(data.X))
    assert "random_state=0" in python_code(scene, 0, steps[0])
    write_table(data, tmp_path / "points.csv")
    monkeypatch.chdir(tmp_path)
    left = {}
    exec(python_code(scene, 0, steps[-3]), left)
    assert left["model"].inertia_ == pytest.approx(last.facts()["inertia"])


def test_up_to_two_hundred_samples_need_no_file():
    for n, table in ((200, False), (201, True)):
        data = Dataset(np.random.default_rng(0).normal(size=(n, 2)), np.arange(n) % 2)
        pipeline = Pipeline(registry()["lda"]())
        code = python_code(Scene(data, (Panel(pipeline),)), 0, pipeline.fit(data.X, data.labels))
        assert ("points.csv" in code) == (table or sklearn_code._WRITTEN_OUT == 0)


def test_names_cannot_leave_their_comments(tmp_path, monkeypatch):
    data = dataset(2)
    evil = Dataset(data.X, data.labels, ("a\nimport os", "b\r\nprint(1)"), "c\u2028x")
    model = Pipeline(registry()["knn"]()).fit(evil.X, evil.labels)
    lines = python_code(Scene(evil, (Panel(Pipeline(registry()["knn"]())),)), 0, model).splitlines()
    assert not any(line.startswith(("import os", "print(1)", "x")) for line in lines)


@pytest.mark.parametrize("name", registry())
def test_every_method_has_lines(name):
    data = dataset(2)
    pipeline = Pipeline(registry()[name]())
    scene = Scene(data, (Panel(pipeline),))
    model = pipeline.fit(data.X, data.labels if scene.panels[0].target is None else None)
    code = python_code(scene, 0, model)
    compile(code, "code", "exec")
    assert "sklearn" in code or registry()[name]().code(model.inner) is None


@pytest.mark.parametrize(("n_classes", "multiclass"), [(2, "auto"), (3, "one-vs-rest"), (3, "one-vs-one")])
@pytest.mark.parametrize("name", ["logistic", "svm"])
def test_that_each_pair_counts_its_own_samples_is_said_where_it_matters(name, n_classes, multiclass):
    data = dataset(n_classes)
    pipeline = Pipeline(registry()[name](), multiclass=multiclass)
    scene = Scene(data, (Panel(pipeline),))
    said = "each pair of classes" in python_code(scene, 0, pipeline.fit(data.X, data.labels))
    assert said == (name == "logistic" and multiclass == "one-vs-one")
