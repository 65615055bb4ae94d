"""The row of bone sets over the tree: a coloured chip each, selected, changed and named by mouse."""

from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QScrollArea, QWidget

from core.rig.set_color import SetColor
from editor.actions.sets import COLOR_NAMES
from editor.model.bone_sets import BoneSets, Held
from editor.model.i18n import tr, trn
from editor.model.selection import Mode
from editor.model.tried import tried
from editor.panels.bone_tree import menus
from editor.qt import tokens
from editor.qt.action_tip import action_button
from editor.qt.binding import Bindings
from editor.qt.menu import submenu
from editor.qt.name_field import NameField
from editor.qt.panel import PanelContext
from editor.qt.theme import Theme
from editor.qt.widgets import label

HEIGHT, GAP, EDGE = 20, 3, 4
STEP = HEIGHT + EDGE
"""Pixels from row to row; the same room is above the first, so that of a row that is scrolled away nothing is seen."""
WIDEST = 132
"""Pixels of the longest chip: longer names are shortened in their middle, and whole in the tooltip."""
ROWS = 2
"""Rows that are seen at once; more are scrolled to."""
SHARES = {Held.NONE: 0.16, Held.SOME: 0.32, Held.ALL: 0.6}
"""How strong a chip's ground is, by how much of the set is selected."""


class SetChip(QAbstractButton):
    """One set: its number, colour and name."""

    def __init__(self, parent: "SetChips", theme: Theme, name: str, number: int) -> None:
        super().__init__(parent.body)
        self._chips, self._theme = parent, theme
        self.name, self.number = name, number
        self.color, self.held, self.in_hand = SetColor.GRAY, Held.NONE, False
        self.setObjectName(f"set_{name}")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setText(name)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        number = metrics.horizontalAdvance(f"{self.number} ") if self.number <= 9 else 0
        return QSize(min(metrics.horizontalAdvance(self.name) + number + 24, WIDEST), HEIGHT)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            held = event.modifiers()
            add, remove = held & Qt.KeyboardModifier.ShiftModifier, held & Qt.KeyboardModifier.ControlModifier
            self._chips.select(self.name, Mode.REMOVE if remove else Mode.ADD if add else Mode.REPLACE)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._chips.sets.isolate(self.name)
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self._chips.open_menu(self.name, event.globalPos())
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(tokens.SET_COLORS[self.color])
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        edge = self._theme.color("text") if self.in_hand else ground
        painter.setPen(edge)
        share = SHARES[self.held] + (0.12 if self.underMouse() else 0.0)
        ground.setAlphaF(share)
        painter.setBrush(ground)
        painter.drawRoundedRect(box, HEIGHT / 2, HEIGHT / 2)
        painter.setFont(self.font())
        room = self.rect().adjusted(10, 0, -9, 0)
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if self.number <= 9:
            painter.setPen(self._theme.color("dim" if self.held is not Held.ALL else "text"))
            painter.drawText(room, middle, str(self.number))
            room.setLeft(room.left() + painter.fontMetrics().horizontalAdvance(f"{self.number} "))
        painter.setPen(self._theme.color("text"))
        text = painter.fontMetrics().elidedText(self.name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, middle, text)
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Enter, QEvent.Type.Leave):
            self.update()
        return bool(super().event(event))


