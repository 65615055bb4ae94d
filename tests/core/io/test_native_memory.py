"""Saves that remember the save before write the same bytes as saves that do not, and check what they write."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.arrays import same_value
from core.clips.clip import Channel, Clip, Property
from core.errors import FormatError
from core.ids import AssetId
from core.io import load
from core.io.native import write as module
from core.io.native.archive import Archive
from core.io.native.write import NativeWriteOptions, to_bytes, write
from core.io.native.written import SaveMemory
from core.progress import Progress
from core.project.project import Project
from core.tracks.keys import scalar_track
from tests.core.io import making


def _clips(count):
    """A rig and some clips that share key times, and some of their values."""
    project = making.small()
    channel = Channel("b1", Property.ROTATE, 0)
    times = np.linspace(0.0, 1.0, 7)
    times.flags.writeable = False
    for number in range(count):
        track = scalar_track(times, np.sin(times * (1 + number % 3)))
        clip_id = AssetId(f"clip-{number}")
        clip = Clip(clip_id, f"move {number}", project.rigs[0].id, 1.0, tracks={channel: track})
        project = project.with_assets(clip)
    return project


def _changed(project, what, number):
    """The project with one clip edited, dropped, or with its assets in another order."""
    clip = project.clips[number % len(project.clips)]
    if what == "edit":
        channel, track = next(iter(clip.tracks.items()))
        edited = scalar_track(track.times, np.asarray(track.values) + 0.5)
        return project.with_assets(clip.with_tracks({channel: edited}))
    if what == "drop" and len(project.clips) > 1:
        return Project({k: a for k, a in project.assets.items() if k != clip.id}, project.settings)
    return Project(dict(reversed(project.assets.items())), project.settings)


def _save(project, path, memory):
    return write(project, path, Progress(), NativeWriteOptions(memory=memory))


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["edit", "drop", "last first"]), st.integers(0, 4)), max_size=4))
def test_save_with_memory_writes_the_bytes_of_one_without(tmp_path_factory, steps):
    project, memory = _clips(5), SaveMemory()
    path = tmp_path_factory.mktemp("memory") / "a.posewright"
    _save(project, path, memory)
    for what, number in steps:
        project = _changed(project, what, number)
        _save(project, path, memory)
        assert path.read_bytes() == to_bytes(project)
    back = load(path).project
    assert all(same_value(asset, back.get(type(asset), key)) for key, asset in project.assets.items())


def test_save_with_memory_works_out_only_what_changed(tmp_path, monkeypatch):
    project, memory, path = _clips(6), SaveMemory(), tmp_path / "a.posewright"
    _save(project, path, memory)
    last = project.clips[-1]
    project = project.with_assets(replace(last, name="renamed"))
    dumped = []
    monkeypatch.setattr(module, "_json", lambda d, known=module._json: dumped.append(d["name"]) or known(d))
    with pytest.raises(KeyError):  # project.json has no name: the assets before it were counted
        _save(project, path, memory)
    assert dumped == ["renamed"]


def test_save_with_memory_finds_damage_in_what_was_not_touched(tmp_path, monkeypatch):
    project, memory, path = _clips(3), SaveMemory(), tmp_path / "a.posewright"
    _save(project, path, memory)
    before = path.read_bytes()

    def damaged(self, name, known=Archive.read):
        if name.startswith("arrays/"):
            raise FormatError(self.path, name, "it is damaged: bad checksum")
        return known(self, name)

    monkeypatch.setattr(Archive, "read", damaged)
    project = project.with_assets(replace(project.clips[-1], name="renamed"))
    with pytest.raises(FormatError, match="cannot be read back"):
        _save(project, path, memory)
    assert path.read_bytes() == before
