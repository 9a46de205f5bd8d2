"""Where the icons and the small public data sets are: inside the installed package, or beside it in a checkout."""

from pathlib import Path


def asset(*parts: str) -> Path:
    """The path of a file or folder shipped with the program, such as ``asset("data", "iris.csv")``."""
    package = Path(__file__).resolve().parent
    installed = package / "assets"
    return (installed if installed.is_dir() else package.parent / "assets").joinpath(*parts)
