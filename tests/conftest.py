"""What must be set before the first import of NumPy and Qt."""

import gc
import itertools
import os
import zlib

# NumPy and SciPy carry a thread pool each; mixed calls are many times slower when both spin.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# What a developer has there is not what is tested here.
os.environ.pop("MLVIZ_METHODS", None)

import pytest  # noqa: E402 (after the environment is set)
from _pytest.runner import runtestprotocol  # noqa: E402
from hypothesis import settings  # noqa: E402

from tests import sweep  # noqa: E402
from tests.processes.forked import forked_processes, spawned_processes  # noqa: E402

# The same examples on every run, and no deadline: loaded machines are slow.
settings.register_profile("mlviz", deadline=None, derandomize=True, max_examples=24)
settings.register_profile("all cases", settings.get_profile("mlviz"), max_examples=200)


_NEW, _OFTEN = 20_000, 40
"""After so many new objects they are looked through at the end of a test, and all objects every so many times."""


def pytest_addoption(parser):
    parser.addoption("--all-cases", action="store_true", help="try all cases of each sweep over the methods")


def pytest_configure(config):
    """Sweeps are made smaller as their files are read, but for what is asked for: all, a test by its name, a method."""
    settings.load_profile("all cases" if config.getoption("all_cases") else "mlviz")
    config.addinivalue_line("markers", "each_method: is tried with each method, not with some of them")
    config.addinivalue_line("markers", "first: takes several seconds by itself, and is begun before all others")
    by_name = any("[" in str(argument) for argument in config.args)
    sweep.ask_for(config.getoption("all_cases") or by_name, config.getoption("keyword"))


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """The tests themselves are a million objects that stay: looking among them for cycles takes a third of reading."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def forked():
    """Processes that tests start need not import everything anew."""
    with forked_processes():
        yield


@pytest.fixture
def spawned():
    """Processes start as they do in the program."""
    with spawned_processes():
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Tell no more of a test than how it went: messages between processes take longer than most tests do.

    As in the program, garbage is collected when no call of Qt is under way.
    """
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    new, _, older = gc.get_count()
    if new > _NEW:
        gc.collect(2 if older > _OFTEN else 1)
    return True


def pytest_collection_modifyitems(config, items):
    """Keep some cases of each test over the methods, and of all tests one part, such as "1/2", chosen by their names.

    What takes long by itself comes first: at the end one process would wait for the other's.
    """
    items[:] = sorted(sweep.of_each_test(items), key=lambda item: item.get_closest_marker("first") is None)
    if part := os.environ.get("MLVIZ_TESTS_PART"):
        number, parts = map(int, part.split("/"))
        kept = [zlib.crc32(item.nodeid.encode()) % parts == number - 1 for item in items]
        config.hook.pytest_deselected(items=[item for item, keep in zip(items, kept, strict=True) if not keep])
        items[:] = itertools.compress(items, kept)
