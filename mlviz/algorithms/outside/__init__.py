"""Methods of other people: the folders that the environment variable MLVIZ_METHODS names are this package.

So their files have names that every process can import, and what is pickled in one is found in the other.
"""

import os
from pathlib import Path

_VARIABLE = "MLVIZ_METHODS"

__path__ = [str(Path(folder).resolve()) for folder in os.environ.get(_VARIABLE, "").split(os.pathsep) if folder]
