"""OpenGL's functions and constants that drawing uses, straight from the driver's library through `ctypes`.

PyOpenGL brings all versions and extensions: 150 modules, a tenth of all imports at the start, and a wrapper in each
call that converts and looks up. Here a call is one `ctypes` function. What is not in the tables below is asked from
PyOpenGL, and all of it where the library is not found (`editor.gl.api` decides).
"""

import ctypes
from collections.abc import Callable, Sequence
from ctypes import c_char_p, c_double, c_float, c_int, c_ssize_t, c_ubyte, c_uint, c_void_p
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

LIBRARIES = ("libOpenGL.so.0", "libGL.so.1")
"""Where Linux has them; both lead to the driver of the context that is current, made by GLX or EGL."""


class Data:
    """A parameter that takes an array, bytes, an address, or None."""

    @classmethod
    def from_param(cls, value: Any) -> Any:
        """What `ctypes` hands over.

        Raises
        ------
        TypeError, ValueError
            The value is none of these; an array does not lie in one piece.
        """
        if value is None or isinstance(value, c_void_p):
            return value
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous:
                raise ValueError(f"an array {value.shape} for OpenGL must lie in one piece")
            return c_void_p(value.__array_interface__["data"][0])
        if isinstance(value, bytes | bytearray):
            return c_char_p(bytes(value))
        raise TypeError(f"OpenGL takes an array, bytes or an address, not {type(value).__name__}")


class Names:
    """A parameter that takes a sequence of objects' numbers."""

    @classmethod
    def from_param(cls, value: Sequence[int]) -> Any:
        """The numbers as unsigned integers."""
        return (c_uint * len(value))(*value)


