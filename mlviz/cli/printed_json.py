"""What is printed for other programs."""

from __future__ import annotations

import json
import math


def print_json(value: object) -> None:
    """Print strict JSON, which knows finite numbers only: null stands for the others."""
    print(json.dumps(_strict(value), indent=2, allow_nan=False))


def _strict(value: object) -> object:
    match value:
        case dict():
            return {key: _strict(part) for key, part in value.items()}
        case list() | tuple():
            return [_strict(part) for part in value]
        case float() if not math.isfinite(value):
            return None
        case _:
            return value
