"""A short campaign, always the same; the long one is `python -m tests.fuzz`."""

from collections import Counter
from random import Random

import pytest

from tests.fuzz import canvases, known, python
from tests.fuzz.campaign import Campaign
from tests.fuzz.oracle import Fault, Outcome, check_sentence, check_terminal, watched
from tests.fuzz.window import Door
from tests.sweep import trials

INPUTS = 40
"""As many as take some seconds."""
ARRAYS = len(trials(240))
ROUNDS = len(trials(4))


@pytest.mark.first
@pytest.mark.usefixtures("qapp")
def test_whatever_is_read_comes_to_a_picture_or_a_sentence(tmp_path):
    campaign = Campaign(tmp_path, None, own_processes=False)
    try:
        for number in range(INPUTS):
            outcome = campaign.one(f"test/{number}")
            faults = [fault for fault in outcome.faults if not known.is_known(fault)]
            assert faults == [], f"python -m tests.fuzz --again test/{number}"
    finally:
        campaign.close()
    # All doors were open, and not everything was refused.
    doors = {(kind, door) for kind, door, _ in campaign.figures.cases}
    assert {(kind, door) for kind in ("scene", "table") for door in ("read", "command", "window")} <= doors
    assert {("copy", "window"), ("copy", "find"), ("arrays", "fit"), ("lesson", "worker")} <= doors
    assert (
        sum(n for (*_, what), n in campaign.figures.cases.items() if what in ("picture", "read", "model")) > INPUTS / 5
    )


def test_arrays_at_the_ends_of_floating_point_come_to_a_model_or_a_sentence(tmp_path):
    file, kinds = tmp_path / "arrays.npz", Counter()
    for number in range(ARRAYS):
        rng = Random(number)
        file.write_bytes(python.arrays(rng).content)
        outcome = python.fit(file, rng, tmp_path)
        assert outcome.faults == [], number
        kinds[outcome.kind] += 1
    assert min(kinds["model"], kinds["sentence"]) > ARRAYS / 4


@pytest.mark.usefixtures("qapp")
def test_canvases_may_come_and_go_in_any_order(tmp_path):
    door = Door(tmp_path, answers=False)
    try:
        for number in range(ROUNDS):
            outcome, done = canvases.round_of(door, f"test/{number}")
            assert [fault for fault in outcome.faults if not known.is_known(fault)] == [], done
    finally:
        door.close()


class TestOracle:
    def causes(self, outcome):
        return [fault.cause for fault in outcome.faults]

    def test_an_error_is_blamed_with_its_place_and_a_hang_ends(self):
        outcome = Outcome()
        with watched(outcome, 0.05):
            while True:
                pass
        assert self.causes(outcome)[0].startswith("hang: Hang in")
        outcome = Outcome()
        with watched(outcome):
            raise KeyError("x")
        assert self.causes(outcome)[0].startswith("KeyError in ") and "test_fuzz.py" in self.causes(outcome)[0]

    @pytest.mark.parametrize("text", ["", "a \x1b[1m", "a\u202eb", "KeyError: 'x'", "<class 'int'>", "x" * 1000])
    def test_what_is_no_sentence_for_a_person_is_blamed(self, text):
        outcome = Outcome()
        check_sentence(outcome, text, "here")
        assert len(outcome.faults) == 1

    @pytest.mark.parametrize(
        ("code", "err", "faults"),
        [
            (0, "", 0),
            (0, "mlviz: a.csv: 2 rows skipped.\n", 0),
            (1, "mlviz: a.csv: The file is empty.\n", 0),
            (2, "usage: mlviz\n   more\nmlviz fit: error: no such option\n", 0),
            (1, "", 1),
            (0, "RuntimeWarning: overflow\n", 1),
            (-11, "", 1),
        ],
    )
    def test_what_a_terminal_may_see(self, code, err, faults):
        outcome = Outcome()
        check_terminal(outcome, code, "", err)
        assert len(outcome.faults) == faults

    def test_a_known_cause_is_matched_as_a_whole(self, monkeypatch):
        monkeypatch.setattr(known, "KNOWN", (known.Known("a+", "It stands."),))
        assert known.is_known(Fault("aa")) and not known.is_known(Fault("aab"))
