"""Settings of the USD writer."""

from dataclasses import dataclass

from core.io.options import SceneWriteOptions


@dataclass(frozen=True, slots=True)
class UsdWriteOptions(SceneWriteOptions):
    """How to write; the first clip is the one that plays.

    Parameters
    ----------
    tolerance : how far what lies between two samples may be off (metres; radians times 10)
    """

    tolerance: float = 1e-5
