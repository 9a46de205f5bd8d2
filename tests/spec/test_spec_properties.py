"""Any value of any type for any parameter there is: taken as it should be, or refused by the parameter's name."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlviz.algorithms import registry
from mlviz.data.generators.catalog import generators
from mlviz.pipeline.decisions import Decision
from mlviz.pipeline.pipeline import Pipeline
from mlviz.pipeline.weights import Weights
from mlviz.spec import BadValue
from tests.spec.any_text import CHARACTERS

OWNERS = [*registry().values(), *generators().values(), Weights, Decision]
PARAMETERS = [(owner, parameter) for owner in OWNERS for parameter in owner.parameters()]
anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(CHARACTERS, max_size=8),
    st.lists(st.integers(), max_size=2),
    st.complex_numbers(),
    st.binary(max_size=4),
    st.floats(width=32).map(np.float32),
    st.integers(-9, 9).map(np.int64),
    st.booleans().map(np.bool_),
)


def within(parameter):
    """Values that the parameter takes."""
    if parameter.kind == "choice":
        return st.sampled_from(parameter.options)
    if parameter.kind == "flag":
        return st.booleans()
    if parameter.kind == "text":
        return st.just(parameter.default)
    low, high = parameter.valid
    if parameter.kind == "integer":
        return st.integers(-(10**9) if low is None else int(low), 10**9 if high is None else int(high))
    numbers = st.floats(low, high, allow_nan=False, allow_infinity=False, exclude_min=parameter.open_low)
    return st.lists(numbers, max_size=9).map(tuple) if parameter.kind == "per class" else numbers


@given(st.sampled_from(PARAMETERS), anything)
def test_a_value_is_taken_as_a_plain_one_or_refused_by_name(given_parameter, value):
    owner, parameter = given_parameter
    try:
        made = owner(**{parameter.name: value})
    except BadValue as problem:
        sentence, made = str(problem), None
    if made is None:
        assert parameter.key in sentence and "\n" not in sentence
        return
    kept = getattr(made, parameter.name)
    kinds = {"real": float, "integer": int, "choice": str, "flag": bool, "text": str, "per class": tuple}
    assert type(kept) is kinds[parameter.kind]
    if parameter.kind == "per class":
        assert kept == tuple(value) and all(type(number) is float for number in kept)
    else:
        assert kept == value or parameter.kind == "choice"


@given(st.data())
def test_valid_values_survive_json_and_the_command_line(data):
    owner = data.draw(st.sampled_from(OWNERS))
    made = owner(**{p.name: data.draw(within(p), label=p.name) for p in owner.parameters()})
    assert owner.from_json(json.loads(json.dumps(made.to_json()))) == made
    for parameter in owner.parameters():
        value = getattr(made, parameter.name)
        text = ",".join(map(str, value)) if parameter.kind == "per class" else str(value)
        assert parameter.parse(text) == value


@given(st.text(CHARACTERS, max_size=12))
def test_an_unknown_name_is_answered_with_the_known_ones(name):
    if name not in {key for p in Pipeline.parameters() for key in (p.key, p.name)}:
        with pytest.raises(BadValue, match="preprocessing"):
            Pipeline.parameter(name)


@given(st.sampled_from(PARAMETERS), st.text(CHARACTERS, max_size=12))
def test_words_on_the_command_line_are_taken_or_refused_by_name(given_parameter, word):
    _, parameter = given_parameter
    sentence = parameter.key
    try:
        parameter.check(parameter.parse(word))
    except BadValue as problem:
        sentence = str(problem)
    assert parameter.key in sentence
