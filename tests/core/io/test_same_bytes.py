"""The bytes of a written file depend on the document and the settings alone."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.math import kernels

ROOT = Path(__file__).resolve().parents[3]
NEEDS = {".usda": "pxr", ".usdc": "pxr"}
SUFFIXES = (".glb", ".gltf", ".fbx", ".bvh", ".usda", ".usdc", ".csv", ".npz", ".posewright")
SCRIPT = "import sys; from tests.core.io.test_same_bytes import write; write(sys.argv[1], sys.argv[2:])"


def write(folder, suffixes):
    """Write files of each kind, and tell their names and sums."""
    from core.io import save
    from core.io.gltf.options import GltfWriteOptions
    from tests.core.io.common.test_characters import pair
    from tests.core.io.test_presets import walking

    folder = Path(folder)
    for suffix in suffixes:
        save(walking(), folder / f"a{suffix}")
    save(pair(), folder / "together.glb", GltfWriteOptions(together=True))
    for path in sorted(folder.iterdir()):
        print(path.name, hashlib.sha256(path.read_bytes()).hexdigest(), file=sys.stderr)


def written_by_another(folder, suffixes, seed, zone):
    """Names and sums of files that a process of its own writes."""
    folder.mkdir()
    mode = (
        "off" if kernels.load() is None else "on"
    )  # the twins' last bits are others, and so is what they sample
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": str(ROOT)}
    environment["POSEWRIGHT_KERNELS"] = mode
    words = [sys.executable, "-c", SCRIPT, str(folder), *suffixes]
    done = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


def test_another_process_writes_the_same_bytes(tmp_path, monkeypatch, capfd):
    import importlib.util

    missing = {s for s, package in NEEDS.items() if importlib.util.find_spec(package) is None}
    suffixes = [suffix for suffix in SUFFIXES if suffix not in missing]
    first = written_by_another(tmp_path / "one", suffixes, "1", "Asia/Tokyo")
    folder = tmp_path / "a longer name"
    folder.mkdir()
    monkeypatch.chdir(folder)
    write(folder, suffixes)
    second = capfd.readouterr().err.splitlines()
    assert first == second
    assert len(first) >= len(suffixes) + 2


@pytest.mark.parametrize("suffix", [".glb", ".bvh"])
def test_writing_again_over_a_file_gives_its_bytes(suffix, tmp_path):
    from core.io import save
    from tests.core.io.test_presets import walking

    path = tmp_path / f"a{suffix}"
    save(walking(), path)
    before = path.read_bytes()
    save(walking(), path)
    assert path.read_bytes() == before
