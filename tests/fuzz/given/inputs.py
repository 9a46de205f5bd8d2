"""Bad inputs: a good one, damaged."""

from __future__ import annotations

import io
from dataclasses import dataclass
from random import Random

import numpy as np

from tests.fuzz.given import seeds
from tests.fuzz.given.lessons import lesson as whole_lesson
from tests.fuzz.given.mutations import MOST_BYTES, damaged, dump, misfit, odd_but_proper
from tests.fuzz.given.pieces import FINITE, NUMBERS, TEXTS


@dataclass(frozen=True)
class Input:
    """A file to be tried: its kind, what was done to it, and its bytes."""

    kind: str
    how: str
    content: bytes
    suffix: str


def scene(rng: Random) -> Input:
    """A scene with the wrong values, with damaged text, or with both."""
    document = whole_lesson(rng) if rng.random() < 0.3 else rng.choice(seeds.scenes())
    if rng.random() < 0.04:
        return _large_scene(rng)
    how, chance = "", rng.random()
    if chance < 0.1:
        document, how = with_odd_kernel(document, rng), "a kernel as text"
    elif chance < 0.4:
        document, how = odd_but_proper(document, rng)
    elif chance < 0.85:
        document, how = misfit(document, rng)
    content = dump(document).encode()
    if not how or (chance > 0.4 and rng.random() < 0.1):
        content, more = damaged(content, rng)
        how = f"{how}; {more}"
    return Input("scene", how, content[:MOST_BYTES], ".mlviz")


def lesson(rng: Random) -> Input:
    """A scene with nothing wrong, as a lesson may leave it."""
    document = whole_lesson(rng)
    methods = ", ".join(panel["algorithm"] for panel in document["panels"])
    return Input("lesson", methods, dump(document).encode(), ".mlviz")


_KERNEL_PARTS = (
    *(
        "linear",
        "gaussian(0.5)",
        "gaussian(1e-9)",
        "laplacian(1e9)",
        "polynomial(9, 1e6)",
        "homogeneous(9)",
        "exponential",
    ),
    *(
        "exp(",
        "anova(",
        "(",
        ")",
        "+",
        "-",
        "*",
        "^9",
        "9",
        "1e9",
        "1e-9",
        "1e400",
        ".5",
        "5.",
        "0",
        " ",
        "٣",
        "²",
        "_",
    ),
)


def with_odd_kernel(document: object, rng: Random) -> object:
    """A scene whose panels have a kernel that is put together at random, where their method has kernels."""
    assert isinstance(document, dict)
    signs = ("", "", "+", "*", ")")
    text = "".join(rng.choice(_KERNEL_PARTS) + rng.choice(signs) for _ in range(rng.choice((1, 2, 3, 5, 12, 80))))
    settings = {"kernel": "expression", "expression": rng.choice((text, text, rng.choice(TEXTS)))}
    panels = [
        {**panel, "algorithm": rng.choice(seeds.kernel_methods()), "hyperparameters": settings}
        for panel in document.get("panels", [{}])
    ]
    return {**document, "panels": [{**panel, "hidden": None} for panel in panels]}


def _large_scene(rng: Random) -> Input:
    """Up to a megabyte of one thing."""
    bodies = {
        "points": '"points": [' + ",".join(["[0.5,1e3]"] * 90_000) + "]",
        "brackets": '"points": ' + "[" * 900_000,
        "texts": '"columns": [' + ",".join(f'"c{i}"' for i in range(90_000)) + "]",
        "keys": ",".join(f'"k{i}": 0' for i in range(70_000)),
        "panels": '"panels": [' + ",".join(["{}"] * 200_000) + "]",
        "names": '"class_names": ["' + "canary<b>" * 100_000 + '"]',
        "quotes": '"' + '\\"' * 400_000,
        "number": '"seed": ' + "9" * 900_000,
        "accents": '"class_names": ["e' + "\u0323\u0301" * 225_000 + '"]',
        "directions": '"points": [[0, 0]], "class_names": ["' + "a\u0639" * 300_000 + '"]',
        "held out": '"points": [[0, 0]], "held_out": [' + ",".join(["0"] * 400_000) + "]",
    }
    shape = rng.choice(list(bodies))
    return Input("scene", f"large: {shape}", f'{{"format": 1, {bodies[shape]}}}'.encode()[:MOST_BYTES], ".mlviz")


def table(rng: Random) -> Input:
    """A table, damaged as bytes, or with cells, rows and names that no one would write."""
    text, how = rng.choice(seeds.TABLES), []
    if rng.random() < 0.05:
        return _large_table(rng)
    if rng.random() < 0.5:
        rows = [line.split(s) for s in [next((s for s in "|;\t," if s in text), " ")] for line in text.split("\n")]
        separator = next((s for s in "|;\t," if s in text), " ")
        for _ in range(rng.choice((1, 2, 6, 60))):
            row = rng.choice(rows)
            at = rng.randrange(len(row)) if row else 0
            match rng.randrange(6):
                case 0 if row:
                    del row[at]
                case 1:
                    row.insert(at, rng.choice(TEXTS))
                case 2 if row:
                    row[at] = rng.choice(TEXTS)
                case 3:
                    column = [other for other in rows[1:] if len(other) > at]
                    same = rng.choice(NUMBERS) if rng.random() < 0.6 else None
                    for other in column:
                        other[at] = same or rng.choice(NUMBERS)
                case 4:
                    rows.insert(rng.randrange(len(rows)), list(row) * rng.choice((1, 2)))
                case _ if row:
                    row[at] = rng.choice(NUMBERS)
        text, how = "\n".join(separator.join(row) for row in rows), ["cells"]
    content = text.encode("utf-8", errors="surrogatepass")
    if not how or rng.random() < 0.3:
        content, more = damaged(content, rng)
        how.append(more)
    return Input("table", ", ".join(how), content, ".csv")


