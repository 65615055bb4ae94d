"""What readers give."""

from dataclasses import dataclass

from core.io.report import ImportReport
from core.project.project import Project


@dataclass(frozen=True, slots=True)
class Loaded:
    """What reading a file gave: the project and the report about it."""

    project: Project
    report: ImportReport
