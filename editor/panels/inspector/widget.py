"""The inspector: the active bone's numbers, with what is keyed, to scrub and to type."""

from functools import cached_property

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from core.clips.clip import Property
from editor.model.autokey import KeyState
from editor.model.channels import PROPERTY_NAMES
from editor.model.event_choice import EventChoice
from editor.model.i18n import tr, trn
from editor.panels.inspector.notify_page import NotifyPage
from editor.panels.inspector.view_model import Inspector, Reading, Space
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.expression import shown
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.widgets import ElidedLabel, EmptyState, icon_button, label

GROUPS = (
    (Property.TRANSLATE, "m", 0.001, 4),
    (Property.ROTATE, "°", 0.25, 2),
    (Property.SCALE, "", 0.002, 3),
)
STATES = {
    KeyState.NONE: "none",
    KeyState.ANIMATED: "animated",
    KeyState.KEYED: "key",
    KeyState.PENDING: "pending",
}


class InspectorPanel(Panel):
    """Heading, space, and three fields for each of translate, rotate and scale."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.context, self.theme = context, context.theme
        self.inspector = Inspector(context.session)
        self.fields: dict[tuple[Property, int], NumberField] = {}
        session = context.session
        self._choice = session.feature(EventChoice)
        self._notifies = bool(self._choice.notifies)
        self._build()
        bindings = Bindings(self)
        bindings.on(self._choice.changed, lambda _: self._on_notifies())
        bindings.on(session.selection.bones_changed, lambda _: self._show_bone())
        self.refresh_later = bindings.refresh(
            self.refresh,
            session.evaluator.changed,
            session.keying.changed,
            session.selection.bones_changed,
            session.selection.flags_changed,
        )
        self.refresh()

    # ------------------------------------------------------------ building
    def _build(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 2, 12, 4)
        column.setSpacing(2)
        column.addLayout(self._heading())
        for part, unit, step, decimals in GROUPS:
            column.addSpacing(4)
            column.addLayout(self._group_heading(part, PROPERTY_NAMES[part]))
            for axis in range(3):
                column.addWidget(self._field(part, axis, unit, step, decimals))
        self.quaternion = label("", "caption")
        self.quaternion.setObjectName("quaternion")
        self.quaternion.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        place = column.indexOf(self.fields[Property.ROTATE, 2]) + 1
        column.insertWidget(place, self.quaternion)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        self.empty = EmptyState(self.theme, "inspector", "")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(area)
        self._stack.addWidget(self.empty)

    def _heading(self) -> QHBoxLayout:
        self.title = ElidedLabel(role="title", mode=Qt.TextElideMode.ElideMiddle)
        self.title.setObjectName("boneName")
        self.note = ElidedLabel(role="caption")
        self.space = ChoiceBox()
        self.space.setObjectName("inspectorSpace")
        self.space.addItem(tr("Local"), Space.LOCAL)
        self.space.addItem(tr("Model"), Space.MODEL)
        self.space.setToolTip(tr("Values relative to the parent bone (local) or to the character (model)"))
        self.space.currentIndexChanged.connect(self._change_space)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self.title)
        names.addWidget(self.note)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addLayout(names, 1)
        row.addWidget(self.space, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _group_heading(self, part: Property, title: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(label(title, "dim"))
        row.addStretch(1)
        if part is Property.ROTATE:
            self.order = label("", "caption")
            self.order.setObjectName("eulerOrder")
            row.addWidget(self.order)
        key = icon_button(self.theme, "key", tr("Key these three channels"), token="dim", size=20)
        key.setObjectName(f"key.{part.name.lower()}")
        key.clicked.connect(lambda: self._key_group(part))
        row.addWidget(key)
        return row

    def _field(self, part: Property, axis: int, unit: str, step: float, decimals: int) -> NumberField:
        field = NumberField(self.theme, unit, axis, step, decimals, keyed=True)
        field.setObjectName(f"{part.name.lower()}.{'xyz'[axis]}")
        field.setFixedHeight(tokens.CONTROL)
        field.previewed.connect(lambda value: self.inspector.preview(part, axis, value))
        field.committed.connect(lambda value: self._commit(part, axis, value))
        field.cancelled.connect(self._cancel)
        self.fields[part, axis] = field
        return field

    # ------------------------------------------------------------ notifies
    @cached_property
    def notify(self) -> NotifyPage:
        """The page of notifies; made for the first one that is selected, as it has thirty fields."""
        made = NotifyPage(self.context)
        self._stack.addWidget(made)
        return made

    def _on_notifies(self) -> None:
        """What was selected last is shown: notifies of the timeline, or the bone."""
        self._notifies = bool(self._choice.notifies)
        self.refresh_later()

    def _show_bone(self) -> None:
        self._notifies = False

    # ------------------------------------------------------------ editing
    def _commit(self, part: Property, axis: int, value: float) -> None:
        self.inspector.commit(part, axis, value)
        self.refresh()

    def _cancel(self) -> None:
        self.inspector.cancel()
        self.refresh()

    def _key_group(self, part: Property) -> None:
        self.inspector.toggle_keys(part)

    def _change_space(self) -> None:
        self.inspector.space = Space(self.space.currentData())
        self.refresh()

    # ------------------------------------------------------------ showing
    def refresh(self) -> None:
        """Show the active bone as it is now; fields being edited stay."""
        if self._notifies and self.notify.show_chosen():
            self._stack.setCurrentWidget(self.notify)
            return
        reading = self.inspector.reading()
        if reading is None:
            self.empty.set_text(
                tr("Select a bone in the viewport or the bone tree.")
                if self.inspector.rig is not None
                else tr("No character yet.")
            )
            self._stack.setCurrentIndex(1)
            return
        self._stack.setCurrentIndex(0)
        self.title.set_text(self.context.session.bone_label(reading.bone), reading.bone)
        self.note.set_text(self._note(reading))
        for (part, axis), field in self.fields.items():
            field.setEnabled(not reading.locked)
            field.set_value(float(reading.values[part][axis]))
            field.set_key_state(STATES[self.inspector.key_state(part, axis)])
        self._show_rotation(reading)

    def _note(self, reading: Reading) -> str:
        if reading.locked:
            return tr("Locked: unlock it in the bone tree")
        if reading.others:
            return trn("and {count} more bone", "and {count} more bones", reading.others)
        return (
            tr("child of {parent}", parent=self.context.session.bone_label(reading.parent))
            if reading.parent
            else tr("root")
        )

    def _show_rotation(self, reading: Reading) -> None:
        if reading.whole:
            self.order.setText(tr("quaternion, shown as {order}", order=reading.order))
            x, y, z, w = (shown(float(v), 3) for v in reading.quaternion)
            self.quaternion.setText(f"x {x}  y {y}  z {z}  w {w}")
        else:
            self.order.setText(reading.order)
        self.quaternion.setVisible(reading.whole)


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return InspectorPanel(context)
