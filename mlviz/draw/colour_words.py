"""Names of classes that are words for colours: these classes look odd in any other colour."""

from __future__ import annotations

from collections.abc import Sequence

from mlviz.draw.palette import COLOUR_NAMES, Colours, class_number, exchanged
from mlviz.spec.outside import composed

_WORDS = {
    "blue": "blue, blau, bleu, bleue, blu, azul",
    "orange": "orange, arancio, arancione, naranja, anaranjado, anaranjada",
    "green": "green, grün, gruen, vert, verte, verde",
    "pink": "pink, rosa, rose, purple, violet, magenta, violett, lila, purpur, violette, mauve, pourpre, viola, "
    "porpora, morado, morada, violeta, púrpura",
    "yellow": "yellow, gelb, jaune, giallo, gialla, amarillo, amarilla",
    "sky blue": "sky blue, light blue, cyan, turquoise, hellblau, himmelblau, türkis, bleu clair, bleu ciel, azzurro, "
    "azzurra, celeste, turchese, azul claro, turquesa",
    "red": "red, rot, rouge, rosso, rossa, rojo, roja",
    "brown": "brown, braun, brun, brune, marron, marrone, bruno, bruna, marrón",
    "grey": "grey, gray, grau, gris, grise, grigio, grigia, black, schwarz, noir, noire, nero, nera, negro, negra",
}
"""What the colours of the palette are called in English, German, French, Italian and Spanish, and what is near them."""
_NUMBERS = {word: number for number, name in enumerate(COLOUR_NAMES) for word in _WORDS[name].split(", ")}
_SHADES = (
    *("light", "pale", "bright", "dark", "deep", "clair", "claire", "foncé", "foncée"),
    *("chiaro", "chiara", "scuro", "scura", "claro", "clara", "oscuro", "oscura"),
)
"""What may stand beside the word of a colour."""


def colour_number(name: str) -> int | None:
    """The number of the colour that a name says, or of the one nearest to it; None where it says none."""
    words = composed(name).casefold().replace("_", " ").replace("-", " ").split()
    word, plain = " ".join(words), " ".join(word for word in words if word not in _SHADES)
    plain = plain.removeprefix("hell").removeprefix("dunkel").strip()
    return _NUMBERS.get(word, _NUMBERS.get(plain))


def coloured_by_name(names: Sequence[str], former: Sequence[str] = (), colours: Colours = ()) -> Colours:
    """The colours of classes with those names: one whose name is not its `former` one has the colour that this says.

    Of several with the same word the first has it; who had it before gets the other's.
    """
    said = {code: number for code, name in enumerate(names) if (number := colour_number(name)) is not None}
    known = {code for code in said if code < len(former) and names[code] == former[code]}
    taken = {said[code] for code in known if class_number(code, colours) == said[code]}
    for code, number in said.items():
        if code < len(COLOUR_NAMES) and code not in known and number not in taken:
            taken.add(number)
            colours = exchanged(colours, code, number)
    return colours
