"""The options that say which samples are held out."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np

from mlviz.draw.numbers import number
from mlviz.scene.scene import Panel, Scene, roles
from mlviz.scene.splits import RandomSplit, Recipe
from mlviz.scene.splits.edits import split_by, split_by_column, telling_columns, with_second_sample
from mlviz.spec import BadValue
from mlviz.spec.outside import listed, told

SPLIT_OPTIONS: dict[str, dict[str, Any]] = {
    "hold-out": {"metavar": "SHARE", "help": "hold this share of the samples out at random; the test error is theirs"},
    "split-seed": {"metavar": "N", "help": "hold other samples out (with --hold-out or --second-sample)"},
    "stratified": {"action": "store_true", "help": "hold the same share of each class out (with --hold-out)"},
    "hold-out-by": {
        "metavar": "COLUMN=VALUE",
        "help": "hold out the samples with that value in a column, which is no input then, or of that class",
    },
    "second-sample": {"action": "store_true", "help": "hold out a second sample of the same generator"},
}
_WAYS = ("hold-out", "hold-out-by", "second-sample")


def parted(scene: Scene, options: argparse.Namespace) -> Scene:
    """The scene with the samples held out that the options name; raises `BadValue`."""
    ways = [name for name in _WAYS if getattr(options, name.replace("-", "_")) not in (None, False)]
    if len(ways) > 1:
        raise BadValue(f"--{ways[0]} and --{ways[1]} say different things: leave one out")
    if options.stratified and ways != ["hold-out"]:
        raise BadValue("--stratified goes with --hold-out")
    if options.split_seed is not None and ways not in (["hold-out"], ["second-sample"]):
        raise BadValue("--split-seed goes with --hold-out or --second-sample")
    seed = 0 if options.split_seed is None else _number("split-seed", "seed", options.split_seed)
    match ways:
        case ["hold-out"]:
            share = _number("hold-out", "share", options.hold_out)
            return split_by(scene, Recipe(RandomSplit(share=share, seed=seed, stratified=options.stratified)))
        case ["hold-out-by"]:
            return _by_column(scene, options.hold_out_by)
        case ["second-sample"]:
            if scene.dataset.source is None:
                raise BadValue("--second-sample needs samples of a generator, as they were drawn")
            return with_second_sample(scene, scene.dataset.source, seed)
    return scene


def _number(option: str, name: str, text: str) -> Any:
    try:
        return RandomSplit.parameter(name).parse(text)
    except BadValue:
        raise BadValue(f"--{option} {told(text)}: it is {RandomSplit.parameter(name).range_text()}") from None


def idle_split(scene: Scene, before: Scene, options: argparse.Namespace) -> Iterator[str]:
    """A sentence for an option that holds out the samples that were held out without it."""
    if options.hold_out is not None and np.array_equal(scene.dataset.held_out, before.dataset.held_out):
        yield "--hold-out has no effect: the same samples are held out without it"
    elif options.stratified:
        plain = parted(before, argparse.Namespace(**{**vars(options), "stratified": False}))
        if np.array_equal(scene.dataset.held_out, plain.dataset.held_out):
            yield "--stratified has no effect: the same samples are held out without it"
    elif options.second_sample and not any(_is_tested(scene, panel) for panel in scene.panels):
        yield "--second-sample has no effect: without a target nothing is predicted that could be tested"


def _is_tested(scene: Scene, panel: Panel) -> bool:
    """Whether something is told of how its model does on samples that are held out."""
    return roles(scene, panel).target is not None or panel.pipeline.tells_density


def _by_column(scene: Scene, wish: str) -> Scene:
    name, _, word = wish.rpartition("=")
    columns = telling_columns(scene.dataset)
    if name not in columns:
        known = listed(columns) or "none"
        raise BadValue(f"--hold-out-by {told(wish)}: it is COLUMN=VALUE; columns of few values are {known}")
    values = {value if isinstance(value, str) else number(value, 15): value for value in columns[name]}
    if word not in values:
        raise BadValue(f"--hold-out-by {told(wish)}: {told(name)} has the values {listed(values)}")
    return split_by_column(scene, name, values[word])
