import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.cli import _COMMANDS, main
from mlviz.data.generators.catalog import generators
from tests.cli.tables import COLUMNS, IRIS, PENGUINS, without_display
from tests.sweep import sweep

# A painting application made without windows would be in the way of the tests that open one.
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]


def test_list_names_every_method_and_hyperparameter(capsys):
    assert main(["list"]) == 0
    text = capsys.readouterr().out
    for key, cls in registry().items():
        assert re.search(rf"^{key}  ", text, re.MULTILINE)
        for parameter in cls.parameters():
            assert f"    {parameter.key} = " in text
    assert "lambda = " in text and "lambda_" not in text


def test_list_as_json(capsys):
    assert main(["list", "--json"]) == 0
    methods = json.loads(capsys.readouterr().out)
    assert methods["svm"]["hyperparameters"]["C"]["default"] == 1.0


def test_fit_gives_the_numbers_of_the_python_interface(capsys):
    arguments = ["fit", PENGUINS, *COLUMNS, "--algorithm", "kmeans", "--set", "n_clusters=3", "--seed", "5", "--json"]
    assert main(arguments) == 0
    first = json.loads(capsys.readouterr().out)
    assert first[0]["algorithm"] == "kmeans"
    assert first[0]["hyperparameters"]["n_clusters"] == 3
    assert first[0]["preprocessing"] == "standardize"
    assert first[0]["facts"]["inertia"] > 0
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out) == first


