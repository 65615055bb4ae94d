"""The formats that come with Posewright: one entry each.

A new format is a package with an ``entry`` that says what the format can hold (`core.io.format.Format`), and one
line here. The command line, the dialogs, presets and self checks read that entry; none of them knows a format.
The contract:

* ``read(path, options, progress) -> Loaded`` and/or ``write(project, path, options, progress)
  -> ExportReport``; imported inside functions of the entry, so that starting up
  pays for none of them;
* a reader raises `FormatError(path, where, reason)` for whatever is wrong with a file, checks
  every count against the bytes that are really there before it allocates, and never changes
  the motion; what it leaves out or guesses goes into the report;
* a writer goes through `core.io.common.atomic`, and its bytes depend only on the project and options;
* tests: goldens, round trip, and an entry in the fuzz test.
"""

from core.io.bvh.entry import FORMAT as BVH
from core.io.compiled.entry import FORMAT as COMPILED
from core.io.fbx.entry import FORMAT as FBX
from core.io.gltf.entry import FORMAT as GLTF
from core.io.native.entry import FORMAT as NATIVE
from core.io.tables.entry import FORMAT as TABLE
from core.io.usd.entry import FORMAT as USD

FORMATS = (NATIVE, GLTF, BVH, FBX, USD, COMPILED, TABLE)
