"""The tree of sheets at the side."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from core.graph.graph import SheetKind
from editor.model.graph.canvas import Canvas
from editor.model.i18n import tr
from editor.qt.theme import Theme

ICONS = {SheetKind.POSE: "pose", SheetKind.MACHINE: "bones", SheetKind.UPDATE: "loop"}


class SheetTree(QTreeWidget):
    """Every sheet of the open graph, within the one that opens it; a click opens."""

    def __init__(self, canvas: Canvas, theme: Theme) -> None:
        super().__init__()
        self.canvas, self.theme = canvas, theme
        self._shown: object = None
        self.setObjectName("graphSheets")
        self.setAccessibleName(tr("Sheets"))
        self.setHeaderHidden(True)
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setMinimumWidth(120)
        self.itemClicked.connect(lambda item, _: self.canvas.enter(item.data(0, Qt.ItemDataRole.UserRole)))
        self.itemActivated.connect(lambda item, _: self.canvas.enter(item.data(0, Qt.ItemDataRole.UserRole)))
        theme.changed.connect(self._again)

    def _again(self) -> None:
        self._shown = None
        self.refresh()

    def refresh(self) -> None:
        """List the sheets as they are."""
        rows = [(str(s.id), s.name, s.kind, depth) for s, depth in self.canvas.tree()]
        with QSignalBlocker(self):
            if rows != self._shown:
                self._shown = rows
                self._fill(rows)
            self._mark()

    def _fill(self, rows: list[tuple[str, str, SheetKind, int]]) -> None:
        self.clear()
        above: list[QTreeWidgetItem] = []
        for id, name, kind, depth in rows:
            item = QTreeWidgetItem([name or str(kind)])
            item.setData(0, Qt.ItemDataRole.UserRole, id)
            item.setIcon(0, self.theme.icon(ICONS[kind], "dim"))
            item.setToolTip(0, str(kind))
            del above[depth:]
            if above:
                above[-1].addChild(item)
            else:
                self.addTopLevelItem(item)
            above.append(item)
        self.expandAll()

    def _mark(self) -> None:
        sheet = self.canvas.sheet
        waiting = [self.topLevelItem(k) for k in range(self.topLevelItemCount())]
        while waiting:
            item = waiting.pop()
            if item is None:
                continue
            if sheet is not None and item.data(0, Qt.ItemDataRole.UserRole) == sheet.id:
                self.setCurrentItem(item)
            waiting += [item.child(k) for k in range(item.childCount())]
