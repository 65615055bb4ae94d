"""The widget that shows the renderer's image and passes on mouse and keyboard input.

It holds no tool logic and no text: gestures live in `editor.tools`, overlays are child widgets.
The application sets `Qt.AA_ShareOpenGLContexts` before it is made: without it, floating a dock
makes a new context and everything is uploaded again (which works, but is slow).
"""

import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QOffscreenSurface,
    QOpenGLContext,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from core.arrays import ByteArray
from editor.gl.camera import Camera, Size
from editor.gl.canvas import make_canvas
from editor.gl.colors import DARK, ViewportColors
from editor.gl.draw_list import DrawList
from editor.gl.frame_view import FrameStats, FrameTraffic
from editor.gl.renderer import Renderer
from editor.gl.traffic import Traffic
from editor.qt.pointer import BUTTONS, modifiers_of, pointer_at
from editor.tools.pointer import Button, Modifiers, Pointer

logger = logging.getLogger(__name__)

_STEP = 120.0  # what Qt calls one notch of a wheel
_KEPT_TIMES = 120
_STILL_MS = 300  # after so long without a change, a picture drawn in software is drawn again, smooth
_REFINED_PIXELS = 3e6  # measured on two cores: 1600x900 takes 35 ms, with ten ghosts 110 ms


class ViewportInput(Protocol):
    """Who is told what the user does; positions are logical pixels of the view."""

    def press(self, pointer: Pointer) -> None:
        """A button went down; `pointer.button` says which."""

    def double_click(self, pointer: Pointer) -> None:
        """A button went down a second time soon after the first."""

    def move(self, pointer: Pointer) -> None:
        """The pointer moved; `pointer.button` is the one held first, or NONE."""

    def release(self, pointer: Pointer) -> None:
        """A button came up; `pointer.button` says which."""

    def wheel(self, pointer: Pointer, steps: float) -> None:
        """The wheel turned by notches (a fraction on touch pads), away from the user positive."""

    def leave(self) -> None:
        """The pointer left the view."""

    def key(self, key: int, text: str, modifiers: Modifiers, pressed: bool, repeated: bool) -> bool:
        """A key (Qt.Key as int) went down or up; False passes it on to the window."""


