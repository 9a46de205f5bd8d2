"""What is written as a table, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from mlviz.data.dataset import Dataset
from mlviz.data.tables.reading import read_table
from mlviz.ui.tables import importer


@pytest.fixture
def window(make_window):
    """One of its own for each test: what file it has outlives a scene."""
    return make_window()


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", "x=1"])
def test_who_writes_what_a_spreadsheet_would_run_is_told(window, tmp_path, monkeypatch, name):
    data = Dataset(np.eye(2), [0, 1], class_names=(name, "other"))
    window.store.reset(window.store.scene.replace(dataset=data))
    monkeypatch.setattr(importer, "ask_name", lambda *_: tmp_path / "a.csv")
    said = []
    monkeypatch.setattr(window.importing, "_desk", replace(window.desk, say=said.append))
    window.importing.ask_save()
    assert ("A spreadsheet takes" in said[-1]) == (not name.startswith("x"))
    window.actions_.action("quote formulas").trigger()
    assert window.actions_.action("quote formulas").isChecked()
    window.importing.ask_save()
    assert ("An apostrophe stands before" in said[-1]) == (not name.startswith("x"))
    assert (f",'{name}\n" in (tmp_path / "a.csv").read_text()) == (not name.startswith("x"))
    assert read_table(tmp_path / "a.csv").dataset().class_names == (name, "other")
