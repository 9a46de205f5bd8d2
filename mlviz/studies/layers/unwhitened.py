"""What whitening changes: the same fit on the inputs as they are."""

from dataclasses import dataclass

from mlviz.studies.layers.unstandardized import Unstandardized, plain_fit


@dataclass(frozen=True)
class Unwhitened(Unstandardized):
    """The same method on the inputs as they are, where the pipeline whitens them."""

    id = "unwhitened"
    label = "fit without whitening"
    overlays = (plain_fit(id, label, "without whitening"),)
    preprocessing = "whiten"
