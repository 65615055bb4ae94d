"""Broken, hostile and absurd files: an error that names file, place and reason, quickly, and nothing else."""

import importlib.util
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Cancelled, FormatError
from core.io import format_of, formats, load, save
from core.io.builtin import GLTF
from core.progress import Progress
from tests.core.io import making
from tests.core.io.broken import SMALL, glb, refused


def test_small_files_are_good(tmp_path):
    """What the tests below break is whole before."""
    for suffix in (".glb", ".bvh", ".posewright"):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(SMALL[suffix]())
        project = load(path).project
        assert project.rigs
        assert project.clips


@pytest.mark.parametrize("suffix", SMALL)
@pytest.mark.parametrize(
    "data", [b"", b"\0", b"PK", b"glTF", b"HIERARCHY", b"{", b"\xff" * 5000, bytes(range(256)) * 40]
)
def test_load_rubbish_is_refused(tmp_path, suffix, data):
    refused(tmp_path / f"a{suffix}", data)


@pytest.mark.parametrize("suffix", SMALL)
def test_an_empty_file_is_said_to_be_empty(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    path.touch()
    with pytest.raises(FormatError) as told:
        load(path)
    assert str(told.value) == f"{path}: the file is empty (copy or download it again)"


@pytest.mark.parametrize("suffix", [".glb", ".bvh", ".posewright"])
def test_load_cut_file_is_refused(tmp_path, suffix):
    whole = SMALL[suffix]()
    for part in (0.1, 0.3, 0.5, 0.7, 0.95):
        refused(tmp_path / f"a{suffix}", whole[: int(len(whole) * part)])


def test_load_missing_file_and_folder_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "no.glb", tmp_path / ("x" * 300), "zero\0byte.glb"):
        with pytest.raises(FormatError):
            load(path)


def test_load_unknown_suffix_names_the_known_ones(tmp_path):
    path = tmp_path / "a.docx"
    path.write_bytes(b"hello")
    with pytest.raises(FormatError, match=r"\.glb"):
        load(path)


def test_load_wrong_suffix_is_told_by_content(tmp_path):
    path = tmp_path / "renamed.bvh"
    path.write_bytes(glb())
    assert load(path).report.format == "glTF 2.0"
    assert format_of(path, glb()) is GLTF


def test_load_can_be_cancelled(tmp_path):
    path = tmp_path / "a.glb"
    path.write_bytes(glb())
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        load(path, progress)


def test_save_cancelled_or_into_nowhere_leaves_nothing(tmp_path):
    progress = Progress()
    progress.cancel()
    usd = importlib.util.find_spec("pxr") is not None
    for form in (f for f in formats() if f.can_write and (usd or f.id != "usd")):
        path = tmp_path / f"a{form.write_suffixes[0]}"
        with pytest.raises(Cancelled):
            save(making.small(), path, progress=progress)
        with pytest.raises(FormatError, match="cannot be written"):
            save(making.small(), tmp_path / "no" / path.name)
    assert not list(tmp_path.iterdir())


@given(st.sampled_from([".glb", ".gltf", ".bvh", ".posewright"]), st.data())
def test_load_mutated_bytes_give_a_format_error_or_a_project(tmp_path_factory, suffix, data):
    content = bytearray(SMALL[suffix]())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        kind = data.draw(st.integers(0, 3))
        if kind == 0:
            content[place] = data.draw(st.integers(0, 255))
        elif kind == 1:
            del content[place : place + data.draw(st.integers(1, 9))]
        elif kind == 2:
            content[place:place] = data.draw(st.binary(min_size=1, max_size=6))
        else:
            words = st.sampled_from([b"-1", b"1e999", b"99999999999", b"null", b"[]", b"NaN", b'"x"', b"\n"])
            content[place : place + 1] = data.draw(words)
        if not content:
            content = bytearray(b" ")
    path = tmp_path_factory.getbasetemp() / f"mutated{suffix}"
    path.write_bytes(bytes(content))
    logging.disable(logging.CRITICAL)
    try:
        load(path)
    except FormatError as error:
        assert "please report" not in str(error), error
    finally:
        logging.disable(logging.NOTSET)
