"""A few seconds of what `tests/fuzz/fuzz_readers.py` does for hours: broken files of every format."""

import logging
import random

import pytest

from core.errors import FormatError
from core.io import load, save
from core.io.fbx import binary
from tests.core.io import making
from tests.core.io.broken import SMALL
from tests.fuzz.mutations import mutated

CASES = {".glb": 150, ".gltf": 150, ".bvh": 150, ".posewright": 150, ".fbx": 6, ".usda": 4, ".usdc": 3}
"""FBX and USD take a helper process a case."""
NEEDS = {".fbx": "ufbx", ".usda": "pxr", ".usdc": "pxr"}


@pytest.fixture
def quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("suffix", CASES)
def test_broken_file_gives_a_project_or_an_error_that_was_foreseen(suffix, tmp_path, monkeypatch, quiet):
    pytest.importorskip(NEEDS.get(suffix, "numpy"))
    monkeypatch.setattr(binary, "WORTH_PACKING", 1 << 40)  # packed data only breaks as a whole
    save(making.small(), tmp_path / f"whole{suffix}")
    files = [(tmp_path / f"whole{suffix}").read_bytes()]
    files += [SMALL[suffix]()] if suffix in SMALL else []
    chance = random.Random(20261120)
    path = tmp_path / f"case{suffix}"
    for number in range(CASES[suffix]):
        data = mutated(files, suffix, chance)
        path.write_bytes(data)
        try:
            load(path)
        except FormatError as error:
            assert "please report" not in str(error), (number, error)
