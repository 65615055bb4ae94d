"""The grid of pose cards: a click applies, a horizontal drag blends, Ctrl and Shift choose several."""

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.ids import AssetId
from editor.model.i18n import tr
from editor.panels.pose_library.view_model import Card, PoseLibrary
from editor.qt import tokens
from editor.qt.keys import keeps
from editor.qt.theme import Theme

GAP = 8
CAPTION = 20
LEAST = 76
JITTER = 4


class PoseGrid(QWidget):
    """Paints the cards and turns mouse input into calls of the model.

    Attributes
    ----------
    menu_wanted : id of the card and the place on the screen
    """

    menu_wanted = Signal(str, QPoint)

    def __init__(self, model: PoseLibrary, theme: Theme, image) -> None:
        super().__init__()
        self.setObjectName("poseGrid")
        self._model, self._theme, self._image = model, theme, image
        self._cards: tuple[Card, ...] = ()
        self._hover: int | None = None
        self._pressed: int | None = None
        self._from = QPoint()
        self._dragged = False
        self._share: float | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        theme.changed.connect(self.update)

    # ------------------------------------------------------------ where cards are
    def show_cards(self, cards: tuple[Card, ...]) -> None:
        """List other cards."""
        if cards != self._cards:
            self._cards = cards
            self._fit()
            self.update()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards shown."""
        return self._cards

    def _columns(self) -> int:
        return max(1, (self.width() - GAP) // (LEAST + GAP))

    def _edge(self) -> int:
        columns = self._columns()
        return max(24, (self.width() - GAP * (columns + 1)) // columns)

    def rect_of(self, number: int) -> QRect:
        """Where a card is painted."""
        row, column = divmod(number, self._columns())
        edge = self._edge()
        return QRect(GAP + column * (edge + GAP), GAP + row * (edge + CAPTION + GAP), edge, edge + CAPTION)

    def _fit(self) -> None:
        rows = -(-len(self._cards) // self._columns())
        self.setMinimumHeight(rows * (self._edge() + CAPTION + GAP) + GAP)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        # Later: a widget that asks for another size from within its layout makes Qt end the process, once the whole
        # window is being laid out again.
        QTimer.singleShot(0, self, self._fit)

    def sizeHint(self) -> QSize:
        return QSize(240, max(self.minimumHeight(), 120))

    def card_at(self, place: QPoint) -> int | None:
        """Number of the card at a place."""
        return next((i for i in range(len(self._cards)) if self.rect_of(i).contains(place)), None)

    # ------------------------------------------------------------ mouse
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        number = self.card_at(place)
        if event.button() == Qt.MouseButton.RightButton:
            if self._pressed is not None:
                self._give_up()
            elif number is not None:
                self._model.choose(self._cards[number].id) if not self._cards[number].chosen else None
                self.menu_wanted.emit(self._cards[number].id, event.globalPosition().toPoint())
            return
        if event.button() != Qt.MouseButton.LeftButton or number is None or self._pressed is not None:
            return
        held = event.modifiers()
        card = self._cards[number]
        if held & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier):
            add = bool(held & Qt.KeyboardModifier.ControlModifier)
            self._model.choose(card.id, add, not add)
            return
        if self._model.press(card.id):
            self._pressed, self._from, self._dragged = number, place, False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._pressed is None:
            hover = self.card_at(place)
            if hover != self._hover:
                self._hover = hover
                self.setCursor(Qt.CursorShape.ArrowCursor if hover is None else Qt.CursorShape.SizeHorCursor)
                self.update()
            return
        if not self._dragged and abs(place.x() - self._from.x()) < JITTER:
            return
        self._dragged = True
        self._share = self._model.drag(place.x() - self._from.x())
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._pressed is not None:
            self._pressed = self._share = None
            self._model.release(self._dragged)
            self.update()

    def _give_up(self) -> None:
        self._pressed = self._share = None
        self._model.cancel()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = None
        self.update()
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._pressed is not None:
            self._give_up()
        super().focusOutEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._pressed is not None:
            event.accept()
            return True
        if any(card.chosen for card in self._cards) and keeps(event, (Qt.Key.Key_Delete,)):
            return True  # elsewhere it deletes keys
        if isinstance(event, QHelpEvent):
            number = self.card_at(event.pos())
            if number is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), tooltip(self._cards[number]), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._pressed is not None:
            self._give_up()
            return
        if event.key() == Qt.Key.Key_Delete:
            self._model.delete([card.id for card in self._cards if card.chosen])
            return
        super().keyPressEvent(event)

    # ------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number, card in enumerate(self._cards):
            rect = self.rect_of(number)
            if rect.intersects(event.rect()):
                self._paint_card(painter, number, card, rect)
        painter.end()

    def _paint_card(self, painter: QPainter, number: int, card: Card, rect: QRect) -> None:
        theme = self._theme
        path = QPainterPath()
        path.addRoundedRect(QRectF(rect), tokens.RADIUS, tokens.RADIUS)
        painter.fillPath(path, theme.color("raised" if number != self._hover else "hover"))
        top = QRect(rect.left(), rect.top(), rect.width(), rect.width())
        image: QPixmap | None = self._image(AssetId(card.id))
        painter.save()
        painter.setClipPath(path)
        if image is not None:
            painter.drawPixmap(top, image)
        else:
            painter.fillRect(top, theme.color("view_bottom"))
            theme.icon("pose", "disabled").paint(painter, top.adjusted(28, 28, -28, -28))
        if number == self._pressed and self._share is not None:
            self._paint_share(painter, top)
        painter.restore()
        name = QRect(rect.left() + 6, top.bottom() + 1, rect.width() - 12, CAPTION)
        painter.setFont(theme.font(tokens.CAPTION, bold=card.active))
        painter.setPen(theme.color("text"))
        text = painter.fontMetrics().elidedText(card.name, Qt.TextElideMode.ElideRight, name.width())
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        if card.partial:
            painter.setFont(theme.font(tokens.CAPTION))
            wide = painter.fontMetrics().horizontalAdvance(card.partial) + 10
            plate = QRect(top.right() - wide - 3, top.top() + 4, wide, 16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("field", 0.8))
            painter.drawRoundedRect(plate, 3, 3)
            painter.setPen(theme.color("dim"))
            painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, card.partial)
        if card.chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent" if card.active else "dim"), 2.0))
            painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), tokens.RADIUS, tokens.RADIUS)

    def _paint_share(self, painter: QPainter, top: QRect) -> None:
        theme, share = self._theme, self._share or 0.0
        width = round(top.width() * min(max(share, 0.0), 1.0))
        painter.fillRect(QRect(top.left(), top.bottom() - 5, top.width(), 6), theme.color("field", 0.8))
        painter.fillRect(QRect(top.left(), top.bottom() - 5, width, 6), theme.color("accent"))
        plate = QRect(top.center().x() - 26, top.center().y() - 11, 52, 22)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("field", 0.85))
        painter.drawRoundedRect(plate, tokens.RADIUS, tokens.RADIUS)
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font(tokens.BODY, bold=True, tabular=True))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, f"{100 * share:.0f} %".replace("-", "−"))


def tooltip(card: Card) -> str:
    """What a card is and what the mouse can do with it."""
    lines = [card.name]
    if card.partial:
        lines[0] += f" · {card.partial}"
    if card.tags:
        lines.append(" ".join(f"#{tag}" for tag in card.tags))
    lines.append(tr("Click to apply, drag sideways to blend, Ctrl or Shift to select several"))
    return "\n".join(lines)
