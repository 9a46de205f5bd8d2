"""What other programs read is strict JSON."""

import json

import numpy as np
import pytest

from mlviz.cli import main
from mlviz.cli.printed_json import print_json


def test_infinite_numbers_are_null_in_json(capsys, tmp_path):
    """A sample out of reach of all others has no density by them, and strict readers know no infinite numbers."""
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "".join(f"{k / 10},0\n" for k in range(9)) + "50,50\n")
    call = [str(table), "--algorithm", "kde", "--set", "kernel=uniform", "--set", "width=0.5", "--json"]
    assert main(["fit", *call]) == 0
    (told,) = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert told["facts"]["leave-one-out log-likelihood"] is None and np.isfinite(told["facts"]["log-likelihood"])


def test_printed_json_is_strict_however_deep_a_number_is(capsys):
    print_json({"pair": (np.inf, 1.0), "list": [{"nothing": float("nan")}], "whole": 2})
    told = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert told == {"pair": [None, 1.0], "list": [{"nothing": None}], "whole": 2}