def _large_table(rng: Random) -> Input:
    """Up to a megabyte of one thing."""
    bodies = {
        "rows": "a,b,c\n" + "1.5,2e3,x\n" * 100_000,
        "columns": ",".join(f"c{i}" for i in range(4999)) + "\n" + (",".join(["1"] * 4999) + "\n") * 90,
        "cell": "a,b\n1," + "canary<b>" * 100_000 + "\n2,3\n",
        "quotes": 'a,b\n1,"' + '""' * 400_000,
        "blank": " " * 500_000 + "\n" * 500_000,
        "words": "a,b,c\n" + "".join(f"{i},{i % 7},w{i}\n" for i in range(60_000)),
        "one quote": "a,b\n" + '1,"2\n' * 180_000,
        "wide": "1," * 500_000,
        "hashes": "#\n" * 500_000 + "1,2\n",
        "quoted": '"1,2"\n' * 160_000,
        "lines": "\r" * 500_000 + "1,2\r3,4",
        "digits": "a,b\n1,2\n3," + "1" * rng.choice((100_000, 1_000_000)) + "x\n",
        "accents": "a,b,c\n1,2,e" + "\u0323\u0301" * 250_000 + "\n3,4,x\n",
        "names": "{0},b,c\n1,2,{0}\n3,4,x\n1,4,x\n".format("a\u0639" * 150_000),
        "units": ",".join(["c"] * 4999) + "\n" + (",".join(["1.5 kg"] * 4999) + "\n") * 29,
        "letters": ("," * 4998 + "\n").replace(",", "a,") * 100,
        "empty": "1,2" + ("," * 3998 + "\n1,2") * 250,
        "commas": "a;b;c\n" + "1,5;2.25;1.234\n" * 60_000,
        "ends": "a,b\n" + "1,2\r\n3,4\r" * 90_000,
        "UTF-16": "a;b;c\n" + "1,5;x;grün\n" * 45_000,
        "not UTF-8": "a,b\n1,2\n" + "\udcff" * 900_000,
    }
    shape = rng.choice(list(bodies))
    content = bodies[shape].encode("utf-16" if shape == "UTF-16" else "utf-8", errors="surrogateescape")
    return Input("table", f"large: {shape}", content[:MOST_BYTES], ".csv")


def copy(rng: Random) -> Input:
    """A copy of unsaved work: damaged, or forged so that its checksum is right."""
    about, document, arrays = rng.choice(seeds.copy_parts())
    pieces, how = list(arrays), []
    if rng.random() < 0.3:
        document, what = odd_but_proper(document, rng)
        X = np.random.default_rng(rng.getrandbits(32)).choice(FINITE, (14, 2))
        pieces[0] = _as_numpy_writes(X)
        how.append(f"{what}; odd samples")
    for _ in range(rng.choice((0, 0, 1)) if how else rng.choice((1, 1, 2, 3))):
        match rng.randrange(5):
            case 0:
                about, what = misfit(about, rng)
            case 1:
                document, what = misfit(document, rng)
            case 2:
                pieces[rng.randrange(4)], what = odd_array(rng)
            case 3:
                at = rng.randrange(4)
                pieces[at], what = damaged(pieces[at], rng)
            case _:
                what = rng.choice(("missing array", "arrays swapped"))
                pieces = pieces[: rng.randrange(4)] + [b""] * 4 if what == "missing array" else pieces[::-1]
                pieces = pieces[:4]
        how.append(what)
    body = b"".join((dump(about).encode(), b"\n", dump(document).encode(), b"\n", *pieces))
    if rng.random() < 0.15:
        body, more = damaged(body, rng)
        how.append(more)
    content = seeds.packed(body)
    if rng.random() < 0.15:
        content, more = damaged(content, rng)
        how.append(f"not forged: {more}")
    return Input("copy", "; ".join(how)[:200], content, ".copy")


def odd_array(rng: Random) -> tuple[bytes, str]:
    """An array as NumPy writes it that no data set has, or only the header of one."""
    if rng.random() < 0.3:
        shape = rng.choice(
            ("(99999999999,2)", "(-1,2)", "(4294967296,4294967296)", "(14,2,1)", "()", "(2.5,)", "(" * 200)
        )
        kind = rng.choice(("<f8", "|O", "<i8", "|b1", ">f8", "<c16", "<U9", "|V0", "<M8[s]", "x"))
        header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
        header += b" " * (-(len(header) + 11) % 64) + b"\n"
        return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(
            224
        ), f"array {kind}{shape[:30]}"
    n = rng.choice((0, 1, 13, 14, 14, 14, 15))
    shape = rng.choice(((n,), (n, 2), (n, 2), (n, 3), (n, 0), (1, n, 2), ()))
    fill = rng.choice((0, 1, 7, -1, 60, np.nan, np.inf, 1e300, 5e-324, 2**40))
    kind = rng.choice(
        (float, float, int, bool, np.float32, complex, "U3", np.uint8, np.int8, np.uint64, ">f8", "S2", np.float16)
    )
    with np.errstate(all="ignore"):
        try:
            array = np.full(shape, fill).astype(kind)
        except (OverflowError, ValueError):
            array = np.zeros(shape)
    array = np.asfortranarray(array) if rng.random() < 0.3 else array
    return _as_numpy_writes(array), f"array {array.dtype}{shape} of {fill}"


def _as_numpy_writes(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()
