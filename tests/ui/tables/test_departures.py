"""Whatever of a file is not what the samples are is told in the dialog, on standard error and in JSON."""

import json
import unicodedata
from random import Random
from typing import get_args

import pytest

from mlviz.cli import main
from mlviz.data.tables.departures import Kind
from mlviz.data.tables.reading import TableFile, parse_table
from mlviz.ui.tables.dialog import TableDialog
from tests.sweep import trials

WORDS = ("wolf", "fox", "bear")


def clean(rng, n=12):
    """A header and rows of two numbers and a class."""
    rows = [[f"{rng.uniform(-9, 9):.3f}", f"{rng.uniform(0.1, 9):.3f}", WORDS[i % 3]] for i in range(n)]
    return [["u", "v", "kind"], *rows]


def text(rows, separator=",", end="\n"):
    return "".join(separator.join(row) + end for row in rows)


def some_rows(rng, rows, least=1):
    return sorted(rng.sample(range(1, len(rows)), rng.randint(least, 4)))


def in_cells(change, column=2):
    """A departure in some cells of a column, one each."""

    def make(rng, rows):
        chosen = some_rows(rng, rows)
        for i in chosen:
            rows[i][column] = change(rows[i][column])
        return text(rows), len(chosen), chosen[0] + 1

    return make


def in_lines(change):
    """A departure in some lines, one each."""

    def make(rng, rows):
        lines = text(rows).splitlines()
        chosen = some_rows(rng, rows)
        for i in chosen:
            lines[i] = change(lines[i])
        return "\n".join(lines) + "\n", len(chosen), chosen[0] + 1

    return make


def in_header(change, count=1):
    def make(rng, rows):
        rows[0] = change(rows[0])
        return text(rows), count, 1

    return make


def columns(*more):
    """Columns after the others, cells by the number of the row; the header first."""

    def make(rng, rows):
        return text([[*row, *(cell(i) for cell in more)] for i, row in enumerate(rows)]), len(more), None

    return make


def other_encoding(rng, rows):
    chosen = some_rows(rng, rows)
    lines = text([[*row[:2], f"é{row[2]}"] for row in rows]).splitlines()
    raw = [line.encode("cp1252" if i in chosen else "utf-8") for i, line in enumerate(lines)]
    return b"\n".join(raw) + b"\n", len(chosen), chosen[0] + 1


def undecodable(rng, rows):
    chosen = some_rows(rng, rows)
    lines = [line.encode() + (b"\x81\x8d" if i in chosen else b"") for i, line in enumerate(text(rows).splitlines())]
    return b"\n".join(lines) + b"\n", 2 * len(chosen), chosen[0] + 1


def other_ends(end, usual):
    def make(rng, rows):
        chosen = some_rows(rng, rows)
        return (
            "".join(line + (end if i in chosen else usual) for i, line in enumerate(text(rows).splitlines())),
            len(chosen),
            chosen[0] + 1,
        )

    return make


def lines_above(first, *more):
    return lambda rng, rows: ("\n".join((first, *more)) + "\n" + text(rows), 1 + sum(map(bool, more)), 1)


def unclosed(rng, rows):
    for row in rows:
        row.insert(2, "remark")
    i = some_rows(rng, rows)[0]
    rows[i][2] = '"broken'
    return text(rows), 1, i + 1


def extra(cells):
    def make(rng, rows):
        chosen = some_rows(rng, rows)
        for i in chosen:
            rows[i] += cells
        return text(rows), len(chosen), chosen[0] + 1

    return make


def row_names(rng, rows):
    return text([row if not i else [f"r{i}", *row] for i, row in enumerate(rows)]), 1, None


def units(rng, rows):
    return text([rows[0], ["m", "s", "-"], *rows[1:]]), 1, 2


def footer(rng, rows):
    return text([*rows, ["Total", "3.5", "fox"]]), 1, len(rows) + 1


def with_unit(rng, rows):
    return text([rows[0], *([f"{row[0]} cm", *row[1:]] for row in rows[1:])]), len(rows) - 1, 2


def whole_lines(rng, rows):
    return "".join(f'"{line}"\n' for line in text(rows).splitlines()), len(rows), 1


def with_line_break(rng, rows):
    i = some_rows(rng, rows)[0]
    rows[i][2] = '"grey\nwolf"'
    return text(rows), 1, i + 1


def every_class_another(rng, rows):
    return text([["u", "v", "c"], *([*row[:2], f"n{i}"] for i, row in enumerate(rows[1:]))]), 1, None


def number_classes(rng, rows):
    chosen = some_rows(rng, rows[:-3])
    rows = [rows[0], *([*row[:2], f"{'0' * (i in chosen)}{i % 3}"] for i, row in enumerate(rows[1:], 1))]
    return text(rows), 2 * len({i % 3 for i in chosen}), None


def capitals(rng, rows):
    rows[some_rows(rng, rows)[0]][2] = "FOX"
    rows[1][2], rows[2][2] = "wolf", "fox"
    rows[-1][2] = "Fox"
    return text(rows), len({row[2] for row in rows if row[2].lower() == "fox"}), None


def look_alikes(rng, rows):
    pairs = [("fox", "f\u043ex"), ("fox", "\uff46ox"), ("fish", "\ufb01sh"), ("istanbul", "\u0130stanbul")]
    rows[1][2], rows[2][2] = rng.choice(pairs)
    return text(rows), 2, None


