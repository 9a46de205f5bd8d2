"""A short session of the monkey; `python -m tests.monkey` plays a long one."""

import pytest

from tests.monkey.play import run

pytestmark = pytest.mark.slow


@pytest.mark.first
def test_random_gestures_break_nothing_and_undo_leads_back(qapp):
    said = []
    report = run(80, seed=31, kill_every=26, session=40, say=said.append)
    assert report.kills == 4 and report.undone > 5, said
    first, last = report.censuses[0], report.censuses[-1]
    assert last["widgets"] - first["widgets"] < 60 and last["threads"] <= first["threads"] + 2
