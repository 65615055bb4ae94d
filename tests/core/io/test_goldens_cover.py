"""No shared file goes without its golden being met: the lists of the other modules hold them all."""

from tests.core.io import golden, test_fbx_read, test_usd
from tests.shared import SHARED, needs_shared

HELD = (*golden.FILES, *test_fbx_read.FILES, *test_usd.FILES)
ASIDE = (".json", ".obj", ".bin", ".png", ".md")
"""Goldens themselves, what Maya and Max deformed, parts of glTF files, texts."""


@needs_shared
def test_every_shared_file_has_a_golden_that_is_tested():
    held = {path for pattern in HELD for path in SHARED.glob(pattern)}
    folders = (SHARED / "data", SHARED / "cases")
    files = {path for folder in folders for path in folder.rglob("*.*") if path.suffix not in ASIDE}
    assert held == files
    assert all(path.with_name(f"{path.name}.golden.json").is_file() for path in files)
    meshes = set((SHARED / "data").rglob("*.obj"))
    assert meshes == set(SHARED.glob("data/fbx/*.frame*.obj"))
