"""What is said of options without effect can be typed, and is said of every scene: of several canvases too."""

import argparse
import re

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.cli import main
from mlviz.cli.idle_options import idle
from mlviz.cli.scene_options import add_scene_options
from mlviz.data.dataset import Dataset
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.files import scene_file
from mlviz.scene.scene import Panel, Scene
from tests.sweep import share

PLACES = np.random.default_rng(5).normal(size=(15, 2))
THIRDS = np.arange(15) % 3


def scene_of(*methods, labels=THIRDS % 2, names=(), **masks):
    data = Dataset(PLACES, labels, ("in_put", "out_put"), class_names=names, **masks)
    return Scene(data, tuple(Panel(Pipeline(method)) for method in methods))


def said(scene, *words):
    parser = argparse.ArgumentParser()
    add_scene_options(parser)
    return list(idle(parser.parse_args(["x.mlviz", *words]), scene, target_chosen=False))


def without_effect():
    """Every hyperparameter beside a value of another one with which it does not count."""
    for name, cls in sorted(registry().items()):
        for p in cls.parameters():
            other = cls.parameter(p.when[0]) if p.when else None
            if other is not None and other.kind in ("choice", "flag"):
                others = set(other.options or (True, False)) - set(p.when[1])
                yield pytest.param(cls(**{other.name: min(others)}), p, id=f"{name}-{p.key}")


@pytest.mark.parametrize(("method", "parameter"), list(without_effect()))
def test_what_a_sentence_names_is_accepted_when_typed(method, parameter):
    value = getattr(method, parameter.name)
    typed = ",".join(map(str, value)) if isinstance(value, tuple) else value
    (sentence,) = said(scene_of(method), "--set", f"{parameter.name}={typed}")
    key, other, values = re.fullmatch(
        r"--set (\S+) has no effect: it counts only where (\S+) is (.+)", sentence
    ).groups()
    assert method.parameter(key) == parameter
    for word in values.split(" or "):
        wanted = method.replace(**{method.parameter(other).name: method.parameter(other).parse(word)})
        then = said(scene_of(wanted), "--set", f"{key}={typed}")
        assert not any(f" {other} is " in again for again in then)


def test_a_target_is_named_as_it_was_typed():
    (sentence,) = said(scene_of(registry()["kmeans"]()), "--target", "in_put")
    assert sentence == "--target in_put has no effect: k-means has no target"


@pytest.mark.parametrize(
    ("methods", "words", "wanted"),
    [
        (["svm", "logistic"], ["--target", "in_put"],
         "support vector machine and logistic regression predict classes"),
        (["svm", "kmeans"], ["--target", "in_put"], "support vector machine predicts classes, k-means has no target"),
        (["kmeans", "gmm"], ["--threshold", "1"], "k-means and {gmm} predict no classes here"),
        (["kmeans", "kmeans"], ["--balance", "balanced"], "k-means predicts no classes here"),
        (["linear-regression", "kernel-ridge", "pca"], ["--costs", "1,2"],
         "{linear-regression}, {kernel-ridge} and {pca} predict no classes here"),
        (["linear-regression"], ["--target", "class"], "{linear-regression} predicts numbers"),
    ],
)  # fmt: skip
def test_one_method_predicts_and_several_predict(methods, words, wanted):
    names = {name: cls.label for name, cls in registry().items()}
    (sentence,) = said(scene_of(*(registry()[name]() for name in methods)), *words)
    assert sentence.partition(" has no effect: ")[2] == wanted.format(**names)


LACKING = {
    "codes with gaps": {"labels": np.array([3, 7, 12])[THIRDS]},
    "a name without samples": {"names": ("a", "b", "c")},
    "a class that is held out": {"labels": THIRDS, "held_out": THIRDS == 1},
    "all three": {"labels": THIRDS},
}
OPTIONS = (
    "--multiclass one-vs-rest", "--class-weight 1,5", "--class-weight 4,1,2", "--set priors=1,9", "--set sigma=2",
    "--set degree=4", "--target in_put", "--threshold 0.5", "--costs 1,9",
)  # fmt: skip


def fitted(capsys, path, *words):
    """The exit code, the facts, and what is said beside them: complaints, and that a method decides by itself."""
    code = main(["fit", str(path), *words])
    out, err = capsys.readouterr()
    facts = [line for line in out.splitlines() if line.startswith(" ")]
    return code, facts, err + ("has no effect" if "decides by itself" in out else "")


@pytest.mark.parametrize("lacking", LACKING)
def test_the_same_facts_with_and_without_an_option_are_told(capsys, tmp_path, lacking):
    path = tmp_path / "a.mlviz"
    scene_file.save(scene_of(registry()["lda"](), registry()["svm"](), **LACKING[lacking]), path)
    _, usual, quiet = fitted(capsys, path)
    for option in share(OPTIONS, lacking, 2):
        code, found, complaint = fitted(capsys, path, *option.split())
        told = complaint.removeprefix(quiet)
        if code == 2:
            assert told and not found, option
        elif found == usual:
            assert "has no effect" in told, option
        elif option.split()[0] not in ("--threshold", "--costs"):  # which may leave one of the methods as it is
            assert "has no effect:" not in told, (option, told)


def test_a_hyperparameter_is_set_where_there_is_one(capsys, tmp_path):
    scene_file.save(scene_of(registry()["svm"](), registry()["lda"]()), tmp_path / "a.mlviz")
    assert main(["fit", str(tmp_path / "a.mlviz"), "--set", "sigma=2"]) == 0
    out, err = capsys.readouterr()
    assert "σ = 2" in out and not err
    assert main(["fit", str(tmp_path / "a.mlviz"), "--set", "bandwidth=2"]) == 2
    refused = capsys.readouterr().err
    assert all(key in refused for key in ("'bandwidth'", "sigma", "priors"))
