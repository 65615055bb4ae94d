"""Absurd and hostile native files are refused with the place that is wrong."""

import io
import json
import struct
import zipfile

import numpy as np
import pytest

from core.io import load
from tests.core.io.broken import native, put, refused


def zipped(entries, compression=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def changed(name, change):
    """The small native file with one entry's bytes changed."""
    source = zipfile.ZipFile(io.BytesIO(native()))
    return zipped(
        (entry, change(source.read(entry)) if entry == name else source.read(entry))
        for entry in source.namelist()
    )


def changed_json(name, *path):
    def change(data):
        document = json.loads(data)
        put(*path)(document)
        return json.dumps(document).encode()

    return changed(name, change)


PROJECT = b'{"schema":"posewright.project","version":1,"assets":[],"settings":{}}'


@pytest.mark.parametrize("name", ["../../evil", "/etc/evil", "a/../../b", "c:evil", "back\\slash"])
def test_native_entry_names_that_lead_out_are_refused(tmp_path, name):
    error = refused(tmp_path / "a.posewright", zipped([("project.json", PROJECT), (name, b"x")]))
    assert "leads out" in error.reason


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_native_entry_twice_is_refused(tmp_path):
    refused(tmp_path / "a.posewright", zipped([("project.json", PROJECT), ("project.json", PROJECT)]))


def test_native_zip_bomb_is_refused(tmp_path):
    bomb = zipped([("project.json", PROJECT), ("arrays/0.f8.npy", bytes(300 << 20))], zipfile.ZIP_DEFLATED)
    assert len(bomb) < 1 << 20
    error = refused(tmp_path / "a.posewright", bomb)
    assert "unpacked" in error.reason


def test_native_compressed_by_somebody_else_is_read(tmp_path):
    source = zipfile.ZipFile(io.BytesIO(native()))
    path = tmp_path / "a.posewright"
    path.write_bytes(zipped(((n, source.read(n)) for n in source.namelist()), zipfile.ZIP_DEFLATED))
    assert load(path).project.clips


def test_native_pickled_array_is_never_unpickled(tmp_path):
    out = io.BytesIO()
    np.save(out, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    error = refused(tmp_path / "a.posewright", changed("arrays/0.f8.npy", lambda data: out.getvalue()))
    assert error.where == "arrays/0.f8.npy"


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999,), }",
        b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        b"{'descr': '<f8', 'fortran_order': True, 'shape': (1,), }",
        b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        b"{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }",
        b"__import__('os').system('true')",
        b"(" * 2000,
    ],
)
def test_native_absurd_npy_header_is_refused(tmp_path, header):
    line = header + b"\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(line)) + line + bytes(8)
    error = refused(tmp_path / "a.posewright", changed("arrays/0.f8.npy", lambda _: data))
    assert error.where == "arrays/0.f8.npy"


NATIVE_CASES = {
    "parents in a cycle": ("assets/0-rig.json", ("parents", {"fill": 3, "type": "i4", "shape": [5]})),
    "names too few": ("assets/0-rig.json", ("bones", ["a"])),
    "names no text": ("assets/0-rig.json", ("bones", [1, 2, 3, 4, 5])),
    "name twice": ("assets/0-rig.json", ("bones", ["a"] * 5)),
    "a billion bones": ("assets/0-rig.json", ("parents", {"fill": 0, "type": "i4", "shape": [10**9]})),
    "array elsewhere": ("assets/0-rig.json", ("parents", {"pack": "9.i4", "at": 0, "shape": [5]})),
    "array path": ("assets/0-rig.json", ("parents", {"pack": "../../x.i4", "at": 0, "shape": [5]})),
    "array outside": ("assets/0-rig.json", ("parents", {"pack": "0.i4", "at": 10**12, "shape": [5]})),
    "array negative": ("assets/0-rig.json", ("parents", {"pack": "0.i4", "at": -5, "shape": [5]})),
    "array shape": ("assets/0-rig.json", ("parents", {"pack": "0.i4", "at": 0, "shape": [-5]})),
    "array no array": ("assets/0-rig.json", ("parents", [0, 1, 2])),
    "version text": ("assets/0-rig.json", ("version", "1")),
    "other schema": ("assets/0-rig.json", ("schema", "posewright.clip")),
    "length negative": ("assets/2-clip.json", ("length", -1.0)),
    "length text": ("assets/2-clip.json", ("length", "long")),
    "rate zero": ("assets/2-clip.json", ("rate", "0")),
    "rate by zero": ("assets/2-clip.json", ("rate", "1/0")),
    "rig no text": ("assets/2-clip.json", ("rig", ["a"])),
    "axis": ("assets/2-clip.json", ("tracks", 0, "axis", 9)),
    "track type": ("assets/2-clip.json", ("tracks", 0, "type", "vector")),
    "times not rising": (
        "assets/2-clip.json",
        ("tracks", 0, "times", {"fill": 1.0, "type": "f8", "shape": [4]}),
    ),
    "colour": ("assets/1-mesh.json", ("materials", 0, "color", [1, 2])),
    "part outside": ("assets/1-mesh.json", ("parts", 0, "count", 10**9)),
    "document elsewhere": ("project.json", ("assets", 0, "document", "../../etc/passwd")),
    "assets no list": ("project.json", ("assets", 7)),
    "asset no object": ("project.json", ("assets", [7])),
}


@pytest.mark.parametrize("case", NATIVE_CASES)
def test_native_absurd_document_is_refused_with_its_place(tmp_path, case):
    name, path = NATIVE_CASES[case]
    assert refused(tmp_path / "a.posewright", changed_json(name, *path)).where


def test_native_clip_of_a_rig_that_is_not_there_is_left_out_and_said(tmp_path):
    path = tmp_path / "a.posewright"
    path.write_bytes(changed_json("assets/2-clip.json", "rig", "rig-9"))
    loaded = load(path)
    assert not loaded.project.clips and loaded.project.rigs
    assert any("its rig is not in the document" in note for note in loaded.report.cleared)
