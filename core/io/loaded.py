"""What readers give."""

from dataclasses import dataclass
from typing import Any

from core.io.report import ImportReport
from core.project.project import Project


@dataclass(frozen=True, slots=True)
class Loaded:
    """What reading a file gave: the project and the report about it.

    Parameters
    ----------
    remembered : what the writer of the same format can use again while assets stay the same; None of most formats
    """

    project: Project
    report: ImportReport
    remembered: Any = None
