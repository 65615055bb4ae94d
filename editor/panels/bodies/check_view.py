"""Clips against the ranges: a table of what leaves which range, and widening them."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from editor.model.i18n import tr
from editor.panels.bodies.view_model import BodiesModel, CheckRow
from editor.qt.job_bar import JobBar
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, add_heading, set_role

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CLIP, JOINT, BEYOND, FRAME = range(4)
ROWS, ROW = 8, 21


class CheckView(QWidget):
    """One row for each clip and axis, the farthest outside first."""

    def __init__(
        self, theme: Theme, model: BodiesModel, attempt: Callable[[Callable[[], object]], None]
    ) -> None:
        super().__init__()
        self._theme, self._model, self._attempt = theme, model, attempt
        self._rows: tuple[CheckRow, ...] = ()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.run = QPushButton(tr("Check"))
        self.run.setObjectName("bodiesCheck")
        self.run.setToolTip(tr("Look at every frame of every clip of the character"))
        self.run.setStyleSheet("min-width: 0; padding: 2px 8px;")
        self.run.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.run.clicked.connect(self._on_run)
        add_heading(column, theme, tr("Clips and ranges"), self.run)
        self.verdict = ElidedLabel("", "caption")
        self.verdict.setObjectName("bodiesVerdict")
        column.addWidget(self.verdict)
        self.progress = JobBar("bodiesProgress", lambda: model.check.job)
        column.addWidget(self.progress)
        self.table = self._build_table()
        column.addWidget(self.table)
        self.widen_all = self._button(tr("Widen to fit"), "bodiesWiden", self._on_widen_all)
        self.widen_all.setToolTip(tr("Widen every range until all clips fit, with 2° to spare"))
        self.widen_some = self._button(tr("Widen selected"), "bodiesWidenSelected", self._on_widen_some)
        self.widen_some.setToolTip(tr("Widen the ranges of the selected rows alone"))
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(self.widen_all)
        row.addWidget(self.widen_some)
        row.addStretch(1)
        column.addLayout(row)

    def _build_table(self) -> QTreeWidget:
        table = QTreeWidget()
        table.setObjectName("bodiesRanges")
        table.setProperty("role", "table")
        table.setColumnCount(4)
        table.setHeaderLabels([tr("Clip"), tr("Joint"), tr("Over °"), tr("Frame")])
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        table.setToolTip(tr("A click goes to the clip at that frame, with the bone selected"))
        header = table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(CLIP, header.ResizeMode.Interactive)
        header.resizeSection(CLIP, 70)
        header.setSectionResizeMode(JOINT, header.ResizeMode.Stretch)
        for column, width in ((BEYOND, 48), (FRAME, 46)):
            header.setSectionResizeMode(column, header.ResizeMode.Fixed)
            header.resizeSection(column, width)
            table.headerItem().setTextAlignment(column, RIGHT)
        table.itemClicked.connect(self._go)
        table.itemSelectionChanged.connect(self._enable)
        return table

    def _button(self, text: str, name: str, run: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setStyleSheet("min-width: 0; padding: 3px 8px;")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: run())
        return button

    # ------------------------------------------------------------ doing
    def _on_run(self) -> None:
        check = self._model.check
        self._attempt(check.cancel if check.job is not None else check.run)

    def _on_widen_all(self) -> None:
        self._attempt(lambda: self._model.check.widen())

    def _on_widen_some(self) -> None:
        chosen = [row.row for row in self._chosen()]
        self._attempt(lambda: self._model.check.widen(chosen))

    def _go(self, item: QTreeWidgetItem) -> None:
        row = self._rows[self.table.indexOfTopLevelItem(item)]
        self._attempt(lambda: self._model.check.go(row.row))

    def _chosen(self) -> list[CheckRow]:
        numbers = sorted(self.table.indexOfTopLevelItem(item) for item in self.table.selectedItems())
        return [self._rows[number] for number in numbers]

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show what was found."""
        check = self._model.check
        self.progress.refresh()
        self.run.setText(tr("Cancel") if check.job is not None else tr("Check"))
        self.run.setEnabled(check.job is not None or not check.why_not)
        text, role = self._model.verdict()
        self.verdict.setVisible(check.job is None)
        self.verdict.set_text(text)
        set_role(self.verdict, role)
        rows = self._model.check_rows()
        if rows != self._rows:
            self._rows = rows
            self.table.clear()
            for row in rows:
                item = QTreeWidgetItem([row.clip, row.joint, f"{row.beyond:.1f}", row.frame])
                item.setToolTip(CLIP, row.clip)
                item.setToolTip(JOINT, row.joint)
                for column in (BEYOND, FRAME):
                    item.setTextAlignment(column, RIGHT)
                self.table.addTopLevelItem(item)
            self._fit_table()
        for widget in (self.table, self.widen_all, self.widen_some):
            widget.setVisible(bool(rows))
        self._enable()

    def _fit_table(self) -> None:
        header = self.table.header().sizeHint().height()
        self.table.setFixedHeight(header + ROW * min(max(len(self._rows), 1), ROWS) + 4)

    def changeEvent(self, event: QEvent) -> None:
        """The header is of another height when the view is dressed."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit_table()

    def _enable(self) -> None:
        self.widen_some.setEnabled(bool(self.table.selectedItems()))
