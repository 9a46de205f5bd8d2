"""What must be set before the first import of NumPy and Qt."""

import os

# Two spinning thread pools make mixed NumPy and SciPy calls forty times slower; one thread each is what the program uses.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
