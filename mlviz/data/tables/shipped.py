"""The small public data sets that come with the program; their sources and licences are in assets/data/README.md."""

from __future__ import annotations

from dataclasses import dataclass

from mlviz.assets import asset
from mlviz.data.dataset import Dataset
from mlviz.data.tables.reading import read_table
from mlviz.draw.tasks import Task


@dataclass(frozen=True)
class Shipped:
    """One shipped data set: what it is called, what it is about, and how it is best looked at."""

    id: str
    label: str
    file: str
    description: str
    axes: tuple[str, str]
    class_column: str | None
    task: Task


_SETS = (
    Shipped(
        "iris",
        "Iris",
        "iris.csv",
        "Four lengths in cm on 150 flowers of three species (Fisher 1936): one apart, two that overlap.",
        ("petal_length", "petal_width"),
        "species",
        "classification",
    ),
    Shipped(
        "penguins",
        "Palmer penguins",
        "penguins.csv",
        "Bill, flipper (mm) and body mass (g) of 342 penguins of three species; axes of very different scale.",
        ("bill_length", "bill_depth"),
        "species",
        "classification",
    ),
    Shipped(
        "faithful",
        "Old Faithful",
        "faithful.csv",
        "Duration of 272 eruptions of the geyser and the wait until the next, in minutes: two groups without a name.",
        ("eruption", "waiting"),
        None,
        "clustering",
    ),
    Shipped(
        "cars",
        "Stopping distances",
        "cars.csv",
        "Speed (miles an hour) and stopping distance (feet) of cars, measured in the 1920s: a slightly bent line.",
        ("speed", "distance"),
        None,
        "regression",
    ),
    Shipped(
        "huron",
        "Lake Huron",
        "huron.csv",
        "Level of the lake in feet, each year from 1875 to 1972: a curve for polynomials of higher degree.",
        ("year", "level"),
        None,
        "regression",
    ),
)


def shipped_tables() -> dict[str, Shipped]:
    """Id -> description of every shipped data set, in the order of the menu."""
    return {shipped.id: shipped for shipped in _SETS}


def load_shipped(id: str) -> Dataset:
    """The samples of a shipped data set, all its columns of numbers; raises KeyError."""
    shipped = shipped_tables()[id]
    return read_table(asset("data", shipped.file)).dataset(class_column=shipped.class_column or "")