FUNCTIONS: dict[str, tuple[Any, ...]] = {
    # name: what it returns, what it takes
    "glActiveTexture": (None, c_uint),
    "glAttachShader": (None, c_uint, c_uint),
    "glBindBuffer": (None, c_uint, c_uint),
    "glBindFramebuffer": (None, c_uint, c_uint),
    "glBindRenderbuffer": (None, c_uint, c_uint),
    "glBindSampler": (None, c_uint, c_uint),
    "glBindTexture": (None, c_uint, c_uint),
    "glBindVertexArray": (None, c_uint),
    "glBlendEquation": (None, c_uint),
    "glBlendFunc": (None, c_uint, c_uint),
    "glBlendFuncSeparate": (None, c_uint, c_uint, c_uint, c_uint),
    "glBlitFramebuffer": (None, *[c_int] * 8, c_uint, c_uint),
    "glBufferData": (None, c_uint, c_ssize_t, Data, c_uint),
    "glCheckFramebufferStatus": (c_uint, c_uint),
    "glClear": (None, c_uint),
    "glClearColor": (None, *[c_float] * 4),
    "glColorMask": (None, *[c_ubyte] * 4),
    "glCompileShader": (None, c_uint),
    "glCreateProgram": (c_uint,),
    "glCreateShader": (c_uint, c_uint),
    "glCullFace": (None, c_uint),
    "glDeleteBuffers": (None, c_int, Names),
    "glDeleteFramebuffers": (None, c_int, Names),
    "glDeleteProgram": (None, c_uint),
    "glDeleteRenderbuffers": (None, c_int, Names),
    "glDeleteSamplers": (None, c_int, Names),
    "glDeleteShader": (None, c_uint),
    "glDeleteTextures": (None, c_int, Names),
    "glDeleteVertexArrays": (None, c_int, Names),
    "glDepthFunc": (None, c_uint),
    "glDepthMask": (None, c_ubyte),
    "glDepthRange": (None, c_double, c_double),
    "glDisable": (None, c_uint),
    "glDrawArrays": (None, c_uint, c_int, c_int),
    "glDrawArraysInstanced": (None, c_uint, c_int, c_int, c_int),
    "glDrawElements": (None, c_uint, c_int, c_uint, Data),
    "glEnable": (None, c_uint),
    "glEnableVertexAttribArray": (None, c_uint),
    "glFinish": (None,),
    "glFramebufferRenderbuffer": (None, c_uint, c_uint, c_uint, c_uint),
    "glFramebufferTexture2D": (None, c_uint, c_uint, c_uint, c_uint, c_int),
    "glFrontFace": (None, c_uint),
    "glGetString": (c_char_p, c_uint),
    "glGetUniformLocation": (c_int, c_uint, c_char_p),
    "glLinkProgram": (None, c_uint),
    "glPixelStorei": (None, c_uint, c_int),
    "glPolygonOffset": (None, c_float, c_float),
    "glRenderbufferStorage": (None, c_uint, c_uint, c_int, c_int),
    "glRenderbufferStorageMultisample": (None, c_uint, c_int, c_uint, c_int, c_int),
    "glSamplerParameteri": (None, c_uint, c_uint, c_int),
    "glScissor": (None, c_int, c_int, c_int, c_int),
    "glStencilFunc": (None, c_uint, c_int, c_uint),
    "glStencilMask": (None, c_uint),
    "glStencilOp": (None, c_uint, c_uint, c_uint),
    "glTexBuffer": (None, c_uint, c_uint, c_uint),
    "glTexImage2D": (None, c_uint, c_int, c_int, c_int, c_int, c_int, c_uint, c_uint, Data),
    "glTexParameteri": (None, c_uint, c_uint, c_int),
    "glTexSubImage2D": (None, c_uint, c_int, c_int, c_int, c_int, c_int, c_uint, c_uint, Data),
    "glUniform1f": (None, c_int, c_float),
    "glUniform1i": (None, c_int, c_int),
    "glUniform2f": (None, c_int, *[c_float] * 2),
    "glUniform2i": (None, c_int, c_int, c_int),
    "glUniform3f": (None, c_int, *[c_float] * 3),
    "glUniform4f": (None, c_int, *[c_float] * 4),
    "glUniformMatrix4fv": (None, c_int, c_int, c_ubyte, Data),
    "glUseProgram": (None, c_uint),
    "glVertexAttrib4f": (None, c_uint, *[c_float] * 4),
    "glVertexAttribDivisor": (None, c_uint, c_uint),
    "glVertexAttribIPointer": (None, c_uint, c_int, c_uint, c_int, c_void_p),
    "glVertexAttribPointer": (None, c_uint, c_int, c_uint, c_ubyte, c_int, c_void_p),
    "glViewport": (None, c_int, c_int, c_int, c_int),
}
MAKERS = ("Buffers", "Framebuffers", "Renderbuffers", "Samplers", "Textures", "VertexArrays")
"""What ``glGen…`` makes."""

