"""The branch filters of one layer: a row each, bone and depth, in the order in which they apply."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from core.blending.layers import BranchFilter
from editor.model.blending.branches import EXCLUDED
from editor.model.i18n import tr
from editor.panels.layers.view_model import LayerRow, LayersModel
from editor.qt.choice import ChoiceBox
from editor.qt.menu import Menu, pop_up
from editor.qt.number_field import NumberField
from editor.qt.theme import Theme
from editor.qt.widgets import icon_button, label

DEEPEST = 99
"""The largest depth that the field takes."""


class BranchRow(QWidget):
    """One filter."""

    def __init__(self, model: LayersModel, theme: Theme, number: int, place: int, name: str) -> None:
        super().__init__()
        self.model, self.number, self.place = model, number, place
        self._bones: tuple[tuple[str, str], ...] = ()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self.bone = ChoiceBox()
        self.bone.setObjectName(f"branchBone.{name}.{place}")
        self.bone.setMaxVisibleItems(24)
        self.bone.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.bone.setMinimumWidth(56)
        self.bone.activated.connect(
            lambda _: model.change_branch(number, self.place, bone=self.bone.currentData())
        )
        self.level = NumberField(theme, step=0.05, decimals=0, bounds=(EXCLUDED, DEEPEST))
        self.level.setObjectName(f"branchDepth.{name}.{place}")
        self.level.setFixedWidth(44)
        self.level.previewed.connect(lambda value: model.preview_depth(number, self.place, round(value)))
        self.level.committed.connect(
            lambda value: model.change_branch(number, self.place, depth=round(value))
        )
        self.level.cancelled.connect(model.edits.end_preview)
        self.meaning = label("", "caption")
        self.meaning.setFixedWidth(self.meaning.fontMetrics().horizontalAdvance(tr("excluded")) + 6)
        self.more = icon_button(theme, "more", tr("More"), name=f"branchMore.{name}.{place}", size=20)
        self.more.clicked.connect(self._open_more)
        row.addWidget(self.bone, 1)
        row.addWidget(self.level)
        row.addWidget(self.meaning)
        row.addWidget(self.more)

    def show_filter(self, entry: BranchFilter, bones: tuple[tuple[str, str], ...], last: bool) -> None:
        """Show the filter as it is now."""
        self.entry, self._last = entry, last
        with QSignalBlocker(self.bone):
            if bones != self._bones:
                self._bones = bones
                self.bone.clear()
                for bone, shown in bones:
                    self.bone.addItem(shown, bone)
            self.bone.setCurrentIndex(self.bone.findData(entry.bone))
        self.bone.setToolTip(entry.bone)
        self.level.set_value(float(entry.depth))
        self.meaning.setText(meaning(entry.depth))
        self.level.setToolTip(
            tr("Depth: 0 or 1 gives the bone and its descendants the full weight, N blends in over N bones, "
               "−1 excludes the branch")
        )  # fmt: skip

    def _open_more(self) -> None:
        model, number, place = self.model, self.number, self.place
        out = self.entry.depth == EXCLUDED
        bone = model.session.selection.active
        entries = [
            (tr("Include the branch") if out else tr("Exclude the branch"), True,
             lambda: model.change_branch(number, place, depth=1 if out else EXCLUDED)),
            (tr("Use the selected bone"), bone is not None and bone != self.entry.bone,
             lambda: model.change_branch(number, place, bone=bone)),
            (tr("Select its bone"), True, lambda: model.session.selection.select([self.entry.bone])),
            (tr("Move up"), place > 0, lambda: model.move_branch(number, place, place - 1)),
            (tr("Move down"), not self._last, lambda: model.move_branch(number, place, place + 1)),
            (tr("Remove branch filter"), True, lambda: model.remove_branch(number, place)),
        ]  # fmt: skip
        menu = Menu(self.window())  # the row itself may go with the choice
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, enabled, work in entries:
            action = QAction(text, menu)
            action.setEnabled(enabled)
            action.triggered.connect(lambda _, work=work: work())
            menu.addAction(action)
        pop_up(menu, self.more)


class BranchList(QWidget):
    """All of a layer's filters; not there for layers that have none."""

    def __init__(self, model: LayersModel, theme: Theme, row: LayerRow) -> None:
        super().__init__()
        self.model, self.theme, self.number, self.name = model, theme, row.number, row.name
        self.rows: list[BranchRow] = []
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 2, 0, 0)
        self.column.setSpacing(2)
        head = QHBoxLayout()
        head.addWidget(label(tr("Branch filters: bone and depth"), "caption"), 1)
        self.add = icon_button(
            theme,
            "add",
            tr("Add branch filters for the selected bones"),
            name=f"addBranch.{row.name}",
            size=20,
        )
        self.add.clicked.connect(lambda: model.add_branches(self.number))
        head.addWidget(self.add)
        self.column.addLayout(head)

    def show_row(self, row: LayerRow) -> None:
        """Show the layer's filters as they are now."""
        filters = row.branches
        while len(self.rows) > len(filters):
            gone = self.rows.pop()
            self.column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        while len(self.rows) < len(filters):
            made = BranchRow(self.model, self.theme, self.number, len(self.rows), self.name)
            self.rows.append(made)
            self.column.addWidget(made)
        bones = self.model.bones() if filters else ()
        for place, (widget, entry) in enumerate(zip(self.rows, filters, strict=True)):
            widget.show_filter(entry, bones, place == len(filters) - 1)
        self.setVisible(bool(filters))


def meaning(depth: int) -> str:
    """What a depth does, in a word or two."""
    if depth == EXCLUDED:
        return tr("excluded")
    return tr("in full") if depth < 2 else tr("grows")
