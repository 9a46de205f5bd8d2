"""The monkey from the command line."""

import argparse
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.monkey", description=__doc__)
    parser.add_argument("actions", nargs="?", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kill", action="store_true", help="kill the worker once in 200 actions")
    parser.add_argument("--session", type=int, default=1000, help="actions until undo goes back to the start")
    given = parser.parse_args()
    from tests.monkey.play import run

    run(given.actions, given.seed, 200 if given.kill else 0, given.session)
