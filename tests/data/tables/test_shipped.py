import csv

import numpy as np
import pytest

from mlviz.assets import asset
from mlviz.data.tables.shipped import load_shipped, shipped_tables

SIZES = {"iris": (150, 4), "penguins": (342, 4), "faithful": (272, 2), "cars": (50, 2), "huron": (98, 2)}


@pytest.mark.parametrize("name", list(shipped_tables()))
def test_every_set_opens(name: str) -> None:
    shipped, data = shipped_tables()[name], load_shipped(name)
    assert data.X.shape == SIZES[name]
    assert set(shipped.axes) <= set(data.columns)
    assert (shipped.class_column is None) == (data.class_names == ())
    if shipped.class_column:
        assert data.class_column == shipped.class_column
    assert shipped.file in asset("data", "README.md").read_text(encoding="utf-8")


def test_every_file_is_in_the_library() -> None:
    assert {path.name for path in asset("data").glob("*.csv")} == {
        shipped.file for shipped in shipped_tables().values()
    }


def test_known_figures() -> None:
    iris = load_shipped("iris")
    np.testing.assert_allclose(iris.X.mean(axis=0), [5.8433, 3.0573, 3.758, 1.1993], atol=1e-4)
    assert np.bincount(load_shipped("penguins").labels).tolist() == [151, 123, 68]
    np.testing.assert_allclose(load_shipped("faithful").X.mean(axis=0), [3.4878, 70.8971], atol=1e-4)
    slope, intercept = np.polyfit(*load_shipped("cars").X.T, 1)
    assert (slope, intercept) == pytest.approx((3.9324, -17.5791), abs=1e-4)
    assert load_shipped("huron").X[:, 1].mean() == pytest.approx(579.0041, abs=1e-4)


def test_iris_is_the_one_of_the_paper() -> None:
    # Two samples are wrong in a version that is often copied.
    with asset("data", "iris.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[35][:4] == ["4.9", "3.1", "1.5", "0.2"]
    assert rows[38][:4] == ["4.9", "3.6", "1.4", "0.1"]
