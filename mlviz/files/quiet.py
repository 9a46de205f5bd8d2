"""What a program tells of itself goes into its log, not to the person who uses it."""

from __future__ import annotations

import logging
import sys


def warnings_to_log() -> None:
    """Python's warnings go into the log "py.warnings" from now on, unless Python itself was told what to do with them.

    They are for whoever writes a method; a person is told in the product's own sentences.
    """
    if not sys.warnoptions:
        logging.captureWarnings(True)
