"""``python -m mlviz`` is the ``mlviz`` command."""

from mlviz.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
