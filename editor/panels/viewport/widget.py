"""The viewport panel: the picture, what is written over it, and the tools that work in it."""

import time
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from editor.gl.colors import DARK, LIGHT, ViewportColors, rgba
from editor.gl.viewport_widget import ViewportWidget
from editor.model.history import Step, StepKind
from editor.model.i18n import tr
from editor.model.media.state import Media
from editor.model.play.state import Play
from editor.panels.viewport import menus
from editor.panels.viewport.bound import bind_actions
from editor.panels.viewport.camera_frame import CameraFrame
from editor.panels.viewport.camera_tween import CameraTween
from editor.panels.viewport.drop_zone import DropZone
from editor.panels.viewport.first_card import FirstCard
from editor.panels.viewport.heads_up import traffic_text
from editor.panels.viewport.ik_marks import IkTints
from editor.panels.viewport.input_handler import ViewportInputHandler
from editor.panels.viewport.marking_menu import ACTION as MARKING
from editor.panels.viewport.marking_menu import MarkingMenu
from editor.panels.viewport.overlay import Overlay
from editor.panels.viewport.play_driver import PlayDriver
from editor.panels.viewport.preview_plate import PreviewPlate
from editor.panels.viewport.switches import Switches
from editor.panels.viewport.view_model import ViewportModel
from editor.qt.binding import Bindings
from editor.qt.focus import pointer_rests
from editor.qt.layer_banner import LayerBanner
from editor.qt.panel import Panel, PanelContext
from editor.qt.pointer import modifiers_of
from editor.qt.tokens import SET_COLORS
from editor.qt.turns import Rank
from editor.tools.pointer import Pointer

TICK = 15
"""Milliseconds between two looks at the clock while playing."""

SLOW = 0.006
"""Seconds of making a picture from which on it gets a turn of its own while keys are dragged."""
SETTLED = 150
"""Milliseconds after the last change of the view's size."""

TEXT_FIELDS = (QLineEdit, QPlainTextEdit, QTextEdit, QAbstractSpinBox)


