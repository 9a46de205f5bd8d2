"""What arrays are called by what they hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Labels = NDArray[np.intp]
"""A whole number for each sample: the number of its class or cluster, or a row."""
Mask = NDArray[np.bool_]
"""Whether, for each sample."""
