"""Tables of samples, which are written only."""

from pathlib import Path
from typing import Any

from core.io.format import Format, Size
from core.io.report import ExportReport
from core.progress import Progress
from core.project.project import Project


def _write(project: Project, path: Path, options: Any, progress: Progress) -> ExportReport:
    from core.io.tables.write import write

    return write(project, path, options, progress)


def _options() -> Any:
    from core.io.tables.write import TableWriteOptions

    return TableWriteOptions()


FORMAT = Format(
    id="table",
    title="Table of samples",
    suffixes=(".csv", ".npz"),
    write=_write,
    write_options=_options,
    every_frame=True,
    sizes={".csv": Size(0.0, 0.0, 13.0, 0.0), ".npz": Size(0.0, 0.0, 1.8, 40.0)},
)
