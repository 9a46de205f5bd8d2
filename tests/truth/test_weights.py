"""Weights of classes change the fit: shares and numbers of samples are still counted, and C stays what was chosen."""

import re
from dataclasses import replace

import numpy as np
import pytest

from mlviz.algorithms import registry
from mlviz.pipeline.weights import Weights
from tests.truth.reading import Told
from tests.truth.scenes import CLASSIFIERS, Case, direct_or_not, samples

WEIGHTS = {
    "by hand": Weights(balance="by hand", class_weight=(1.0, 5.0, 0.3)),
    "balanced": Weights(balance="balanced"),
    "upsample": Weights(balance="upsample"),
    "none": Weights(),
}
UNEVEN = np.delete(np.arange(40), [1, 3, 5, 9, 13, 21, 22, 28])
"""So that the classes are not of one size."""
MACHINES = ("svm", "smo", "l1-svm")


def weighted(name, weights, codes="0 1", **values):
    """The classes of the samples that are fitted, and the model."""
    case = Case(name, codes, n=40)
    data = samples(case)
    pipeline = replace(case.pipeline, weights=WEIGHTS[weights])
    pipeline = replace(pipeline, algorithm=pipeline.algorithm.replace(**values))
    return data.labels[UNEVEN], pipeline.fit(data.X[UNEVEN], data.labels[UNEVEN])


COUNTED = r"(Share|Number) of (the )?samples|How many samples"


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_shares_and_numbers_of_samples_are_counted(name, weights):
    known = {p.name for p in registry()[name].parameters()}
    judging = {key: value for key, value in (("leave_one_out", True), ("window", "box")) if key in known}
    y, model = weighted(name, weights, **judging)
    facts = model.told_facts()
    for label, fact in facts.items():
        if re.match(COUNTED, fact.help) and isinstance(fact.value, (int, float)) and "would draw" not in fact.help:
            whole = len(y) if fact.unit == "share" or "on average" in fact.help else 1
            assert fact.value * whole == pytest.approx(round(fact.value * whole), abs=1e-9), label
    error, alone, bound = (
        facts[label].value if label in facts else None
        for label in ("training error", "leave-one-out error", "leave-one-out bound")
    )
    if bound is not None:
        assert bound == pytest.approx(facts["support vectors"].value / len(y))
        assert alone is None or error <= alone <= bound


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("codes", ["0 1", "3 7 12"])
def test_what_is_called_c_is_the_c_that_was_chosen(name, weights, codes):
    direct = direct_or_not(name) if codes == "3 7 12" else {}
    _, model = weighted(name, weights, codes, **({} if "no" in direct else direct))
    machines = [part.model for part in model.parts] or [model.inner]
    machines = [getattr(machine, "machine", machine) for machine in machines]
    chosen = getattr(model.inner, "C", 1.0)
    even = weights == "none"
    for machine in machines:
        assert machine.bound_name in (("C", "1/n") if even else ("C·weight", "weight/n", "C", "1/n"))
        bound = getattr(machine, "bound", None)
        if bound is None:
            continue
        for row in machine.support:
            told = machine.explain(machine.X[row]).sentence
            name_of_bound, number = re.search(r"(C·weight|C) = ([\d.e+-]*\d)", told).groups()
            assert Told(number).says(bound[row]), told
            assert name_of_bound == "C·weight" or Told(number).says(chosen), told
            assert (
                not (found := re.search(r"alpha = ([\d.e+-]*\d) of", told))
                or Told(found[1]).value <= Told(number).value
            ), told
