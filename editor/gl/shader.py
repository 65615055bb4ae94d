"""Shader programs: compiled once, uniforms set by name, and only where they change."""

from typing import Any

import numpy as np
import numpy.typing as npt

from editor.gl.api import GL


class ShaderError(RuntimeError):
    """The driver refused a shader; the message holds its log."""


def _compile(kind: int, source: str, name: str) -> int:
    shader = int(GL.glCreateShader(kind))
    GL.glShaderSource(shader, "#version 330 core\n" + source)
    GL.glCompileShader(shader)
    if not GL.glGetShaderiv(shader, GL.GL_COMPILE_STATUS):
        log = _text(GL.glGetShaderInfoLog(shader))
        GL.glDeleteShader(shader)
        raise ShaderError(f"shader '{name}' did not compile: {log}")
    return shader


def _text(log: Any) -> str:
    return log.decode("utf-8", "replace") if isinstance(log, bytes) else str(log)


class Program:
    """A linked vertex and fragment shader. Needs a current context; free it with `release`."""

    def __init__(self, name: str, vertex: str, fragment: str) -> None:
        self.handle = int(GL.glCreateProgram())
        self._locations: dict[str, int] = {}
        self._values: dict[str, object] = {}
        stages = [
            _compile(GL.GL_VERTEX_SHADER, vertex, f"{name} (vertex)"),
            _compile(GL.GL_FRAGMENT_SHADER, fragment, f"{name} (fragment)"),
        ]
        for stage in stages:
            GL.glAttachShader(self.handle, stage)
        GL.glLinkProgram(self.handle)
        for stage in stages:
            GL.glDeleteShader(stage)
        if not GL.glGetProgramiv(self.handle, GL.GL_LINK_STATUS):
            raise ShaderError(f"shader '{name}' did not link: {_text(GL.glGetProgramInfoLog(self.handle))}")

    def use(self) -> None:
        """Make it the program of the next draws."""
        GL.glUseProgram(self.handle)

    def _at(self, name: str) -> int:
        location = self._locations.get(name)
        if location is None:
            location = self._locations[name] = int(GL.glGetUniformLocation(self.handle, name))
        return location

    def has(self, name: str) -> bool:
        """Whether it has a uniform of this name that counts."""
        return self._at(name) >= 0

    def _differs(self, name: str, value: object) -> bool:
        """Whether a uniform has another value yet; a program keeps its own, whatever is drawn in between."""
        if self._values.get(name) == value:
            return False
        self._values[name] = value
        return True

    def set_int(self, name: str, value: int) -> None:
        """Set an int, bool or sampler."""
        if self._differs(name, value):
            GL.glUniform1i(self._at(name), value)

    def set_ints(self, name: str, first: int, second: int) -> None:
        """Set a vector of two ints."""
        if self._differs(name, (first, second)):
            GL.glUniform2i(self._at(name), first, second)

    def set_float(self, name: str, *values: float) -> None:
        """Set a float or a vector of 2 to 4."""
        if self._differs(name, values):
            (GL.glUniform1f, GL.glUniform2f, GL.glUniform3f, GL.glUniform4f)[len(values) - 1](
                self._at(name), *values
            )

    def set_matrix(self, name: str, matrix: npt.NDArray[Any]) -> None:
        """Set a mat4 from a (4, 4) matrix for column vectors."""
        block = np.ascontiguousarray(matrix, dtype=np.float32)
        if self._differs(name, block.tobytes()):
            GL.glUniformMatrix4fv(self._at(name), 1, GL.GL_TRUE, block)

    def release(self) -> None:
        """Delete it; the context must be current."""
        GL.glDeleteProgram(self.handle)
        self.handle = 0
