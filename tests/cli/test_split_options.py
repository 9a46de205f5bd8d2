"""Samples are held out on the command line as in the window, and the test error is told everywhere."""

import json

import numpy as np
import pytest

from mlviz.cli import main
from mlviz.data.dataset import Dataset
from mlviz.data.generators.catalog import Moons
from mlviz.scene.defaults import default_scene
from mlviz.scene.edits import with_drawn, with_method
from mlviz.scene.files import scene_file
from mlviz.scene.splits import edits as splits
from mlviz.scene.trace import fit_of

MOONS = with_method(with_drawn(default_scene(), Moons().generate(0)), 0, "lda")
CALL = ("--generator", "moons", "--algorithm", "lda")


def fitted(capsys, *words):
    code = main(["fit", *words])
    return code, *capsys.readouterr()


def error_of(scene):
    fit = fit_of(scene, 0)
    model = fit.pipeline.fit(fit.X, fit.y)
    return float(np.mean(model.predict(fit.test.X) != fit.test.y))


@pytest.mark.parametrize(
    ("words", "split"),
    [
        ("--hold-out 0.3", lambda scene: splits.split(scene, 0.3)),
        ("--hold-out 0.3 --split-seed 4 --stratified", lambda scene: splits.split(scene, 0.3, 4, True)),
        ("--second-sample --split-seed 2", lambda scene: splits.with_second_sample(scene, scene.dataset.source, 2)),
    ],
)
def test_the_options_hold_out_what_the_window_would(capsys, words, split):
    code, said, complaint = fitted(capsys, *CALL, *words.split(), "--json")
    scene = split(MOONS)
    assert code == 0 and not complaint
    (report,) = json.loads(said)
    assert report["facts"]["test error"] == pytest.approx(error_of(scene))
    _, said, _ = fitted(capsys, *CALL, *words.split())
    caption, _, second = said.splitlines()[:3]
    assert f"n = {int(scene.dataset.training.sum())};" in caption and ", test error " in caption
    assert second.split()[:2] == ["test", "error"]


def test_a_split_in_a_scene_file_is_told_and_can_be_taken_back(capsys, tmp_path):
    scene = splits.split(MOONS, 0.4)
    scene_file.save(scene, tmp_path / "a.mlviz")
    _, said, _ = fitted(capsys, str(tmp_path / "a.mlviz"), "--json")
    assert json.loads(said)[0]["facts"]["test error"] == pytest.approx(error_of(scene))
    code, said, complaint = fitted(capsys, str(tmp_path / "a.mlviz"), "--hold-out", "0", "--json")
    assert code == 0 and not complaint and "test error" not in json.loads(said)[0]["facts"]


def test_a_column_of_a_table_tells_training_from_test(capsys, tmp_path):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 2)).round(3)
    rows = (f"{x},{y},{k % 4 // 3},{'ab'[int(x + y > 0)]}" for k, (x, y) in enumerate(X.tolist()))
    (tmp_path / "a.csv").write_text("\n".join(("x,y,test,kind", *rows)) + "\n")
    call = (str(tmp_path / "a.csv"), "--columns", "x,y", "--target", "kind", "--algorithm", "lda")
    code, said, _ = fitted(capsys, *call, "--hold-out-by", "test=1")
    assert code == 0 and "n = 30;" in said and "test error" in said
    code, _, complaint = fitted(capsys, *call, "--hold-out-by", "test=2")
    assert code == 2 and "test has the values 0, 1" in complaint
    code, _, complaint = fitted(capsys, *call, "--hold-out-by", "x=2")
    assert code == 2 and "columns of few values are test, kind" in complaint


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--hold-out 0", "--hold-out has no effect"),
        ("--hold-out 1.2", "--hold-out 1.2: it is a number from 0 to 1"),
        ("--stratified", "--stratified goes with --hold-out"),
        ("--split-seed 3", "--split-seed goes with --hold-out or --second-sample"),
        ("--hold-out 0.2 --second-sample", "--hold-out and --second-sample say different things"),
        ("--hold-out 0.2 --split-seed 2.5", "--split-seed 2.5: it is a whole number"),
    ],
)
def test_what_makes_no_sense_is_said(capsys, words, told):
    _, _, complaint = fitted(capsys, *CALL, *words.split())
    assert told in complaint


def test_without_a_generator_there_is_no_second_sample(capsys, tmp_path):
    rows = np.arange(12.0).reshape(6, 2)
    scene_file.save(MOONS.replace(dataset=Dataset(rows, np.arange(6) % 2)), tmp_path / "a.mlviz")
    code, _, complaint = fitted(capsys, str(tmp_path / "a.mlviz"), "--second-sample")
    assert code == 2 and "--second-sample needs samples of a generator" in complaint


@pytest.mark.parametrize("seed", range(4))
def test_equal_shares_are_told_where_they_are_so_anyway(capsys, seed):
    words = ("--hold-out", "0.04", "--split-seed", str(seed))
    plain, stratified = (splits.split(MOONS, 0.04, seed, equal).dataset.held_out for equal in (False, True))
    _, _, complaint = fitted(capsys, *CALL, *words, "--stratified")
    assert ("--stratified has no effect" in complaint) == (plain == stratified).all()
