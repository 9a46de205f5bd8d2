"""Methods are found by their files; a file that can't be used is told with its reason and takes nothing else away."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import mlviz
from mlviz.algorithms import broken, find, registry, why_missing
from mlviz.studies import registry as studies

PACKAGE = Path(mlviz.__file__).parent
ROOT = PACKAGE.parent
# Of the methods that can be read, the first one of the task stands in for a default that can't.
STAND_IN = next(cls for cls in registry().values() if "classification" in cls.tasks)
METHOD = '''
from dataclasses import dataclass
from mlviz.algorithms import NearestCentroid

@dataclass(frozen=True)
class Mine(NearestCentroid):
    """The nearest centroid by another name."""
    id, label = "{}", "my own method"
'''
THEIRS = METHOD.format("their-method").replace("Mine", "Theirs").replace("my own", "their own")
SKIPPED = "import pytest; pytest.importorskip('nothing_of_this_name')"
NEVER_MIND = """
import time
while True:
    try:
        time.sleep(100)
    except BaseException:
        pass
"""
WORDLESS = """
class Wordless(Exception):
    def __str__(self):
        raise ValueError
raise Wordless
"""
NOT_MADE = """
    def __post_init__(self):
        raise ValueError('no\\nway')
"""
WORKER = """
from mlviz.algorithms import find
from mlviz.data.generators.catalog import Moons
from mlviz.picture import PanelPicture
from mlviz.pipeline.pipeline import Pipeline
from mlviz.scene.scene import Panel, Scene
from mlviz.worker import Request
from mlviz.worker.process import Worker
import queue
if __name__ == "__main__":
    answers = queue.Queue()
    worker = Worker(lambda _, answer: answers.put(answer))
    panels = tuple(Panel(Pipeline(find(name)())) for name in ("my-method", "their-method"))
    worker.send(Request(1, Scene(Moons().generate(0), panels), ((300, 200),) * 2, False))
    told = {}
    while len(told) < 2:
        answer = answers.get(timeout=60)
        assert answer is not None, "the worker is gone"
        if isinstance(answer, PanelPicture):
            told[answer.panel] = answer
    worker.stop()
    for _, answer in sorted(told.items()):
        print(answer.caption, answer.known + len(answer.plot.marks) > 1)
"""
WINDOW = """
import sys
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication
from mlviz.ui.shell.window import MainWindow
from mlviz.ui.sidebar.method_chooser import MethodChooser
from mlviz.ui.widgets.preferences import Preferences
if __name__ == "__main__":
    application = QApplication([])
    window = MainWindow(None, None, Preferences(QSettings(sys.argv[1], QSettings.Format.IniFormat)))
    window.show()
    chooser = window.findChild(MethodChooser)
    chooser.fill()
    model = chooser.methods.model()
    for item in (model.item(row) for row in range(model.rowCount())):
        if not item.isEnabled() and item.toolTip():
            print(item.text(), item.accessibleDescription() == item.toolTip())
    print(chooser.methods.currentData())
    window.close()
"""


COMMANDS = """
import contextlib, io, json, sys
from mlviz.cli import main
for asked in json.loads(sys.argv[1]):
    told, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(complained):
        code = exec(asked, {}) if isinstance(asked, str) else main(asked)
    print(json.dumps((code, told.getvalue(), complained.getvalue())))
"""
LIST, FIT = ["list"], ["fit", "--generator", "moons"]


class Answer(NamedTuple):
    """What a command of a process that has several answers."""

    returncode: int | None
    stdout: str
    stderr: str


def run(*arguments, **environment):
    """A Python of its own, for what is found is found once; `environment` is added to this one's."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), **{k: str(v) for k, v in environment.items()}}
    command = [sys.executable, *map(str, arguments)]
    # The folder that it starts in is searched before the others.
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=os.sep, check=False)


def each_of(*asked, **environment):
    """The answers of one such Python to commands of mlviz, or lines of Python, one after the other."""
    commands = [one if isinstance(one, str) else list(map(str, one)) for one in asked]
    done = run("-c", COMMANDS, json.dumps(commands), **environment)
    assert done.returncode == 0, done.stderr
    return [Answer(*json.loads(line)) for line in done.stdout.splitlines()]


def told(listed):
    """Id -> reason of each method that `mlviz list` tells as broken."""
    assert listed.returncode == 0, listed.stderr
    parts = [line.partition("  can't be used: ") for line in listed.stdout.splitlines()]
    return {name: reason for name, middle, reason in parts if middle}


@pytest.fixture
def folder(tmp_path):
    """A folder with a method in it."""
    return with_a_method(tmp_path)


