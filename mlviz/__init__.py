"""mlviz: see machine learning happen.

The BLAS thread variables are set here, before the first import of NumPy anywhere in the program: NumPy's and SciPy's
wheels bring one spinning thread pool each, and on two cores alternating calls take forty times as long with two
threads.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

__version__ = "0.1.0"
