"""The mirror panel: plane, pairs with confidence, bones on the plane, leftovers, conflicts."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from editor.model.i18n import tr, trn
from editor.panels.mirror.view_model import WRONG_SIDE, Lists, MirrorLists
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import EmptyState, SearchField, label

BONES = Qt.ItemDataRole.UserRole
SURE = 0.9


class MirrorPanel(Panel):
    """Shows and edits the rig's mirror lists; a row selected shows its bones in the viewport."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("mirrorPanel")
        self._context, self.model = context, MirrorLists(context.session)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 8)
        column.setSpacing(6)
        column.addLayout(self._top())
        self._summary = label("", "caption", wrap=True)
        self._summary.setContentsMargins(12, 0, 12, 0)
        column.addWidget(self._summary)
        self._conflicts = label("", "warning", wrap=True)
        self._conflicts.setObjectName("mirrorConflicts")
        self._conflicts.setContentsMargins(12, 0, 12, 0)
        column.addWidget(self._conflicts)
        self.search = SearchField(context.theme, tr("Find a bone"))
        self.search.textChanged.connect(lambda _: self._filter())
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 0)
        row.addWidget(self.search)
        column.addLayout(row)
        column.addWidget(self._tree(), 1)
        column.addLayout(self._bottom())
        self._empty = EmptyState(context.theme, "mirror", tr("Open or import a character first"))
        column.addWidget(self._empty, 1)
        self._shown: Lists | None = None
        self._filling = False
        bound, session = Bindings(self), context.session
        self._refresh = bound.refresh(
            self._show, session.document.changed, session.document.replaced, session.playback.clip_changed
        )
        context.theme.changed.connect(self._recolor)
        self._show()

    def sizeHint(self) -> QSize:
        return QSize(264, 420)

    # ------------------------------------------------------------ building
    def _top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(2)
        row.addWidget(label(tr("Plane"), "dim"))
        row.addSpacing(6)
        self._axes = QButtonGroup(self)
        for axis, letter in enumerate("XYZ"):
            button = QToolButton()
            button.setText(letter)
            button.setObjectName(f"mirrorAxis{letter}")
            button.setToolTip(tr("Mirror across the plane perpendicular to {letter}", letter=letter))
            button.setCheckable(True)
            button.setFixedSize(28, 24)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, axis=axis: self._do(lambda: self.model.set_axis(axis)))
            self._axes.addButton(button, axis)
            row.addWidget(button)
        row.addStretch(1)
        tip = tr("Match bones by name and rest position, the others by rest position alone")
        self.propose = self._button(tr("Propose"), "mirrorPropose", tip)
        self.propose.clicked.connect(lambda: self._do(self.model.take_proposal))
        row.addWidget(self.propose)
        return row

    def _button(self, text: str, name: str, tip: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setToolTip(tip)
        button.setStyleSheet("min-width: 0; padding: 3px 8px;")
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _tree(self) -> QTreeWidget:
        self.tree = QTreeWidget()
        self.tree.setObjectName("mirrorTree")
        self.tree.setProperty("role", "table")
        self.tree.setProperty("indented", True)
        self.tree.setColumnCount(3)
        self.tree.setHeaderLabels([tr("Left"), tr("Right"), tr("Confidence")])
        self.tree.headerItem().setTextAlignment(
            2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        self.tree.setRootIsDecorated(True)
        self.tree.setIndentation(12)
        self.tree.setUniformRowHeights(True)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(2, 76)
        self.tree.itemSelectionChanged.connect(self._on_selection)
        return self.tree

    def _bottom(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(4)
        rows = (
            ("mirrorPair", tr("Pair"), tr("Make the two selected bones a pair"), self._pair),
            ("mirrorAxisBones", tr("On plane"), tr("Put the selected bones on the plane"), self._to_axis),
            (
                "mirrorLeaveOut",
                tr("Exclude"),
                tr("Not mirrored: these bones keep their pose"),
                self._leave_out,
            ),
            ("mirrorTurn", tr("Swap sides"), tr("Swap left and right of the selected pair"), self._turn),
        )
        self._verbs = []
        for name, text, tip, work in rows:
            button = self._button(text, name, tip)
            self._verbs.append(button)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setStyleSheet("min-width: 0; padding: 3px 2px;")
            button.clicked.connect(lambda _=False, work=work: work())
            row.addWidget(button)
        return row

    # ------------------------------------------------------------ showing
    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._refresh()

    def _show(self) -> None:
        lists = self.model.lists()
        for widget in (self.tree, self.search, self._summary):
            widget.setVisible(lists is not None)
        self._empty.setVisible(lists is None)
        for button in (*self._axes.buttons(), *self._verbs):
            button.setEnabled(lists is not None)
        if lists is None:
            self._axes.setExclusive(False)  # else one of them stays on
            for button in self._axes.buttons():
                button.setChecked(False)
            self._axes.setExclusive(True)
            self.propose.setEnabled(False)
            self._conflicts.hide()
            return
        button = self._axes.button(lists.axis)
        button.setChecked(True)
        self._summary.setText(
            tr(
                "{pairs} · {axis} on the plane · {rest} not mirrored",
                pairs=trn("{count} pair", "{count} pairs", len(lists.pairs)),
                axis=len(lists.axis_bones), rest=len(lists.leftovers),
            )
        )  # fmt: skip
        self.propose.setEnabled(lists.proposal_differs)
        more = len(lists.conflicts) - 1
        first = lists.conflicts[0] if lists.conflicts else ""
        self._conflicts.setText(first + (tr(" (and {count} more)", count=more) if more > 0 else ""))
        self._conflicts.setToolTip("\n".join(lists.conflicts))
        self._conflicts.setVisible(bool(lists.conflicts))
        if lists != self._shown:
            self._shown = lists
            self._fill(lists)

    def _fill(self, lists: Lists) -> None:
        self._filling = True
        open_groups = [group.isExpanded() for group in self._groups()] or [True, True, True]
        self.tree.clear()
        pairs = self._group(tr("Pairs"), len(lists.pairs))
        for row in sorted(lists.pairs, key=lambda pair: pair.confidence >= WRONG_SIDE):
            item = QTreeWidgetItem([row.left, row.right, f"{100 * row.confidence:.0f} %"])
            item.setData(0, BONES, (row.left, row.right))
            item.setData(2, BONES, row.confidence)
            tip = f"{row.why}\n" + tr("{mm} mm from the exact reflection", mm=f"{1000 * row.apart:.1f}")
            for column in range(3):
                item.setToolTip(column, tip)
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            pairs.addChild(item)
        plane = self._group(tr("On the plane"), len(lists.axis_bones))
        rest = self._group(tr("Not mirrored"), len(lists.leftovers))
        for group, names in ((plane, lists.axis_bones), (rest, lists.leftovers)):
            for name in names:
                item = QTreeWidgetItem([name])
                item.setFirstColumnSpanned(True)
                item.setData(0, BONES, (name,))
                group.addChild(item)
                item.setFirstColumnSpanned(True)
        for group, is_open in zip((pairs, plane, rest), open_groups, strict=True):
            group.setExpanded(is_open)
        self._filling = False
        self._recolor()
        self._filter()

    def _group(self, title: str, count: int) -> QTreeWidgetItem:
        item = QTreeWidgetItem([f"{title}  {count}"])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        self.tree.addTopLevelItem(item)
        item.setFirstColumnSpanned(True)
        item.setFont(0, self._context.theme.font(tokens.BODY, bold=True))
        return item

    def _recolor(self) -> None:
        theme = self._context.theme
        for item in self._rows():
            sure = item.data(2, BONES)
            if sure is not None:
                token = "ok" if sure >= SURE else ("warning" if sure >= WRONG_SIDE else "error")
                item.setForeground(2, QBrush(theme.ink(token)))

    def _rows(self) -> list[QTreeWidgetItem]:
        found = [group.child(i) for group in self._groups() for i in range(group.childCount())]
        return [item for item in found if item is not None]

    def _groups(self) -> list[QTreeWidgetItem]:
        found = (self.tree.topLevelItem(i) for i in range(self.tree.topLevelItemCount()))
        return [group for group in found if group is not None]

    def _filter(self) -> None:
        words = self.search.text().casefold().split()
        for item in self._rows():
            text = " ".join(item.data(0, BONES)).casefold()
            item.setHidden(not all(word in text for word in words))

    # ------------------------------------------------------------ doing
    def _do(self, work) -> None:
        self.model.tried(work)
        self._show()

    def _bones(self) -> tuple[str, ...]:
        """Bones of the selected rows, else those selected elsewhere."""
        rows = [bone for item in self.tree.selectedItems() for bone in item.data(0, BONES) or ()]
        return tuple(dict.fromkeys(rows)) or self._context.session.selection.bones

    def _on_selection(self) -> None:
        if not self._filling and self.tree.hasFocus():
            self.model.show(
                *[bone for item in self.tree.selectedItems() for bone in item.data(0, BONES) or ()]
            )

    def _pair(self) -> None:
        self._do(self.model.pair_selected)

    def _to_axis(self) -> None:
        bones = self._bones()
        self._do(lambda: self.model.to_axis(bones))

    def _leave_out(self) -> None:
        bones = self._bones()
        self._do(lambda: self.model.leave_out(bones))

    def _turn(self) -> None:
        pairs = [
            item.data(0, BONES) for item in self.tree.selectedItems() if len(item.data(0, BONES) or ()) == 2
        ]
        for left, right in pairs:
            self._do(lambda left=left, right=right: self.model.swap_sides(left, right))