def with_a_method(place):
    folder = place / "methods"
    folder.mkdir()
    (folder / "my_method.py").write_text(METHOD.format("my-method"))
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with an installed package that names four methods, of which one can be used."""
    place = tmp_path_factory.mktemp("site")
    (place / "their_package.py").write_text(THEIRS)
    info = place / "their_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[mlviz.methods]\n"
        "their-method = their_package:Theirs\n"
        "gone = their_package:Gone\n"
        "lda = their_package:Theirs\n"
        "absent = no_such_package:Theirs\n"
    )
    return place


@pytest.fixture(scope="module")
def found_outside(tmp_path_factory, site):
    """What is answered where there is a folder with a method and a package with another one."""
    folder = with_a_method(tmp_path_factory.mktemp("outside"))
    asked = "from mlviz.algorithms import Mine; print(Mine.__module__)"
    fits = [[*FIT, "--algorithm", name] for name in ("my-method", "their-method")]
    answers = each_of(asked, *fits, LIST, MLVIZ_METHODS=folder, PYTHONPATH=os.pathsep.join(map(str, (site, ROOT))))
    return dict(zip(("class", "mine", "theirs", "list"), answers, strict=True))


def test_a_class_is_imported_by_its_name_and_no_other_file_is_read():
    asked = "from mlviz.algorithms import SVM; import sys; print(SVM.id, 'mlviz.algorithms.clustering' in sys.modules)"
    assert run("-c", asked).stdout == "svm False\n"
    import mlviz.algorithms

    for method in registry().values():
        assert getattr(mlviz.algorithms, method.__name__) is method
        assert method.__name__ in dir(mlviz.algorithms)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = mlviz.algorithms.Nothing


def test_the_root_exports_what_a_script_needs_and_reads_it_when_asked():
    asked = "import sys, mlviz; assert 'numpy' not in sys.modules; from mlviz import Pipeline; print(Pipeline.__name__)"
    assert run("-c", asked).stdout == "Pipeline\n"
    assert mlviz.registry is registry and {"Pipeline", "registry"} <= set(dir(mlviz))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = mlviz.nothing


def test_an_unknown_method_is_none_and_the_sentence_names_the_known_ones():
    with pytest.raises(KeyError):
        find("nothing")
    assert why_missing("nothing").startswith(f"known are {min(registry())}, ") and not broken()


@pytest.fixture(scope="module")
def damaged(tmp_path_factory):
    """A copy of the program in which three files are broken and two have the name of another."""
    root = tmp_path_factory.mktemp("damaged")
    shutil.copytree(PACKAGE, root / "mlviz")
    shutil.copytree(PACKAGE.parent / "assets", root / "assets")
    algorithms = root / "mlviz" / "algorithms"
    (algorithms / "margin" / "svm" / "__init__.py").write_text("def steps(:\n")
    (algorithms / "clustering" / "kmeans" / "__init__.py").write_text(
        "import numpy\n\nraise RuntimeError('out of order.')\n"
    )
    (algorithms / "gaussian" / "gaussian_classes.py").write_text("import a_package_that_nobody_has\n")
    (algorithms / "linear" / "knn.py").write_text("HELP = 'of the same name as a method of another family'\n")
    (algorithms / "components" / "lloyd.py").write_text("raise SystemExit(3)\n")
    return root


@pytest.fixture(scope="module")
def asked_of_damaged(damaged):
    """What it answers to commands: first where nothing else has read the files."""
    scene = damaged / "scene.json"
    scene.write_text('{"format": 1, "panels": [{"algorithm": "kmeans"}]}')
    commands = {
        "default": FIT,
        "broken": [*FIT, "--algorithm", "kmeans"],
        "scene": ["render", scene, "-o", damaged / "x.png"],
        "list": LIST,
        "json": [*LIST, "--json"],
    }
    return dict(zip(commands, each_of(*commands.values(), PYTHONPATH=damaged), strict=True))


class TestBrokenFiles:
    def test_the_others_are_listed_and_each_broken_one_with_its_reason(self, damaged, asked_of_damaged):
        listed = asked_of_damaged["list"]
        reasons = told(listed)
        # Those that need a broken file are broken with it.
        assert {"svm", "kmeans", "gaussian-classes", "lda", "qda", "naive-bayes", "lloyd"} <= set(reasons)
        place = damaged / "mlviz" / "algorithms"
        assert reasons["kmeans"] == f"{place}/clustering/kmeans/__init__.py, line 3: RuntimeError: out of order."
        assert reasons["svm"].startswith(f"{place}/margin/svm/__init__.py: SyntaxError: invalid syntax")
        assert reasons["gaussian-classes"].endswith("ModuleNotFoundError: No module named 'a_package_that_nobody_has'.")
        assert reasons["lloyd"] == f"{place}/components/lloyd.py, line 1: SystemExit: 3."
        for name in ("knn", "pca", "gmm", "logistic", "linear-regression"):
            assert f"\n{name}  " in f"\n{listed.stdout}" and name not in reasons

    def test_they_stand_in_the_list_as_json_too(self, asked_of_damaged):
        methods = json.loads(asked_of_damaged["json"].stdout)
        assert set(methods["kmeans"]) == {"broken"} and methods["kmeans"]["broken"].endswith("out of order.")
        assert methods["knn"]["label"] == "k nearest neighbours"

    def test_asking_for_one_is_answered_by_a_sentence(self, asked_of_damaged):
        asked, opened = asked_of_damaged["broken"], asked_of_damaged["scene"]
        assert asked.returncode == 1 and asked.stdout == "" and asked.stderr.count("\n") == 1
        assert "there is no method 'kmeans'; its file can't be used: " in asked.stderr
        assert asked.stderr.endswith("RuntimeError: out of order.\n")
        assert opened.returncode == 1 and "RuntimeError" in opened.stderr and opened.stderr.count("\n") == 1
        assert "panels[0].algorithm is 'kmeans'; its file can't be used" in opened.stderr

    def test_another_method_of_the_task_stands_in_for_the_default_one(self, asked_of_damaged):
        drawn = asked_of_damaged["default"]
        assert drawn.returncode == 0 and drawn.stdout.startswith(STAND_IN.label)

    def test_the_worker_starts_and_knows_methods_of_folders_and_of_packages(self, damaged, folder, site, tmp_path):
        script = tmp_path / "window.py"
        script.write_text(WORKER)
        done = run(script, PYTHONPATH=os.pathsep.join(map(str, (damaged, site))), MLVIZ_METHODS=folder)
        told = "own method; n = 100; training error 20\u00a0% True\n"
        assert done.stdout == f"my {told}their {told}", done.stderr

    def test_the_window_opens_and_greys_them_and_one_that_is_read_for_ever(self, damaged, folder, tmp_path):
        script, endless = tmp_path / "window.py", folder / "endless.py"
        script.write_text(WINDOW)
        endless.write_text(NEVER_MIND)
        places = {"PYTHONPATH": damaged, "MLVIZ_METHODS": folder, "XDG_STATE_HOME": tmp_path}
        done = run(script, tmp_path / "preferences.ini", **places)
        lines = done.stdout.splitlines()
        assert {"svm True", "kmeans True", "lloyd True", "endless True"} <= set(lines), done.stderr
        assert lines[-1] == STAND_IN.id and "Traceback" not in done.stderr
        assert f"mlviz: {endless} is still being read\n" in done.stderr


class TestFolders:
    def test_a_method_is_listed_fitted_and_found(self, found_outside):
        assert found_outside["class"].stdout == "mlviz.algorithms.outside.my_method\n"
        assert found_outside["mine"].stdout.startswith("my own method; n = 100")
        assert "my-method  my own method (classification)" in found_outside["list"].stdout

    def test_each_way_to_be_wrong_is_told(self, folder, tmp_path):
        wrong = {
            "empty": "",
            "import_error": "\n\nfrom nowhere import nothing\n",
            "no_tasks": METHOD.format("no-tasks") + "    tasks = ()\n",
            "other_name": METHOD.format("its-own-name"),
            "svm": METHOD.format("svm"),
            "not_made": METHOD.format("not-made") + NOT_MADE,
            "skipped": SKIPPED,
            "wordless": WORDLESS,
            "_private": "raise RuntimeError\n",
        }
        for name, text in wrong.items():
            (folder / f"{name}.py").write_text(text)
        second = tmp_path / "second"
        second.mkdir()
        (second / "my_method.py").write_text(METHOD.format("my-method"))
        folders = os.pathsep.join(map(str, (folder, second, tmp_path / "nowhere")))
        listed = run("-m", "mlviz", "list", MLVIZ_METHODS=folders)
        reasons = told(listed)
        assert reasons == {
            "empty": f"{folder}/empty.py: there is no method in it: "
            "a class derived from Algorithm with an id of its own.",
            "import-error": f"{folder}/import_error.py, line 3: ModuleNotFoundError: No module named 'nowhere'.",
            "my-method": f"{second}/my_method.py: the name is taken by {folder}/my_method.py.",
            "no-tasks": reasons["no-tasks"],
            "not-made": f"{folder}/not_made.py, line 11: ValueError: no.",
            "other-name": f"{folder}/other_name.py: the method in it has the id 'its-own-name', "
            "which has to be that of its name, 'other-name'.",
            "skipped": reasons["skipped"],
            "wordless": f"{folder}/wordless.py, line 5: Wordless.",
            "svm": f"{folder}/svm.py: the id 'svm' is taken by {PACKAGE}/algorithms/margin/svm/__init__.py.",
            str(tmp_path / "nowhere"): "there is no such folder.",
        }
        assert "Skipped: " in reasons["skipped"]
        assert reasons["no-tasks"].startswith(f"{folder}/no_tasks.py") and "task" in reasons["no-tasks"]
        assert "my-method  my own method" in listed.stdout and "\nsvm  support vector machine" in listed.stdout

    def test_a_file_that_is_read_for_ever_is_told_and_holds_nobody_up(self, folder, tmp_path):
        """A scene waits no longer for it than a list."""
        endless, scene = folder / "endless.py", tmp_path / "scene.mlviz"
        endless.write_text(NEVER_MIND)
        scene.write_text('{"format": 1, "panels": [{"algorithm": "endless"}]}')
        fitted, listed = each_of(["fit", scene], LIST, MLVIZ_METHODS=folder)
        assert fitted.returncode == 1 and fitted.stderr.startswith(f"mlviz: {endless} is still being read\n")
        assert "reading it has not ended after 1.5 s." in " ".join(fitted.stderr.split())
        assert told(listed) == {"endless": f"{endless}: reading it has not ended after 1.5 s."}
        assert listed.stderr == "" and "my-method" in listed.stdout

    def test_a_file_that_is_read_for_ever_can_be_given_up(self, folder):
        (folder / "endless.py").write_text("import time\nwhile True:\n    time.sleep(0.01)\n")
        call = [sys.executable, "-m", "mlviz", "fit", "--generator", "moons", "--algorithm", "endless"]
        env = {**os.environ, "MLVIZ_METHODS": str(folder)}

        def heed() -> None:
            # What runs in the background may have been told to ignore Ctrl+C, and its children with it.
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        with subprocess.Popen(call, env=env, stderr=subprocess.PIPE, preexec_fn=heed) as asked:
            assert asked.stderr.readline().endswith(b"endless.py is still being read\n")
            asked.send_signal(signal.SIGINT)
            assert asked.wait(timeout=20) == 130 and asked.stderr.read() == b""
        asked.stderr.close()

    def test_a_method_that_takes_long_to_read_is_there_in_the_end(self, folder):
        """A list does not wait so long; a person who asks for it by its name does."""
        (folder / "slow.py").write_text("import time\ntime.sleep(2)\n" + METHOD.format("slow"))
        asked = "from mlviz.algorithms import broken, registry; print('slow' in registry(), len(broken()))"
        early, fitted, late = each_of(asked, [*FIT, "--algorithm", "slow"], asked, MLVIZ_METHODS=folder)
        assert (early.stdout, late.stdout) == ("False 1\n", "True 0\n")
        assert fitted.stdout.startswith("my own method; n = 100")

    def test_a_process_that_has_never_asked_for_methods_can_unpickle_one(self, folder):
        asked = "import pickle; from mlviz.algorithms import find; print(pickle.dumps(find('my-method')()).hex())"
        text = run("-c", asked, MLVIZ_METHODS=folder).stdout.strip()
        back = run("-c", f"import pickle; print(pickle.loads(bytes.fromhex('{text}')))", MLVIZ_METHODS=folder)
        assert back.stdout == "Mine()\n", back.stderr


def test_methods_of_an_installed_package_are_listed_and_fitted(found_outside):
    assert found_outside["theirs"].stdout.startswith("their own method; n = 100")
    listed = found_outside["list"]
    assert "their-method  their own method (classification)" in listed.stdout
    reasons = told(listed)
    assert set(reasons) == {"absent", "gone", "lda"}
    assert reasons["absent"] == (
        "the package their-package (no_such_package:Theirs): ModuleNotFoundError: No module named 'no_such_package'."
    )
    assert "has no attribute 'Gone'" in reasons["gone"]
    assert "has the id 'their-method'" in reasons["lda"]


def test_no_layer_of_a_method_has_the_id_of_a_layer_of_a_study():
    """Layers are hidden by their ids: hiding one would hide the other."""
    of_methods = {layer.id for method in registry().values() for layer in method.overlays}
    of_studies = {layer.id for study in studies().values() for layer in study.overlays}
    assert of_methods and of_studies and of_methods.isdisjoint(of_studies)
