"""The one place where OpenGL is chosen: the driver's own functions where they are found, else PyOpenGL.

Errors are not asked for after every call: on a drawing path that doubles the cost. Set
`POSEWRIGHT_GL_DEBUG=1` to have them checked, by PyOpenGL. No function that stores per-context state inside
PyOpenGL is used: the context may have been made by GLX, EGL or WGL behind its back.
"""

import os
import sys
from importlib import import_module
from typing import Any

from editor.gl.direct import direct

CHECKED = bool(os.environ.get("POSEWRIGHT_GL_DEBUG"))


def _through_pyopengl() -> Any:
    """PyOpenGL's functions: on other systems than Linux, and where errors are wanted."""
    import OpenGL

    if "OpenGL.GL" not in sys.modules and not CHECKED:
        OpenGL.ERROR_CHECKING = False
        OpenGL.ERROR_LOGGING = False
    found: Any = import_module("OpenGL.GL")
    # Without its wrappers, which would keep every array that is handed over.
    found.raw_vertex_attrib_pointer = import_module("OpenGL.raw.GL.VERSION.GL_2_0").glVertexAttribPointer
    found.raw_vertex_attrib_i_pointer = import_module("OpenGL.raw.GL.VERSION.GL_3_0").glVertexAttribIPointer
    return found


if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
    # Without a display server there is no GLX to talk to, and PyOpenGL would still try it first.
    os.environ.setdefault("PYOPENGL_PLATFORM", "egl")

_direct = direct() if sys.platform.startswith("linux") and not CHECKED else None
GL: Any = _direct if _direct is not None else _through_pyopengl()
raw_vertex_attrib_pointer = GL.raw_vertex_attrib_pointer
raw_vertex_attrib_i_pointer = GL.raw_vertex_attrib_i_pointer

__all__ = ["GL", "raw_vertex_attrib_i_pointer", "raw_vertex_attrib_pointer"]
