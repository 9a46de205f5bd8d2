"""Dataclasses of declared parameters, and the ways to declare one."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from mlviz.spec.brief import Brief
from mlviz.spec.outside import quoted
from mlviz.spec.parameter import BadValue, Bounds, Kind, NumberInText, Parameter


def real(
    default: float,
    *,
    soft: tuple[float, float],
    help: str,
    valid: Bounds = (None, None),
    open_low: bool = False,
    log: bool = False,
    label: str = "",
    when: tuple[str, tuple[Any, ...]] | None = None,
    equivalent: Callable[[Any, int], str] | None = None,
) -> Any:
    """Declare a real number; `log` gives it a logarithmic slider."""
    return _declare(
        "real",
        default,
        help,
        label,
        soft=soft,
        valid=valid,
        open_low=open_low,
        log=log,
        when=when,
        equivalent=equivalent,
    )


def integer(
    default: int,
    *,
    soft: tuple[int, int],
    help: str,
    valid: Bounds = (None, None),
    label: str = "",
    when: tuple[str, tuple[Any, ...]] | None = None,
) -> Any:
    """Declare a whole number."""
    return _declare("integer", default, help, label, soft=soft, valid=valid, when=when)


def choice(
    *options: str,
    help: str,
    label: str = "",
    when: tuple[str, tuple[Any, ...]] | None = None,
    aliases: Mapping[str, str] | None = None,
    words: Mapping[str, str] | None = None,
) -> Any:
    """Declare one of several names; the first is the default.

    `aliases`: other words for the options; `words`: what people read in the place of options that are ids.
    """
    return _declare(
        "choice",
        options[0],
        help,
        label,
        options=options,
        when=when,
        aliases=tuple((aliases or {}).items()),
        words=tuple((words or {}).items()),
    )


def flag(default: bool, *, help: str, label: str = "", when: tuple[str, tuple[Any, ...]] | None = None) -> Any:
    """Declare a switch."""
    return _declare("flag", default, help, label, when=when)


def text(
    default: str,
    *,
    grammar: Callable[[str], object],
    numbers: Callable[[str], tuple[NumberInText, ...]],
    help: str,
    empty: str = "",
    label: str = "",
    when: tuple[str, tuple[Any, ...]] | None = None,
) -> Any:
    """Declare a text in a language of its own; `grammar` raises `BadValue` where a text is not in it."""
    return _declare("text", default, help, label, grammar=grammar, numbers=numbers, empty=empty, when=when)


def per_class(
    missing: float,
    *,
    soft: tuple[float, float],
    help: str,
    valid: Bounds = (None, None),
    open_low: bool = False,
    log: bool = False,
    label: str = "",
    when: tuple[str, tuple[Any, ...]] | None = None,
) -> Any:
    """Declare a number for each class, in their sorted order; `missing` for all of them is the default."""
    return _declare(
        "per class",
        (),
        help,
        label,
        soft=soft,
        valid=valid,
        open_low=open_low,
        log=log,
        when=when,
        missing=missing,
    )


def _declare(kind: Kind, default: Any, help: str, label: str, **facts: Any) -> Any:
    spec = {"kind": kind, "default": default, "help": help, "label": label, **facts}
    return dataclasses.field(default=default, metadata={"spec": spec})


_TYPES: dict[Kind, str] = {
    "real": "float",
    "integer": "int",
    "choice": "str",
    "flag": "bool",
    "text": "str",
    "per class": "tuple[float, ...]",
}


@dataclass(frozen=True)
class Declared(Brief):
    """Base of the frozen dataclasses whose fields are declared parameters."""

    def __init_subclass__(cls) -> None:
        """Refuse a parameter that is declared as another type than it is of."""
        super().__init_subclass__()
        for name, type_ in inspect.get_annotations(cls).items():
            field = vars(cls).get(name)
            if isinstance(field, dataclasses.Field) and "spec" in field.metadata:
                kind, declared = field.metadata["spec"]["kind"], getattr(type_, "__name__", type_)
                if _TYPES[kind] not in (declared, str(type_)) and declared != _TYPES[kind].partition("[")[0]:
                    raise TypeError(f"{cls.__name__}.{name} is declared as {declared}, but is {_TYPES[kind]}.")

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            object.__setattr__(self, parameter.name, parameter.check(getattr(self, parameter.name)))

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """The declared parameters in the order of their declaration, a class's own before those of its bases."""

        def place(field: dataclasses.Field[Any]) -> tuple[int, int]:
            names = [list(inspect.get_annotations(base)) for base in cls.__mro__]
            generation = next(i for i, own in enumerate(names) if field.name in own)
            return generation, names[generation].index(field.name)

        found = []
        for field in sorted(dataclasses.fields(cls), key=place):
            if "spec" in field.metadata:
                spec = dict(field.metadata["spec"])
                spec["label"] = spec["label"] or field.name.rstrip("_").replace("_", " ")
                found.append(Parameter(name=field.name, **spec))
        return tuple(found)

    @classmethod
    def parameter(cls, key: str) -> Parameter:
        """The parameter with that key or name; raises `BadValue` naming the possible ones."""
        for parameter in cls.parameters():
            if key in (parameter.key, parameter.name):
                return parameter
        known = ", ".join(p.key for p in cls.parameters()) or "none"
        raise BadValue(f"there is no parameter {quoted(key)}; the parameters are: {known}")

    @classmethod
    def has(cls, key: str) -> bool:
        """Whether there is a parameter with that key or name."""
        return any(key in (parameter.key, parameter.name) for parameter in cls.parameters())

    def matters(self, parameter: Parameter) -> bool:
        """Whether a parameter has an effect, given the values of the others: which must have one themselves."""
        if parameter.when is None:
            return True
        name, values = parameter.when
        return getattr(self, name) in values and self.matters(self.parameter(name))

    def awaited(self, parameter: Parameter) -> dict[str, Any]:
        """The values of others that give a parameter an effect; none where it has one."""
        found: dict[str, Any] = {}
        while parameter.when is not None and not self.matters(parameter):
            name, values = parameter.when
            if getattr(self, name) not in values:
                found[name] = values[0]
            parameter = self.parameter(name)
        return found

    def beyond(self, classes: int) -> str:
        """That a parameter that matters has values for more than so many classes, as a sentence; "" where none has."""
        for parameter in self.parameters():
            value = getattr(self, parameter.name)
            if parameter.kind == "per class" and len(value) > classes and self.matters(parameter):
                there = "there is one" if classes == 1 else f"there are {classes}"
                return f"{parameter.key} has numbers for {len(value)} classes, and {there}."
        return ""

    def replace(self, **changes: Any) -> Self:
        """The same with some values changed."""
        return dataclasses.replace(self, **changes)

    def for_groups(self, groups: Iterable[Iterable[int]]) -> Self:
        """The same for other classes, each made of some of the classes that there were, by their places.

        This is the one way from classes that are some of many, or are thrown together, to values per class: what they
        count is added up.
        """
        made = [tuple(group) for group in groups]
        changed = {p.name: p.added_up(getattr(self, p.name), made) for p in self.parameters() if p.kind == "per class"}
        return self.replace(**changed) if changed else self

    def to_json(self) -> dict[str, Any]:
        """Key -> value, every parameter."""
        values = {p.key: getattr(self, p.name) for p in self.parameters()}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}

    @classmethod
    def renewed(cls, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Key -> value as they are called now, from a scene file in which they may have had former keys."""
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The instance with those values and defaults for the rest; raises `BadValue`."""
        return cls(**{cls.parameter(key).name: value for key, value in values.items()})


def installed(base: type[Declared], package: str, path: Iterable[str]) -> list[Any]:
    """An instance of each class derived from `base` that has an id, in the files of a package, sorted by the ids."""
    modules = [importlib.import_module(f"{package}.{file.name}") for file in pkgutil.iter_modules(path)]
    kinds = {t for module in modules for t in vars(module).values() if isinstance(t, type) and "id" in vars(t)}
    return sorted((kind() for kind in kinds if issubclass(kind, base)), key=lambda one: one.id)
