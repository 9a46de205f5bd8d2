"""Of all cases of a sweep few are tried, and each kind of fault would still be met."""

import itertools
from collections import Counter
from types import SimpleNamespace

import pytest

from mlviz.algorithms import registry
from tests import sweep

METHODS = sorted(registry())
KINDS, WAYS, UNITS = "abcde", ("x", "y", "z"), ("1", "2")
NAMES = [(method, method, words) for method in METHODS for words in itertools.product(KINDS, WAYS, UNITS)]


@pytest.fixture
def asked():
    """Asks for other cases than this run does."""
    before = sweep._everything, sweep._keywords
    yield sweep.ask_for
    sweep._everything, sweep._keywords = before


def test_each_method_each_word_in_each_family_and_any_two_words_are_tried():
    tried = [NAMES[i] for i in sweep.covering(NAMES)]
    assert len(tried) < 1.5 * len(METHODS)
    assert {method for method, _, _ in tried} == set(METHODS)
    families = {registry()[method].family for method in METHODS}
    for place, options in enumerate((KINDS, WAYS, UNITS)):
        met = {(registry()[method].family, words[place]) for method, _, words in tried}
        assert met == set(itertools.product(families, options))
    for first, second in itertools.combinations(range(3), 2):
        pairs = itertools.product((KINDS, WAYS, UNITS)[first], (KINDS, WAYS, UNITS)[second])
        assert {(words[first], words[second]) for _, _, words in tried} == set(pairs)


def test_the_order_of_cases_makes_no_difference_and_more_of_each_method_can_be_asked_for():
    tried = {NAMES[i] for i in sweep.covering(NAMES)}
    assert {NAMES[::-1][i] for i in sweep.covering(NAMES[::-1])} == tried
    several = sweep.covering(NAMES, fewest=3)
    assert all(sum(NAMES[i][0] == method for i in several) >= 3 for method in METHODS)


def test_what_is_worked_out_anyhow_is_taken_rather_than_another_case():
    late = [words[2] == "2" for _, _, words in NAMES]
    found, plain = sweep.covering(NAMES, late=late), sweep.covering(NAMES)
    assert sum(late[i] for i in found) < sum(late[i] for i in plain)
    assert set().union(*(sweep._aims(NAMES[i]) for i in found)) == set().union(*map(sweep._aims, NAMES))


def test_all_cases_are_tried_where_they_are_asked_for(asked):
    cases = list(itertools.product(METHODS, KINDS, WAYS))
    asked(False)
    assert len(sweep.chosen(cases)) < len(cases)
    asked(False, "lda and not slow")
    of_lda = [case for case in sweep.chosen(cases) if case[0] == "lda"]
    assert len(of_lda) == len(KINDS) * len(WAYS) and len(sweep.chosen(cases)) < len(cases)
    asked(True)
    assert sweep.chosen(cases) == cases
    assert len(sweep.sweep("method, kind, way", METHODS, KINDS, WAYS).args[1]) == len(cases)


class Made:
    """A test as pytest makes it of a case."""

    def __init__(self, test, values, mark=None):
        self.nodeid = f"tests/test_it.py::{test}[{'-'.join(map(sweep.word, values))}]"
        self.callspec = SimpleNamespace(params={str(i): value for i, value in enumerate(values)})
        self._mark = mark

    def get_closest_marker(self, name):
        return name if name == self._mark else None


def test_each_test_tries_each_word_and_not_the_same_methods_as_the_next(asked):
    asked(False)
    made = [Made(f"test_{number}", case) for number in range(60) for case in itertools.product(METHODS, WAYS)]
    kept = sweep.of_each_test(made)
    for number in range(60):
        cases = [tuple(item.callspec.params.values()) for item in kept if f"::test_{number}[" in item.nodeid]
        assert {way for _, way in cases} == set(WAYS) and 5 <= len(cases) <= 5 + len(WAYS)
    tried = Counter(item.callspec.params["0"] for item in kept)
    assert set(tried) == set(METHODS) and min(tried.values()) >= 2
    assert [item for item in made if item in kept] == kept  # in their order


def test_few_cases_and_those_of_no_method_and_of_tests_of_each_method_are_all_tried(asked):
    asked(False)
    few = [Made("test_few", (method,)) for method in METHODS if registry()[method].family == "Kernel classifiers"]
    numbers = [Made("test_numbers", (number, "lda and others")) for number in range(50)]
    each = [Made("test_each", (method,), "each_method") for method in METHODS]
    assert 1 < len(few) < 5 and sweep.of_each_test([*few, *numbers, *each]) == [*few, *numbers, *each]


def test_all_cases_of_each_test_are_tried_where_they_are_asked_for(asked):
    made = [Made("test_it", case) for case in itertools.product(METHODS, WAYS)]
    asked(False, "lda")
    kept = sweep.of_each_test(made)
    assert sum(item.callspec.params["0"] == "lda" for item in kept) == len(WAYS) and len(kept) < len(made)
    asked(True)
    assert sweep.of_each_test(made) == made


def test_each_value_is_tried_in_few_combinations_where_they_do_the_same_in_any(asked):
    asked(False)
    few = sweep.each("kind, way, unit", KINDS, WAYS, UNITS).args[1]
    assert len(few) == len(KINDS) and list(map(set, zip(*few, strict=True))) == [set(KINDS), set(WAYS), set(UNITS)]
    asked(True)
    assert len(sweep.each("kind, way, unit", KINDS, WAYS, UNITS).args[1]) == len(KINDS) * len(WAYS) * len(UNITS)


def test_what_is_gone_through_inside_of_a_case_is_parted_among_the_cases(asked):
    asked(False)
    parts = [sweep.share("abcdefgh", method) for method in METHODS]
    assert {len(part) for part in parts} == {2, 3} and set().union(*parts) == set("abcdefgh")
    assert all(len(sweep.share("ab", method)) == 1 for method in METHODS) and sweep.share("", "lda") == []
    asked(False, "lda")
    assert sweep.share("abc", "lda, whiten") == ["a", "b", "c"] != sweep.share("abc", "qda")
    asked(True)
    assert sweep.share("abc", "qda") == ["a", "b", "c"]


def test_one_method_of_each_family_is_tried_where_others_change_nothing(asked):
    asked(False)
    some = sweep.of_families(METHODS)
    families = [registry()[method].family for method in some]
    assert len(set(families)) == len(families) and set(families) == {cls.family for cls in registry().values()}
    asked(False, "lda")
    assert "lda" in sweep.of_families(METHODS)
    asked(True)
    assert sweep.of_families(METHODS) == METHODS
