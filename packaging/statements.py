"""Counts the statements of the product, docstrings left out: what has to be read, whatever its lines look like.

``python packaging/statements.py [FOLDER]`` prints the count of each room and the sum.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path


def statements(source: str) -> int:
    """How many statements there are in a file, without bare strings."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt))
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in nodes)


def main(folder: Path) -> None:
    """Print the counts of a package."""
    counts: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        counts[path.relative_to(folder).parts[0].removesuffix(".py")] += statements(path.read_text(encoding="utf-8"))
    for room, count in sorted(counts.items()):
        print(f"  {room:14}{count:6,}")
    print(f"statements of {folder.name}: {counts.total():,}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "mlviz"))
