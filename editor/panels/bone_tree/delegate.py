"""Paints a bone's row: name, key diamond, and the switches that show when they are set or pointed at."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
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


OVERHANG = 4
"""Pixels that a letter may reach out of the room of its text."""


@dataclass(frozen=True, slots=True)
class Row:
    """What the cells of a row paint alike; `look` and `middle` are its key diamond's, `sign` a virtual bone's."""

    bone: str
    virtual: bool
    flags: Mapping[str, bool]
    room: QRect
    text: str
    font: QFont
    ink: QColor
    sign: QRect | None
    pin: QRect | None
    look: tuple[str, str] | None
    middle: QPointF


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
        self._rows: dict[tuple[int, int], Row] | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(super().sizeHint(option, index).width(), ROW_HEIGHT)

    @contextmanager
    def one_painting(self) -> Iterator[None]:
        """Look each row up once, although all its cells are painted by it; meanwhile nothing may change."""
        self._rows = {}
        try:
            yield
        finally:
            self._rows = None

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index) -> None:
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        row, column = self._row(option, index, selected), index.column()
        painter.save()
        if selected:
            painter.fillRect(option.rect, self.theme.color("selected_row"))
        elif row.bone == self.hovered or (row.virtual and option.state & QStyle.StateFlag.State_MouseOver):
            painter.fillRect(option.rect, self.theme.color("hover"))
        weight = self.weights.get(row.bone, 0.0) if self.weights is not None else 0.0
        if weight > 0.0 and column == NAME_COLUMN:
            share = QRect(option.rect.topLeft(), QSize(round(option.rect.width() * weight), ROW_HEIGHT))
            painter.fillRect(share, self.theme.color("accent", 0.28))
        if column == MODE_COLUMN and not row.virtual:
            self._paint_mode(painter, option.rect, index.data(ModeRole))
        else:
            if NAME_COLUMN < column < MODE_COLUMN and not row.virtual:
                self._paint_flag(painter, option.rect, FLAGS[column - 1], row)
            # A name runs over the cells beside it. Each paints its part: Qt may ask for one cell alone.
            painter.setClipRect(option.rect, Qt.ClipOperation.IntersectClip)
            self._paint_name(painter, option.rect, row, selected)
        painter.restore()

    def _row(self, option: QStyleOptionViewItem, index, selected: bool) -> Row:
        """What all cells of a row paint, looked up once for one painting."""
        key = (index.internalId(), index.row())
        row = None if self._rows is None else self._rows.get(key)
        if row is None:
            row = self._look_up(option, index.siblingAtColumn(NAME_COLUMN), selected)
            if self._rows is not None and not row.virtual:  # of a virtual bone's there is one cell
                self._rows[key] = row
        return row

    def _look_up(self, option: QStyleOptionViewItem, index, selected: bool) -> Row:
        bone, virtual = index.data(BoneRole), bool(index.data(VirtualRole))
        flags = {flag: self._flag(index, flag) for flag in FLAGS}
        room = self._room(option, index, bone, virtual, flags)
        token = "text" if index.data(MatchRole) or selected else "dim"
        if flags["hidden"]:
            token = "dim"
        font = self.theme.font(bold=bone == self.active)
        sign = pin = None
        if virtual:
            sign = QRect(room.left(), room.top() + (ROW_HEIGHT - PIN_SIZE) // 2, PIN_SIZE, PIN_SIZE)
            room.setLeft(sign.right() + 5)
        if bone in self.pinned:
            room.setRight(room.right() - PIN_SIZE - 2)
            pin = QRect(room.right() + 2, room.top() + (ROW_HEIGHT - PIN_SIZE) // 2, PIN_SIZE, PIN_SIZE)
        text = QFontMetrics(font).elidedText(index.data(), Qt.TextElideMode.ElideMiddle, room.width())
        look = None if virtual else MARK_LOOKS.get(index.data(MarkRole))
        middle = QPointF()
        if look is not None:
            right = self.view.visualRect(index.siblingAtColumn(MARK_COLUMN))
            middle = QPointF(right.center()) + QPointF(0.5, 0.5)
        return Row(bone, virtual, flags, room, text, font, self.theme.color(token), sign, pin, look, middle)

    def _paint_name(self, painter: QPainter, cell: QRect, row: Row, selected: bool) -> None:
        if row.room.adjusted(-OVERHANG, 0, OVERHANG, 0).intersects(cell):
            painter.setFont(row.font)
            painter.setPen(row.ink)
            painter.drawText(row.room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, row.text)
        if row.sign is not None:
            self.theme.icon("virtual", "accent" if selected else "dim").paint(painter, row.sign)
        if row.pin is not None and row.pin.intersects(cell):
            self.theme.icon("pin", "warning").paint(painter, row.pin)
        if row.look is not None and cell.adjusted(-OVERHANG, 0, OVERHANG, 0).contains(row.middle.toPoint()):
            paint_diamond(painter, row.middle, 4.0, self.theme.color(row.look[0]), row.look[1])

    def _room(
        self, option: QStyleOptionViewItem, index, bone: str, virtual: bool, flags: Mapping[str, bool]
    ) -> QRect:
        """Room for a name: up to the diamond, over the switches that are not shown in this row."""
        if virtual:
            return option.rect.adjusted(2, 0, -2, 0)  # it has neither keys nor switches
        view = self.view
        room = view.visualRect(index).adjusted(2, 0, -2, 0)
        if not view.isColumnHidden(MODE_COLUMN):
            return room
        shown = [k for k, flag in enumerate(FLAGS) if bone == self.hovered or flags[flag]]
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

    def _paint_flag(self, painter: QPainter, rect: QRect, flag: str, row: Row) -> None:
        on = row.flags[flag]
        if not on and row.bone != self.hovered:
            return
        token = "disabled" if not on else "accent" if flag == "solo" else "text"
        icon = self.theme.icon(FLAG_ICONS[flag][on], token)
        side = 14
        icon.paint(
            painter,
            QRect(rect.center().x() - side // 2 + 1, rect.center().y() - side // 2 + 1, side, side),
        )
