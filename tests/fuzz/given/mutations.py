"""Damage to bytes, to tokens and to the values of JSON; all of it by a random source that is handed in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from random import Random

from tests.fuzz.given.pieces import FINITE, MODERATE, NUMBERS, TEXTS, VALUES, Raw

MOST_BYTES = 2**20
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[-+]?[0-9.]+(?:[eE][-+]?\d+)?|\w+|\s|.', re.DOTALL)
_ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp1252", "cp1251", "shift_jis", "gb18030")
_MARKS = (
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\0",
    b"\0\0\0\0",
    b"\xff",
    b"\x1b[2J",
    b'"',
    b"\r",
    b"\xc3",
    b"\xed\xa0\x80",
)

Path = tuple[object, ...]


def damaged(content: bytes, rng: Random) -> tuple[bytes, str]:
    """The bytes after one to four accidents, and what these were."""
    done = []
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        accident = rng.choice(_ACCIDENTS)
        content = accident(content, rng)[:MOST_BYTES]
        done.append(accident.__name__.strip("_"))
    return content, ", ".join(done)


def _span(content: bytes, rng: Random) -> tuple[int, int]:
    a = rng.randint(0, len(content))
    return a, min(len(content), a + rng.choice((1, 2, 5, 20, 100, 1000)))


def _flip(content: bytes, rng: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 8, 40)) if changed else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _overwrite(content: bytes, rng: Random) -> bytes:
    a, b = _span(content, rng)
    return content[:a] + rng.randbytes(b - a) + content[b:]


def _truncate(content: bytes, rng: Random) -> bytes:
    cut = rng.randint(0, len(content))
    return content[cut:] if rng.random() < 0.2 else content[:cut]


def _delete(content: bytes, rng: Random) -> bytes:
    a, b = _span(content, rng)
    return content[:a] + content[b:]


def _repeat(content: bytes, rng: Random) -> bytes:
    a, b = _span(content, rng)
    times = min(rng.choice((2, 2, 3, 10, 1000, 100_000)), MOST_BYTES // max(1, b - a))
    return content[:a] + content[a:b] * times + content[b:]


def _swap(content: bytes, rng: Random) -> bytes:
    (a, b), (c, d) = sorted((_span(content, rng), _span(content, rng)))
    return content if b > c else content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def _insert(content: bytes, rng: Random) -> bytes:
    at = rng.choice((0, 0, len(content), rng.randint(0, len(content))))
    return content[:at] + rng.choice(_MARKS) + content[at:]


def _recode(content: bytes, rng: Random) -> bytes:
    return content.decode("utf-8", errors="replace").encode(rng.choice(_ENCODINGS), errors="replace")


def _line_ends(content: bytes, rng: Random) -> bytes:
    return content.replace(
        b"\n", rng.choice((b"\r", b"\r\n", b"\n\n", b"\n\r", b"\0", b" ", b"", b"\x0b", b"\xe2\x80\xa8"))
    )


def _tokens(content: bytes, rng: Random) -> bytes:
    tokens = _TOKEN.findall(content.decode("utf-8", errors="surrogateescape"))
    for _ in range(rng.choice((1, 1, 2, 5)) if tokens else 0):
        at = rng.randrange(len(tokens))
        other = rng.randrange(len(tokens))
        match rng.randrange(5):
            case 0:
                tokens[at] = ""
            case 1:
                tokens[at] *= 2
            case 2:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = tokens[other]
            case _:
                tokens[at] = rng.choice((rng.choice(NUMBERS), rng.choice(TEXTS), *",;\t|{}[]:\"'\n"))
    return "".join(tokens).encode("utf-8", errors="surrogateescape")


def _numbers(content: bytes, rng: Random) -> bytes:
    return _replaced(content, rng, lambda token: token[-1:].isdigit(), lambda: rng.choice(NUMBERS))


def _texts(content: bytes, rng: Random) -> bytes:
    def new() -> str:
        text = rng.choice(TEXTS)
        return json.dumps(text, ensure_ascii=rng.random() < 0.5) if quoted else text

    quoted = content.lstrip()[:1] == b"{"
    return _replaced(content, rng, lambda token: token[:1] == '"' or token[:1].isalpha(), new)


def _replaced(content: bytes, rng: Random, wanted: Callable[[str], bool], new: Callable[[], str]) -> bytes:
    """With one, a few, or all tokens of a kind replaced, all by the same or each by its own."""
    tokens = _TOKEN.findall(content.decode("utf-8", errors="surrogateescape"))
    places = [i for i, token in enumerate(tokens) if wanted(token)]
    chosen = rng.sample(places, min(len(places), rng.choice((1, 1, 1, 3, 10, 10_000))))
    same = new() if rng.random() < 0.3 else None
    for at in chosen:
        tokens[at] = new() if same is None else same
    return "".join(tokens).encode("utf-8", errors="surrogateescape")


_ACCIDENTS = (
    *(_flip, _overwrite, _truncate, _delete, _repeat, _swap, _insert, _recode, _line_ends),
    *(_tokens, _tokens, _numbers, _numbers, _texts, _texts),
)


def paths(value: object, at: Path = ()) -> Iterator[Path]:
    """Where something stands in a value of JSON: every place of objects, the first and last of lists."""
    yield at
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*at, key))
    elif isinstance(value, list) and value:
        for i in {0, len(value) - 1}:
            yield from paths(value[i], (*at, i))


def with_value(root: object, at: Path, new: object) -> object:
    """The value with another one at that place."""
    if not at:
        return new
    first, *rest = at
    if isinstance(root, dict):
        return {key: with_value(inner, tuple(rest), new) if key == first else inner for key, inner in root.items()}
    assert isinstance(root, list)
    return [with_value(inner, tuple(rest), new) if i == first else inner for i, inner in enumerate(root)]


def value_at(root: object, at: Path) -> object:
    """What stands at that place."""
    for key in at:
        root = root[key]  # type: ignore[index]
    return root


def without(root: object, at: Path) -> object:
    """The value without what stands at that place, which is not the root."""
    *parent, last = at
    holder = value_at(root, tuple(parent))
    if isinstance(holder, dict):
        left: object = {key: inner for key, inner in holder.items() if key != last}
    else:
        assert isinstance(holder, list)
        left = [inner for i, inner in enumerate(holder) if i != last]
    return with_value(root, tuple(parent), left)


def dump(value: object) -> str:
    """JSON, with `Raw` as it is."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return (
            "{"
            + ", ".join(f"{key if isinstance(key, Raw) else json.dumps(key)}: {dump(v)}" for key, v in value.items())
            + "}"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(dump, value)) + "]"
    return json.dumps(value)


