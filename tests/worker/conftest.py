"""What the tests of the worker have before them."""

import pytest

from mlviz.worker import Engine
from tests.odd_algorithms import Stepping
from tests.worker.requests import pictures_of, request_of, scene_of


@pytest.fixture(autouse=True, scope="session")
def first_picture():
    """One was made: what the first picture of a process imports may take a turn of its own."""
    engine = Engine()
    engine.submit(request_of(0, scene_of(Stepping())))
    pictures_of(engine)
