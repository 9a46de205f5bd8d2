"""Samples put after others that have values over the plane."""

import numpy as np

from mlviz.data.dataset import Dataset
from mlviz.data.tables.appending import append

PRESENT = Dataset(np.array([[0.0, 0.0, 1.0], [1.0, 1.0, 3.0]]), [0, 0], ("x1", "x2", "y"))
AXES = ("x1", "x2")


def test_samples_of_two_columns_get_the_present_value():
    more = Dataset(np.array([[5.0, 6.0]]), [0], ("a", "b"))
    joined, how = append(PRESENT, AXES, more, ("a", "b"), 0, ("y", 0.25))
    assert joined.X[2].tolist() == [5, 6, 0.25]
    assert how == "a goes onto x1 and b onto x2; y is 0.25."


def test_a_third_column_is_their_value():
    more = Dataset(np.array([[5.0, 6.0, 7.0]]), [0], ("a", "b", "c"))
    joined, how = append(PRESENT, AXES, more, ("a", "b"), 0, ("y", 0.25))
    assert joined.X[2].tolist() == [5, 6, 7]
    assert how == "a goes onto x1 and b onto x2; c onto y."


def test_columns_go_by_their_names_first():
    more = Dataset(np.array([[7.0, 5.0, 6.0]]), [0], ("y", "x1", "x2"))
    joined, how = append(PRESENT, AXES, more, ("y", "x1"), 0, ("y", 0.25))
    assert joined.X[2].tolist() == [5, 6, 7] and how == "Columns go by their names."


def test_without_values_the_mean_stands_in():
    more = Dataset(np.array([[5.0, 6.0]]), [0], ("a", "b"))
    joined, how = append(PRESENT, AXES, more, ("a", "b"))
    assert joined.X[2].tolist() == [5, 6, 2] and "the mean stands in for y" in how
