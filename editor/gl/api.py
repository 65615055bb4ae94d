"""The one place PyOpenGL is imported and configured.

Errors are not asked for after every call: on a drawing path that doubles the cost. Set
`POSEWRIGHT_GL_DEBUG=1` to have them checked. No function that stores per-context state inside
PyOpenGL is used: the context may have been made by GLX, EGL or WGL behind its back.
"""

import os
import sys

if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    # Without a display server there is no GLX to talk to, and PyOpenGL would still try it first.
    os.environ.setdefault("PYOPENGL_PLATFORM", "egl")

import OpenGL

if "OpenGL.GL" not in sys.modules and not os.environ.get("POSEWRIGHT_GL_DEBUG"):
    OpenGL.ERROR_CHECKING = False
    OpenGL.ERROR_LOGGING = False

from OpenGL import GL
from OpenGL.raw.GL.VERSION.GL_2_0 import glVertexAttribPointer as raw_vertex_attrib_pointer
from OpenGL.raw.GL.VERSION.GL_3_0 import glVertexAttribIPointer as raw_vertex_attrib_i_pointer

__all__ = ["GL", "raw_vertex_attrib_i_pointer", "raw_vertex_attrib_pointer"]
