"""The native file: round trips, sharing, determinism, versions, and what is refused."""

import io
import json
import zipfile
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given

from core.arrays import same_value
from core.clips.clip import Channel, Property
from core.errors import FormatError, UnsupportedError
from core.ids import AssetId
from core.io import load, save
from core.io.native import kinds, rig_schema
from core.io.native.read import from_bytes
from core.io.native.schema import AssetKind, Schema
from core.io.native.write import to_bytes
from core.project.project import Project
from core.tracks.keys import scalar_track
from tests.core.io import making
from tests.editor.rigs import small_project


@given(making.projects())
def test_native_round_trip_gives_the_same_values(project):
    assert same_value(from_bytes(to_bytes(project)), project)


@given(making.projects())
def test_native_bytes_depend_on_the_project_alone(project):
    first = to_bytes(project)
    assert to_bytes(project) == first
    assert to_bytes(from_bytes(first)) == first


def test_native_file_on_disk_is_the_same(tmp_path):
    project = making.small()
    path = tmp_path / "Ünïcode – 動.posewright"
    save(project, path)
    assert path.read_bytes() == to_bytes(project)
    loaded = load(path)
    assert same_value(loaded.project, project)
    assert loaded.report.format == "Posewright"


def test_native_loaded_arrays_are_read_only():
    rig = from_bytes(to_bytes(making.small())).rigs[0]
    with pytest.raises(ValueError, match="read-only"):
        rig.skeleton.rest.translation[0, 0] = 1.0


def test_native_times_shared_by_tracks_stay_shared_and_are_stored_once():
    rng = np.random.default_rng(0)
    at = making.times(rng, 1000)
    at.flags.writeable = False
    again = np.array(at)
    tracks = {
        Channel(f"b{b}", Property.SCALE, a): scalar_track(at, np.ones(1000)) for b in range(5) for a in (0, 1)
    }
    tracks[Channel("b0", Property.SCALE, 2)] = scalar_track(again, np.ones(1000))
    data = to_bytes(making.with_clip(making.small(), tracks, float(at[-1])))
    assert len(data) < 8 * 1000 + 20_000  # values are constant, times are there once
    clip = from_bytes(data).clips[0]
    assert len({id(track.times) for track in clip.tracks.values()}) == 1


def test_native_minus_zero_survives():
    tracks = {
        Channel("b0", Property.SCALE, 0): scalar_track([0.0, 1.0], [0.0, 0.0]),
        Channel("b0", Property.SCALE, 1): scalar_track([0.0, 1.0], [-0.0, -0.0]),
    }
    clip = from_bytes(to_bytes(making.with_clip(making.small(), tracks, 1.0))).clips[0]
    signs = [np.signbit(clip.tracks[Channel("b0", Property.SCALE, a)].values).tolist() for a in (0, 1)]
    assert signs == [[False, False], [True, True]]


def test_native_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.posewright"
    save(making.small(), path)
    before = path.read_bytes()
    bad = replace(making.small(), settings={"not": float("nan")})
    with pytest.raises(FormatError):
        save(bad, path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.posewright"]


# ---------------------------------------------------------------- versions


def rewritten(data, name, change):
    """The file with one JSON document changed."""
    source = zipfile.ZipFile(io.BytesIO(data))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for entry in source.namelist():
            content = source.read(entry)
            if entry == name:
                document = json.loads(content)
                document = change(document) or document
                content = json.dumps(document).encode()
            target.writestr(entry, content)
    return out.getvalue()


def test_native_old_version_is_upgraded_one_step_at_a_time(monkeypatch):
    """An artificial history: version 1 called bones `joints`, version 2 had no `bone_sets`."""

    def to_2(document):
        document["bones"] = document.pop("joints")
        return document

    def to_3(document):
        return {**document, "bone_sets": {"all": document["bones"]}}

    schema = Schema("posewright.rig", 3, {1: to_2, 2: to_3})
    monkeypatch.setattr(kinds, "KINDS", (replace(rig_schema.KIND, schema=schema), *kinds.KINDS[1:]))
    project = Project().with_assets(making.small().rigs[0])

    def back_to_1(document):
        document["joints"] = document.pop("bones")
        del document["bone_sets"]
        document["version"] = 1

    old = rewritten(to_bytes(project), "assets/0-rig.json", back_to_1)
    rig = from_bytes(old).rigs[0]
    assert rig.bone_sets == {"all": rig.skeleton.names}
    assert same_value(rig.skeleton, project.rigs[0].skeleton)


def test_clips_saved_before_keys_had_types_have_plain_keys():
    project = small_project(mesh=False)
    project = Project(dict(project.assets))
    clip = project.clips[0]
    number = list(project.assets).index(clip.id)
    entry = f"assets/{number}-clip.json"

    def back_to_1(document):
        assert all("types" not in track for track in document["tracks"])
        document["version"] = 1

    again = from_bytes(rewritten(to_bytes(project), entry, back_to_1)).clips[0]
    assert same_value(again, clip) and not any(track.types.any() for track in again.every_track())


def test_schema_version_without_migration_is_refused():
    with pytest.raises(UnsupportedError, match="too old"):
        Schema("x", 3, {2: dict}).upgraded({"schema": "x", "version": 1})


def test_native_newer_version_is_refused_by_name():
    data = rewritten(to_bytes(making.small()), "assets/0-rig.json", lambda d: d.update(version=99))
    with pytest.raises(FormatError, match="saved by a newer Posewright") as caught:
        from_bytes(data)
    assert caught.value.where == "assets/0-rig.json"


def test_native_unknown_kind_is_refused():
    def change(head):
        head["assets"][0]["kind"] = "hologram"

    with pytest.raises(FormatError, match=r"hologram.*newer Posewright"):
        from_bytes(rewritten(to_bytes(making.small()), "project.json", change))


def test_native_other_kinds_are_registered_in_one_place(monkeypatch):
    @dataclass(frozen=True, slots=True)
    class Note:
        id: AssetId
        name: str
        text: str

        def references(self):
            return ()

        def with_targets(self, targets):
            return self

    kind = AssetKind(
        "note",
        Note,
        Schema("posewright.note", 1),
        lambda note, packs: {"id": note.id, "name": note.name, "text": note.text},
        lambda value, packs: Note(AssetId(value.text("id")), value.text("name"), value.text("text")),
    )
    monkeypatch.setattr(kinds, "KINDS", (*kinds.KINDS, kind))
    project = making.small().with_assets(Note(AssetId("note-1"), "hello", "grüß dich"))
    assert same_value(from_bytes(to_bytes(project)), project)


def test_native_asset_without_schema_is_refused():
    @dataclass(frozen=True, slots=True)
    class Stranger:
        id: AssetId
        name: str

    with pytest.raises(UnsupportedError, match="Stranger"):
        to_bytes(Project().with_assets(Stranger(AssetId("s"), "s")))
