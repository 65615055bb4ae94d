"""What is said of files that were read or could not be, and the reports that stay to be opened again."""

from collections.abc import Callable
from pathlib import Path

from core.errors import AnimError, IncompleteError
from core.io import ImportReport
from core.io.report import left_out_line
from editor.model.document import Document
from editor.model.i18n import tr
from editor.model.messages import Messages
from editor.model.paths import printable


def said_of(error: AnimError) -> str:
    """What is said of a file that could not be read: for one that was broken off how much of it is there."""
    if not isinstance(error, IncompleteError):
        return str(error)
    units = ((1e9, tr("GB")), (1e6, tr("MB")), (1e3, tr("kB")))
    unit, name = next((u for u in units if error.expected >= u[0]), units[-1])
    found, expected = (_three_digits(bytes / unit) for bytes in (error.found, error.expected))
    name_of = printable(Path(error.path).name)
    return tr(
        "{name} is incomplete ({found} of {expected} {unit}): copy or download it again",
        name=name_of, found=found, expected=expected, unit=name,
    )  # fmt: skip


def _three_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 100.0 else f"{number:.3g}"


class FileReports:
    """Tells what came of reading and writing files."""

    def __init__(self, document: Document, messages: Messages) -> None:
        self._messages = messages
        self._reports: list[tuple[Path, ImportReport]] = []
        document.replaced.connect(lambda _: self._reports.clear())

    @property
    def all(self) -> tuple[tuple[Path, ImportReport], ...]:
        """What was found in each file that the document was made from, the one read last at the end."""
        return tuple(self._reports)

    def failed(self, path: Path, again: str = "") -> Callable[[Exception], None]:
        """Says the error of a job that read or wrote a file.

        Parameters
        ----------
        again : id of the action that lets another file be chosen in its place
        """

        def tell(error: Exception) -> None:
            if isinstance(error, AnimError):
                button = tr("Choose another…") if again else ""
                self._messages.error(said_of(error), action=again, button=button)
            else:
                self._messages.error(f"{path}: {type(error).__name__}: {error}", tr("Please report this"))

        return tell

    def tell(self, path: Path, report: ImportReport) -> None:
        """Say what a file that was read did not bring along, and keep its report to be opened again."""
        self._reports = [kept for kept in self._reports if kept[0] != path]
        self._reports.append((path, report))
        self._messages.resolve()
        notes = [*report.cleared, *left_out_line(report.left_out), *report.warnings]
        if notes:
            more = tr(" and {count} more", count=len(notes) - 1) if len(notes) > 1 else ""
            self._messages.warn(
                tr("{name}: {note}", name=path.name, note=notes[0] + more), action="file.report"
            )
        else:
            self._messages.info(tr("Read {name}", name=path.name))
