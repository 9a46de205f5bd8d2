"""What was used last, kept by a key as long as there is room."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(OrderedDict[Key, Value]):
    """The values used last: at most so many, and but for the newest no more than `memory` by their `size`."""

    def __init__(self, most: int, memory: float = math.inf, size: Callable[[Value], float] = lambda value: 0.0) -> None:
        super().__init__()
        self._most, self._memory, self._size = most, memory, size

    def used(self, key: Key) -> Value | None:
        """The value of that key, which is in use again; None where it is gone."""
        if key in self:
            self.move_to_end(key)
        return self.get(key)

    def use(self, key: Key, value: Value) -> None:
        """Keep a value; those used longest ago make room."""
        self[key] = value
        self.move_to_end(key)
        most, memory, bounded = self._most, self._memory, self._memory < math.inf
        while len(self) > 1 and (len(self) > most or (bounded and sum(map(self._size, self.values())) > memory)):
            self.popitem(last=False)
