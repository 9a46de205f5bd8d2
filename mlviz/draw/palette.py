"""Roles -> ink in the colours of a theme, and all other colours: the one place that knows them.

The class colours start from the palette of Okabe and Ito (Color Universal Design, 2008), which people with any of the
common colour-blindnesses can tell apart; each class has a shape of its own besides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from mlviz.draw.inks import CANVAS, UNKNOWN_ROLE_INK, InkOf, Scale, Symbol, Tone, ink_of, scale_of
from mlviz.numerics.arrays import Array, Labels

Colour = tuple[int, int, int, int]
"""Red, green, blue, opacity, 0 to 255."""
THEMES = ("light", "dark", "print")
"""The last one is for black and white printers too; a window has no use for it."""


@dataclass(frozen=True)
class Ink(InkOf[Colour]):
    """How a role is drawn in the colours of a theme."""


@dataclass(frozen=True)
class ThemeColors:
    """The colours of everything that is not a mark."""

    paper: Colour
    """Around the plot."""
    canvas: Colour
    """Behind the marks; the tints are mixed with it."""
    text: Colour
    faint: Colour
    """Ticks and their frame."""
    grid: Colour
    accent: Colour
    """Selection and whatever the hand holds."""
    unlike: Colour
    """Samples whose similarity is below 0."""


COLOUR_NAMES = ("blue", "orange", "green", "pink", "yellow", "sky blue", "red", "brown", "grey")
"""The nine colours by their numbers, each of which has a shape, too."""
Colours = tuple[int, ...]
"""The number of each of the first nine classes, each number once; empty where every class has its own code's."""
_SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)[: len(COLOUR_NAMES)]
MOST_CLASS_LOOKS = len(COLOUR_NAMES) * len(_SYMBOLS)
"""How many classes look different from each other, by colour or by shape."""
_ON_LIGHT = ("#1560c4", "#f09a1a", "#009b6f", "#dc5fbe", "#f2e61a", "#8ad2f8", "#ad1a05", "#4a2205", "#4a505e")
_ON_DARK = ("#3e82ea", "#f58f0a", "#45d98f", "#f49fe9", "#f4ec3a", "#baeaff", "#f04455", "#9c5616", "#a0a6ae")

_GROUNDS = {
    "light": ThemeColors(
        (250, 250, 251, 255),
        (255, 255, 255, 255),
        (28, 31, 36, 255),
        (88, 95, 105, 255),
        (0, 0, 0, 22),
        (111, 45, 189, 255),
        (176, 20, 214, 255),
    ),
    "dark": ThemeColors(
        (43, 45, 49, 255),
        (29, 31, 35, 255),
        (238, 240, 243, 255),
        (170, 176, 185, 255),
        (255, 255, 255, 26),
        (203, 166, 255, 255),
        (176, 70, 255, 255),
    ),
    "print": ThemeColors(
        (255, 255, 255, 255),
        (255, 255, 255, 255),
        (0, 0, 0, 255),
        (60, 60, 60, 255),
        (0, 0, 0, 24),
        (90, 20, 160, 255),
        (176, 20, 214, 255),
    ),
}
_CLASS_TONES = {"curve": 6, "second": 0, "high": 1}
"""The parts of a theme that have the colour of a class, by its number."""
_NEUTRAL, _LEAST_SHADE = 128, 16
"""The shade of a scale that is nothing but the canvas, and how far from it another one is seen to be a colour."""
_STRONGEST_TINT = {"light": 0.50, "dark": 0.46, "print": 0.45}


def theme_colors(theme: str) -> ThemeColors:
    """The colours behind and around the marks."""
    return _GROUNDS[theme]


_PLAIN_ON_LIGHT: Colour = (196, 200, 207, 255)
_PLAIN_ON_DARK: Colour = (132, 138, 148, 255)
Codes = TypeVar("Codes", int, Labels)


def grey_code(code: Codes) -> Codes:
    """The code of a class's points where the method does not look at classes: same shape, but grey. Its own inverse."""
    return -1 - code


