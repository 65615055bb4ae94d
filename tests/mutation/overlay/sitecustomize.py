"""One module comes from a changed text: set by ``POSEWRIGHT_MUTANT``, also in the processes that tests start.

The variable is three lines: the module's name, its file, and the
file of the changed text. The checkout is never written to, so that workers run side by side, a killed run leaves
nothing behind, and compiled kernels are not compiled again.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path


class MutantLoader(importlib.machinery.SourceFileLoader):
    """Load a module from the changed text under its own file's name; no byte code is read or written."""

    def __init__(self, name, path, changed):
        super().__init__(name, path)
        self.changed = changed

    def get_code(self, fullname):
        return compile(Path(self.changed).read_bytes(), self.path, "exec", dont_inherit=True)


class MutantFinder(importlib.abc.MetaPathFinder):
    """Find the one module that is changed."""

    def __init__(self, name, path, changed):
        self.name, self.path, self.changed = name, path, changed

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(
            fullname,
            self.path,
            loader=MutantLoader(fullname, self.path, self.changed),
            submodule_search_locations=[str(Path(self.path).parent)]
            if self.path.endswith("__init__.py")
            else None,
        )


if os.environ.get("POSEWRIGHT_MUTANT"):
    sys.meta_path.insert(0, MutantFinder(*os.environ["POSEWRIGHT_MUTANT"].split("\n")))
