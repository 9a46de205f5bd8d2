"""Shipped tables by path, and a shell without a display."""

import os

from mlviz.assets import asset

PENGUINS = str(asset("data", "penguins.csv"))
IRIS = str(asset("data", "iris.csv"))
COLUMNS = ["--columns", "bill_length,bill_depth", "--target", "species"]


def without_display() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
