"""Declared parameters: one declaration gives default, range, control, tooltip, JSON, command-line name and help.

A class whose instances hold parameters is a frozen dataclass deriving from `Declared`; each field is made by `real`,
`integer`, `choice`, `flag`, `text` or `per_class`. Construction checks and normalises the values; `BadValue` names the
parameter.
"""

from mlviz.spec.declared import Declared, choice, flag, installed, integer, per_class, real, text
from mlviz.spec.parameter import BadValue, Bounds, NumberInText, Parameter

__all__ = [
    "BadValue",
    "Bounds",
    "Declared",
    "NumberInText",
    "Parameter",
    "choice",
    "flag",
    "installed",
    "integer",
    "per_class",
    "real",
    "text",
]
