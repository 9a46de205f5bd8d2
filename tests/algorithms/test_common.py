"""The sweep: what holds for every method that is found. The checks stand in `mlviz.testing`, for other authors too."""

import pytest

from mlviz.algorithms import broken, registry
from mlviz.testing import CHECKS, DoesNotApply

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("cls", registry().values(), ids=lambda cls: cls.id)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_method(check, cls):
    try:
        check(cls)
    except DoesNotApply as reason:
        pytest.skip(str(reason))


def test_every_file_can_be_used():
    assert not broken()