def class_number(code: int, colours: Colours) -> int:
    """The number by which a class's points are painted: the one place that knows which class has which colour.

    Two codes never have the same. Beyond nine, classes follow the one nine before them; `grey_code` stays grey.
    """
    if not colours:
        return code
    if code < 0:
        return grey_code(class_number(grey_code(code), colours))
    again, nth = divmod(code, len(colours))
    return colours[nth] + again * len(colours)


def exchanged(colours: Colours, code: int, number: int) -> Colours:
    """With that number for one of the first nine classes; the class that had it gets the former one of this class."""
    made = list(colours or range(len(COLOUR_NAMES)))
    made[made.index(number)], made[code] = made[code], number
    return () if made == sorted(made) else tuple(made)


def class_colour(number: int, theme: str) -> Colour:
    """The colour of a `class_number`; after nine they start again. Those below 0 are of a `grey_code`: grey."""
    if number < 0:
        return _PLAIN_ON_DARK if theme == "dark" else _PLAIN_ON_LIGHT
    red, green, blue = bytes.fromhex((_ON_DARK if theme == "dark" else _ON_LIGHT)[number % len(_ON_LIGHT)][1:])
    return red, green, blue, 255


def class_symbol(number: int) -> Symbol:
    """The shape of a number. It starts again after nine too, one further, so that a pair of both stays unique to 81."""
    number = grey_code(number) if number < 0 else number
    return _SYMBOLS[(number + number // len(_SYMBOLS)) % len(_SYMBOLS)]


def class_look(number: int) -> str:
    """How to call points of that number aloud: "blue circle"; those of a `grey_code` are grey."""
    return f"{COLOUR_NAMES[number % len(COLOUR_NAMES)] if number >= 0 else 'grey'} {class_symbol(number)}"


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """`share` of `other` in `colour`, opaque."""
    r, g, b = (round(c + (o - c) * share) for c, o in zip(colour[:3], other[:3], strict=True))
    return r, g, b, 255


def blended(shares: NDArray[np.float32], theme: str, colours: Colours = ()) -> Labels:
    """(m,) 0xRRGGBB: the colours of classes 0 to k - 1, mixed by shares (m, k) that add up to 1.

    In 32 steps a channel: no more are told apart in a symbol, and many samples share few colours.
    """
    numbers = (class_number(code, colours) for code in range(shares.shape[1]))
    pure = np.array([class_colour(number, theme)[:3] for number in numbers], dtype=np.float32)
    steps = np.rint(np.rint(shares @ pure * (31 / 255)) * (255 / 31)).astype(np.intp)
    return np.asarray(steps[:, 0] << 16 | steps[:, 1] << 8 | steps[:, 2])


def faded(colour: Colour, opacity: float) -> Colour:
    """The colour with its opacity multiplied."""
    return *colour[:3], round(colour[3] * opacity)


def rim(number: int, theme: str) -> Colour:
    """The outline of points of that number: darker than point and tint alike; of grey ones on dark, which say their
    shape by it under a coloured dot, lighter.
    """
    if number < 0 and theme == "dark":
        return mixed(_PLAIN_ON_DARK, (255, 255, 255, 255), 0.5)
    return mixed(class_colour(number, theme), (0, 0, 0, 255), 0.8 if theme == "dark" else 0.55)


@cache
def class_tints(theme: str, colours: Colours = ()) -> NDArray[np.uint32]:
    """(9, 256) 0xffRRGGBB: the tint of each class at each strength."""
    canvas, top = np.array(theme_colors(theme).canvas[:3]), _STRONGEST_TINT[theme]
    numbers = colours or range(len(COLOUR_NAMES))
    pure = np.array([class_colour(number, theme)[:3] for number in numbers])
    return _packed(canvas + (pure[:, None, :] - canvas) * (np.arange(256) / 255 * top)[None, :, None])


@cache
def diverging_tints(theme: str, role: str = "value") -> NDArray[np.uint32]:
    """(256,) 0xffRRGGBB: the scale of a role, from its low values over the canvas, neutral at 128, to its high ones.

    One whose low values have the colour of the canvas goes from there to its high ones.
    """
    scale = scale_of(role) or Scale()
    top = _STRONGEST_TINT[theme] + 0.15 if scale.strongest is None else scale.strongest
    low, canvas, high = (np.array(_colour(tone, theme)[:3]) for tone in (scale.low, CANVAS, scale.high))
    neutral, ends = (0, 255) if scale.low == CANVAS else (_NEUTRAL, 127)
    signed = ((np.arange(256) - neutral) / ends).clip(-1, 1)[:, None]
    return _packed(canvas + (np.where(signed < 0, low, high) - canvas) * np.abs(signed) * top)


def shade_name(strength: int, role: str) -> str:
    """How to call a shade of `diverging_tints` aloud; "" where it is hardly one, or no colour of a class."""
    scale = scale_of(role) or Scale()
    number = _CLASS_TONES.get((scale.low if strength < _NEUTRAL else scale.high).part)
    return "" if number is None or abs(strength - _NEUTRAL) < _LEAST_SHADE else COLOUR_NAMES[number]


@cache
def opacities(colour: Colour) -> NDArray[np.uint32]:
    """(256,) 0xAARRGGBB, the channels multiplied by the opacity: one colour from transparent to opaque."""
    opacity = np.arange(256, dtype=np.uint32)
    red, green, blue = (opacity * np.uint32(channel) // np.uint32(255) for channel in colour[:3])
    return np.asarray(opacity << 24 | red << 16 | green << 8 | blue, dtype=np.uint32)


def _packed(rgb: Array) -> NDArray[np.uint32]:
    red, green, blue = np.moveaxis(np.rint(rgb).astype(np.uint32), -1, 0)
    return np.asarray(0xFF000000 | red << 16 | green << 8 | blue, dtype=np.uint32)


_CLASS_ROLES = ("class", "dot", "member", "link", "ellipse", "vote", "branch")
"""The roles that are followed by the code of a class."""


def _class_inks(number: int, theme: str) -> dict[str, Ink]:
    """The ink of each of `_CLASS_ROLES`."""
    colour, symbol, edge = class_colour(number, theme), class_symbol(number), rim(number, theme)
    return {
        "class": Ink(colour, faded(colour, 0.35), width=2.0, symbol=symbol, halo=edge),
        "dot": Ink(colour, colour, width=1.0, symbol=symbol, size=6.5, halo=edge),
        "member": Ink(theme_colors(theme).canvas, colour, width=1.0, size=6.5),
        "ellipse": Ink(mixed(colour, theme_colors(theme).text, 0.4), width=2.0),
        "vote": Ink(colour, width=2.4, symbol="ring", halo=edge),
        "link": Ink(faded(colour, 0.75), width=1.0),
        "branch": Ink(mixed(colour, theme_colors(theme).text, 0.2), width=2.0),
    }


def class_in_grey(role: str) -> str:
    """The grey role of the same kind as that of a class; "" for the role of no class."""
    kind, _, code = role.rpartition(" ")
    return f"{kind} {grey_code(0)}" if kind in _CLASS_ROLES and code.removeprefix("-").isdecimal() else ""


@cache  # a role is brought with its method, before anything is drawn in it
def ink(role: str, theme: str, colours: Colours = ()) -> Ink:
    """The ink of a role. "class 3" and the like take the class's colour; an unknown role is drawn as plain lines.

    "dot 3" is a small symbol of that class, "member 3" a dot in a sample that belongs to cluster 3, "link 3" a line
    from there to the cluster's centre, "ellipse 3" an outline of its Gaussian, "vote 3" a ring about a sample that
    speaks for class 3, "branch 3" a part of a tree that is cluster 3.
    """
    if class_in_grey(role):
        kind, code = role.split(" ")
        return _class_inks(class_number(int(code), colours), theme)[kind]
    tones = ink_of(role) or UNKNOWN_ROLE_INK
    fill, halo = (None if tone is None else _colour(tone, theme) for tone in (tones.fill, tones.halo))
    return Ink(_colour(tones.line, theme), fill, tones.width, tones.dash, tones.symbol, tones.size, halo)


def _colour(tone: Tone, theme: str) -> Colour:
    colours = theme_colors(theme)
    number = _CLASS_TONES.get(tone.part)
    colour = getattr(colours, tone.part) if number is None else class_colour(number, theme)
    return faded(mixed(mixed(colour, colours.canvas, tone.pale), colours.text, tone.deep), tone.opacity)
