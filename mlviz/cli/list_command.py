"""``mlviz list``: the methods or the studies, what can be set, and where a method fails."""

from __future__ import annotations

import argparse
from typing import Any

from mlviz.algorithms import broken, registry
from mlviz.cli.printed_json import print_json
from mlviz.cli.study_command import list_studies
from mlviz.draw.numbers import plain
from mlviz.draw.tasks import task_name
from mlviz.scene.failures import failures_of
from mlviz.spec.outside import printable


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.studies:
        list_studies(options.json)
        return 0
    if options.json:
        methods: dict[str, Any] = {
            key: {
                "label": cls.label,
                "family": cls.family,
                "tasks": cls.tasks,
                "hyperparameters": {
                    p.key: {"default": p.default, "allowed": p.range_text(), "help": p.help} for p in cls.parameters()
                },
                "fails": {failure.id: plain(failure.line(key)) for failure in failures_of(key)},
            }
            for key, cls in registry().items()
        }
        # An id that two files want has a method already: the other one is named only in the text.
        methods = {missing.id: {"broken": missing.reason} for missing in broken()} | methods
        print_json(methods)
        return 0
    for key, cls in registry().items():
        print(f"{key}  {cls.label} ({', '.join(map(task_name, cls.tasks))})")
        for p in cls.parameters():
            default = str(p.default).lower() if isinstance(p.default, bool) else p.default
            default = p.shown(default) if isinstance(default, str) else default
            print(f"    {p.key} = {default}  {p.range_text()}: {p.help}")
        for failure in failures_of(key):
            print(f"    --break {failure.id}  {failure.title}: {plain(failure.line(key))}")
    for missing in broken():
        print(printable(f"{missing.id}  can't be used: {missing.reason}"))
    return 0
