"""The dialog for a virtual bone: its parent, what it follows, the offset, and its name."""

from itertools import takewhile

from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from core.rig.rig import Rig, VirtualBone
from core.rig.virtual_bones import free_name
from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.qt.choice import ChoiceBox
from editor.qt.dialogs import Dialog
from editor.qt.number_field import NumberField
from editor.qt.panel import PanelContext
from editor.qt.widgets import label

EXPLAINED = "Takes the position of the bone it follows, and moves with its parent when IK moves that one."


class VirtualBoneDialog(Dialog):
    """Adds a virtual bone, or changes one.

    Parameters
    ----------
    bone : what is proposed, or the one to change
    before : name of the one to change; "" adds
    """

    def __init__(
        self, parent: QWidget, context: PanelContext, rig: Rig, bone: VirtualBone, before: str = ""
    ) -> None:
        super().__init__(parent, tr("Edit virtual bone") if before else tr("Add virtual bone"), "virtualBone")
        self._context, self._rig, self._before = context, rig, before
        earlier = takewhile(lambda other: other.name != before, rig.virtual_bones)
        names = [*rig.skeleton.names, *(other.name for other in earlier)]
        words = label(tr(EXPLAINED), "dim", wrap=True)
        words.setMinimumWidth(320)
        self.body.addWidget(words)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)
        self.source = _box("virtualSource", names, bone.source, tr("The parent bone"))
        self.target = _box("virtualTarget", names, bone.target, tr("The bone whose position it takes"))
        self.offset = [self._field(axis, value) for axis, value in enumerate(bone.offset)]
        self.name = QLineEdit(bone.name)
        self.name.setObjectName("virtualName")
        self.name.setToolTip(tr("A unique name, shown in the bone tree and in IK goals"))
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        for field in self.offset:
            line.addWidget(field)
        rows = (
            (tr("Parent"), self.source), (tr("Follows"), self.target), (tr("Offset"), row),
            (tr("Name"), self.name),
        )  # fmt: skip
        for number, (text, widget) in enumerate(rows):
            grid.addWidget(label(text, "dim"), number, 0)
            grid.addWidget(widget, number, 1)
        self._proposed = bone.name
        for box in (self.source, self.target):
            box.currentTextChanged.connect(self._propose_name)
        self.add_button(tr("Cancel"), self.reject, name="virtualCancel")
        self.add_button(tr("Change") if before else tr("Add"), self._finish, default=True, name="virtualDone")
        self.name.selectAll()
        self.name.setFocus()

    def _field(self, axis: int, value: float) -> NumberField:
        field = NumberField(self._context.theme, "m", axis, 0.001, 3)
        field.setObjectName(f"virtualOffset.{'xyz'[axis]}")
        field.setToolTip(tr("Distance from the bone it follows, along that bone's own axes"))
        field.setFixedHeight(24)
        field.setMinimumWidth(72)
        field.set_value(value)
        return field

    def _propose_name(self) -> None:
        """Another name with other bones, until a person wrote one."""
        if not self._before and self.name.text() == self._proposed:
            self._proposed = free_name(self._rig, self.source.currentText(), self.target.currentText())
            self.name.setText(self._proposed)

    def _finish(self) -> None:
        x, y, z = (field.value or 0.0 for field in self.offset)
        name = self.name.text().strip()
        bone = VirtualBone(name, self.source.currentText(), self.target.currentText(), (x, y, z))
        bones = self._context.session.feature(Retargeting).virtual
        if bones.change(self._before, bone) if self._before else bones.add(bone):
            self.accept()
        elif self._before and bone == bones.chosen:
            self.accept()  # nothing was changed


def _box(name: str, names: list[str], chosen: str, tip: str) -> QComboBox:
    box = ChoiceBox()
    box.setObjectName(name)
    box.setToolTip(tip)
    box.setMinimumWidth(220)
    box.addItems(names)
    box.setCurrentText(chosen)
    return box
