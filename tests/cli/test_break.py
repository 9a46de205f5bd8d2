"""Samples with which a method fails, in place of a file."""

import json

import pytest

from mlviz.algorithms import registry
from mlviz.cli import main
from mlviz.scene.failures import failure_of, failures_of


def facts(capsys, *call):
    assert main(["fit", "--json", *call]) == 0
    return json.loads(capsys.readouterr().out)[0]


def test_the_method_is_the_one_that_fails_and_can_be_chosen_among_those(capsys):
    assert facts(capsys, "--break", "slanted")["algorithm"] == failure_of("slanted").breaks[0].method
    found = facts(capsys, "--break", "narrow-kernel", "--algorithm", "kernel-rls")
    assert found["hyperparameters"]["sigma"] == failure_of("narrow-kernel").broken("kernel-rls").settings["sigma"]


def test_another_method_meets_the_same_samples(capsys):
    wrong, right = (facts(capsys, "--break", "xor", "--algorithm", name) for name in ("lda", "knn"))
    assert right["facts"]["training error"] < 0.05 < 0.3 < wrong["facts"]["training error"]


def test_a_seed_draws_others(capsys):
    first, again, other = (facts(capsys, "--break", "lever", *more) for more in ((), (), ("--seed", "7")))
    assert first == again != other


def test_an_unknown_one_is_refused_with_those_there_are(capsys):
    with pytest.raises(SystemExit) as error:
        main(["fit", "--break", "nothing"])
    assert error.value.code == 2
    complaint = capsys.readouterr().err
    assert "there is no failure 'nothing'; there are far-and-right, " in complaint


def test_it_is_no_table(capsys):
    assert main(["fit", "--break", "xor", "--separator", "comma"]) != 0
    assert "xor is no table" in capsys.readouterr().err


def test_the_list_names_the_failures_of_every_method(capsys):
    main(["list"])
    text = capsys.readouterr().out
    main(["list", "--json"])
    listed = json.loads(capsys.readouterr().out)
    for method in registry():
        assert list(listed[method]["fails"]) == [failure.id for failure in failures_of(method)]
        for failure in failures_of(method):
            assert f"--break {failure.id}  {failure.title}: {listed[method]['fails'][failure.id]}" in text
