"""Where the picture of a view lies: on an OpenGL surface of the window, or in an image among the other widgets.

With an OpenGL widget in it Qt puts the whole window together with OpenGL, whatever of it was painted again: a graphics
card does that in passing. Where the processor draws, it takes longer than most pictures (8 ms at 1280 x 720 on two
cores, 14 while a list scrolls); there the picture is read into an image and painted as other widgets are: 2 ms, and
nothing where only something else has changed.
"""

import os
from functools import cache
from typing import Protocol

import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import (
    QImage,
    QOffscreenSurface,
    QOpenGLContext,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QWidget

from core.arrays import ByteArray
from editor.gl.driver import draws_in_software
from editor.gl.picture import Picture, opengl_format

_RENDERER = 0x1F01  # GL_RENDERER; PyOpenGL is not imported for a number


class Canvas(Protocol):
    """A place for the picture of a widget."""

    def renew(self) -> None:
        """There is another picture to show."""

    def paint(self, event: QPaintEvent) -> None:
        """The widget is painted."""

    def fit(self) -> None:
        """The widget has another size."""

    def image(self) -> QImage:
        """What is shown."""

    def release(self) -> None:
        """The view closes: nothing is drawn from here on."""


def make_canvas(widget: QWidget, picture: Picture) -> Canvas:
    """The canvas that suits what draws here; ``POSEWRIGHT_CANVAS=image`` or ``window`` asks for one of them."""
    asked = os.environ.get("POSEWRIGHT_CANVAS", "").lower()
    if asked == "image" or (asked != "window" and in_software()):
        return ImageCanvas(widget, picture)
    from editor.gl.window_canvas import WindowCanvas  # with it Qt loads what puts windows together

    return WindowCanvas(widget, picture)


@cache
def in_software() -> bool:
    """Whether the processor draws here; False where OpenGL cannot be asked."""
    context = QOpenGLContext.globalShareContext()
    if context is None:
        context = QOpenGLContext()
        context.setFormat(opengl_format())
        if not context.create():
            return False
    with _Current(context) as current:
        if not current.there:
            return False
        return draws_in_software(str(context.functions().glGetString(_RENDERER)))


class _Current:
    """Makes a context current on a surface that is never shown; whichever was current is so again afterwards."""

    def __init__(self, context: QOpenGLContext, surface: QOffscreenSurface | None = None) -> None:
        self._context = context
        self._surface = surface or QOffscreenSurface()
        if surface is None:
            self._surface.setFormat(context.format())
            self._surface.create()
        self.there = False

    def __enter__(self) -> "_Current":
        self._before = QOpenGLContext.currentContext()
        self._before_surface = self._before.surface() if self._before is not None else None
        self.there = bool(self._context.makeCurrent(self._surface))
        return self

    def __exit__(self, *_: object) -> None:
        self._context.doneCurrent()
        if self._before is not None and self._before_surface is not None:
            self._before.makeCurrent(self._before_surface)


class ImageCanvas:
    """Draws off the screen, as soon as there is another picture, and paints what of it has changed."""

    def __init__(self, widget: QWidget, picture: Picture) -> None:
        self._widget, self._picture = widget, picture
        self._surface: QOffscreenSurface | None = None
        self._context: QOpenGLContext | None = None
        self._pixels = np.zeros((0, 0), np.uint32)
        self._image = QImage()
        self._stale, self._over = True, False

    def renew(self) -> None:
        """Draw, and have what differs painted; out of sight it is drawn once it is in sight."""
        handle = self._widget.window().windowHandle()
        if not self._widget.isVisible() or handle is None or not handle.isExposed():
            self._stale = True
            return
        changed = self._draw()
        if not changed.isEmpty():
            self._widget.update(changed)

    def paint(self, event: QPaintEvent) -> None:
        """Paint the image where the widget asks for it."""
        if self._stale or self._pixels.shape != self._wanted():
            self._draw()
        painter = QPainter(self._widget)
        if self._image.isNull():
            painter.fillRect(event.rect(), self._widget.palette().color(QPalette.ColorRole.Window))
        else:
            painter.drawImage(0, 0, self._image)
        painter.end()

    def fit(self) -> None:
        """The next painting draws at the new size."""

    def _wanted(self) -> tuple[int, int]:
        """Rows and columns of the image."""
        ratio = self._widget.devicePixelRatioF()
        return max(1, round(self._widget.height() * ratio)), max(1, round(self._widget.width() * ratio))

    def _draw(self) -> QRect:
        """Draw the picture; where in the widget it is another than before."""
        self._stale = False
        if self._over:
            return QRect()
        fresh = self._context is None
        if self._context is None or self._surface is None:
            self._context = QOpenGLContext(self._widget)
            self._context.setFormat(opengl_format())
            share = QOpenGLContext.globalShareContext()
            if share is not None:
                self._context.setShareContext(share)
            self._context.create()
            self._surface = QOffscreenSurface()
            self._surface.setFormat(self._context.format())
            self._surface.create()
        with _Current(self._context, self._surface) as current:
            if not current.there:
                return QRect()
            if fresh:
                self._picture.begin(self._context)
            if not self._picture.draw_picture(None) and not fresh and len(self._pixels):
                return QRect()
            drawn = self._picture.read_picture()
        return QRect() if drawn is None else self._take(drawn)

    def _take(self, drawn: ByteArray) -> QRect:
        """Take over what differs from the image."""
        rows = drawn.view(np.uint32)[::-1, :, 0]
        if rows.shape != self._pixels.shape:
            # the image shows the array's memory
            self._pixels = np.ascontiguousarray(rows)
            height, width = rows.shape
            self._image = QImage(self._pixels.data, width, height, 4 * width, QImage.Format.Format_RGBX8888)
            self._image.setDevicePixelRatio(self._widget.devicePixelRatioF())
            return self._widget.rect()
        box = changed_box(self._pixels, rows)
        if box is None:
            return QRect()
        top, bottom, left, right = box
        self._pixels[top:bottom, left:right] = rows[top:bottom, left:right]
        ratio = self._widget.devicePixelRatioF()
        x, y = int(left / ratio), int(top / ratio)
        return QRect(x, y, int(right / ratio) + 1 - x, int(bottom / ratio) + 1 - y) & self._widget.rect()

    def image(self) -> QImage:
        """A copy of it, drawn if need be."""
        if self._stale or self._pixels.shape != self._wanted():
            self._draw()
        return self._image.copy()

    def release(self) -> None:
        """Nothing is drawn from here on; the view has freed what the context held."""
        self._over = True


def changed_box(before: np.ndarray, after: np.ndarray) -> tuple[int, int, int, int] | None:  # type: ignore[type-arg]
    """The smallest box that holds every pixel that differs: top, bottom, left, right; the ends are not in it.

    Parameters
    ----------
    before, after : (H, W) uint32

    Returns
    -------
    tuple or None : None where nothing differs
    """
    differs = before != after
    rows = np.flatnonzero(differs.any(axis=1))
    if not len(rows):
        return None
    top, bottom = int(rows[0]), int(rows[-1]) + 1
    columns = np.flatnonzero(differs[top:bottom].any(axis=0))
    return top, bottom, int(columns[0]), int(columns[-1]) + 1