CONSTANTS = {
    "GL_ALWAYS": 0x0207,
    "GL_ARRAY_BUFFER": 0x8892,
    "GL_BACK": 0x0405,
    "GL_BLEND": 0x0BE2,
    "GL_CCW": 0x0901,
    "GL_CLAMP_TO_EDGE": 0x812F,
    "GL_COLOR_ATTACHMENT0": 0x8CE0,
    "GL_COLOR_BUFFER_BIT": 0x4000,
    "GL_COMPILE_STATUS": 0x8B81,
    "GL_CULL_FACE": 0x0B44,
    "GL_CW": 0x0900,
    "GL_DEPTH24_STENCIL8": 0x88F0,
    "GL_DEPTH_BUFFER_BIT": 0x0100,
    "GL_DEPTH_STENCIL_ATTACHMENT": 0x821A,
    "GL_DEPTH_TEST": 0x0B71,
    "GL_DRAW_FRAMEBUFFER": 0x8CA9,
    "GL_ELEMENT_ARRAY_BUFFER": 0x8893,
    "GL_EQUAL": 0x0202,
    "GL_FALSE": 0x0000,
    "GL_FLOAT": 0x1406,
    "GL_FRAGMENT_SHADER": 0x8B30,
    "GL_FRAMEBUFFER": 0x8D40,
    "GL_FRAMEBUFFER_COMPLETE": 0x8CD5,
    "GL_FRONT": 0x0404,
    "GL_FUNC_ADD": 0x8006,
    "GL_INFO_LOG_LENGTH": 0x8B84,
    "GL_INT": 0x1404,
    "GL_KEEP": 0x1E00,
    "GL_LEQUAL": 0x0203,
    "GL_LINEAR": 0x2601,
    "GL_LINEAR_MIPMAP_LINEAR": 0x2703,
    "GL_LINEAR_MIPMAP_NEAREST": 0x2701,
    "GL_LINK_STATUS": 0x8B82,
    "GL_MAX": 0x8008,
    "GL_MAX_SAMPLES": 0x8D57,
    "GL_MAX_TEXTURE_BUFFER_SIZE": 0x8C2B,
    "GL_MAX_TEXTURE_SIZE": 0x0D33,
    "GL_MIRRORED_REPEAT": 0x8370,
    "GL_MULTISAMPLE": 0x809D,
    "GL_NEAREST": 0x2600,
    "GL_NEAREST_MIPMAP_NEAREST": 0x2700,
    "GL_ONE": 0x0001,
    "GL_ONE_MINUS_SRC_ALPHA": 0x0303,
    "GL_PACK_ALIGNMENT": 0x0D05,
    "GL_POLYGON_OFFSET_FILL": 0x8037,
    "GL_READ_FRAMEBUFFER": 0x8CA8,
    "GL_RENDERBUFFER": 0x8D41,
    "GL_RENDERER": 0x1F01,
    "GL_REPEAT": 0x2901,
    "GL_REPLACE": 0x1E01,
    "GL_RG8": 0x822B,
    "GL_RGBA": 0x1908,
    "GL_RGBA32F": 0x8814,
    "GL_RGBA8": 0x8058,
    "GL_SCISSOR_TEST": 0x0C11,
    "GL_SRC_ALPHA": 0x0302,
    "GL_STATIC_DRAW": 0x88E4,
    "GL_STENCIL_BUFFER_BIT": 0x0400,
    "GL_STENCIL_TEST": 0x0B90,
    "GL_STREAM_DRAW": 0x88E0,
    "GL_TEXTURE0": 0x84C0,
    "GL_TEXTURE_2D": 0x0DE1,
    "GL_TEXTURE_BUFFER": 0x8C2A,
    "GL_TEXTURE_MAG_FILTER": 0x2800,
    "GL_TEXTURE_MAX_LEVEL": 0x813D,
    "GL_TEXTURE_MIN_FILTER": 0x2801,
    "GL_TEXTURE_WRAP_S": 0x2802,
    "GL_TEXTURE_WRAP_T": 0x2803,
    "GL_TRIANGLES": 0x0004,
    "GL_TRIANGLE_STRIP": 0x0005,
    "GL_TRUE": 0x0001,
    "GL_UNPACK_ALIGNMENT": 0x0CF5,
    "GL_UNSIGNED_BYTE": 0x1401,
    "GL_UNSIGNED_INT": 0x1405,
    "GL_VENDOR": 0x1F00,
    "GL_VERSION": 0x1F02,
    "GL_VERTEX_SHADER": 0x8B31,
    "GL_ZERO": 0x0000,
}


class Direct(SimpleNamespace):
    """OpenGL by the names of its functions and constants, as PyOpenGL has them; others come from PyOpenGL.

    Parameters
    ----------
    library : the driver's

    Raises
    ------
    AttributeError
        The library lacks a function.
    """

    def __init__(self, library: ctypes.CDLL) -> None:
        super().__init__(**CONSTANTS)
        for name, (result, *takes) in FUNCTIONS.items():
            setattr(self, name, _function(library, name, result, *takes))
        for kind in MAKERS:
            setattr(self, f"glGen{kind}", _maker(_function(library, f"glGen{kind}", None, c_int, c_void_p)))
        for kind in ("Shader", "Program"):
            about = _function(library, f"glGet{kind}iv", None, c_uint, c_uint, c_void_p)
            log = _function(library, f"glGet{kind}InfoLog", None, c_uint, c_int, c_void_p, c_void_p)
            setattr(self, f"glGet{kind}iv", _asker(about))
            setattr(self, f"glGet{kind}InfoLog", _teller(log, _asker(about)))
        self.glGetIntegerv = _asker(_function(library, "glGetIntegerv", None, c_uint, c_void_p))
        self.glShaderSource = _sourcer(
            _function(library, "glShaderSource", None, c_uint, c_int, c_void_p, c_void_p)
        )
        self.glReadPixels = _reader(
            _function(library, "glReadPixels", None, c_int, c_int, c_int, c_int, c_uint, c_uint, c_void_p)
        )
        self.raw_vertex_attrib_pointer = self.glVertexAttribPointer
        self.raw_vertex_attrib_i_pointer = self.glVertexAttribIPointer
        self.glGetUniformLocation = _finder(vars(self)["glGetUniformLocation"])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from OpenGL import GL

        value = getattr(GL, name)
        setattr(self, name, value)
        return value


