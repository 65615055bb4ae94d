"""An OpenGL context without window, display server or Qt, through EGL.

Called through ctypes: PyOpenGL's EGL layer cannot be loaded with its error checks off, and picks
its platform for the whole process.
"""

import ctypes
import ctypes.util
import logging
import sys
from typing import Any

logger = logging.getLogger(__name__)

_NONE, _TRUE = 0x3038, 1
_OPENGL_API, _OPENGL_BIT = 0x30A2, 0x0008
_RENDERABLE_TYPE, _SURFACE_TYPE, _PBUFFER_BIT = 0x3040, 0x3033, 0x0001
_WIDTH, _HEIGHT = 0x3057, 0x3056
_MAJOR, _MINOR, _PROFILE, _CORE = 0x3098, 0x30FB, 0x30FD, 1
_EXTENSIONS = 0x3055
_SURFACELESS, _DEVICE = 0x31DD, 0x313F


class NoContextError(RuntimeError):
    """No OpenGL 3.3 context can be had this way; the message names what is missing."""


def _library() -> Any:
    name = ctypes.util.find_library("EGL") or "libEGL.so.1"
    try:
        egl = ctypes.CDLL(name)
    except OSError as error:
        raise NoContextError(f"the EGL library is missing ({error}); on Debian or Ubuntu: libegl1") from None
    pointers = "GetDisplay GetPlatformDisplay CreateContext CreatePbufferSurface GetProcAddress".split()
    for short in pointers:
        if hasattr(egl, f"egl{short}"):
            getattr(egl, f"egl{short}").restype = ctypes.c_void_p
    egl.eglQueryString.restype = ctypes.c_char_p
    egl.eglQueryString.argtypes = [ctypes.c_void_p, ctypes.c_int]
    egl.eglInitialize.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    egl.eglGetDisplay.argtypes = [ctypes.c_void_p]
    egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
    egl.eglChooseConfig.argtypes = [
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_void_p,
        ctypes.c_int,
        ctypes.c_void_p,
    ]
    egl.eglCreateContext.argtypes = [ctypes.c_void_p] * 4
    egl.eglCreatePbufferSurface.argtypes = [ctypes.c_void_p] * 3
    egl.eglMakeCurrent.argtypes = [ctypes.c_void_p] * 4
    egl.eglDestroyContext.argtypes = [ctypes.c_void_p] * 2
    egl.eglDestroySurface.argtypes = [ctypes.c_void_p] * 2
    return egl


def _ints(*values: int) -> Any:
    return (ctypes.c_int * (len(values) + 1))(*values, _NONE)


class EglContext:
    """A current OpenGL 3.3 core context on this thread, until `release`.

    Raises
    ------
    NoContextError
        Where EGL or a driver for it is missing.
    """

    def __init__(self) -> None:
        if not sys.platform.startswith("linux"):
            raise NoContextError(f"EGL is used on Linux only, this is {sys.platform}")
        self._egl = _library()
        self._context: int | None = None
        self._surface: int | None = None
        reasons = []
        for name, display in self._displays():
            try:
                self._open(display)
            except NoContextError as error:
                reasons.append(f"{name}: {error}")
                continue
            logger.debug("OpenGL context on the %s EGL display", name)
            return
        raise NoContextError(
            "EGL gave no OpenGL 3.3 core context (" + "; ".join(reasons or ["no display"]) + "); "
            "on Debian or Ubuntu install: libegl1 libgl1-mesa-dri"
        )

    def _displays(self) -> list[tuple[str, int]]:
        egl = self._egl
        known = (egl.eglQueryString(None, _EXTENSIONS) or b"").split()
        found: list[tuple[str, int]] = []
        address = egl.eglGetProcAddress(b"eglGetPlatformDisplayEXT")
        if address:
            of_platform = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p)(
                address
            )
            if b"EGL_MESA_platform_surfaceless" in known:
                found.append(("surfaceless", of_platform(_SURFACELESS, None, None)))
            if b"EGL_EXT_platform_device" in known:
                devices = enumerate(self._devices())
                found += [(f"device {n}", of_platform(_DEVICE, device, None)) for n, device in devices]
        found.append(("default", egl.eglGetDisplay(None)))
        return [(name, display) for name, display in found if display]

    def _devices(self) -> list[int]:
        address = self._egl.eglGetProcAddress(b"eglQueryDevicesEXT")
        if not address:
            return []
        query = ctypes.CFUNCTYPE(ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address)
        devices, count = (ctypes.c_void_p * 8)(), ctypes.c_int(0)
        if not query(8, devices, ctypes.byref(count)):
            return []
        return [device for device in devices[: count.value] if device]

    def _open(self, display: int) -> None:
        egl = self._egl
        if not egl.eglInitialize(display, None, None):
            raise NoContextError("cannot be initialised")
        if not egl.eglBindAPI(_OPENGL_API):
            raise NoContextError("knows no desktop OpenGL")
        config, count = ctypes.c_void_p(), ctypes.c_int(0)
        for surface_type in (_PBUFFER_BIT, 0):
            wanted = _ints(_RENDERABLE_TYPE, _OPENGL_BIT, _SURFACE_TYPE, surface_type)
            if (
                egl.eglChooseConfig(display, wanted, ctypes.byref(config), 1, ctypes.byref(count))
                and count.value
            ):
                break
        else:
            raise NoContextError("has no configuration for OpenGL")
        version = _ints(_MAJOR, 3, _MINOR, 3, _PROFILE, _CORE)
        context = egl.eglCreateContext(display, config, None, version)
        if not context:
            raise NoContextError("has no OpenGL 3.3 core profile")
        extensions = (egl.eglQueryString(display, _EXTENSIONS) or b"").split()
        surface = None
        if b"EGL_KHR_surfaceless_context" not in extensions:
            surface = egl.eglCreatePbufferSurface(display, config, _ints(_WIDTH, 1, _HEIGHT, 1))
        if not egl.eglMakeCurrent(display, surface, surface, context):
            egl.eglDestroyContext(display, context)
            raise NoContextError("cannot be made current (another context is in use on this thread?)")
        self._display, self._context, self._surface = display, context, surface

    def make_current(self) -> None:
        """Make it the context of this thread again."""
        self._egl.eglBindAPI(_OPENGL_API)
        self._egl.eglMakeCurrent(self._display, self._surface, self._surface, self._context)

    def done_current(self) -> None:
        """Leave the thread without a context, so that another library may make its own current."""
        self._egl.eglMakeCurrent(self._display, None, None, None)

    def release(self) -> None:
        """Destroy the context; a second call does nothing.

        The display stays initialised: EGL shares it with whoever else uses it in this process.
        """
        if self._context is None:
            return
        self.done_current()
        if self._surface:
            self._egl.eglDestroySurface(self._display, self._surface)
        self._egl.eglDestroyContext(self._display, self._context)
        self._context = self._surface = None