class View(ViewportWidget):
    """The picture; while a gesture takes numbers, its keys are no shortcuts."""

    def __init__(self, parent: QWidget, panel: "ViewportPanel") -> None:
        super().__init__(parent)
        self._panel = panel
        self._released = (0, 0)
        self.setObjectName("viewport")

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            self._follow_repeats(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            wanted = self._panel.play.input.wants(event.key(), modifiers_of(event.modifiers()))
            marks = self._panel.marking.wants(event.key(), modifiers_of(event.modifiers()))
            held = self._panel.input.holds(int(event.key()))
            held = held or (event.key() == Qt.Key.Key_Escape and self._panel.model.waits_for_stroke)
            if wanted or marks or held or self._panel.model.gestures.current is not None:
                event.accept()
                return True
        return super().event(event)

    def _follow_repeats(self, event: QKeyEvent) -> None:
        """X11 repeats a held key as releases and presses of one time; a busy Qt may take a pair for new ones."""
        this = int(event.key()), event.timestamp()
        if event.isAutoRepeat() or not event.timestamp():
            return
        if event.type() == QEvent.Type.KeyRelease:
            held = self._panel.input.holds(int(event.key()))
            self._released = this if held else (0, 0)
        elif event.type() == QEvent.Type.ShortcutOverride and this == self._released:
            self._panel.model.pulling = True

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """No key is held where the view does not hear of its release."""
        self._panel.play.input.release_all()
        super().focusOutEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Tool keys go to where the mouse is, unless someone is typing."""
        if not pointer_rests(self, event):
            self._take_keys()
        super().enterEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._panel.play.moved(event.position().x(), event.position().y()):
            return
        if not event.buttons():
            self._take_keys()
        super().mouseMoveEvent(event)

    def _take_keys(self) -> None:
        if not self.hasFocus() and not isinstance(QApplication.focusWidget(), TEXT_FIELDS):
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._panel.place_overlays()


class ViewportPanel(Panel):
    """Shows the character and lets it be posed."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("viewportPanel")
        self._context = context
        self._session = context.session
        self.model = ViewportModel(context.session, context.tools)
        self.view = View(self, self)
        self.camera_frame = CameraFrame(self.view, self._session, context.theme)
        self.overlay = Overlay(self.view, context.theme)
        self.switches = Switches(self.view, context.theme, self._toggle)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.preview_plate = PreviewPlate(self.view, self._session, context.theme)
        self.layer_banner = LayerBanner(
            self._session, context.actions, context.theme, "layerPlate", plate=True, below=self.preview_plate
        )
        self.layer_banner.setParent(self.view)
        self.preview_plate.placed.connect(self.layer_banner.place)
        self.first_card = FirstCard(self.view, self._session, context.theme)
        self.drop_zone = DropZone(self.view, self._session, context.theme)
        self.play = PlayDriver(
            self.view, self._session.feature(Play), self.model.controller, context.window.set_hint
        )
        self.marking = MarkingMenu(self.view, self._session, context.actions, context.theme)
        self.input = ViewportInputHandler(
            self.model, context.window.set_hint, self._open_menu, self.play.input, self.marking
        )
        self.view.set_input(self.input)
        self.view.failed.connect(self._on_failed)
        self.view.drawn.connect(self._on_drawn)
        self._tween = CameraTween(self.model.controller, self._session.preferences, self)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)
        self._settled = QTimer(self)  # pictures are decoded for the size of a view that is not being resized
        self._settled.setSingleShot(True)
        self._settled.setInterval(SETTLED)
        self._settled.timeout.connect(self._size_pictures)
        self._bind()
        self._on_theme()
        self._on_switch()
        self._framed: object = None
        self._seconds = 0.0

    def _bind(self) -> None:
        binding = Bindings(self)
        model = self.model
        self._redraw = binding.refresh(self._draw, model.changed, rank=self._rank)
        binding.on(self._session.switches.changed, lambda _: self._on_switch())
        self._rewrite = binding.refresh(self._write, model.overlay_changed, model.changed, rank=Rank.FIRST)
        binding.on(self._session.playback.state_changed, lambda _: self._on_state())
        self._context.theme.changed.connect(self._on_theme)
        binding.on(self._session.history.stepped, self._on_step)
        self._unbind = bind_actions(self._context.actions, model)
        self._unbind.append(self._context.actions.bind(MARKING, lambda: self.marking.open()))
        self.destroyed.connect(lambda: model.close())

    def focus_widget(self) -> QWidget:
        """The picture hears the tools' keys."""
        return self.view

    def sizeHint(self) -> QSize:
        """Most of the window."""
        return QSize(900, 520)

    # ------------------------------------------------------------ what is shown
    def _rank(self) -> Rank:
        """The picture comes first; but where a drag of keys changes a great deal, the panel they are dragged in."""
        keys = self._session.preview.clip is not None
        return Rank.NEXT if keys and self._seconds > SLOW else Rank.FIRST

    def _draw(self) -> None:
        start = time.perf_counter()
        self._show()
        self._seconds = time.perf_counter() - start

    def _show(self) -> None:
        self.model.resize(self.view.view_size)
        self._frame_once()
        self.view.show_frame(self.model.draw_list(), self.model.camera, self._colors)

    def _frame_once(self) -> None:
        """A character shown for the first time is looked at as a whole."""
        rig = self.model.rig
        if rig is not None and rig.id != self._framed and self.view.width() > 150:
            self._framed = rig.id
            self.model.controller.tween = None  # the first view is shown at once
            self.model.frame_all()
            self.model.controller.tween = self._tween

    def _write(self) -> None:
        model = self.model
        self.overlay.show_lines(replace(model.heads_up(), traffic=traffic_text(self.view.traffic)))
        self.overlay.show_plate(model.scene.options.heads_up)
        labels = model.scene.labels()
        bright = frozenset(
            (*self._bright_names(), *(text for text, _, _, stands_out in labels if stands_out))
        )
        label = self._session.bone_label
        names = ((label(name), x, y) for name, x, y in model.scene.names())
        self.overlay.show_names((*names, *((t, x, y) for t, x, y, _ in labels)), bright)
        self.overlay.show_box(model.box)
        self.camera_frame.show_rectangle(model.camera_rectangle())
        self.overlay.show_chip(model.chip())
        bare = model.rig is None and self.view.problem is None
        self.overlay.show_empty(self._empty_text(), bare)
        self.drop_zone.show_empty(bare)
        lines = self.overlay.lines
        playback = self._session.playback
        self._context.window.set_frame_rate(playback.measured_fps if playback.playing else None, lines.behind)

    def _bright_names(self) -> tuple[str, ...]:
        selection = self._session.selection
        bones = (*selection.bones, *((selection.hover,) if selection.hover else ()))
        return tuple(map(self._session.bone_label, bones))

    def _empty_text(self) -> str:
        if self.view.problem is not None:
            return tr("Nothing can be drawn: {reason}", reason=self.view.problem)
        return ""

    def _on_switch(self) -> None:
        self.switches.show_options(self.model.scene.options)
        self.view.count_traffic(self._session.switches["traffic"])
        self._rewrite()

    def _on_drawn(self) -> None:
        if self.view.traffic is not None:
            self._rewrite()

    def _on_failed(self, reason: str) -> None:
        self._session.messages.error(tr("The viewport cannot draw"), reason)
        self._rewrite()

    def _on_theme(self) -> None:
        theme = self._context.theme
        self._colors: ViewportColors = DARK if theme.tokens.dark else LIGHT
        self.model.scene.pending_tint = rgba(theme.tokens.pending, 0.32)
        self.model.scene.use_colors(self._colors)
        tokens = theme.tokens
        self.model.scene.heat = tuple(rgba(t) for t in (tokens.ok, tokens.warning, tokens.error))
        self.model.scene.set_tints = {name: rgba(color) for name, color in SET_COLORS.items()}
        self.model.scene.play.heat = self.model.scene.heat
        self.model.scene.ik.tints = IkTints(
            *(
                rgba(t)
                for t in (
                    tokens.accent,
                    tokens.key,
                    tokens.warning,
                    tokens.error,
                    tokens.field,
                    tokens.joint_limit,
                )
            )
        )
        self.switches.tint()
        self.overlay.update()
        self._redraw()

    def _on_step(self, step: Step) -> None:
        """The red frame shows that keys were set."""
        if step.kind is StepKind.DO:
            self.overlay.flash()

    def place_overlays(self) -> None:
        """The view has another size."""
        self.overlay.setGeometry(self.view.rect())
        self.camera_frame.setGeometry(self.view.rect())
        self.switches.adjustSize()
        self.switches.move(
            self.view.width() - self.switches.width() - 12, self.view.height() - self.switches.height() - 12
        )
        self.switches.setVisible(self.view.height() > 160 and self.view.width() > 260)
        self.switches.raise_()
        self.preview_plate.place()
        self.first_card.place()
        self.drop_zone.place()
        self.model.resize(self.view.view_size)
        self._settled.start()
        self._redraw()
        self._rewrite()

    def _size_pictures(self) -> None:
        rows = round(self.view.height() * self.view.devicePixelRatioF())
        self._session.feature(Media).pictures.set_rows(rows)

    def show_drop(self, shown: bool) -> None:
        """Files are held over the window: say what can be dropped."""
        self.drop_zone.show_over(shown)

    def _toggle(self, name: str) -> None:
        self._session.switches.toggle(name)
        self.switches.show_options(self.model.scene.options)

    # ------------------------------------------------------------ playing
    def _on_state(self) -> None:
        playing = self._session.playback.playing
        if playing and not self._timer.isActive():
            self._timer.start()
            self._tick()
        elif not playing:
            self._timer.stop()
        self._redraw()  # the gizmo goes away while time runs

    def _open_menu(self, pointer: Pointer) -> None:
        """What can be done with the bone under the pointer, or with the view."""
        ids: Sequence[str | None] = menus.BONES if self.model.aim(pointer.pixel) else menus.GROUND
        place = self.view.mapToGlobal(QPoint(round(pointer.x), round(pointer.y)))
        self._context.window.menu_of(ids, self).popup(place)

    def _tick(self) -> None:
        self._session.playback.tick(time.monotonic())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Free what lies on the graphics card while there still is a context."""
        self._timer.stop()
        self._settled.stop()
        self.play.stop()
        self._tween.stop()
        while self._unbind:
            self._unbind.pop()()
        self.view.release()
        super().closeEvent(event)
