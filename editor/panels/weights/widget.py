"""The panel of morphs and named curves: a slider and a number for each, keyed like bones."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from core.clips.clip import Channel
from editor.model.autokey import KeyState
from editor.model.i18n import tr
from editor.model.selection import Mode
from editor.panels.weights.view_model import Row, Weights
from editor.qt import tokens
from editor.qt.binding import Bindings
from editor.qt.menu import Menu
from editor.qt.name_field import NameField
from editor.qt.number_field import NumberField
from editor.qt.panel import Panel, PanelContext
from editor.qt.weight_slider import STEPS, WeightSlider
from editor.qt.widgets import ElidedLabel, EmptyState, SearchField, icon_button, label, set_role

MANY = 8
"""Sliders from which on there is a search field."""
STATES = {
    KeyState.NONE: "none",
    KeyState.ANIMATED: "animated",
    KeyState.KEYED: "key",
    KeyState.PENDING: "pending",
}


class WeightRow(QWidget):
    """Name, slider and number of one weight. A click on the name selects it (Ctrl or Shift: too)."""

    def __init__(self, panel: "WeightsPanel", row: Row) -> None:
        super().__init__()
        self._panel, self.channel = panel, row.channel
        self.setObjectName(f"weight.{row.channel.bone}")
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 0, 8, 0)
        line.setSpacing(6)
        self.title = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle)
        self.title.setFixedWidth(84)
        self.title.set_text(row.name, row.channel.bone)
        self.slider = WeightSlider(row.channel.bone)
        self.slider.setMinimumWidth(36)
        self.field = NumberField(panel.theme, "", None, 0.005, 2, keyed=True)
        self.field.setObjectName(f"value.{row.channel.bone}")
        self.field.setFixedSize(62, tokens.CONTROL)
        line.addWidget(self.title)
        line.addWidget(self.slider, 1)
        line.addWidget(self.field)
        model, channel = panel.model, row.channel
        self.slider.valueChanged.connect(self._on_slider)
        self.slider.sliderReleased.connect(lambda: self._commit(self.slider.value() / STEPS))
        self.slider.cancelled.connect(self._cancel)
        self.field.previewed.connect(lambda value: model.preview(channel, value))
        self.field.committed.connect(self._commit)
        self.field.cancelled.connect(self._cancel)

    def show_row(self, row: Row) -> None:
        """Show value, key state and selection; what is being dragged stays."""
        if not self.slider.isSliderDown():
            self.slider.blockSignals(True)
            self.slider.setValue(round(row.value * STEPS))
            self.slider.blockSignals(False)
        self.field.set_value(row.value)
        self.field.set_key_state(STATES[row.state])
        set_role(self.title, "selected" if row.selected else "")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        flags = event.modifiers()
        more = flags & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        if event.button() == Qt.MouseButton.LeftButton:
            self._panel.select(self.channel, Mode.TOGGLE if more else Mode.REPLACE)
        elif event.button() == Qt.MouseButton.RightButton:
            self._panel.open_menu(self, event.globalPosition().toPoint())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._panel.rename(self.channel)

    def _on_slider(self, value: int) -> None:
        self._panel.select(self.channel, Mode.REPLACE)
        if self.slider.isSliderDown():
            self._panel.model.preview(self.channel, value / STEPS)
        else:  # a click on the groove, or a key
            self._commit(value / STEPS)

    def _commit(self, value: float) -> None:
        self._panel.model.commit(self.channel, value)
        self._panel.refresh()

    def _cancel(self) -> None:
        self._panel.model.cancel()
        self._panel.refresh()


class WeightsPanel(Panel):
    """Morphs by mesh, then the named curves of the character's clips."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("weightsPanel")
        self.theme = context.theme
        self._context = context
        self.model = Weights(context.session)
        self._rows: dict[Channel, WeightRow] = {}
        self._build()
        s = context.session
        Bindings(self).refresh(
            self.refresh, s.evaluator.changed, s.keying.changed, s.document.changed,
            s.selection.weights_changed, s.playback.clip_changed,
        )  # fmt: skip
        actions = context.actions
        bound = {"weights.add_curve": self.add_curve}
        self._unbind = [actions.bind(id, work) for id, work in bound.items() if id in actions]
        self.destroyed.connect(self._leave)
        self.refresh()

    def _build(self) -> None:
        self.search = SearchField(self.theme, tr("Find"), self)
        self.search.setObjectName("weightSearch")
        self.search.textChanged.connect(self.refresh)
        self.add = icon_button(self.theme, "add", tr("Add a named curve to the clip"), name="addCurve")
        self.add.clicked.connect(self.add_curve)
        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(0, 4, 0, 8)
        self._column.setSpacing(2)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._body)
        self.empty = EmptyState(self.theme, "morphs", "", tr("Add curve"), self.add_curve)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(area)
        self._stack.addWidget(self.empty)

    def _leave(self) -> None:
        while self._unbind:
            self._unbind.pop()()

    def title_widgets(self) -> list[QWidget]:
        """Search and the button for a new curve stand in the title bar."""
        return [self.search, self.add]

    # ------------------------------------------------------------ showing
    def refresh(self, *_: object) -> None:
        """List the weights as they are now; rows are made again only where others are listed."""
        rows = self.model.rows(self.search.text())
        self.search.setVisible(len(rows) > MANY or bool(self.search.text()))
        self.add.setEnabled(self.model.has_rig)
        if [row.channel for row in rows] != list(self._rows):
            self._list(rows)
        for row in rows:
            self._rows[row.channel].show_row(row)
        self._stack.setCurrentIndex(0 if rows else 1)
        if not rows:
            self.empty.set_text(self._nothing())
            if self.empty.button is not None:
                self.empty.button.setVisible(self.model.has_rig and not self.search.text())

    def _nothing(self) -> str:
        if not self.model.has_rig:
            return tr("No character yet.")
        if self.search.text():
            return tr("No morph or curve matches the search.")
        return tr("The character's meshes have no morphs. A named curve can be added to the clip.")

    def _list(self, rows: tuple[Row, ...]) -> None:
        while self._column.count() > 1:
            widget = self._column.takeAt(0).widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._rows = {}
        heading = None
        for row in rows:
            title = tr("Curves") if row.is_curve else (row.place or tr("Morphs"))
            if title != heading:
                heading = title
                caption = label(title, "caption")
                caption.setContentsMargins(12, 4, 0, 0)
                self._column.insertWidget(self._column.count() - 1, caption)
            self._rows[row.channel] = made = WeightRow(self, row)
            self._column.insertWidget(self._column.count() - 1, made)

    # ------------------------------------------------------------ doing
    def select(self, channel: Channel, mode: Mode) -> None:
        """Select a weight: S keys it with the selected bones."""
        self._context.session.selection.select_weights((channel,), mode)

    def add_curve(self) -> None:
        """Add a named curve, and let its name be typed."""
        self._context.window.show_panel("weights")
        self.search.clear()
        channel = self.model.add_curve()
        self.refresh()
        if channel is not None and self.isVisible():
            self.rename(channel)

    def rename(self, channel: Channel) -> None:
        """Type another name for a curve, in its place."""
        row = self._rows.get(channel)
        clip = self._context.session.clip
        if row is None or channel.is_bone or clip is None or channel.bone not in clip.curves:
            return
        field = NameField(channel.bone, lambda name: self._renamed(channel, name), row)
        field.setObjectName("curveName")
        field.setGeometry(row.title.geometry().adjusted(-4, -2, 20, 2))
        field.open()

    def _renamed(self, channel: Channel, name: str) -> None:
        self.model.rename_curve(channel, name)
        self.refresh()

    def open_menu(self, row: WeightRow, place) -> None:
        """What can be done with one weight."""
        channel = row.channel
        self.select(channel, Mode.REPLACE)
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        keyed = self._context.session.keying.weight_state(channel) is KeyState.KEYED
        entries: list[tuple[str, Callable[[], object]]] = [
            (tr("Delete key") if keyed else tr("Set key"), lambda: self.model.toggle_key(channel)),
            (tr("Set to 0"), lambda: self.model.commit(channel, 0.0)),
            (tr("Delete all its keys"), lambda: self.model.clear(channel)),
        ]
        if channel in self._rows and not channel.is_bone and self._is_curve(channel):
            entries.append((tr("Rename"), lambda: self.rename(channel)))
        for text, work in entries:
            action = QAction(text, menu)
            action.triggered.connect(lambda _=False, work=work: work())
            menu.addAction(action)
        menu.popup(place)

    def _is_curve(self, channel: Channel) -> bool:
        clip = self._context.session.clip
        return clip is not None and channel.bone in clip.curves


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return WeightsPanel(context)
