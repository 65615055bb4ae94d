"""How a retarget came out: lines of figures, and a table of the clips put into the document."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from editor.model.i18n import tr
from editor.panels.retarget.view_model import OUTCOME, Line
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, add_heading, label


class ReportView(QWidget):
    """Rebuilt when the report differs."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("retargetReport")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        add_heading(column, theme, tr("Report"))
        self._busy = label(tr("Computing…"), "dim")
        column.addWidget(self._busy)
        self._body = QWidget()
        self._grid = QGridLayout(self._body)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)
        column.addWidget(self._body)
        self._shown: object = None

    def show_report(
        self, lines: tuple[Line, ...], table: tuple[tuple[str, str, str], ...], busy: bool
    ) -> None:
        """Show the newest result, and the clips put into the document last."""
        self._busy.setVisible(busy)
        self.setVisible(bool(lines) or bool(table) or busy)
        if (lines, table) == self._shown:
            return
        self._shown = lines, table
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, line in enumerate(lines):
            self._put(row, line)
        if table:
            self._grid.addWidget(label(tr("Add to document"), "caption"), len(lines), 0)
            head = label(tr("slip, mm  ·  deviation, °"), "caption")
            head.setObjectName("retargetColumns")
            head.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            head.setToolTip(tr(OUTCOME))
            self._grid.addWidget(head, len(lines), 1)
        for row, (name, outcome, token) in enumerate(table, len(lines) + 1):
            self._put(row, Line(name, outcome, token, tr(OUTCOME)))

    def _put(self, row: int, line: Line) -> None:
        roles = {"error": "error", "warning": "warning", "ok": "ok", "dim": "dim"}
        value = label(line.value, roles.get(line.token, ""), wrap=True)
        if not line.label:
            self._grid.addWidget(value, row, 0, 1, 2)
            return
        name = ElidedLabel(role="dim")
        name.set_text(line.label, line.tip)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        value.setToolTip(line.tip)
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(value, row, 1)
