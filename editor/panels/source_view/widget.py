"""The source view: the character that motion is taken from, beside the viewport and looked at alike."""

from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QStackedLayout, QVBoxLayout, QWidget

from editor.gl.colors import DARK, LIGHT
from editor.gl.viewport_widget import ViewportWidget
from editor.model.i18n import tr
from editor.model.retarget.state import Retargeting
from editor.panels.source_view.view_model import SourceView
from editor.qt.binding import Bindings
from editor.qt.keys import keeps
from editor.qt.panel import Panel, PanelContext
from editor.qt.turns import Rank
from editor.qt.widgets import ElidedLabel, EmptyState
from editor.tools.pointer import Button, Modifiers, Pointer


class _View(ViewportWidget):
    """The picture; tells its panel when it has another size."""

    def __init__(self, panel: "SourceViewPanel") -> None:
        self._panel = panel
        super().__init__(panel)
        self.setObjectName("sourceView")

    def event(self, event: QEvent) -> bool:
        """Escape is one's own while bones are picked."""
        picking = self._panel.model.retargeting.pick.picking
        return (picking and keeps(event, (Qt.Key.Key_Escape,))) or super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._panel.place()


class _Hands:
    """What mouse and keys do in the view."""

    def __init__(self, model: SourceView) -> None:
        self._model = model
        self._held = Button.NONE

    def press(self, pointer: Pointer) -> None:
        if self._model.gestures.current is None:
            self._held = pointer.button
            self._model.press(pointer)

    double_click = press

    def move(self, pointer: Pointer) -> None:
        if self._model.gestures.current is not None:
            self._model.gestures.move(pointer)
        elif pointer.button is Button.NONE:
            self._model.hover(pointer.pixel)

    def release(self, pointer: Pointer) -> None:
        if pointer.button is self._held:
            self._model.gestures.release(pointer)

    def wheel(self, pointer: Pointer, steps: float) -> None:
        self._model.controller.wheel(steps, pointer.pixel)

    def leave(self) -> None:
        self._model.hover(None)

    def key(self, key: int, text: str, modifiers: Modifiers, pressed: bool, repeated: bool) -> bool:
        if key == int(Qt.Key.Key_Escape) and pressed and self._model.retargeting.pick.picking:
            self._model.retargeting.pick.set_picking(False)
            return True
        return False


class SourceViewPanel(Panel):
    """The picture with a caption; what to do where there is no source."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self.setObjectName("sourceViewPanel")
        self.setAcceptDrops(True)
        self._context = context
        self.model = SourceView(context.session, context.tools)
        self.view = _View(self)
        self.view.set_input(_Hands(self.model))
        text = tr("The source character is shown here. Drop a file, or open one.")
        self.empty = EmptyState(
            context.theme,
            "retarget",
            text,
            tr("Open source…"),
            lambda: context.actions.run("retarget.open"),
        )
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.view)
        self.plate = QFrame(self.view)
        self.plate.setObjectName("sourcePlate")
        self.plate.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        column = QVBoxLayout(self.plate)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(0)
        self.name, self.note = ElidedLabel(), ElidedLabel(role="caption")
        column.addWidget(self.name)
        column.addWidget(self.note)
        bindings = Bindings(self)
        self._redraw = bindings.refresh(self._draw, self.model.changed, rank=Rank.FIRST)
        context.theme.changed.connect(self._on_theme)
        model = self.model
        self.destroyed.connect(lambda: model.close())
        self._framed = False
        self._on_theme()

    def sizeHint(self) -> QSize:
        """Room for a whole figure."""
        return QSize(400, 520)

    def focus_widget(self) -> QWidget:
        """Keys go to the picture."""
        return self.view

    def place(self) -> None:
        """The view has another size."""
        self.model.controller.resize(self.view.view_size)
        self._redraw()

    def _fit_plate(self) -> None:
        wanted = max(self.name.sizeHint().width(), self.note.sizeHint().width()) + 20
        self.plate.setGeometry(8, 8, max(60, min(self.view.width() - 16, wanted)), 40)

    def _draw(self) -> None:
        shown = self.model.retargeting.subject.source is not None
        self._stack.setCurrentWidget(self.view if shown else self.empty)
        if not shown:
            self._framed = False
            return
        self.model.controller.resize(self.view.view_size)
        if not self._framed and self.view.width() > 100:
            self._framed = True
            if self._context.tools.look is None:
                self.model.frame_all()
        name, note = self.model.caption
        self.name.set_text(name)
        self.note.set_text(note)
        self._fit_plate()
        self.view.setCursor(
            Qt.CursorShape.CrossCursor if self.model.retargeting.pick.picking else Qt.CursorShape.ArrowCursor
        )
        self.view.show_frame(self.model.draw_list(), self.model.controller.camera, self._colors)

    def _on_theme(self) -> None:
        theme = self._context.theme
        self._colors = DARK if theme.tokens.dark else LIGHT
        self.model.use_clay(self._colors.body)
        ground = theme.color("panel", 0.72)
        rgba = f"rgba({ground.red()}, {ground.green()}, {ground.blue()}, {ground.alpha()})"
        self.plate.setStyleSheet(f"#sourcePlate {{ background: {rgba}; border-radius: 4px; }}")
        self._redraw()

    # ------------------------------------------------------------ files dropped
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self._context.session.feature(Retargeting).load(paths[0])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Free what lies on the graphics card while there still is a context."""
        self.view.release()
        super().closeEvent(event)


def make(context: PanelContext) -> Panel:
    """The panel's widget."""
    return SourceViewPanel(context)
