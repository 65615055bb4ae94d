"""The preview of an export as widgets: a table of files and what they hold, and notes below."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from editor.model.i18n import tr
from editor.qt.widgets import label, set_role
from editor.shell.export.plan import Plan
from editor.shell.export.preview import notes, rows

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
        self.notes = label("", "dim", wrap=True)
        self.notes.setObjectName("exportNotes")

    def show_plan(self, plan: Plan) -> None:
        """Show what a plan will write, or why it cannot."""
        self.tree.clear()
        if plan.problem:
            self._say(plan.problem, "error")
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
        lines = notes(plan)
        there = [n for t in plan.targets for n in t.names if (t.path.parent / n).exists()]
        if there:
            more = " …" if len(there) > 3 else ""
            lines.append(tr("Replaces {names}, which is there already.", names=", ".join(there[:3]) + more))
        self._say(" ".join(lines), "warning" if there else "dim")

    def _say(self, text: str, role: str) -> None:
        self.notes.setText(text)
        set_role(self.notes, role)
        self.notes.setVisible(bool(text))
