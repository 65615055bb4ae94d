"""What was found, guessed and left out in the files that were read: the report, to be opened again at any time."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QWidget

from core.io import ImportReport
from editor.model.i18n import sentence, tr
from editor.qt.dialogs import Dialog

WIDTH, HEIGHT = 560, 320


class ReportDialog(Dialog):
    """One file at a time, the one read last first."""

    def __init__(self, parent: QWidget, reports: Sequence[tuple[Path, ImportReport]]) -> None:
        super().__init__(parent, tr("Import report"), "reportDialog")
        self._reports = list(reversed(reports))
        self.files = QComboBox()
        self.files.setObjectName("reportFile")
        self.files.setAccessibleName(tr("File"))
        for path, _ in self._reports:
            self.files.addItem(path.name)
            self.files.setItemData(self.files.count() - 1, str(path), Qt.ItemDataRole.ToolTipRole)
        self.files.currentIndexChanged.connect(lambda _: self._show())
        self.text = QPlainTextEdit()
        self.text.setObjectName("reportText")
        self.text.setAccessibleName(tr("Report"))
        self.text.setReadOnly(True)
        self.body.addWidget(self.files)
        self.body.addWidget(self.text, 1)
        self.resize(WIDTH, HEIGHT)
        self.add_button(tr("Close"), self.close, default=True)
        self._show()

    def _show(self) -> None:
        path, report = self._reports[self.files.currentIndex()]
        lines = [sentence(line) for line in report.to_text().splitlines()]
        if not (report.cleared or report.left_out or report.warnings or report.renamed):
            lines.append(tr("Nothing was left out."))
        self.text.setPlainText("\n".join([str(path), *lines]))
