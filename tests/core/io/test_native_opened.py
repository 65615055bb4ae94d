"""The first save of a file that was opened costs only what changed, and writes what it would have without."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.io.native import write as module
from core.io.native.read import read
from core.io.native.write import NativeWriteOptions, to_bytes, write
from core.io.native.written import SaveMemory
from core.progress import Progress
from tests.core.io import making
from tests.core.io.test_native_memory import _changed, _clips, _save


def _opened(path):
    loaded = read(path, Progress())
    assert isinstance(loaded.remembered, SaveMemory)
    return loaded.project, loaded.remembered


def _dumped(monkeypatch):
    """Names of the documents that are worked out from now on."""
    names = []
    monkeypatch.setattr(
        module, "_json", lambda d, known=module._json: names.append(d.get("name")) or known(d)
    )
    return names


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["edit", "drop", "last first"]), st.integers(0, 4)), max_size=3))
def test_first_save_of_an_opened_file_writes_the_bytes_of_one_without_memory(tmp_path_factory, steps):
    path = tmp_path_factory.mktemp("opened") / "a.posewright"
    _save(_clips(5), path, SaveMemory())
    project, memory = _opened(path)
    for what, number in steps:
        project = _changed(project, what, number)
    _save(project, path, memory)
    assert path.read_bytes() == to_bytes(project)
    back = read(path, Progress()).project
    assert all(same_value(asset, back.get(type(asset), key)) for key, asset in project.assets.items())


@settings(max_examples=12, deadline=None)
@given(making.projects())
def test_first_save_of_any_opened_file_writes_the_bytes_of_one_without_memory(tmp_path_factory, project):
    path = tmp_path_factory.mktemp("any") / "a.posewright"
    _save(project, path, SaveMemory())
    opened, memory = _opened(path)
    _save(opened, path, memory)
    assert path.read_bytes() == to_bytes(opened)


def test_first_save_of_an_opened_file_works_out_only_what_changed(tmp_path, monkeypatch):
    path = tmp_path / "a.posewright"
    _save(_clips(4), path, SaveMemory())
    before = path.read_bytes()
    project, memory = _opened(path)
    names = _dumped(monkeypatch)
    _save(project, path, memory)
    assert names == [None] and path.read_bytes() == before  # project.json alone, which has no name
    project, memory = _opened(path)
    clip = project.clips[0]
    _save(project.with_assets(replace(clip, name="renamed")), path, memory)
    assert names == [None, "renamed", None]


def test_document_of_an_older_version_is_worked_out_by_the_first_save(tmp_path, monkeypatch):
    path, project = tmp_path / "a.posewright", _clips(2)
    older = {"version": 1}
    with monkeypatch.context() as patched:
        known = module._json
        patched.setattr(module, "_json", lambda d: known({**d, **older} if "tracks" in d else d))
        path.write_bytes(to_bytes(project))
    project, memory = _opened(path)
    assert not any(clip.id in memory.assets for clip in project.clips)
    _save(project, path, memory)
    assert path.read_bytes() == to_bytes(project)


def test_document_that_refers_to_more_than_was_read_is_worked_out_by_the_first_save(tmp_path, monkeypatch):
    path, project = tmp_path / "a.posewright", _clips(2)
    with monkeypatch.context() as patched:
        known = module._json
        more = {"unknown": {"pack": "0.f8", "at": 0, "shape": [1]}}
        patched.setattr(module, "_json", lambda d: known({**d, **more} if "tracks" in d else d))
        path.write_bytes(to_bytes(project))
    project, memory = _opened(path)
    assert not any(clip.id in memory.assets for clip in project.clips)
    write(project, path, Progress(), NativeWriteOptions(memory=memory))
    assert path.read_bytes() == to_bytes(project)
