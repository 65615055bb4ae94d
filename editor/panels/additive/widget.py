"""The additive panel: what the clip is a difference from, and base, difference and result side by side."""

import numpy as np
from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from core.clips.clip import AdditiveBase, AdditiveSpace
from core.ids import AssetId
from editor.model.i18n import tr
from editor.panels.additive.view_model import AdditiveModel, Figure
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.choice import ChoiceBox
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.theme import Theme
from editor.qt.widgets import EmptyState, label

SPACES = ((None, "Not additive"), (AdditiveSpace.LOCAL, "Local space"), (AdditiveSpace.MODEL, "Model space"))
BASES = (
    (AdditiveBase.REST, "Rest pose"),
    (AdditiveBase.FIRST_FRAME, "First frame"),
    (AdditiveBase.FRAME, "Frame of a clip"),
    (AdditiveBase.CLIP, "Clip, frame by frame"),
)
TURN = np.radians(35.0)
"""Angle from which the stick figures are seen."""


class Figures(QWidget):
    """Three stick figures: base, difference, result."""

    def __init__(self, model: AdditiveModel, theme: Theme) -> None:
        super().__init__()
        self.model, self.theme = model, theme
        self.setObjectName("additiveFigures")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(300, 190)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 130)

    def paintEvent(self, event: QPaintEvent) -> None:
        figures = self.model.figures()
        if figures is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = (self.width() - 8.0) / 3.0
        flat = [(_seen(f.heads), _seen(f.tails)) for f in figures]
        every = np.concatenate([points for pair in flat for points in pair])
        middle = (every.max(axis=0) + every.min(axis=0)) / 2.0
        extent = np.maximum(np.ptp(every, axis=0), 1e-6)
        scale = float(min((width - 16) / extent[0], (self.height() - 40) / extent[1]))
        for number, (figure, (heads, tails)) in enumerate(zip(figures, flat, strict=True)):
            box = QRectF(number * (width + 4), 0, width, self.height())
            painter.setPen(QPen(self.theme.color("border"), 1))
            painter.setBrush(self.theme.color("field"))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), tokens.RADIUS, tokens.RADIUS)
            painter.setPen(self.theme.color("dim"))
            painter.setFont(self.theme.font(tokens.CAPTION))
            painter.drawText(box.adjusted(0, 4, 0, 0), Qt.AlignmentFlag.AlignHCenter, tr(figure.title))
            self._paint(painter, figure, box, (heads - middle) * scale, (tails - middle) * scale)
        painter.end()

    def _paint(
        self, painter: QPainter, figure: Figure, box: QRectF, heads: np.ndarray, tails: np.ndarray
    ) -> None:
        x, y = box.center().x(), box.center().y() + 8
        for marked, color, wide in ((False, "dim", 1.5), (True, "selection", 2.5)):
            pen = QPen(self.theme.color(color), wide)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            rows = np.flatnonzero(figure.marked == marked)
            painter.drawLines(
                [
                    QLineF(x + a[0], y - a[1], x + b[0], y - b[1])
                    for a, b in zip(heads[rows], tails[rows], strict=True)
                ]
            )


def _seen(points: np.ndarray) -> np.ndarray:
    """Points ``(N, 3)`` as seen from the front at an angle: right and up ``(N, 2)``."""
    return np.stack((points[:, 0] * np.cos(TURN) - points[:, 2] * np.sin(TURN), points[:, 1]), axis=-1)


class AdditivePanel(Panel):
    """Settings above, pictures below."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("additivePanel")
        self.context, self.theme = context, context.theme
        self.model = AdditiveModel(context.session)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        self.form = QWidget()
        grid = QGridLayout(self.form)
        grid.setContentsMargins(12, 8, 12, 8)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.space = self._combo("additiveSpace", SPACES, tr("Where the difference is taken"))
        self.space.activated.connect(lambda _: self._set_space())
        self.base = self._combo("additiveBase", BASES, tr("What the clip is a difference from"))
        self.base.activated.connect(lambda _: self.model.set_base(AdditiveBase(self.base.currentData())))
        self.clip = self._combo("additiveClip", (), tr("The base clip"))
        self.clip.activated.connect(lambda _: self.model.set_base_clip(AssetId(self.clip.currentData())))
        self.frame = NumberField(self.theme, "f", step=0.1, decimals=1, bounds=(0.0, 1e9))
        self.frame.setObjectName("additiveFrame")
        self.frame.committed.connect(self.model.set_base_frame)
        self.labels = []
        titles = (tr("Additive"), tr("Base"), tr("Clip"), tr("Frame"))
        fields = (self.space, self.base, self.clip, self.frame)
        for row, (text, widget) in enumerate(zip(titles, fields, strict=True)):
            self.labels.append(label(text, "dim"))
            grid.addWidget(self.labels[-1], row, 0)
            grid.addWidget(widget, row, 1)
        column.addWidget(self.form)
        self.figures = Figures(self.model, self.theme)
        holder = QVBoxLayout()
        holder.setContentsMargins(8, 0, 8, 0)
        holder.addWidget(self.figures)
        column.addLayout(holder, 1)
        self.empty = EmptyState(self.theme, "blend", "")
        column.addWidget(self.empty, 1)
        session = context.session
        Bindings(self).refresh(
            self.refresh,
            session.document.changed,
            session.playback.clip_changed,
            session.playback.time_changed,
        )
        self.refresh()

    def _combo(self, name: str, items, tip: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName(name)
        box.setToolTip(tip)
        box.setMinimumContentsLength(6)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        for value, title in items:
            box.addItem(tr(title), value)
        return box

    def _set_space(self) -> None:
        self.model.set_space(SPACES[self.space.currentIndex()][0])

    def refresh(self, *_: object) -> None:
        """Show the clip's declaration as it is now."""
        clip = self.model.clip
        self.form.setVisible(clip is not None)
        additive = clip.additive if clip is not None else None
        self.figures.setVisible(additive is not None)
        self.empty.setVisible(additive is None)
        self.empty.set_text(
            tr("Declare the clip additive to layer it on others, or to use it in an aim offset.")
            if clip is not None
            else tr("Create or select a clip first.")
        )
        if clip is None:
            return
        self.space.setCurrentIndex([s for s, _ in SPACES].index(additive.space if additive else None))
        needs_clip = additive is not None and additive.base in (AdditiveBase.CLIP, AdditiveBase.FRAME)
        shown = (True, additive is not None, needs_clip, needs_clip and additive.base is AdditiveBase.FRAME)
        for text, widget, on in zip(
            self.labels, (self.space, self.base, self.clip, self.frame), shown, strict=True
        ):
            text.setVisible(on)
            widget.setVisible(on)
        if additive is not None:
            self.base.setCurrentIndex([b for b, _ in BASES].index(additive.base))
            self._show_clips(additive.base_clip)
            self.frame.set_value(round(clip.rate.to_frame(additive.base_time), 6))
        self.figures.update()

    def _show_clips(self, chosen: AssetId | None) -> None:
        clip = self.model.clip
        items = [(c.name, c.id) for c in self.model.others()]
        if clip is not None:
            items.insert(0, (tr("This clip"), clip.id))
        self.clip.show_choices(items, chosen)


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return AdditivePanel(context)
