"""An option that changes nothing is told, whatever it is: nobody takes it for one that did."""

import argparse
import json

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.cli import main
from mlviz.cli.scene_options import add_scene_options
from mlviz.cli.table_options import TABLE_OPTIONS
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.scene.files import scene_file
from mlviz.spec import Declared
from mlviz.spec.sentences import sentence
from tests.cli.tables import IRIS
from tests.sweep import share

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("qapp")]

GIVEN = {
    "--target": ("x1", "class"),
    "--set": ("sigma=0.5", "degree=2", "max_iter=7", "learning_rate=0.01", "priors=1,9", "expression=linear(2)"),
    "--preprocessing": ("standardize",),
    "--features": ("x1_squared",),
    "--multiclass": ("one-vs-one", "one-vs-rest"),
    "--balance": ("upsample",),
    "--class-weight": ("1,40", "1,2,3"),
    "--threshold": ("1.5",),
    "--costs": ("1,9",),
    "--level": ("0.8",),
    "--value-costs": ("2,1",),
    "--step": ("3", "100000"),
    "--hold-out": ("0.25", "0"),
    "--second-sample": (),
    "--hold-out-by": ("class=class 1", "species=setosa", "class=none"),
}
"""Values of options that most methods tell apart."""
AS_IT_IS = {
    ("--generator", "--target", "class"),
    (IRIS, "--preprocessing", "standardize"),
    (IRIS, "--multiclass", "one-vs-one"),
}
"""What says in so many words what is done without."""
TOLD = ("has no effect", "adds nothing", "there is no step")
LOOKED_AT = {"--columns", "--seed", "--algorithm", "--generator", "--break", "--reject-cost"}
LOOKED_AT |= {"--split-seed", "--stratified", "--reveal"}
"""Those that change the samples, what of them is seen, or nothing without another option, or a scene that hides."""


def options():
    parser = argparse.ArgumentParser()
    add_scene_options(parser)
    known = {action.option_strings[0] for action in parser._actions if action.option_strings}
    return known - {"-h"} - {f"--{name}" for name, _ in TABLE_OPTIONS.values()}


def said(capsys, *call):
    """The exit code, and what is printed: results and complaints."""
    try:
        code = main(["fit", *call])
    except SystemExit as error:
        code = error.code
    return code, *capsys.readouterr()


def test_every_option_is_tried():
    assert options() == set(GIVEN) | LOOKED_AT


MOONS = ("--generator", "moons")
CALLS = [
    *((MOONS, method) for method in ("svm", "knn", "lda", "kmeans", "kernel-ridge")),
    ((IRIS,), "svm"),
    ((IRIS,), "kmeans"),
]


@pytest.mark.parametrize(("source", "method"), CALLS)
def test_an_option_without_effect_is_told(capsys, method, source):
    call = (*source, "--algorithm", method)
    _, usual, quiet = said(capsys, *call)
    given = [(option, value) for option, values in GIVEN.items() for value in values or (None,)]
    for option, value in share(given, (source, method)):
        code, found, complaint = said(capsys, *call, option, *([] if value is None else [value]))
        told = complaint.removeprefix(quiet)
        if code == 2:
            assert told and not found
        elif found == usual:
            known = (source[0], option, value) in AS_IT_IS
            assert known or any(words in told for words in TOLD), (call, option, value)
        else:
            assert "has no effect" not in told, (call, option, value)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "C=1", "--set", "C=2"], "--set C is given twice"),
        (["--features", "x1_squared, x1_squared"], "one feature is named twice"),
    ],
)
def test_what_is_said_twice_is_refused(capsys, arguments, words):
    code, found, complaint = said(capsys, "--generator", "moons", "--algorithm", "svm", *arguments)
    assert code == 2 and words in complaint and not found


def test_a_class_has_one_colour(capsys, tmp_path):
    call = ["render", "--generator", "moons", "-o", str(tmp_path / "a.png")]
    assert main([*call, "--class-colour", "class 1=green", "--class-colour", "class 1=purple"]) == 2
    assert "--class-colour class 1 is given twice" in capsys.readouterr().err and not any(tmp_path.iterdir())


