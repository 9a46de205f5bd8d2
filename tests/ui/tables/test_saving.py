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


def test_who_writes_what_a_spreadsheet_would_run_is_told(window, tmp_path, monkeypatch):
    monkeypatch.setattr(importer, "ask_name", lambda *_: tmp_path / "a.csv")
    said, quoting = [], window.actions_.action("quote formulas")
    monkeypatch.setattr(window.importing, "_desk", replace(window.desk, say=said.append))
    for name in ("=1+1", "+x", "-x", "@x", "x=1"):
        data = Dataset(np.eye(2), [0, 1], class_names=(name, "other"))
        window.store.reset(window.store.scene.replace(dataset=data))
        window.importing.ask_save()
        assert ("A spreadsheet takes" in said[-1]) == (not name.startswith("x")), name
        quoting.trigger()
        assert quoting.isChecked()
        window.importing.ask_save()
        assert ("An apostrophe stands before" in said[-1]) == (not name.startswith("x")), name
        assert (f",'{name}\n" in (tmp_path / "a.csv").read_text()) == (not name.startswith("x")), name
        assert read_table(tmp_path / "a.csv").dataset().class_names == (name, "other")
        quoting.trigger()
