"""Pictures without a visible window: for the command line, thumbnails and tests.

Without Qt running, a context comes from EGL and needs no display server. Inside the editor it
comes from Qt, because two ways of making contexts must not meet on one thread.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Protocol, Self

from core.arrays import ByteArray
from editor.gl.camera import Camera, Size
from editor.gl.colors import DARK, ViewportColors
from editor.gl.draw_list import DrawList
from editor.gl.egl import EglContext, NoContextError
from editor.gl.png import encode_png, write_png

__all__ = ["NoContextError", "OffscreenRenderer", "encode_png", "write_png"]

MAX_EDGE = 8192


class _Context(Protocol):
    def make_current(self) -> None: ...
    def done_current(self) -> None: ...
    def release(self) -> None: ...


class _QtContext:
    """A context of Qt's on a surface that is never shown; restores whichever was current."""

    def __init__(self) -> None:
        from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext, QSurfaceFormat

        # Made here only where no application runs and EGL is missing (Windows, macOS).
        self._application = QGuiApplication.instance() or QGuiApplication([])
        self._current = QOpenGLContext.currentContext
        self._before: Any = None
        self._before_surface: Any = None
        wanted = QSurfaceFormat()
        wanted.setVersion(3, 3)
        wanted.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
        self._surface = QOffscreenSurface()
        self._surface.setFormat(wanted)
        self._surface.create()
        self._context = QOpenGLContext()
        self._context.setFormat(wanted)
        if not self._context.create() or not self._usable():
            raise NoContextError(
                f"Qt's platform '{QGuiApplication.platformName()}' gave no OpenGL 3.3 core context; "
                "on Linux without a display start a virtual one (xvfb-run) or install libegl1"
            )

    def _usable(self) -> bool:
        self.make_current()
        return self._current() is not None and tuple(self._context.format().version()) >= (3, 3)

    def make_current(self) -> None:
        before = self._current()
        if before is not None and before is not self._context:
            self._before, self._before_surface = before, before.surface()
        self._context.makeCurrent(self._surface)

    def done_current(self) -> None:
        self._context.doneCurrent()
        before, self._before = self._before, None
        if before is not None and self._before_surface is not None:
            before.makeCurrent(self._before_surface)

    def release(self) -> None:
        self.done_current()
        self._surface.destroy()


def _open_context() -> _Context:
    gui: Any = sys.modules.get("PySide6.QtGui")
    if gui is not None and gui.QGuiApplication.instance() is not None:
        return _QtContext()
    try:
        return EglContext()
    except NoContextError as egl_error:
        if sys.platform.startswith("linux") and not (
            os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
        ):
            raise  # Qt would end the process here, for want of a display
        try:
            return _QtContext()
        except ImportError:
            raise egl_error from None
        except NoContextError as qt_error:
            raise NoContextError(f"{egl_error}; {qt_error}") from None


class OffscreenRenderer:
    """Renders draw lists to arrays; a context manager that tears everything down.

    Use it on the thread it was made on. Between calls no context of its is current.

    Parameters
    ----------
    samples : multisampling; 4 also in software, since nobody waits for a frame here
    cpu_skinning : see `Renderer`

    Raises
    ------
    NoContextError
        Where OpenGL 3.3 cannot be had; the message names what is missing.
    """

    def __init__(self, samples: int = 4, cpu_skinning: bool = False) -> None:
        self._context = _open_context()
        try:
            # Only now may PyOpenGL be loaded: it asks the system for OpenGL as it is imported.
            from editor.gl.renderer import Renderer

            self.renderer = Renderer(samples, cpu_skinning)
            self.renderer.initialise()
            self._context.done_current()
        except BaseException:
            self._context.release()
            raise

    def render(
        self,
        draw_list: DrawList,
        camera: Camera,
        size: Size,
        colors: ViewportColors = DARK,
        device_pixel_ratio: float = 1.0,
    ) -> ByteArray:
        """Draw one picture.

        Parameters
        ----------
        size : logical pixels; times the ratio at most 8192 each way

        Returns
        -------
        (H, W, 4) uint8, top row first, opaque
        """
        width, height = (max(1, round(edge * device_pixel_ratio)) for edge in size)
        if max(width, height) > MAX_EDGE:
            raise ValueError(f"picture: expected at most {MAX_EDGE} pixels each way, got {width}x{height}")
        with self.current():
            return self._render(draw_list, camera, size, colors, device_pixel_ratio)

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make the context current for calls to `renderer`, and not current after.

        A context left current would keep Qt from making its own current on this thread.
        """
        self._context.make_current()
        try:
            yield
        finally:
            self._context.done_current()

    def _render(
        self,
        draw_list: DrawList,
        camera: Camera,
        size: Size,
        colors: ViewportColors,
        ratio: float,
    ) -> ByteArray:
        self.renderer.draw(draw_list, camera, size, ratio, None, colors)
        image = self.renderer.read()
        assert image is not None
        return image[::-1].copy()

    def close(self) -> None:
        """Free everything; a second call does nothing."""
        if not self.renderer.ready:
            return
        with self.current():
            self.renderer.release()
        self._context.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