class ViewportWidget(QWidget):
    """Shows a draw list from a camera; repaints only when one of them changed.

    In software, multisampling would halve the frame rate: there, a picture that has stood still for a
    moment is drawn once more with it (`refined` tells).

    Parameters
    ----------
    parent : widget it sits in
    samples : multisampling, see `Renderer`
    """

    drawn = Signal(float)
    """Seconds the last fresh picture took to draw."""
    failed = Signal(str)
    """Why there is no picture (driver too old, shader refused)."""

    def __init__(self, parent: QWidget | None = None, samples: int | None = None) -> None:
        super().__init__(parent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 90)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._renderer = Renderer(samples)
        self._canvas = make_canvas(self, self)
        self._release: Callable[[], None] | None = None
        self._input: ViewportInput | None = None
        self._draw_list = DrawList()
        self._camera = Camera()
        self._colors = DARK
        self._seconds: deque[float] = deque(maxlen=_KEPT_TIMES)
        self.problem: str | None = None
        self.refined = False
        self._traffic = Traffic()
        self.traffic: FrameTraffic | None = None
        self._fine = False
        self._still = QTimer(self)
        self._still.setSingleShot(True)
        self._still.setInterval(_STILL_MS)
        self._still.timeout.connect(self._refine)

    # ---------------------------------------------------------------- what is shown
    def set_input(self, receiver: ViewportInput | None) -> None:
        """Who is told about pointer, wheel and keys."""
        self._input = receiver

    def show_frame(self, draw_list: DrawList, camera: Camera, colors: ViewportColors | None = None) -> None:
        """Show this; equal values repaint nothing."""
        wanted = self._colors if colors is None else colors
        if (draw_list, camera, wanted) == (self._draw_list, self._camera, self._colors):
            return
        self._draw_list, self._camera, self._colors = draw_list, camera, wanted
        self._fine = False
        self._canvas.renew()

    def _refining_is_quick(self) -> bool:
        """Whether the smooth picture stays well under 100 ms: a stall nobody asked for."""
        width, height = self.view_size
        pixels = width * height * self.devicePixelRatioF() ** 2
        return pixels * (1 + len(self._draw_list.ghosts) / 5) < _REFINED_PIXELS

    def _refine(self) -> None:
        self._fine = True
        self._canvas.renew()

    @property
    def view_size(self) -> Size:
        """Logical pixels, as camera functions want them."""
        return float(max(self.width(), 1)), float(max(self.height(), 1))

    @property
    def stats(self) -> FrameStats:
        """Draw calls and vertices of the last fresh picture."""
        return self._renderer.stats

    def count_traffic(self, on: bool) -> None:
        """Whether `traffic` tells what the last fresh picture asked of the driver; the next picture is the first."""
        if on != self._traffic.on:
            self.traffic = None
            if on:
                self._traffic.start()
                self._renderer.forget_picture()
                self._canvas.renew()
            else:
                self._traffic.stop()

    @property
    def software(self) -> bool:
        """Whether the processor draws; False before the first picture."""
        return self._renderer.driver is not None and self._renderer.driver.software

    @property
    def frame_seconds(self) -> tuple[float, ...]:
        """Drawing times of the last fresh pictures, oldest first."""
        return tuple(self._seconds)

    # ---------------------------------------------------------------- OpenGL
    def begin(self, context: QOpenGLContext) -> None:
        """Called by the canvas with a new context current: first, and after a dock was floated."""
        version = context.format().version()
        if tuple(version) < (3, 3):
            self._fail(f"OpenGL 3.3 is needed, the driver offers {version[0]}.{version[1]}")
            return
        self._renderer.release()
        self._release = _release_with(context, self._renderer)
        try:
            self._renderer.initialise()
        except RuntimeError as error:
            self._fail(str(error))
            return
        self.problem = None

    @property
    def ready(self) -> bool:
        """Whether there is a context, and pictures can be drawn."""
        return self._renderer.ready and self.problem is None

    def draw_picture(self, framebuffer: int | None) -> bool:
        """Called by the canvas with the context current; whether the picture is another than before."""
        if not self.ready:
            return False
        start = time.perf_counter()
        self._traffic.take()
        try:
            fresh = self._renderer.draw(
                self._draw_list,
                self._camera,
                self.view_size,
                self.devicePixelRatioF(),
                framebuffer,
                self._colors,
                self._fine,
            )
        except RuntimeError as error:
            self._fail(str(error))
            return False
        if not fresh:
            return False
        if self._traffic.on:
            self.traffic = self._traffic.take()
        self.refined = self._fine
        if not self._fine:
            if self._renderer.refines and self._refining_is_quick():
                self._still.start()
            self._seconds.append(time.perf_counter() - start)
            self.drawn.emit(self._seconds[-1])
        return True

    def read_picture(self) -> ByteArray | None:
        """The picture drawn last ``(H, W, 4)``, lowest row first; the context is current."""
        return self._renderer.read()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._canvas.paint(event)

    def shown_image(self) -> QImage:
        """The picture without what lies over it."""
        return self._canvas.image()

    def _fail(self, reason: str) -> None:
        logger.error("viewport: %s", reason)
        self.problem = reason
        self.failed.emit(reason)

    def release(self) -> None:
        """Free what lies on the graphics card at once; without a call it happens with the context's end."""
        self._still.stop()
        self._traffic.stop()
        if self._release is not None:
            self._release()
        self._release = None
        self._canvas.release()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fine = False
        self._canvas.fit()
        super().resizeEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._still.stop()
        super().hideEvent(event)

    def event(self, event: QEvent) -> bool:
        """Release before `deleteLater` takes the widget away."""
        if event.type() is QEvent.Type.DeferredDelete:
            self.release()
        return bool(super().event(event))

    # ---------------------------------------------------------------- mouse and keyboard
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._tell("press", event, event.button())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._tell("double_click", event, event.button())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._tell("release", event, event.button())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        held = next((button for button in BUTTONS if button & event.buttons()), Qt.MouseButton.NoButton)
        self._tell("move", event, held)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        # With Alt held, Qt turns the wheel sideways.
        steps = (turned.y() or turned.x()) / _STEP
        if self._input is not None and steps:
            self._input.wheel(pointer_at(event.position(), Button.NONE, event.modifiers()), steps)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        if self._input is not None:
            self._input.leave()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._tell_key(event, pressed=True):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self._tell_key(event, pressed=False):
            super().keyReleaseEvent(event)

    def _tell_key(self, event: QKeyEvent, pressed: bool) -> bool:
        if self._input is None:
            return False
        return self._input.key(
            int(event.key()), event.text(), modifiers_of(event.modifiers()), pressed, event.isAutoRepeat()
        )

    def _tell(self, what: str, event: QMouseEvent, button: Qt.MouseButton) -> None:
        if self._input is not None:
            named = BUTTONS.get(button, Button.NONE)
            getattr(self._input, what)(pointer_at(event.position(), named, event.modifiers()))
        event.accept()


def _release_with(context: QOpenGLContext, renderer: Renderer) -> Callable[[], None]:
    """Free the renderer's objects when a context ends; returns what does so earlier.

    In `aboutToBeDestroyed` no context is current, so it is made current first. Where the widget is
    being destroyed from C++, PySide no longer hands out its context: the objects then go with it.
    """
    surface = QOffscreenSurface()
    surface.setFormat(context.format())
    surface.create()
    done = False

    def release() -> None:
        nonlocal done
        if done:
            return
        done = True
        if not isValid(context):
            renderer.abandon()
            return
        before = QOpenGLContext.currentContext()
        before_surface = before.surface() if before is not None else None
        context.makeCurrent(surface)
        renderer.release()
        context.doneCurrent()
        surface.destroy()
        if before is not None and before_surface is not None and before is not context:
            before.makeCurrent(before_surface)

    context.aboutToBeDestroyed.connect(release, Qt.ConnectionType.DirectConnection)
    return release
