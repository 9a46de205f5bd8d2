"""How roles are drawn, in tones that each theme has its own colours for.

Here stand the roles that several methods or overlays share. What a single method alone draws stands in its own file:
`Algorithm.inks` brings it here when the class is made, in every process that knows the method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

Dash = Literal["solid", "dashed", "dotted"]
Symbol = Literal[  # the first nine are those of the classes
    "circle",
    "square",
    "triangle",
    "diamond",
    "star",
    "triangle down",
    "hexagon",
    "plus",
    "cross",
    "ring",
    "double ring",
    "x",
]


@dataclass(frozen=True)
class Tone:
    """A colour by its part in a theme: that of words, of ticks ("faint"), of what the hand holds ("accent"), of the
    canvas, of curves, the "second" one beside these, or one of the ends of scales.

    `pale` is the share of the canvas mixed with it, `deep` that of the words.
    """

    part: Literal["text", "faint", "accent", "canvas", "curve", "second", "high", "unlike"] = "text"
    pale: float = 0.0
    deep: float = 0.0
    opacity: float = 1.0


TEXT, FAINT, ACCENT, CANVAS = Tone("text"), Tone("faint"), Tone("accent"), Tone("canvas")
_CURVE, _SECOND = Tone("curve"), Tone("second")


Paint = TypeVar("Paint")


@dataclass(frozen=True)
class InkOf(Generic[Paint]):
    """How a role is drawn: paint of line and fill, line width and symbol size in logical pixels.

    `halo` is the paint of a rim around lines and symbols that must stand out from whatever lies below.
    """

    line: Paint
    fill: Paint | None = None
    width: float = 1.5
    dash: Dash = "solid"
    symbol: Symbol = "circle"
    size: float = 9.0
    halo: Paint | None = None


@dataclass(frozen=True)
class Scale:
    """The tones of the lowest and the highest values, with the canvas between them.

    `strongest` is how much of them there is at the ends; None is somewhat more than in the tints of classes.
    """

    low: Tone = _SECOND
    high: Tone = Tone("high")
    strongest: float | None = None


@dataclass(frozen=True)
class RoleInk(InkOf[Tone]):
    """How a role is drawn in tones, for all themes; what tells values by shades has a `scale`."""

    line: Tone = TEXT
    scale: Scale | None = None


def ring(size: float, width: float = 1.4, tone: Tone = TEXT) -> RoleInk:
    """A ring about a sample."""
    return RoleInk(tone, width=width, symbol="ring", size=size, halo=CANVAS)


UNKNOWN_ROLE_INK = RoleInk(fill=Tone(opacity=0.2), halo=CANVAS)
"""Plain lines, for a role that nobody knows."""
_BARS = (_SECOND, _CURVE, Tone(pale=0.3), Tone("second", pale=0.6), Tone("curve", pale=0.6), Tone(pale=0.75))
BAR_INKS = len(_BARS)
"""So many binary models have bars of their own ink, side by side."""
_GHOST = Tone("accent", 0.3)
_PINS: tuple[tuple[Tone, Dash], ...] = (
    (Tone("accent", deep=0.25), "dashed"),
    (Tone("curve", deep=0.25), "dotted"),
    (Tone("second", deep=0.45), "dashed"),
    (Tone(pale=0.15), "dotted"),
    (Tone("curve", deep=0.25), "dashed"),
    (Tone("accent", deep=0.25), "dotted"),
)
_inks = {
    "boundary": RoleInk(width=2.2),
    "ghost": RoleInk(_GHOST, width=1.2, dash="dashed", symbol="cross", size=16),
    "attempt": RoleInk(ACCENT, ACCENT, width=3.0, symbol="cross", size=20.0, halo=CANVAS),
    "attempt goes on": RoleInk(ACCENT, width=2.2, dash="dashed", halo=CANVAS),
    "attempt error": RoleInk(ACCENT, width=2.4, symbol="x", size=19.0, halo=CANVAS),
    "earlier attempt": RoleInk(Tone("accent", 0.35), Tone("accent", 0.35), width=1.6, symbol="cross", size=16.0),
    **{f"pin {k}": RoleInk(tone, width=1.6, dash=dash, symbol="x", size=12.0) for k, (tone, dash) in enumerate(_PINS)},
    "red ink": RoleInk(Tone("curve", deep=0.3), Tone("curve", deep=0.3), width=3.0, size=6.0, halo=CANVAS),
    "blue ink": RoleInk(Tone("second", deep=0.3), Tone("second", deep=0.3), width=3.0, size=6.0, halo=CANVAS),
    "plain ink": RoleInk(TEXT, TEXT, width=3.0, size=6.0, halo=CANVAS),
    "margin": RoleInk(width=1.4, dash="dashed"),
    "curve": RoleInk(_CURVE, Tone("curve", opacity=0.2), width=2.4, halo=CANVAS),
    "value": RoleInk(scale=Scale()),
    "similarity": RoleInk(scale=Scale(Tone("unlike"), TEXT, strongest=0.9)),
    "residual": RoleInk(Tone(pale=0.25), width=1.0),
    "band": RoleInk(Tone("curve", opacity=0.6), Tone("curve", opacity=0.16), width=0.8),
    "band rim": RoleInk(Tone("curve", opacity=0.8), width=1.2, dash="dashed"),
    "decided": RoleInk(Tone("second", deep=0.25), width=2.4, dash="dashed", halo=CANVAS),
    "deviation": RoleInk(Tone(pale=0.2), width=1.2, dash="dotted"),
    "slice": RoleInk(ACCENT, ACCENT, width=1.8, halo=CANVAS),
    "warning": RoleInk(_CURVE, _CURVE, width=1.4, symbol="triangle down", halo=CANVAS),
    "slack": RoleInk(Tone(pale=0.2), width=1.0),
    "square": RoleInk(Tone("curve", opacity=0.7), Tone("curve", opacity=0.1), width=0.8),
    "support vector": ring(15.0),
    "bound support vector": RoleInk(width=1.4, symbol="double ring", size=20.0, halo=CANVAS),
    "misclassified": RoleInk(width=2.0, symbol="x", size=18.0, halo=CANVAS),
    "visited": RoleInk(ACCENT, Tone("accent", opacity=0.1), width=3.0, symbol="ring", size=22.0, halo=CANVAS),
    "mistaken": ring(15.0),
    "former boundary": RoleInk(Tone(pale=0.45), width=1.6, dash="dashed"),
    "label": RoleInk(halo=CANVAS),
    "weights": RoleInk(fill=TEXT, width=2.4, halo=CANVAS),
    "center": RoleInk(fill=FAINT, width=1.8, symbol="cross", size=22.0, halo=TEXT),
    "start": RoleInk(ACCENT, FAINT, width=1.8, symbol="diamond", size=13.0, halo=ACCENT),
    "outlier": ring(19.0, 1.6),
    "outlier line": RoleInk(Tone(pale=0.2), dash="dotted"),
    "vote": ring(9.0),
    "density": RoleInk(Tone(pale=0.4), width=0.9),
    "trail": RoleInk(Tone(pale=0.2), Tone(pale=0.2), width=1.6, size=5.0, halo=CANVAS),
    "component": RoleInk(fill=TEXT, width=2.6, halo=CANVAS),
    "loading": RoleInk(_CURVE, _CURVE, width=1.8, halo=CANVAS),
    "component line": RoleInk(Tone(pale=0.3), width=1.4, dash="dashed"),
    "error": RoleInk(Tone(pale=0.5), width=1.0),
    "error bar": RoleInk(width=2.0, halo=CANVAS),
    "foot": RoleInk(fill=Tone(pale=0.15), width=1.0, size=4.5, halo=CANVAS),
    "cell": RoleInk(Tone(pale=0.45), width=1.0),
    "neighbour": RoleInk(ACCENT, Tone("accent", opacity=0.08), width=1.2, symbol="ring", size=15.0, halo=CANVAS),
    "probability": RoleInk(Tone(pale=0.3), width=1.0),
    "value line": RoleInk(Tone(pale=0.3), width=1.0),
    "target": RoleInk(fill=CANVAS, width=1.2, size=9.5, halo=TEXT, scale=Scale()),
    "doubt": RoleInk(Tone(pale=0.35), Tone(pale=0.82), width=1.0),
    "no class": RoleInk(Tone(pale=0.35), Tone(pale=0.9), width=1.0),
    "several classes": RoleInk(Tone(pale=0.35), Tone(pale=0.69), width=1.0),
    "left out": RoleInk(CANVAS, CANVAS, width=1.0, size=5.5, halo=Tone(pale=0.2)),
    "natural boundary": RoleInk(Tone(pale=0.2), width=1.8, dash="dotted"),
    "influence": RoleInk(_CURVE, Tone("curve", opacity=0.18), width=1.2, symbol="ring", size=17.0),
    "influence tint": RoleInk(fill=CANVAS, width=1.0, size=7.0, halo=TEXT, scale=Scale(CANVAS, _CURVE, strongest=1.0)),
    "bundle": RoleInk(Tone("second", 0.25, opacity=0.55), width=0.9),
    "bundle mean": RoleInk(Tone("second", deep=0.25), width=3.0, halo=CANVAS),
    "drawn function": RoleInk(Tone("second", opacity=0.75), width=1.1),
    "truth": RoleInk(Tone("accent", deep=0.2), width=2.6, dash="dashed", halo=CANVAS),
    "minima": RoleInk(Tone("accent", 0.4), Tone("accent", opacity=0.14), width=0.9),
    "truth band": RoleInk(Tone("accent", 0.4), Tone("accent", opacity=0.1), width=0.9),
    "unstandardized": RoleInk(_CURVE, width=1.8, dash="dashed", halo=CANVAS),
    "now": RoleInk(ACCENT, ACCENT, width=2.0, size=10.0, halo=CANVAS),
    "probe": ring(19.0, 2.4, ACCENT),
    "path": RoleInk(_SECOND, _SECOND, width=2.0, size=5.0),
    "bar": RoleInk(Tone("second", deep=0.2), Tone("second", opacity=0.6), width=1.0),
    **{f"bar {k}": RoleInk(replace(tone, deep=0.2), tone, width=1.0) for k, tone in enumerate(_BARS)},
    "bin": RoleInk(_CURVE, _CURVE, width=1.0, size=7.5, halo=CANVAS),
    "basis": RoleInk(Tone(pale=0.5), width=1.0),
    "basis place": RoleInk(ACCENT, CANVAS, width=1.8, symbol="diamond", size=11.0, halo=ACCENT),
    "basis width": RoleInk(Tone("accent", pale=0.2), ACCENT, width=1.4, symbol="diamond", size=8.0, halo=CANVAS),
    "zero": RoleInk(FAINT, width=1.0),
    "offset": RoleInk(width=1.4, dash="dotted"),
    "threshold": RoleInk(Tone(pale=0.2), width=1.2, dash="dashed"),
    "reference": RoleInk(FAINT, Tone("faint", opacity=0.15), width=1.2, dash="dashed", size=6.0),
    "pointed at": ring(22.0, 3.0, ACCENT),
    "selection": RoleInk(ACCENT, Tone("accent", opacity=0.12), width=2.2, symbol="ring", size=18.0, halo=CANVAS),
}


def ink_of(role: str) -> RoleInk | None:
    """The ink of a role; None where nobody has brought one."""
    return _inks.get(role)


def scale_of(role: str) -> Scale | None:
    """The scale of a role; None where its ink has none."""
    return _inks.get(role, UNKNOWN_ROLE_INK).scale


def bring(owner: str, inks: Mapping[str, RoleInk]) -> None:
    """Add the inks of a class's roles; raises TypeError for one that has another ink already."""
    for role, ink in inks.items():
        if _inks.get(role, ink) != ink:
            raise TypeError(f"{owner} brings an ink for the role {role!r}, which has another one already: rename it.")
    _inks.update(inks)
