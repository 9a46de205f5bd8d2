"""What classes and inputs are called in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Names:
    """The names of class codes 0, 1, ... and of the inputs; those that are missing are called "class 3" and "x1"."""

    classes: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()

    def of_class(self, value: Any) -> str:
        """What a class is called: one of a code by its name, one of another value by that value."""
        if isinstance(value, (int, np.integer)) and 0 <= value < len(self.classes):
            return self.classes[value]
        return f"class {value}"

    def of_input(self, j: int) -> str:
        """What the input of index j is called."""
        return self.inputs[j] if j < len(self.inputs) else f"x{j + 1}"


CODES = Names()
"""Where nobody has named anything."""
