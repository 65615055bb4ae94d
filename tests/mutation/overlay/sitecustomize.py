"""Modules come from changed texts, also in the processes that tests start; the checkout is never written to.

``POSEWRIGHT_MUTANT`` is three lines: a module's name, its file, and the file of the changed text. So workers run side
by side, a killed run leaves nothing behind, and compiled kernels are not compiled again.

``POSEWRIGHT_REACH`` is a folder of compiled modules (``core.ik.ccd.code``) that mark each statement that they come to
in ``REACHED``, and the file ``count`` with the number of statements. A process that a test starts leaves what it
reached in a file ``child-…`` there, with the test's name in the first line.
"""

import atexit
import builtins
import importlib.abc
import importlib.machinery
import importlib.util
import marshal
import os
import sys
from pathlib import Path


class Loader(importlib.machinery.SourceFileLoader):
    """Load a module from another text or code under its own file's name; no byte code is read or written."""

    def __init__(self, name, path, changed):
        super().__init__(name, path)
        self.changed = changed

    def get_code(self, fullname):
        data = Path(self.changed).read_bytes()
        if self.changed.endswith(".code"):
            return marshal.loads(data)
        return compile(data, self.path, "exec", dont_inherit=True)


def spec(name, path, changed):
    """How the import system loads a module of a file from a changed one."""
    places = [str(Path(path).parent)] if path.endswith("__init__.py") else None
    loader = Loader(name, path, changed)
    return importlib.util.spec_from_file_location(
        name, path, loader=loader, submodule_search_locations=places
    )


class MutantFinder(importlib.abc.MetaPathFinder):
    """Find the one module that is changed."""

    def __init__(self, name, path, changed):
        self.name, self.path, self.changed = name, path, changed

    def find_spec(self, fullname, path=None, target=None):
        return spec(fullname, self.path, self.changed) if fullname == self.name else None


class ReachFinder(importlib.abc.MetaPathFinder):
    """Find the modules that mark what they reach."""

    def __init__(self, folder, root):
        self.folder, self.root = folder, root

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith(("core.", "editor.")):
            return None
        code = f"{self.folder}/{fullname}.code"
        if not os.path.exists(code):  # noqa: PTH110 - this runs for each import
            return None
        return spec(fullname, f"{self.root}/{fullname.replace('.', '/')}.py", code)


def install():
    """Put the finders in front that the environment asks for."""
    if os.environ.get("POSEWRIGHT_MUTANT"):
        sys.meta_path.insert(0, MutantFinder(*os.environ["POSEWRIGHT_MUTANT"].split("\n")))
    if os.environ.get("POSEWRIGHT_REACH"):
        folder = os.environ["POSEWRIGHT_REACH"]
        count, root = Path(folder, "count").read_text(encoding="utf-8").split("\n")
        builtins.__reached__ = bytearray(int(count))
        sys.meta_path.insert(0, ReachFinder(folder, root))


def _leave():
    """Tell what a process that a test started has reached."""
    test = os.environ.get("PYTEST_CURRENT_TEST")
    if test and hasattr(builtins, "__reached__"):
        numbers = " ".join(str(n) for n, seen in enumerate(builtins.__reached__) if seen)
        path = Path(os.environ["POSEWRIGHT_REACH"], f"child-{os.getpid()}")
        path.write_text(f"{test}\n{numbers}", encoding="utf-8")


install()
if os.environ.get("POSEWRIGHT_REACH"):
    atexit.register(_leave)