class SetChips(QScrollArea):
    """The sets of the character shown, in rows that wrap; a button before them makes one of the selection."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("setChips")
        self.context, self.sets = context, context.session.feature(BoneSets)
        self.body = QWidget()
        self.setWidget(self.body)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        bar = self.verticalScrollBar()
        bar.setSingleStep(STEP)
        bar.valueChanged.connect(lambda value: bar.setValue(round(value / STEP) * STEP))  # whole rows
        self._chips: list[SetChip] = []
        actions = context.actions
        self.add = action_button(context.theme, actions, "set.new", "add", "newSet", size=HEIGHT)
        self.add.setParent(self.body)
        self.add.clicked.connect(lambda: actions.run("set.new"))
        self.none = label(tr("Bone sets"), "caption", parent=self.body)
        self.none.setObjectName("noSets")
        self.none.setToolTip(tr("Select bones and make a set of them: a chip that selects them by a click"))
        session, bindings = context.session, Bindings(self)
        bindings.refresh(
            self.refresh, self.sets.changed, session.selection.bones_changed, session.playback.clip_changed
        )
        bindings.on(self.sets.named, self._on_named)
        context.theme.changed.connect(self.body.update)
        self.refresh()

    # ------------------------------------------------------------ showing
    def refresh(self, *_: object) -> None:
        """Show the sets as they are now."""
        names = self.sets.names
        self.setVisible(self.sets.rig is not None)
        if names != tuple(chip.name for chip in self._chips):
            self._make(names)
        for chip in self._chips:
            look = self.sets.color(chip.name), self.sets.held(chip.name), chip.name == self.sets.in_hand
            if look != (chip.color, chip.held, chip.in_hand):
                taken = look[2] and not chip.in_hand
                chip.color, chip.held, chip.in_hand = look
                chip.update()
                if taken:
                    self.ensureWidgetVisible(chip, 0, EDGE)
            chip.setToolTip(self._tip(chip))
        self.add.setToolTip(self.context.actions.tooltip("set.new"))

    def _make(self, names: tuple[str, ...]) -> None:
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._chips = [SetChip(self, self.context.theme, name, k + 1) for k, name in enumerate(names)]
        for chip in self._chips:
            chip.show()
        self.none.setVisible(not names)
        self._place()

    def _tip(self, chip: SetChip) -> str:
        count = trn("{count} bone", "{count} bones", len(self.sets.bones(chip.name)))
        keys = self.context.actions.shortcuts(f"set.select_{chip.number}") if chip.number <= 9 else ()
        return tr(
            "{name}: {bones}{keys}\nClick selects, Shift adds, Ctrl removes, a double click isolates",
            name=chip.name, bones=count, keys=f" ({keys[0]})" if keys else "",
        )  # fmt: skip

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        """Lay the chips out in rows as wide as the panel."""
        width = max(self.viewport().width(), HEIGHT + 2 * EDGE)
        x, y = EDGE, EDGE
        self.none.setGeometry(QRect(EDGE + HEIGHT + GAP, EDGE, max(width - HEIGHT - 3 * EDGE, 0), HEIGHT))
        for widget in (self.add, *self._chips):
            wide = min(widget.sizeHint().width(), width - 2 * EDGE) if widget is not self.add else HEIGHT
            if x > EDGE and x + wide > width - EDGE:
                x, y = EDGE, y + STEP
            widget.setGeometry(QRect(x, y, wide, HEIGHT))
            x += wide + GAP
        self.body.resize(width, y + HEIGHT + EDGE)
        self.setFixedHeight(min(self.body.height(), ROWS * STEP + EDGE))

    # ------------------------------------------------------------ doing
    def select(self, name: str, mode: Mode) -> None:
        """A click on a chip."""
        tried(self.context.session.messages, lambda: self.sets.select(name, mode))

    def open_menu(self, name: str, place: QPoint) -> None:
        """What can be done with a set."""
        self.sets.choose(name)
        menu = self.context.window.menu_of(menus.SET, self)
        colors = submenu(menu, tr("Color"))
        for color, title in COLOR_NAMES.items():
            entry = colors.addAction(title)
            entry.setCheckable(True)
            entry.setChecked(color is self.sets.color(name))
            entry.triggered.connect(lambda _=False, color=color: self.sets.recolor(name, color))
        menu.popup(place)

    def _on_named(self, name: str) -> None:
        self.refresh()
        self.name_set(name)

    def name_set(self, name: str = "") -> None:
        """Type the name of a set over its chip; of the one in hand without a name."""
        name = name or self.sets.in_hand
        chip = next((chip for chip in self._chips if chip.name == name), None)
        if chip is None or not self.isVisible():
            return
        self.ensureWidgetVisible(chip, 0, EDGE)
        field = NameField(name, partial(self._rename, name), self.body)
        field.setObjectName("setName")
        left = min(chip.x(), max(self.body.width() - WIDEST - EDGE, EDGE))
        field.setGeometry(QRect(left, chip.y(), min(WIDEST, self.body.width() - left - EDGE), HEIGHT))
        field.open()

    def _rename(self, name: str, new: str) -> None:
        if new.strip() and name in self.sets.names:
            tried(self.context.session.messages, lambda: self.sets.rename(name, new))
