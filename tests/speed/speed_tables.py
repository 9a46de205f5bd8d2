"""How long tables of a megabyte take, however they are written, whichever way they come in."""

import contextlib
import io
import time

import pytest
from PySide6.QtWidgets import QApplication

from mlviz.cli import main
from mlviz.data.tables.decoding import BadTable
from mlviz.data.tables.reading import TableFile, parse_table
from mlviz.ui.app import make_application
from mlviz.ui.tables.dialog import TableDialog
from tests.data.tables.test_work import WRITTEN
from tests.speed.table import measured

SIZE = 2**20
SECONDS = 1.0
LONG = {
    "name of two directions": "a\u0639" * 250_000 + ",b\n1,2\n3,4\n",
    "class of two directions": "a,b,class\n1,2," + "a\u0639" * 250_000 + "\n3,4,x\n1,4,x\n",
}
"""Words from left to right and from right to left in turn take longest to lay out."""


def _python(content: bytes) -> None:
    with contextlib.suppress(BadTable):
        parse_table(content).select()


def _window(content: bytes) -> None:
    dialog = TableDialog(TableFile(content), "t.csv")
    dialog.show()
    QApplication.processEvents()
    dialog.grab()
    started = time.process_time()
    box = dialog.format.boxes["missing_class"]
    box.setCurrentIndex(1 - box.currentIndex())  # read anew
    QApplication.processEvents()
    assert time.process_time() - started < SECONDS
    dialog.close()
    dialog.deleteLater()
    QApplication.processEvents()


@pytest.mark.parametrize("written", [*WRITTEN, *LONG])
def test_a_table_of_a_megabyte_is_answered_within_a_second(written, tmp_path):
    make_application([])
    content = (LONG[written] if written in LONG else WRITTEN[written](SIZE)).encode()[:SIZE]
    path = tmp_path / "t.csv"
    path.write_bytes(content)

    def command(_: bytes) -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            main(["render", "--algorithm=lda", "--size=300x300", f"--output={tmp_path / 't.svg'}", str(path)])

    times = measured.tables.setdefault(written, {})
    _python(b"a,b\n1,2\n3,4\n")  # what is imported late has been imported
    for name, way in (("Python", _python), ("command", command), ("window", _window)):
        started = time.process_time()
        way(content)
        times[name] = 1e3 * (time.process_time() - started)
    # The window reads it twice.
    assert max(times["Python"], times["command"], times["window"] / 2) < 1e3 * SECONDS
