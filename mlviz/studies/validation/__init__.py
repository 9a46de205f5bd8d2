"""Studies that estimate errors by fits on parts of the samples."""