def test_a_figure_without_pixels_or_side_plots_says_so(capsys, tmp_path):
    for algorithm, output, told in (("svm", "a.pdf", "--dpi"), ("knn", "a.png", "")):
        call = ["render", "--generator", "moons", "--algorithm", algorithm, "-o", str(tmp_path / output)]
        assert main([*call, "--dpi", "150"]) == 0
        assert (f"{told} has no effect" in capsys.readouterr().err) == bool(told)


def per_class():
    """Every owner of values per class, with a wish that makes them matter."""
    for cls in (Weights, *registry().values()):
        for p in cls.parameters():
            if p.kind == "per class":
                yield pytest.param(cls, p, {p.when[0]: p.when[1][0]} if p.when else {}, id=f"{cls.__name__}-{p.key}")


@pytest.mark.parametrize(("cls", "parameter", "base"), list(per_class()))
class TestMoreValuesThanClasses:
    def owner(self, cls, parameter, base, count) -> Declared:
        return cls(**base, **{parameter.name: (2.0, 1.0, 3.0, 5.0)[:count]})

    def pipeline(self, owner):
        return Pipeline(registry()["lda"](), weights=owner) if isinstance(owner, Weights) else Pipeline(owner)

    @pytest.mark.parametrize("labels", [(0, 1), (3, 7), ("a", "b"), (0, 1, 2)])
    def test_in_python_they_are_refused(self, cls, parameter, base, labels):
        data = generators()["moons"]().generate(0)
        y = np.array(labels)[np.arange(len(data)) % len(labels)]
        fitting = self.owner(cls, parameter, base, len(labels))
        self.pipeline(fitting).fit(data.X, y)
        longer = self.owner(cls, parameter, base, len(labels) + 1)
        words = sentence(f"{parameter.key} has numbers for {len(labels) + 1} classes, and there are {len(labels)}")
        with pytest.raises(CannotFit, match=words):
            self.pipeline(longer).fit(data.X, y)
        if not isinstance(longer, Weights):
            with pytest.raises(CannotFit, match=words):
                longer.fit(data.X, y)

    def test_a_class_without_weight_keeps_its_place(self, cls, parameter, base):
        data = generators()["moons"]().generate(0)
        y, kept = np.arange(len(data)) % 3, np.arange(len(data)) % 3 != 1
        whole = self.pipeline(self.owner(cls, parameter, base, 3))
        values = dict(zip((0, 2), (2.0, 3.0), strict=True))
        two = self.pipeline(cls(**base, **{parameter.name: tuple(values.values())}))
        given = whole.fit(data.X, y, sample_weight=kept.astype(float))
        np.testing.assert_array_equal(given.predict(data.X), two.fit(data.X[kept], y[kept]).predict(data.X))

    def test_in_a_scene_they_are_told(self, cls, parameter, base, tmp_path, capsys):
        owner = self.owner(cls, parameter, base, 4)
        panel = {"algorithm": "lda", "weights": owner.to_json()}
        if not isinstance(owner, Weights):
            panel = {"algorithm": owner.id, "hyperparameters": owner.to_json()}
        path = tmp_path / "scene.mlviz"
        scene = scene_file.to_json(scene_file.from_json({"format": 1, "source": {"generator": "moons"}}))
        path.write_text(json.dumps({**scene, "panels": [panel]}))
        _, notes = scene_file.load_with_notes(path)
        sentence = f"panels[0]: {parameter.key} has numbers for 4 classes, and there are 2: the rest has no effect."
        assert notes == (sentence,)
        code, found, complaint = said(capsys, str(path))
        assert code == 0 and found and sentence in complaint

    def test_on_the_command_line_they_are_refused(self, cls, parameter, base, capsys):
        call = ["--generator", "moons", "--algorithm", "lda" if cls is Weights else cls.id]
        settings = ["--class-weight", "1,2,3"]
        if cls is not Weights:
            settings = [w for k, v in {**base, parameter.key: "1,2,3"}.items() for w in ("--set", f"{k}={v}")]
        code, found, complaint = said(capsys, *call, *settings)
        assert code == 2 and not found and "has numbers for 3 classes, and there are 2" in complaint
