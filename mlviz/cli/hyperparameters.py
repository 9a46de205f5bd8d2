"""Hyperparameters that are set on the command line, each in every canvas whose method has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlviz.algorithms import Algorithm
from mlviz.spec import BadValue
from mlviz.spec.outside import quoted, told


def with_settings(algorithm: Algorithm, settings: Sequence[str]) -> Algorithm:
    """The method with those of the hyperparameters set that it has; raises `BadValue`."""
    changes: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise BadValue(f"--set {told(setting)}: a hyperparameter is set as NAME=VALUE")
        if not algorithm.has(name.strip()):
            continue
        parameter = algorithm.parameter(name.strip())
        if parameter.name in changes:
            raise BadValue(f"--set {parameter.key} is given twice: leave one out")
        changes[parameter.name] = parameter.parse(value)
    return algorithm.replace(**changes)


def refuse_unknown(settings: Sequence[str], algorithms: Sequence[Algorithm]) -> None:
    """Raise `BadValue` for a hyperparameter that none of the methods has."""
    for setting in settings:
        name = setting.partition("=")[0].strip()
        if not any(algorithm.has(name) for algorithm in algorithms):
            known = dict.fromkeys(p.key for algorithm in algorithms for p in algorithm.parameters())
            raise BadValue(f"there is no parameter {quoted(name)}; the parameters are: {', '.join(known) or 'none'}")