def direct() -> Direct | None:
    """OpenGL through the driver's library; None where that is not found, or lacks something."""
    for name in LIBRARIES:
        try:
            return Direct(ctypes.CDLL(name))
        except (OSError, AttributeError):
            continue
    return None


def _function(library: ctypes.CDLL, name: str, result: Any, *takes: Any) -> Callable[..., Any]:
    function = getattr(library, name)
    function.restype, function.argtypes = result, takes
    return function  # type: ignore[no-any-return]


def _maker(function: Callable[..., Any]) -> Callable[[int], int]:
    def generate(count: int) -> int:
        """One object's number."""
        if count != 1:
            raise ValueError(f"one object is made at a time, not {count}")
        made = c_uint()
        function(1, ctypes.addressof(made))
        return made.value

    return generate


def _asker(function: Callable[..., Any]) -> Callable[..., int]:
    def ask(*what: int) -> int:
        """The first number of the answer."""
        answer = (c_int * 16)()
        function(*what, ctypes.addressof(answer))
        return int(answer[0])

    return ask


def _teller(function: Callable[..., Any], about: Callable[..., int]) -> Callable[[int], bytes]:
    def tell(thing: int) -> bytes:
        """What the driver says of it."""
        text = ctypes.create_string_buffer(max(about(thing, CONSTANTS["GL_INFO_LOG_LENGTH"]), 1))
        function(thing, len(text), None, ctypes.addressof(text))
        return text.value

    return tell


def _finder(function: Callable[..., Any]) -> Callable[[int, str], int]:
    def find(program: int, name: str) -> int:
        """Where a uniform is in a program; -1 for nowhere."""
        return int(function(program, name.encode()))

    return find


def _sourcer(function: Callable[..., Any]) -> Callable[[int, str], None]:
    def source(shader: int, text: str) -> None:
        """Give a shader its text."""
        lines = (c_char_p * 1)(text.encode())
        function(shader, 1, ctypes.addressof(lines), None)

    return source


def _reader(function: Callable[..., Any]) -> Callable[..., npt.NDArray[np.uint8]]:
    def read(
        left: int, low: int, width: int, height: int, layout: int, kind: int,
        into: npt.NDArray[np.uint8] | None = None,
    ) -> npt.NDArray[np.uint8]:  # fmt: skip
        """Pixels ``(height, width, 4)`` from below, four bytes each; `GL_PACK_ALIGNMENT` makes no difference.

        Parameters
        ----------
        into : the array that gets them; None makes one
        """
        if (layout, kind) != (CONSTANTS["GL_RGBA"], CONSTANTS["GL_UNSIGNED_BYTE"]):
            raise ValueError("pixels are read as red, green, blue and opacity, a byte each")
        pixels = np.empty((height, width, 4), np.uint8) if into is None else into
        if pixels.dtype != np.uint8 or pixels.shape != (height, width, 4) or not pixels.flags.c_contiguous:
            raise ValueError(
                f"{width} × {height} pixels do not fit an array {pixels.shape} of {pixels.dtype}"
            )
        function(left, low, width, height, layout, kind, pixels.__array_interface__["data"][0])
        return pixels

    return read
