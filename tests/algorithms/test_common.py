"""The sweep: what holds for every method that is found. The checks stand in `mlviz.testing`, for other authors too."""

import pytest

from mlviz.algorithms import CannotFit, broken, registry
from mlviz.testing import CHECKS, DoesNotApply, fits, pictures
from mlviz.testing.check import looking_at
from tests.algorithms import parts

pytestmark = pytest.mark.slow

PARTS = {
    fits.meets_degenerate_samples: parts.fitted_samples,
    fits.mirrors_its_field_on_grids: parts.settings_on_grids,
    pictures.draws_every_setting: parts.drawn_settings,
    pictures.draws_degenerate_samples: parts.drawn_samples,
    pictures.tells_five_classes_apart: parts.ways,
}


def all_of_them(case, name):
    return True


@pytest.mark.parametrize("cls", registry().values(), ids=lambda cls: cls.id)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.each_method
def test_every_method(check, cls):
    try:
        with looking_at(PARTS.get(check, all_of_them)):
            check(cls)
    except DoesNotApply as reason:
        pytest.skip(str(reason))


def test_every_file_can_be_used():
    assert not broken()


@pytest.mark.parametrize("cls", [cls for cls in registry().values() if cls.tasks == ("regression",)])
def test_values_that_are_no_numbers_are_refused_in_a_sentence(cls):
    for target in (["a", "b", "c"], [None, 1.0, 2.0]):
        with pytest.raises(CannotFit, match=r"not finite numbers|no numbers"):
            cls().fit([[0.0], [1.0], [2.0]], target)