def odd_but_proper(root: object, rng: Random) -> tuple[object, str]:
    """A scene with numbers and names that a scene may have, though no one would think of them."""
    done = []
    # One number that is too large, and nothing else is looked at.
    numbers = FINITE if rng.random() < 0.3 else tuple(x for x in FINITE if abs(x) <= MODERATE)
    for _ in range(rng.choice((1, 2, 4, 12))):
        places = [at for at in paths(root) if at and not isinstance(value_at(root, at), dict | bool | None)]
        at = rng.choice(places)
        old, top = value_at(root, at), at[0]
        new: object = None
        if top == "points" and isinstance(old, float):
            new = rng.choice(numbers)
        elif top == "points" and len(at) == 1 and isinstance(old, list):
            same = rng.choice((rng.choice(numbers), None))
            column = rng.randrange(len(old[0])) if old else 0
            new = [
                [rng.choice(numbers) if same is None else same if i == column else x for i, x in enumerate(p)]
                for p in old
            ]
        elif top in ("columns", "class_names", "class_column") and isinstance(old, str):
            root, new = _renamed(root, old, rng.choice(TEXTS)), None
            done.append(f"{top} renamed")
        elif top == "labels" and isinstance(old, int):
            new = rng.randrange(60)
        elif top == "panels" and isinstance(old, float | int):
            new = rng.choice((*numbers, 0, 1, 2, 3, 10, 1000))
        elif top == "view" and isinstance(old, float | int):
            new = rng.choice(numbers)
        if new is not None:
            root = with_value(root, at, new)
            done.append(f"{'.'.join(map(str, at))} odd"[:80])
    return root, "; ".join(done)


def _renamed(root: object, old: str, name: str) -> object:
    """A text replaced wherever it stands."""
    if isinstance(root, dict):
        return {key: _renamed(inner, old, name) for key, inner in root.items()}
    if isinstance(root, list):
        return [_renamed(inner, old, name) for inner in root]
    return name if root == old and isinstance(root, str) else root


def misfit(root: object, rng: Random) -> tuple[object, str]:
    """A value of JSON with something wrong at one to three of its places, and what that is."""
    done = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if not isinstance(root, dict | list):
            break
        at = rng.choice(list(paths(root)))
        old = value_at(root, at)
        match rng.randrange(8):
            case 0 if at:
                root, what = without(root, at), "left out"
            case 1 if at and isinstance(at[-1], str):
                key = json.dumps(at[-1])
                root, what = with_value(root, at, Raw(f"{dump(old)}, {key}: {dump(old)}")), "twice"
            case 2:
                root, what = with_value(root, at, [old] * rng.choice((1, 2, 3, 50, 2000))), "in a list"
            case 3 if isinstance(old, list) and old:
                times = rng.choice((2, 3, 20))
                root, what = (
                    with_value(root, at, old * times if rng.random() < 0.7 else old[::-1][1:]),
                    "longer or shorter",
                )
            case 4 if isinstance(old, dict):
                root, what = with_value(root, at, {**old, rng.choice(TEXTS): rng.choice(VALUES)}), "one key more"
            case 5 | 6 if isinstance(old, str):
                root, what = with_value(root, at, rng.choice(TEXTS)), "another text"
            case 5 | 6 if isinstance(old, int | float):
                root, what = with_value(root, at, Raw(rng.choice(NUMBERS[:33]))), "another number"
            case _:
                root, what = with_value(root, at, rng.choice(VALUES)), "another type"
        done.append(f"{'.'.join(map(str, at))} {what}"[:80])
    return root, "; ".join(done)