def test_fit_agrees_with_scikit_learn_on_a_table(capsys):
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    from mlviz.scene.files.opening import load

    assert main(["fit", PENGUINS, *COLUMNS, "--algorithm", "svm", "--set", "C=10", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)[0]["facts"]
    scene = load(Path(PENGUINS), ("bill_length", "bill_depth"), "species").scene
    X, y = StandardScaler().fit_transform(scene.dataset.X[:, list(scene.axis_columns)]), scene.dataset.labels
    oracle = SVC(C=10, gamma=0.5, tol=1e-8).fit(X, y)
    assert facts["training error"] == pytest.approx(1 - oracle.score(X, y), abs=1e-9)


def test_features_are_named_by_an_option(capsys):
    call = ["fit", "--generator", "circles", "--algorithm", "logistic", "--json"]
    assert main([*call, "--features", "x1_squared, x2_squared"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert told["preprocessing"] == "features" and told["facts"]["training error"] == 0
    assert {name for name in told["facts"] if name.startswith("weight of")} == {
        f"weight of {name}" for name in ("x1", "x2", "x1²", "x2²")
    }


def test_a_generator_in_place_of_a_file_and_a_step_of_the_fit(capsys):
    call = ["fit", "--generator", "moons", "--seed", "3", "--algorithm", "perceptron", "--json"]
    assert main([*call, "--step", "5"]) == 0 and main(call) == 0
    early, last = (report[0] for report in _documents(capsys.readouterr().out))
    data = generators()["moons"]().generate(3)
    models = list(registry()["perceptron"]().steps(data.X, data.labels, np.random.default_rng(3)))
    assert early["steps"] == last["steps"] == len(models)
    assert early["facts"]["|w|"] == pytest.approx(models[5].facts()["|w|"])
    assert last["facts"]["|w|"] == pytest.approx(models[-1].facts()["|w|"])
    assert early["preprocessing"] == "none"
    assert main(["fit", "--generator", "sine"]) == 0
    assert capsys.readouterr().out.startswith("linear regression")


def _documents(text):
    decoder, documents = json.JSONDecoder(), []
    while text.strip():
        document, end = decoder.raw_decode(text.lstrip())
        documents.append(document)
        text = text.lstrip()[end:]
    return documents


def test_fit_as_text_starts_with_the_caption(capsys):
    assert main(["fit", PENGUINS, *COLUMNS, "--algorithm", "knn"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("k nearest neighbours")
    assert any(line.strip().startswith("training error") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["render", "nowhere.csv", "-o", "x.png"], 1, "nowhere.csv: No such file"),
        (["render", PENGUINS, "-o", "x.bmp"], 2, "ends in .png, .svg or .pdf"),
        (["render", IRIS, "-o", "/nowhere/x.png"], 1, "/nowhere/x.png: there is no folder /nowhere"),
        (["fit", PENGUINS, "--algorithm", "magic"], 2, "no method 'magic'"),
        (["fit", PENGUINS, "--set", "C"], 2, "NAME=VALUE"),
        (["fit", PENGUINS, "--set", "C=-1"], 2, "C is a number from"),
        (["fit", PENGUINS, "--set", "D=1"], 2, "no parameter 'D'"),
        (["fit", PENGUINS, "--columns", "bill_length,nothing"], 1, "nothing"),
        (["fit", PENGUINS, "--target", "nothing"], 1, "nothing"),
        (["fit", PENGUINS, "--preprocessing", "magic"], 2, "preprocessing is one of"),
        (["fit", PENGUINS, "--features", "x1_squared,x3"], 2, "there is no such feature"),
        (["fit", PENGUINS, "--features", "sin_x1", "--preprocessing", "whiten"], 2, "say different things"),
        (["fit", os.devnull], 1, os.devnull),
    ],
)
def test_a_wrong_call_gets_one_sentence(capsys, arguments, code, words):
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("mlviz: ") and captured.err.count("\n") == 1
    assert words in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["render", PENGUINS],
        ["render", PENGUINS, "-o", "x.png", "--size", "10"],
        ["render", PENGUINS, "-o", "x.png", "--size", "8.5x6"],
        ["render", PENGUINS, "-o", "x.png", "--size", "8cmx600"],
        ["render", PENGUINS, "-o", "x.png", "--size", "1cmx6cm"],
        ["fit"],
        ["fit", PENGUINS, "--generator", "moons"],
        ["fit", "--generator", "nothing"],
        ["fit", "--generator", "moons", "--step", "-1"],
        ["fit", PENGUINS, "--seed", "-1"],
        ["fit", PENGUINS, "--columns", "bill_length,bill_length"],
        ["fitt", PENGUINS],
        ["list", "knn"],
        ["fit", "--generator", "moons", "--colour", "red"],
    ],
)
def test_usage_errors_exit_with_2(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    command = f"mlviz {arguments[0]}" if arguments[0] in _COMMANDS else "mlviz"
    assert line.startswith(f"{command}: ") and line.endswith(f"; see {command} --help")


def test_data_that_cannot_be_fitted_exit_with_1(tmp_path, capsys):
    table = tmp_path / "one.csv"
    table.write_text("a,b,c\n1,2,x\n3,4,x\n")
    assert main(["fit", str(table), "--algorithm", "svm"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_skipped_rows_are_said(tmp_path, capsys):
    table = tmp_path / "gaps.csv"
    table.write_text("a;b;kind\n1,5;2;x\n;4;x\n3,5;1;y\n4;0,5;y\n")
    assert main(["fit", str(table), "--algorithm", "knn", "--json"]) == 0
    captured = capsys.readouterr()
    assert "1 row skipped without a number in a, in line 3" in captured.err
    assert json.loads(captured.out)[0]["hyperparameters"]["n_neighbors"] == 5


@pytest.mark.parametrize(("algorithm", "fact"), [("svm", "training error"), ("linear-regression", "training RMSE")])
def test_a_target_of_numbers_is_what_the_method_takes_it_for(tmp_path, capsys, algorithm, fact):
    table = tmp_path / "numbers.csv"
    table.write_text("a,b,t\n" + "".join(f"{i},{i * i % 7},{int(i > 4)}\n" for i in range(10)))
    call = ["fit", str(table), "--columns", "a,b", "--target", "t", "--algorithm", algorithm, "--json"]
    assert main(call) == 0
    assert fact in json.loads(capsys.readouterr().out)[0]["facts"]


def test_a_column_of_numbers_to_predict_is_predicted_by_a_regression(tmp_path, capsys):
    table = tmp_path / "numbers.csv"
    table.write_text("a,b,t\n" + "".join(f"{i},{i * i % 7},{0.5 * i}\n" for i in range(10)))
    assert main(["fit", str(table), "--columns", "a,b", "--target", "t", "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["algorithm"] == "linear-regression" and report["facts"]["training RMSE"] == pytest.approx(0, abs=1e-9)


def test_a_column_called_y_is_an_axis_where_it_is_needed_for_one(tmp_path, capsys):
    table = tmp_path / "xy.csv"
    table.write_text("x,y\n1,2\n3,4\n5,7\n")
    assert main(["fit", str(table), "--algorithm", "linear-regression", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["facts"]["training RMSE"] > 0


def test_a_scene_written_by_hand(tmp_path, capsys):
    scene = tmp_path / "scene.json"
    panel = '{"algorithm": "knn", "hyperparameters": {"n_neighbors": 1}}'
    points = '"points": [[0, 0], [1, 1], [2, 0]], "labels": [0, 1, 0]'
    scene.write_text(f'{{"format": 1, {points}, "panels": [{panel}]}}')
    assert main(["fit", str(scene), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["facts"]["training error"] == 0


def test_a_broken_scene_gets_one_sentence(tmp_path, capsys):
    scene = tmp_path / "scene.json"
    scene.write_text('{"format": 1, "points": [[0, NaN]]}')
    assert main(["fit", str(scene)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_reader_that_leaves_early_is_no_error():
    run = subprocess.run(f"'{sys.executable}' -m mlviz list | head -n 1", shell=True, capture_output=True, text=True)
    assert run.returncode == 0 and run.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_the_output_is_not_the_fault_of_the_input():
    run = subprocess.run(
        f"'{sys.executable}' -m mlviz fit '{IRIS}' > /dev/full", shell=True, capture_output=True, text=True
    )
    assert run.returncode == 1 and run.stderr == "mlviz: standard output: No space left on device\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_not_waited_for(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.csv")
    assert main(["fit", str(tmp_path / "pipe.csv")]) == 1
    assert capsys.readouterr().err == f"mlviz: {tmp_path / 'pipe.csv'}: Not a regular file\n"


ENDS = [
    ("5e-324,1,a 1e-323,2,b 0,3,a", ""),
    ("1e-310,1e-320,a 2e-310,3e-320,b 3e-310,9e-322,a 4e-310,0,b", ""),
    ("1e99,1,a -1e99,2,b 5e98,-1e98,a", ""),
    ("1.7e308,1,a -1.7e308,2,b 1e308,-1e308,a", "inputs"),
    ("1,1.7e308,a 2,-1.7e308,b 3,1,a", "target"),
]


@sweep("method, ends, preprocessing", registry().values(), ENDS, ["none", "standardize"])
def test_the_ends_of_floating_point_give_a_picture_or_a_sentence(tmp_path, capsys, method, ends, preprocessing):
    table, figure, (rows, beyond) = tmp_path / "ends.csv", tmp_path / "figure.png", ends
    table.write_text("x,y,class\n" + "\n".join(rows.split()) + "\n")
    call = ["render", str(table), "--algorithm", method.id, "--preprocessing", preprocessing, "--sides"]
    code = main([*call, "-o", str(figure), "--size", "200x150"])
    said = capsys.readouterr().err
    told = [line for line in said.splitlines() if not line.endswith("--sides has no effect: there are no side plots")]
    assert figure.exists() and len(told) == code, said
    assert "unexpectedly" not in said
    if beyond == "inputs" or (beyond and method.tasks[0] == "regression"):
        assert code == 1 and re.search(r"Some values of the (inputs|target) are beyond 1e\+100", said)


def test_no_display_is_said():
    run = subprocess.run([sys.executable, "-m", "mlviz"], env=without_display(), capture_output=True, text=True)
    if sys.platform.startswith("linux"):
        assert run.returncode == 1
        assert (
            run.stderr
            == "mlviz: there is no display for the window; `mlviz render FILE -o FIGURE.png` draws without one\n"
        )


def test_weights_and_decisions_are_set_by_options(tmp_path, capsys):
    table = tmp_path / "table.csv"
    rows = [f"{x},{y},{'ab'[x > 6]}" for x in range(10) for y in range(4)]
    table.write_text("\n".join(["x,y,kind", *rows, "3,3,b", "8,0,a"]), encoding="utf-8")

    def fitted(*options, method="logistic"):
        code = main(["fit", str(table), "--algorithm", method, "--json", *options])
        out, err = capsys.readouterr()
        return code, err, json.loads(out)[0] if out else None

    code, _, report = fitted("--costs", "1,5", "--reject-cost", "0.3")
    assert code == 0 and report["facts"]["Bayes threshold"] == pytest.approx(1 / 6)
    assert report["decision"]["reject"] and "share rejected" in report["facts"]
    assert report["facts"]["positive class"] == "b"
    _, _, report = fitted("--threshold", "-0.5", "--class-weight", "1,2")
    assert report["facts"]["threshold"] == -0.5 and report["weights"] == {"balance": "by hand", "class_weight": [1, 2]}
    _, _, report = fitted("--balance", "subsample", method="svm")
    assert report["weights"]["balance"] == "subsample" and "false positive rate" in report["facts"]
    for options, word in (
        (("--costs", "1"), "two numbers"),
        (("--costs", "1,x"), "cost_fn"),
        (("--balance", "some"), "balance"),
        (("--costs", "1,2", "--balance", "balanced"), "count the same costs twice"),
        (("--reject-cost", "0.1"), "goes with --costs"),
        (("--threshold", "3", "--costs", "1,1"), "different things"),
        (("--class-weight", "1,2", "--balance", "balanced"), "different things"),
    ):
        code, err, _ = fitted(*options)
        assert code == 2 and word in err and err.count("\n") == 1
