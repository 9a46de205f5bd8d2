"""The campaign from the command line."""

import argparse
import os
import resource
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.pop("MLVIZ_METHODS", None)
_MEMORY_BYTES = 6 * 2**30

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--failures", type=Path, default=Path("fuzz-failures"), help="folder for inputs that fail")
    parser.add_argument("--again", metavar="SEED", help="try that one input again and tell what comes of it")
    given = parser.parse_args()
    # A header that promises terabytes must not take the machine with it.
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    from tests.fuzz import campaign

    if given.again:
        campaign.again(given.again)
    else:
        figures = campaign.run(given.seconds, given.seed, given.failures)
        print(figures.text())
        raise SystemExit(bool(figures.causes))
