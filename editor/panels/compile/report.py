"""The report: ratio and sizes, the largest error, and a bar for what each step left over."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from editor.model.i18n import tr
from editor.panels.compile.view_model import StepRow, Summary, size_text
from editor.qt import tokens
from editor.qt.theme import Theme
from editor.qt.widgets import ElidedLabel, label, set_role

BAR_ROW, NAMES, SIZES = 15, 118, 66
MARK = 14
CHECKED = tr(
    "The compiled clip is measured at the keys of the original and its own, at three places between any two "
    "neighbours of either (nine of curved motion), and at 1,000 random times. The bound holds at all of them; a "
    "jump may take 0.015 ms."
)


class StepBars(QWidget):
    """One bar for each step, as long as the bytes that are left."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("compileSteps")
        self._theme = theme
        self._rows: tuple[StepRow, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_rows(self, rows: tuple[StepRow, ...]) -> None:
        """Show other steps."""
        if rows != self._rows:
            self._rows = rows
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, BAR_ROW * len(self._rows) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, BAR_ROW * len(self._rows) + 4)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            number = int((event.pos().y() - 2) // BAR_ROW)
            if 0 <= number < len(self._rows):
                QToolTip.showText(event.globalPos(), self._rows[number].tip, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._theme
        most = max((row.size for row in self._rows), default=1)
        room = max(self.width() - NAMES - SIZES - 8, 20)
        for number, row in enumerate(self._rows):
            y, last = 2 + number * BAR_ROW, number == len(self._rows) - 1
            painter.setFont(theme.font(tokens.CAPTION))
            painter.setPen(theme.color("dim"))
            aligned = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, y, NAMES, BAR_ROW), aligned, row.title)
            track = QRectF(NAMES, y + 4.5, room, 6)
            painter.fillRect(track, theme.color("field"))
            bar = QRectF(NAMES, y + 4.5, max(2.0, room * row.size / most), 6)
            painter.fillRect(bar, theme.color("accent" if last else "dim", 1.0 if last else 0.6))
            painter.setFont(theme.font(tokens.CAPTION, tabular=True))
            painter.setPen(theme.color("text" if last else "dim"))
            place = QRectF(self.width() - SIZES, y, SIZES, BAR_ROW)
            painter.drawText(place, aligned | Qt.AlignmentFlag.AlignRight, size_text(row.size))
        painter.end()


class ReportView(QWidget):
    """The report of one clip.

    Parameters
    ----------
    right : what stands at the right of its first line
    """

    def __init__(self, theme: Theme, right: QWidget) -> None:
        super().__init__()
        self._theme = theme
        self.ratio = label("", "heading")
        self.ratio.setObjectName("compileRatio")
        self.sizes = ElidedLabel("", "dim")
        self.mark = QLabel()
        self.largest = ElidedLabel()
        self.largest.setObjectName("compileLargest")
        self.mean = ElidedLabel("", "caption")
        self.mean.setObjectName("compileMean")
        self.note = label("", "warning", wrap=True)
        self.note.setObjectName("compileNote")
        self.steps = StepBars(theme)
        first, second = QHBoxLayout(), QHBoxLayout()
        for row in (first, second):
            row.setSpacing(8)
        first.addWidget(self.ratio)
        first.addWidget(self.sizes, 1)
        first.addWidget(right)
        second.addWidget(self.mark)
        second.addWidget(self.largest, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.note)
        for row in (first, second):
            column.addLayout(row)
        column.addWidget(self.mean)
        column.addSpacing(2)
        column.addWidget(self.steps)
        self._holds = True
        theme.changed.connect(self._tint)

    def show_report(self, summary: Summary, steps: tuple[StepRow, ...]) -> None:
        """Show another report."""
        self.ratio.setText(summary.ratio)
        self.ratio.setToolTip(summary.sizes_tip)
        self.sizes.set_text(summary.sizes, summary.sizes_tip)
        self.largest.set_text(summary.largest)
        set_role(self.largest, "" if summary.holds else "error")
        self.mean.set_text(summary.mean, f"{summary.mean}\n{CHECKED}")
        self.note.setText(summary.note)
        self.note.setVisible(bool(summary.note))
        self.steps.show_rows(steps)
        self._holds = summary.holds
        self._tint()

    def _tint(self) -> None:
        name, token = ("ok", "ok") if self._holds else ("error", "error")
        self.mark.setPixmap(self._theme.icon(name, token).pixmap(QSize(MARK, MARK)))