CASES: dict[str, tuple[str, object]] = {
    "lines in another encoding": ("encoding", other_encoding),
    "bytes without a sign": ("unreadable", undecodable),
    "a byte order mark within": ("byte order mark", in_lines(lambda line: f"\ufeff{line}")),
    "zero bytes": ("zero bytes", in_cells(lambda cell: f"{cell}\0")),
    "old ends among new": ("line ends", other_ends("\r", "\n")),
    "plain ends among those of Windows": ("line ends", other_ends("\n", "\r\n")),
    "comments": ("lines above", lines_above("# by hand", "# twice", "")),
    "a preamble": ("lines above", lines_above("Logger 7", "")),
    "lines in quotes": ("quoted lines", whole_lines),
    "an unclosed quote": ("quote", unclosed),
    "a quote within": ("quote", in_cells(lambda cell: f'"{cell}" x')),
    "a field too many in the header": ("empty cells", in_header(lambda names: [*names, ""])),
    "empty cells at the end": ("empty cells", extra(["", " "])),
    "empty columns at the end": ("empty column", columns(lambda i: "", lambda i: "")),
    "a name too many in the header": ("header cells", in_header(lambda names: [*names, "more", "yet"], 2)),
    "row names": ("row names", row_names),
    "units": ("units row", units),
    "rows too long": ("ragged row", extra(["7"])),
    "comments within": ("ragged row", in_lines(lambda line: f"# {line.partition(',')[0]}")),
    "text below": ("text below", footer),
    "a column without a name": ("no name", in_header(lambda names: ["", *names[1:]])),
    "a name twice": ("same name", in_header(lambda names: [names[1], *names[1:]])),
    "spaces around a name": ("spaces", in_cells(lambda cell: f"{cell}  ")),
    "spaces around a column": ("spaces", in_header(lambda names: [f"{names[0]} ", *names[1:]])),
    "a line break in a name": ("line breaks", with_line_break),
    "marks nobody sees": ("hidden marks", in_cells(lambda cell: f"{cell[0]}\u200b{cell[1:]}")),
    "control characters": ("hidden marks", in_cells(lambda cell: f"\x1b{cell}")),
    "marks in a column's name": ("hidden marks", in_header(lambda names: ["u\u00ad", *names[1:]])),
    "accents apart": ("accents", in_cells(lambda cell: unicodedata.normalize("NFD", f"é{cell}"))),
    "an apostrophe before a formula": ("apostrophe", in_cells(lambda cell: f"'={cell}")),
    "capitals": ("capitals", capitals),
    "letters of another alphabet": ("look-alike", look_alikes),
    "classes by numbers": ("number names", number_classes),
    "missing numbers": ("missing", in_cells(lambda cell: "NA", 1)),
    "missing classes": ("missing", in_cells(lambda cell: "?")),
    "a word among numbers": ("no number", in_cells(lambda cell: "lost", 0)),
    "infinity": ("no number", in_cells(lambda cell: "1e999", 0)),
    "units at numbers": ("unit", with_unit),
    "thousands": ("thousands", in_cells(lambda cell: '"12,345.5"', 1)),
    "thousands by blanks": ("thousands", in_cells(lambda cell: "12 345.5", 1)),
    "negative by parentheses": ("parentheses", in_cells(lambda cell: "(1.5)", 1)),
    "too many digits": ("digits", in_cells(lambda cell: "12345678901234567891", 1)),
    "no class guessed": ("no class", every_class_another),
    "text left out": ("column", columns(lambda i: f"note {i}" if i else "remark")),
    "a sparse column": ("column", columns(lambda i: ("1.5" if i > 9 else "") if i else "w")),
    "gaps": ("gap", in_cells(lambda cell: "", 1)),
    "gaps of classes": ("gap", in_cells(lambda cell: " ", 2)),
}


def told(path, capsys, qtbot):
    """What `fit` lists in JSON and says on standard error, and what the dialog says."""
    capsys.readouterr()
    main(["fit", str(path), "--algorithm", "pca", "--json"])
    out, err = capsys.readouterr()
    dialog = TableDialog(TableFile(path.read_bytes()), path.name)
    qtbot.addWidget(dialog)
    return json.loads(out)[0]["departures"], err, dialog.notes.toPlainText()


@pytest.mark.parametrize("seed", trials(2))
@pytest.mark.parametrize("case", CASES)
def test_every_departure_is_told_in_all_places(case, seed, tmp_path, capsys, qtbot):
    kind, make = CASES[case]
    rng = Random(f"{case} {seed}")
    content, count, line = make(rng, clean(rng))
    path = tmp_path / "table.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    listed, err, said = told(path, capsys, qtbot)
    found = [departure for departure in listed if departure["kind"] == kind]
    assert [(departure["count"], departure["line"]) for departure in found] == [(count, line)], (content, listed)
    for departure in listed:
        assert f"mlviz: {path}: {departure['sentence']}" in err.splitlines()
        assert departure["sentence"] in said.splitlines()
        assert line is None or departure is not found[0] or f"in line {line}" in departure["sentence"]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_clean_file_departs_in_nothing(separator, end, encoding):
    rows = clean(Random(f"{separator} {end} {encoding}"))
    rows[3][2] = rows[4][2] = "Überwolf"
    content = text(rows, separator, end).encode(encoding)
    assert parse_table(content).select().departures == ()


def test_a_clean_file_is_told_without_a_word(tmp_path, capsys, qtbot):
    path = tmp_path / "table.csv"
    path.write_text(text(clean(Random(1))))
    listed, err, said = told(path, capsys, qtbot)
    assert (listed, err, said) == ([], "", "12 samples in 3 classes.")


def test_every_kind_has_a_case():
    assert {kind for kind, _ in CASES.values()} == set(get_args(Kind))


def test_what_is_drawn_only_is_told_too(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(text(clean(Random(1))).replace("wolf", "wolf "))
    assert main(["render", str(path), "--algorithm", "nearest-centroid", "-o", str(tmp_path / "a.png")]) == 0
    assert "4 names in kind with spaces" in capsys.readouterr().err
