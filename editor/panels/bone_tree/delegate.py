"""Paints a bone's row: name, key diamond, and the switches that show when they are set or pointed at."""

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from core.rig.rig import RetargetMode
from editor.model.i18n import tr
from editor.model.retarget.proportions import MODES
from editor.panels.bone_tree.item_model import (
    MARK_COLUMN,
    MODE_COLUMN,
    NAME_COLUMN,
    BoneRole,
    FlagRole,
    MarkRole,
    MatchRole,
    ModeRole,
    VirtualRole,
)
from editor.panels.bone_tree.view_model import FLAGS, Mark
from editor.qt import tokens
from editor.qt.icons import paint_diamond
from editor.qt.theme import Theme

ROW_HEIGHT = 22
PIN_SIZE = 12
FLAG_ICONS = {"locked": ("unlock", "lock"), "hidden": ("show", "hide"), "solo": ("solo", "solo")}
MARK_LOOKS = {
    Mark.KEYED: ("key", "key"),
    Mark.PARTLY: ("key", "key_half"),
    Mark.ANIMATED: ("key", "key_animated"),
    Mark.PENDING: ("pending", "key"),
}


class BoneDelegate(QStyledItemDelegate):
    """One look for every column.

    `hovered` is the bone the pointer is over, anywhere in the window; `weights` those of the blend
    mask that is being painted, by bone, or None; `pinned` the bones that IK holds.
    """

    def __init__(self, theme: Theme, view: QTreeView) -> None:
        super().__init__(view)
        self.theme, self.view = theme, view
        self.hovered: str | None = None
        self.active: str | None = None
        self.weights: Mapping[str, float] | None = None
        self.pinned: Mapping[str, object] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index) -> None:
        bone = index.data(BoneRole)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        virtual = bool(index.data(VirtualRole))
        painter.save()
        if selected:
            painter.fillRect(option.rect, self.theme.color("selected_row"))
        elif bone == self.hovered or (virtual and option.state & QStyle.StateFlag.State_MouseOver):
            painter.fillRect(option.rect, self.theme.color("hover"))
        weight = self.weights.get(bone, 0.0) if self.weights is not None else 0.0
        if weight > 0.0 and index.column() == NAME_COLUMN:
            share = QRect(option.rect.topLeft(), QSize(round(option.rect.width() * weight), ROW_HEIGHT))
            painter.fillRect(share, self.theme.color("accent", 0.28))
        if index.column() == MODE_COLUMN and not virtual:
            self._paint_mode(painter, option.rect, index.data(ModeRole))
        else:
            if NAME_COLUMN < index.column() < MODE_COLUMN and not virtual:
                self._paint_flag(painter, option.rect, index, bone)
            # A name runs over the cells beside it. Each paints its part: Qt may ask for one cell alone.
            painter.setClipRect(option.rect, Qt.ClipOperation.IntersectClip)
            self._paint_name(painter, option, index.siblingAtColumn(NAME_COLUMN), bone, selected)
        painter.restore()

    def _paint_name(
        self, painter: QPainter, option: QStyleOptionViewItem, index, bone: str, selected: bool
    ) -> None:
        room = self._room(option, index)
        token = "text" if index.data(MatchRole) or selected else "dim"
        if self._flag(index, "hidden"):
            token = "dim"
        painter.setFont(self.theme.font(bold=bone == self.active))
        painter.setPen(self.theme.color(token))
        if index.data(VirtualRole):
            side = QRect(room.left(), room.top() + (ROW_HEIGHT - PIN_SIZE) // 2, PIN_SIZE, PIN_SIZE)
            self.theme.icon("virtual", "accent" if selected else "dim").paint(painter, side)
            room.setLeft(side.right() + 5)
        if bone in self.pinned:
            room.setRight(room.right() - PIN_SIZE - 2)
            at = QRect(room.right() + 2, room.top() + (ROW_HEIGHT - PIN_SIZE) // 2, PIN_SIZE, PIN_SIZE)
            self.theme.icon("pin", "warning").paint(painter, at)
        text = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        look = MARK_LOOKS.get(index.data(MarkRole))
        if look is not None and not index.data(VirtualRole):
            right = self.view.visualRect(index.siblingAtColumn(MARK_COLUMN))
            middle = QPointF(right.center()) + QPointF(0.5, 0.5)
            paint_diamond(painter, middle, 4.0, self.theme.color(look[0]), look[1])

    def _room(self, option: QStyleOptionViewItem, index) -> QRect:
        """Room for a name: up to the diamond, over the switches that are not shown in this row."""
        if index.data(VirtualRole):
            return option.rect.adjusted(2, 0, -2, 0)  # it has neither keys nor switches
        view = self.view
        room = view.visualRect(index).adjusted(2, 0, -2, 0)
        if not view.isColumnHidden(MODE_COLUMN):
            return room
        shown = [
            k
            for k, flag in enumerate(FLAGS)
            if index.data(BoneRole) == self.hovered or self._flag(index, flag)
        ]
        first = view.visualRect(index.siblingAtColumn(1 + shown[0] if shown else MARK_COLUMN))
        room.setRight(first.left() - 2)
        return room

    def _paint_mode(self, painter: QPainter, rect: QRect, mode: RetargetMode) -> None:
        plain = mode is RetargetMode.SKELETON
        painter.setFont(self.theme.font(tokens.CAPTION))
        painter.setPen(self.theme.color("dim" if plain else "text"))
        room = rect.adjusted(2, 0, -2, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, tr(MODES[mode][1]))

    def _flag(self, index, flag: str) -> bool:
        return bool(index.siblingAtColumn(1 + FLAGS.index(flag)).data(FlagRole))

    def _paint_flag(self, painter: QPainter, rect: QRect, index, bone: str) -> None:
        flag = FLAGS[index.column() - 1]
        on = bool(index.data(FlagRole))
        if not on and bone != self.hovered:
            return
        token = "disabled" if not on else "accent" if flag == "solo" else "text"
        icon = self.theme.icon(FLAG_ICONS[flag][on], token)
        side = 14
        icon.paint(
            painter,
            QRect(rect.center().x() - side // 2 + 1, rect.center().y() - side // 2 + 1, side, side),
        )
