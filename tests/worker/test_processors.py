"""Window and worker keep apart in a virtual machine, and anywhere else nobody is told where to run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mlviz.worker import processors

pytestmark = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no such call")
_SHOW = """
import multiprocessing, os, sys
from pathlib import Path
from mlviz.worker import processors

def there():
    processors.keep_off_window()
    return sorted(os.sched_getaffinity(0))

processors._CPUINFO = Path(sys.argv[1])
processors.keep_window_apart()
print(sorted(os.sched_getaffinity(0)), there())
"""


@pytest.mark.parametrize(
    ("allowed", "window", "worker"),
    [({0}, {0}, {0}), ({0, 1}, {0}, {1}), ({2, 5, 7}, {2, 7}, {5}), (set(range(8)), {0, 2, 4, 6}, {1, 3, 5, 7})],
)
def test_every_second_processor_is_the_workers(allowed: set[int], window: set[int], worker: set[int]) -> None:
    assert processors.shared_out(allowed) == (window, worker)


@pytest.mark.parametrize(
    "flags", ["flags\t\t: fpu vme hypervisor lahf_lm", "flags\t\t: fpu vme lahf_lm", "Features: fp"]
)
def test_the_processes_are_told_in_a_virtual_machine_alone(flags: str, tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\n{flags}\n")
    allowed = os.sched_getaffinity(0)
    parts = processors.shared_out(allowed) if "hypervisor" in flags else (allowed, allowed)
    run = subprocess.run([sys.executable, "-c", _SHOW, str(cpuinfo)], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[0] == f"{sorted(parts[0])} {sorted(parts[1])}"
