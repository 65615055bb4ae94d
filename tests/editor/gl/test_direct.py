import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from editor.gl import direct
from editor.gl.api import GL
from editor.gl.direct import CONSTANTS, FUNCTIONS, MAKERS, Data, Names

ROOT = Path(__file__).parents[3]
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems use PyOpenGL")


def used() -> set[str]:
    found = set()
    for path in (ROOT / "editor").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "GL" in text else ():
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "GL":
                found.add(node.attr)
    return found


@linux
def test_everything_that_drawing_uses_comes_from_the_driver_itself():
    assert isinstance(GL, direct.Direct)
    assert used() and used() <= set(vars(GL)), "what is missing here would import all of PyOpenGL"


def test_constants_are_those_of_pyopengl():
    told = {name: int(getattr(__import__("OpenGL.GL").GL, name)) for name in CONSTANTS}
    assert told == CONSTANTS


def test_functions_take_as_much_as_those_of_pyopengl():
    """Each parameter as wide, and of the same kind: a whole number, a number with a fraction, or an address."""

    def kind(parameter: object) -> str:
        name = getattr(parameter, "__name__", "")
        if name in ("c_float", "c_double"):
            return name
        return {"c_ubyte": "byte", "c_int": "int", "c_uint": "int", "c_long": "size", "c_ulong": "size"}.get(
            name, "address"
        )

    from OpenGL import GL as whole

    for name, (_, *takes) in FUNCTIONS.items():
        plain = getattr(whole, name)
        while hasattr(plain, "wrappedOperation"):
            plain = plain.wrappedOperation
        theirs = getattr(type(plain), "argtypes", None) or getattr(plain, "argtypes", None) or ()
        assert [kind(one) for one in takes] == [kind(one) for one in theirs], name


@linux
@pytest.mark.parametrize("kind", MAKERS)
def test_one_object_is_made_at_a_time(kind):
    with pytest.raises(ValueError, match="one object"):
        getattr(GL, f"glGen{kind}")(2)


def test_arrays_are_handed_over_where_they_lie():
    block = np.arange(6, dtype=np.float32)
    assert Data.from_param(block).value == block.ctypes.data
    assert Data.from_param(None) is None
    with pytest.raises(ValueError, match="one piece"):
        Data.from_param(block[::2])
    with pytest.raises(TypeError, match="list"):
        Data.from_param([1.0])
    assert list(Names.from_param([3, 5])) == [3, 5]


@linux
def test_pixels_are_read_as_four_bytes_only():
    with pytest.raises(ValueError, match="a byte each"):
        GL.glReadPixels(0, 0, 1, 1, GL.GL_RGBA, GL.GL_FLOAT)
    for wrong in (np.zeros((2, 3, 4), np.uint8), np.zeros((3, 2, 4)), np.zeros((3, 4, 4), np.uint8)[:, ::2]):
        with pytest.raises(ValueError, match="2 × 3 pixels"):
            GL.glReadPixels(0, 0, 2, 3, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, wrong)


def test_errors_are_checked_by_pyopengl_where_that_is_wanted():
    code = "from editor.gl.api import GL; import OpenGL; print(GL.__name__, OpenGL.ERROR_CHECKING)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300, check=True,
        env={**os.environ, "POSEWRIGHT_GL_DEBUG": "1"},
    )  # fmt: skip
    assert done.stdout.split() == ["OpenGL.GL", "True"]


def test_library_that_is_missing_or_lacks_something_is_none(monkeypatch):
    monkeypatch.setattr(direct, "LIBRARIES", ("libNoSuchThing.so.7", "libm.so.6"))
    assert direct.direct() is None
