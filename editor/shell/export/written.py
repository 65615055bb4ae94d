"""The preview of an export as widgets: a table of files and what they hold, and notes below."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem

from editor.model.i18n import tr
from editor.model.origins import Origins
from editor.qt.widgets import label, set_role
from editor.shell.export.plan import Plan
from editor.shell.export.preview import losses, notes, rows, short_list

LEAST = 96
MOST_ROWS = 400


class _Tree(QTreeWidget):
    def sizeHint(self) -> QSize:
        return QSize(300, LEAST)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, LEAST)


class Written:
    """Shows a plan."""

    def __init__(self) -> None:
        self.tree = _Tree()
        self.tree.setObjectName("exportPreview")
        self.tree.setProperty("role", "framed")
        self.tree.setAccessibleName(tr("What will be written"))
        self.tree.setColumnCount(3)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(True)
        self.tree.setIndentation(16)
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.losses = label("", "warning", wrap=True)
        self.losses.setObjectName("exportLosses")
        self.notes = label("", "dim", wrap=True)
        self.notes.setObjectName("exportNotes")

    def show_plan(self, plan: Plan, origins: Origins | None = None) -> None:
        """Show what a plan will write, what is lost first, or why it cannot."""
        self.tree.clear()
        if plan.problem:
            self._say(self.losses, [])
            self._say(self.notes, [plan.problem], "error")
            return
        found = rows(plan)
        parent: QTreeWidgetItem | None = None
        for row in found[:MOST_ROWS]:
            item = QTreeWidgetItem([row.text, row.amount, row.more])
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if row.level == 0 or parent is None:
                self.tree.addTopLevelItem(item)
                item.setExpanded(len(plan.targets) <= 3)
                parent = item
            else:
                parent.addChild(item)
        lines, there = losses(plan, origins), plan.replaces
        if there:
            names = short_list([path.name for path in there])
            lines.insert(0, tr("Replaces {names}.", names=names))
        self._say(self.losses, lines, "warning")
        self._say(self.notes, notes(plan))

    @staticmethod
    def _say(where: QLabel, lines: Sequence[str], role: str = "dim") -> None:
        where.setText(" ".join(lines))
        set_role(where, role)
        where.setVisible(bool(lines))
