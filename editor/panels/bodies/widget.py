"""The Bodies panel: the list, the active body with its joint's ranges, and the clips that leave ranges."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QStackedLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from core.errors import AnimError
from editor.model.i18n import tr
from editor.panels.bodies.check_view import CheckView
from editor.panels.bodies.joint_view import JointView
from editor.panels.bodies.view_model import BodiesModel, BodyRow, short
from editor.qt.action_tip import action_button, tell_action
from editor.qt.binding import Bindings
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, EmptyState, add_heading, label

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
NAME, MASS, RADIUS = 0, 1, 2
ROWS, ROW = 9, 21
"""Bodies seen at once, and pixels of each; more scroll."""


class _Number(NamedTuple):
    """A number of the active body, and what changes it."""

    name: str
    text: str
    unit: str
    step: float
    decimals: int
    change: Callable[[str, float], object]


class BodiesPanel(Panel):
    """Everything about the bodies, in one column that scrolls."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("bodiesPanel")
        self._context, self._theme = context, context.theme
        self.model = BodiesModel(context.session)
        self._rows: tuple[BodyRow, ...] = ()
        self.tell_sight(self.model.bodies.watch)
        body = QWidget()
        self._column = QVBoxLayout(body)
        self._column.setContentsMargins(12, 8, 12, 12)
        self._column.setSpacing(6)
        self._build_list()
        self._build_active()
        self.check = CheckView(self._theme, self.model, self._attempt)
        self._column.addWidget(self.check)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        self.empty = EmptyState(
            self._theme, "bodies", "", tr("Propose bodies"), lambda: self._run("bodies.propose")
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(area)
        self._stack.addWidget(self.empty)
        session = context.session
        bindings = Bindings(self)
        bindings.refresh(
            self.refresh, self.model.bodies.changed, self.model.check.changed, session.evaluator.changed,
            session.document.changed, session.playback.clip_changed, session.switches.changed,
        )  # fmt: skip
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(280, 560)

    # ------------------------------------------------------------ building
    def _build_list(self) -> None:
        actions = self._context.actions
        buttons = []
        for icon, action, name in (
            ("pose", "bodies.propose", "bodiesPropose"),
            ("add", "bodies.add", "bodiesAdd"),
            ("mirror", "bodies.mirror", "bodiesMirror"),
            ("delete", "bodies.remove", "bodiesRemove"),
        ):
            button = action_button(self._theme, actions, action, icon, name, token="dim", size=22)
            button.clicked.connect(lambda _=False, action=action: self._run(action))
            buttons.append(button)
        add_heading(self._column, self._theme, tr("Bodies"), *buttons)
        self.list = QTreeWidget()
        self.list.setObjectName("bodiesList")
        self.list.setProperty("role", "table")
        self.list.setColumnCount(3)
        self.list.setHeaderLabels([tr("Bone"), tr("kg"), tr("Radius mm")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setToolTip(tr("A click selects the bone; its body is edited below and in the view"))
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, header.ResizeMode.Stretch)
        for column, width in ((MASS, 52), (RADIUS, 76)):
            header.setSectionResizeMode(column, header.ResizeMode.Fixed)
            header.resizeSection(column, width)
            self.list.headerItem().setTextAlignment(column, RIGHT)
        self.list.itemClicked.connect(self._choose)
        self._column.addWidget(self.list)
        self.total = label("", "caption")
        self.total.setObjectName("bodiesTotal")
        self._column.addWidget(self.total)
        self.in_view = self._switch("bodiesInView", "bodies.in_view", tr("Handles in the view"))
        self.symmetric = self._switch("bodiesSymmetric", "bodies.symmetric", tr("Both sides"))
        row = QHBoxLayout()
        row.addWidget(self.symmetric)
        row.addWidget(self.in_view)
        row.addStretch(1)
        self._column.addLayout(row)

    def _switch(self, name: str, action: str, text: str) -> QCheckBox:
        box = QCheckBox(text)
        box.setObjectName(name)
        tell_action(box, self._context.actions, action)
        box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        box.clicked.connect(lambda: self._run(action))
        return box

    def _build_active(self) -> None:
        self.title = ElidedLabel("", "dim")
        self.title.setAlignment(RIGHT)
        add_heading(self._column, self._theme, tr("Body"), self.title)
        self._none = label(tr("Select a bone, or click a body in the list"), "caption", wrap=True)
        self._column.addWidget(self._none)
        self._active = QWidget()
        column = QVBoxLayout(self._active)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        bodies = self.model.bodies
        shown = (
            _Number("bodyMass", tr("Mass"), "kg", 0.02, 3, bodies.set_mass),
            _Number("bodyDamping", tr("Damping"), "", 0.01, 3, bodies.set_damping),
            _Number(
                "bodyRadius", tr("Radius"), "mm", 0.2, 1, lambda b, mm: bodies.set_radius(b, mm / 1000.0)
            ),
            _Number(
                "bodyLength", tr("Length"), "mm", 0.5, 1, lambda b, mm: bodies.set_length(b, mm / 1000.0)
            ),
        )
        fields = [self._field(grid, number // 2, 2 * (number % 2), one) for number, one in enumerate(shown)]
        self.mass, self.damping, self.radius, self.length = fields
        self.damping.setToolTip(tr("Resistance of the joint, N·m·s"))
        column.addLayout(grid)
        self.joint = JointView(self._theme, self.model, self._attempt)
        column.addWidget(self.joint)
        self._column.addWidget(self._active)

    def _field(self, grid: QGridLayout, row: int, column: int, number: _Number) -> NumberField:
        field = NumberField(self._theme, number.unit, None, number.step, number.decimals, (0.0, 1e7))
        field.setObjectName(number.name)
        field.setFixedHeight(22)
        field.setMinimumWidth(60)
        field.committed.connect(lambda value: self._change(number.change, value))
        grid.addWidget(label(number.text, "dim"), row, column)
        grid.addWidget(field, row, column + 1)
        return field

    # ------------------------------------------------------------ doing
    def _run(self, action: str) -> None:
        self._attempt(lambda: self._context.actions.run(action))

    def _attempt(self, work: Callable[[], object]) -> None:
        try:
            work()
        except AnimError as error:
            self._context.session.messages.warn(str(error))
        self.refresh()

    def _change(self, change: Callable[[str, float], object], value: float) -> None:
        body = self.model.active
        if body is not None:
            self._attempt(lambda: change(body.bone, value))

    def _choose(self, item: QTreeWidgetItem) -> None:
        self._context.session.selection.select([item.data(NAME, Qt.ItemDataRole.UserRole)])

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show everything as it is now; fields being edited stay."""
        model = self.model
        rows = model.rows()
        if not rows:
            self.empty.set_text(
                tr("Open or import a character first")
                if model.session.rig is None
                else tr(
                    "A ragdoll is made of bodies: capsules with mass, joined at the bones. "
                    "Propose them from the bones and the skin, then adjust."
                )
            )
            self.empty.button.setVisible(model.session.rig is not None)
            self._stack.setCurrentIndex(1)
            return
        self._stack.setCurrentIndex(0)
        self._show_list(rows)
        self.total.setText(model.total())
        with QSignalBlocker(self.in_view), QSignalBlocker(self.symmetric):
            self.in_view.setChecked(model.bodies.in_view)
            self.symmetric.setChecked(model.bodies.symmetric)
        self._show_active()
        self.check.refresh()

    def _fit_list(self) -> None:
        header = self.list.header().sizeHint().height()
        self.list.setFixedHeight(header + ROW * min(len(self._rows), ROWS) + 4)

    def changeEvent(self, event: QEvent) -> None:
        """The header is of another height when the panel is dressed."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._fit_list()

    def _show_list(self, rows: tuple[BodyRow, ...]) -> None:
        if rows == self._rows:
            return
        names, before = [row.bone for row in rows], [row.bone for row in self._rows]
        self._rows = rows
        if names != before:
            self.list.clear()
            for row in rows:
                item = QTreeWidgetItem([row.label, "", ""])
                item.setData(NAME, Qt.ItemDataRole.UserRole, row.bone)
                for column in (MASS, RADIUS):
                    item.setTextAlignment(column, RIGHT)
                self.list.addTopLevelItem(item)
            self._fit_list()
        with QSignalBlocker(self.list):
            self.list.clearSelection()
            for number, row in enumerate(rows):
                there = self.list.topLevelItem(number)
                assert there is not None
                for column, text in (
                    (NAME, row.label),
                    (MASS, short(row.mass)),
                    (RADIUS, short(row.radius)),
                ):
                    there.setText(column, text)
                there.setToolTip(NAME, row.bone)
                if row.active:
                    there.setSelected(True)
                    self.list.scrollToItem(there)

    def _show_active(self) -> None:
        body = self.model.active
        self._active.setVisible(body is not None)
        self._none.setVisible(body is None)
        if body is None:
            self.title.set_text("")
            return
        other = self.model.bodies.other_side(body.bone)
        name = self.model.session.bone_label(body.bone)
        both = tr("{bone} and {other}", bone=name, other=self.model.session.bone_label(other or ""))
        self.title.set_text(both if other is not None else name)
        self.mass.set_value(body.mass)
        self.damping.set_value(body.damping)
        self.radius.set_value(1000.0 * body.capsule.radius)
        self.length.set_value(1000.0 * body.capsule.length)
        self.joint.refresh()


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return BodiesPanel(context)
