"""No sentence or fact tells what rounding has left, whatever the samples and the place are, and sums add up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from mlviz.algorithms import CannotFit, registry
from mlviz.draw.layer import Names
from mlviz.draw.numbers import plain, summed
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.preprocessing import preprocessings
from tests.sweep import chosen, share
from tests.truth.reading import NUMBER, Sum, sums, sums_in_words

RNG = np.random.default_rng(17)
CODES = np.repeat([0, 1], 6)
CLOUD = RNG.normal(size=(12, 2)) + np.repeat([[0.0, 0.0], [3.0, 1.0]], 6, axis=0)
STEPS = np.arange(8.0)
SAMPLES = {
    "clusters far apart": (0.1 * RNG.normal(size=(12, 2)) + np.repeat([[0.0, 0.0], [30.0, 10.0]], 6, axis=0), CODES),
    "a cloud": (CLOUD, CODES),
    "a line": (np.column_stack((STEPS, 2 * STEPS)), np.repeat([0, 1], 4)),
    "a slanted line": (np.column_stack((0.1 * STEPS, 0.7 - 0.3 * STEPS)), np.repeat([0, 1], 4)),
    "equal points": (np.tile([[0.1, 0.7], [0.3, -0.6], [-1.1, 0.4]], (4, 1)), np.arange(12) % 2),
    "size 1e-7": (1e-7 * CLOUD, CODES),
    "size 1e6": (1e6 * CLOUD, CODES),
    "far from 0": (CLOUD + np.array([1e6, 0.0]), CODES),
    "three classes": (np.vstack((CLOUD, 0.1 * CLOUD[:6] + [-20.0, 30.0])), np.repeat([0, 1, 2], 6)),
}
PLACES = ((0.0, 0.0), (1.5, 0.5), (50.0, -60.0), (0.0, 1e6), (1e6, 1e-3), (-1e9, 1e9))
NAMES = Names(("red", "green", "blue"), ("width", "height"))
LEAST = 1e-12
"""A number so much smaller than the samples, or than 1, the size of scores, is what rounding has left."""
LEAST_PART = 1e-10
"""No digit of a sum depends on a part of it that is so much smaller than its largest."""
SMALL_BY_NATURE = re.compile(
    rf"alpha = {NUMBER}(?: of [^=]*= {NUMBER})?|(?:log loss|exact minimum|.*objective) {NUMBER}"
)
"""Multipliers and minima: of large samples they are as small as they like."""


@cache
def settings() -> list[tuple[str, Any]]:
    """Each method as it is, and with every other choice of its kernel, its window and its way of several classes."""
    found = []
    for name, cls in registry().items():
        limits = {"max_iter": 20} if any(parameter.name == "max_iter" for parameter in cls.parameters()) else {}
        found.append((name, cls(**limits)))
        for parameter in cls.parameters():
            if parameter.name in ("kernel", "window"):
                values = [value for value in parameter.options if value not in (parameter.default, "expression")]
                found += [(f"{name} {value}", cls(**limits, **{parameter.name: value})) for value in values]
    return found


@cache
def fitted(setting: str, preprocessing: str, kind: str) -> Any:
    X, codes = SAMPLES[kind]
    algorithm = dict(settings())[setting]
    target = codes if "classification" in algorithm.tasks else 3 + 2 * X[:, 0]
    try:
        return Pipeline(algorithm, preprocessing=preprocessing).fit(X, target)
    except CannotFit:
        return None


def size_of(X: np.ndarray) -> float:
    return min(1.0, float(np.abs(X).max()))


def told_at_places(model: Any, X: np.ndarray) -> list[str]:
    """What is told where samples are, between and far from them."""
    places = [*(np.array(place) * size_of(X) for place in PLACES), *X[[0, 3, -1]], X.mean(axis=0)]
    found = [model.explain(place, NAMES) for place in places]
    return [told.sentence for told in found if told is not None]


def none_is_rounding(text: str, least: float) -> bool:
    found = re.findall(rf"(?<![\w.]){NUMBER}", SMALL_BY_NATURE.sub("", text))
    return all(value == 0 or value >= least for value in (abs(float(one.replace(",", ""))) for one in found))


def adds_up(equation: Sum) -> bool:
    least = LEAST_PART * max(abs(term.value) for term in equation.terms)
    # The weight and the place in a product are what they are.
    alone = [abs(term.value) for term in equation.terms if term.factors is None]
    return equation.adds_up and all(part == 0 or part >= least for part in alone)


@dataclass(frozen=True)
class Asked:
    """A method in a setting, behind a preprocessing."""

    setting: str
    preprocessing: str

    def __str__(self) -> str:
        return f"{self.setting}-{self.preprocessing}"

    @property
    def method(self) -> str:
        return self.setting.split()[0]

    @property
    def words(self) -> tuple[str, ...]:
        return self.setting.removeprefix(self.method), self.preprocessing


CASES = [Asked(setting, preprocessing) for setting, _ in settings() for preprocessing in preprocessings()]


@pytest.mark.parametrize("case", chosen(CASES), ids=str)
def test_no_number_told_is_a_rounding_error_and_sums_add_up(case):
    for kind, (X, _) in share(SAMPLES.items(), case):
        model = fitted(case.setting, case.preprocessing, kind)
        if model is None:
            continue
        # Features are the squares of inputs, weights of them go with their reciprocals: both are what they are.
        lifts = model.training.transform.lifts
        power = 2 if lifts else 1
        least = (LEAST * size_of(X if lifts else model.training.inputs)) ** power
        for text in map(plain, told_at_places(model, X)):
            assert none_is_rounding(text, least), (kind, text)
            assert all(map(adds_up, (*sums(text), *sums_in_words(text)))), (kind, text)
        # A weight is as small as one through the samples, and facts may have its square.
        size = float(np.abs(X).max())
        least = LEAST**power * min(size, 1 / size) ** (2 * power)
        facts = [f"{name} {fact}" for name, fact in model.told_facts(NAMES).items() if fact.level == "lesson"]
        for text in map(plain, (*facts, model.caveat)):
            assert none_is_rounding(text, least), (kind, text)


def test_what_is_told_of_a_sum_is_the_sum_of_what_is_told():
    assert summed(4.34e-13, 1.49e-12, beside=8.3) == (0.0, 0.0, 0.0)
    assert summed(2.0, 1e-11) == (2.0, 2.0, 0.0)
    assert summed(1.0, -1.0, 3e-9) == (3e-9, 1.0, -1.0, 3e-9)
    assert summed(3e-20, 4e-20) == (7e-20, 3e-20, 4e-20)
