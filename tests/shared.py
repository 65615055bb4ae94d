"""Where the shared material (data, goldens, checkers) lies, for fixtures and for parametrising tests.

The folder is ``../shared`` beside the checkout, or what the environment variable ``POSEWRIGHT_SHARED`` names.
Where it is absent, tests that need it are skipped with a reason; nothing else depends on it.
"""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("POSEWRIGHT_SHARED") or ROOT.parent / "shared")
REASON = f"needs the shared data folder, not found at {SHARED} (set POSEWRIGHT_SHARED to its path)"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=REASON)


def shared_files(*patterns: str) -> list[object]:
    """Return one ``pytest.param`` for each file of the shared folder that a pattern matches, sorted.

    For ``@pytest.mark.parametrize("path", shared_files("data/gltf/**/*.glb"))``: each id is the path within
    the folder. Without the folder, or without a match, there is one parameter that is skipped with the reason.
    """
    found = sorted({path for pattern in patterns for path in SHARED.glob(pattern) if path.is_file()})
    if not found:
        reason = REASON if not SHARED.is_dir() else f"no file of {SHARED} matches {', '.join(patterns)}"
        return [pytest.param(SHARED, marks=pytest.mark.skip(reason=reason), id="absent")]
    return [pytest.param(path, id=path.relative_to(SHARED).as_posix()) for path in found]
