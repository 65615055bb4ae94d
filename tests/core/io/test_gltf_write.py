"""Writing glTF: what is read back moves as what was written, whatever the curves are."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.clips.clip import WHOLE, Channel, Property
from core.clips.sample import sample_many
from core.errors import FormatError, ValidationError
from core.io import load, save
from core.io.gltf.builder import as_glb
from core.io.gltf.options import GltfWriteOptions
from core.io.gltf.write import build
from core.io.report import ExportReport
from core.math import quat
from core.pose import kinematics
from core.progress import Progress
from core.project.project import Project
from core.tracks.keys import Extrapolation, Interpolation, quaternion_track, scalar_track
from tests.core.io import making

SAME = 1e-5
STEP_ZONE = 5e-5  # seconds before a step in which a linear or cubic sampler runs to the next value


def round_trip(project, tmp_path, name="a.glb", options=None):
    path = tmp_path / name
    report = save(project, path, options)
    return load(path).project, report


def document_of(path):
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    return json.loads(data[20 : 20 + length])


def compared(first, second, clip_name="move", avoid=()):
    """Largest difference of local translations, rotations, scales and morphs over the clip."""
    clip = first.clip_named(clip_name)
    other = second.clip_named(clip_name)
    assert other.length == pytest.approx(clip.length, abs=1e-6)
    assert other.rate == clip.rate
    times = np.linspace(0.0, clip.length, 301)
    for step in avoid:
        times = times[(times >= step) | (times < step - STEP_ZONE)]
    meshes = [p.meshes_of(p.rigs[0].id) for p in (first, second)]
    a = sample_many(first.rigs[0], clip, times, wrap=False, meshes=meshes[0])
    b = sample_many(second.rigs[0], other, np.minimum(times, other.length), wrap=False, meshes=meshes[1])
    order = [second.rigs[0].skeleton.index(n) for n in first.rigs[0].skeleton.names]
    worst = {
        "translation": np.abs(a.translations - b.translations[:, order]).max(),
        "rotation": np.abs(quat.aligned(b.rotations[:, order], a.rotations) - a.rotations).max(),
        "scale": np.abs(a.scales - b.scales[:, order]).max(),
    }
    if a.morphs:
        assert a.morphs.keys() == b.morphs.keys()
        worst["morphs"] = max(np.abs(a.morphs[m] - b.morphs[m]).max() for m in a.morphs)
    return worst


def all_steps(project):
    """Times at which some track steps."""
    found = set()
    for clip in project.clips:
        for track in clip.every_track():
            found.update(track.times.tolist())
            found.add(clip.length)
    return found


kinds = st.sampled_from([*Interpolation, None])
ends = st.sampled_from(list(Extrapolation))


@st.composite
def moving(draw, weighted=False, extrapolated=False, looping=False):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    project = making.small(draw(st.integers(0, 3)))
    start = draw(st.sampled_from([0.05, 0.0]))
    shared = making.times(rng, 4, start - 0.05 if start == 0.0 else start)
    shared -= shared[0] - start
    tracks = {}
    for bone in project.rigs[0].skeleton.names:
        for prop in Property:
            style, kind = draw(st.integers(0, 2)), draw(kinds)
            settings = {"interpolations": rng.integers(0, 3, 4) if kind is None else kind}
            settings["at"] = shared if draw(st.booleans()) else making.times(rng, 4)
            if extrapolated:
                settings |= {"before": draw(ends), "after": draw(ends)}
            if prop is Property.ROTATE and style == 0:
                tracks[Channel(bone, prop, WHOLE)] = making.turning(rng, **settings)
            elif style:
                for axis in range(draw(st.integers(1, 3))):
                    track = making.scalar(rng, weighted=weighted, **settings)
                    if prop is Property.ROTATE:
                        track = scalar_track(
                            track.times,
                            90.0 * track.values,
                            90.0 * track.in_slopes,
                            90.0 * track.out_slopes,
                            track.interpolations,
                            track.modes,
                            weights=(track.in_weights, track.out_weights),
                            beyond=(track.before, track.after),
                        )
                    tracks[Channel(bone, prop, axis)] = track
    length = max((float(t.times[-1]) for t in tracks.values()), default=1.0) + draw(
        st.sampled_from([0.0, 0.2])
    )
    morphs = {"body/frown": making.scalar(rng)} if draw(st.booleans()) else {}
    return making.with_clip(project, tracks, length, looping=looping, morphs=morphs)


@settings(max_examples=18)
@given(moving())
def test_gltf_round_trip_keeps_the_motion(tmp_path_factory, project):
    back, _ = round_trip(project, tmp_path_factory.mktemp("glb"))
    worst = compared(project, back, avoid=all_steps(project))
    assert max(worst.values()) < SAME, worst


@settings(max_examples=15)
@given(moving(looping=True))
def test_gltf_round_trip_of_a_loop_fills_the_seam(tmp_path_factory, project):
    back, _ = round_trip(project, tmp_path_factory.mktemp("glb"))
    assert back.clips[0].looping
    worst = compared(project, back, avoid=all_steps(project))
    assert max(worst.values()) < SAME, worst


@settings(max_examples=5)
@given(moving(weighted=True))
def test_gltf_round_trip_of_weighted_tangents_is_fitted(tmp_path_factory, project):
    back, _ = round_trip(project, tmp_path_factory.mktemp("glb"))
    worst = compared(project, back, avoid=all_steps(project))
    assert max(worst.values()) < SAME, worst


@pytest.mark.parametrize("kind", [Extrapolation.LINEAR, Extrapolation.CYCLE_OFFSET, Extrapolation.MIRROR])
def test_gltf_extrapolation_is_baked(tmp_path, kind):
    track = scalar_track(
        [0.4, 0.6, 0.9],
        [0.0, 1.0, 0.0 if kind is Extrapolation.MIRROR else 0.5],
        0.3,
        0.3,
        beyond=(kind, kind),
    )
    project = making.with_clip(making.small(), {Channel("b1", Property.TRANSLATE, 1): track}, 2.0)
    back, report = round_trip(project, tmp_path)
    assert report.sampled
    times = np.linspace(0.0, 2.0, 777)
    a, b = (sample_many(p.rigs[0], p.clips[0], times).translations[:, 1, 1] for p in (project, back))
    assert np.abs(a - b).max() < 1e-4  # cycles have corners that no key stands on


def test_gltf_linear_steps_and_cubic_keys_stay_what_they_are(tmp_path):
    rng = np.random.default_rng(1)
    at = np.array([0.0, 0.5, 1.25])
    tracks = {
        Channel("b0", Property.ROTATE, WHOLE): quaternion_track(at, making.units(rng, 3)),
        Channel("b1", Property.ROTATE, WHOLE): making.turning(rng, at=at, interpolations=Interpolation.CUBIC),
        Channel("b2", Property.ROTATE, WHOLE): making.turning(
            rng, at=at, interpolations=Interpolation.CONSTANT
        ),
    }
    for axis in range(3):
        tracks[Channel("b3", Property.TRANSLATE, axis)] = making.scalar(rng, at=at, interpolations=2)
        tracks[Channel("b3", Property.SCALE, axis)] = making.scalar(rng, at=at, interpolations=0)
    project = making.with_clip(making.small(), tracks, 1.25)
    back, report = round_trip(project, tmp_path)
    assert not report.sampled
    for channel, track in tracks.items():
        found = back.clips[0].tracks[channel]
        assert found.times.tolist() == at.tolist()
        assert (found.interpolations == track.interpolations).all()
        close = quat.aligned(found.values, track.values) if channel.axis == WHOLE else found.values
        assert np.abs(close - track.values).max() < 1e-6


def test_gltf_whole_turns_between_euler_keys_are_not_lost(tmp_path):
    track = scalar_track([0.0, 1.0], [0.0, 1080.0], interpolations=Interpolation.LINEAR)
    project = making.with_clip(making.small(), {Channel("b0", Property.ROTATE, 1): track}, 1.0)
    back, _ = round_trip(project, tmp_path)
    assert compared(project, back)["rotation"] < SAME


def test_gltf_first_key_is_at_zero_and_last_at_the_length(tmp_path):
    track = scalar_track([0.5, 1.0], [1.0, 2.0])
    project = making.with_clip(making.small(), {Channel("b0", Property.TRANSLATE, 0): track}, 2.0)
    save(project, tmp_path / "a.glb")
    document = document_of(tmp_path / "a.glb")
    (sampler,) = document["animations"][0]["samplers"]
    bounds = document["accessors"][sampler["input"]]
    assert (bounds["min"], bounds["max"]) == ([0.0], [2.0])


@pytest.mark.parametrize("meshes", [True, False])
def test_gltf_always_has_a_skin_and_named_joints(tmp_path, meshes):
    save(making.small(), tmp_path / "a.glb", GltfWriteOptions(meshes=meshes))
    document = document_of(tmp_path / "a.glb")
    (skin,) = document["skins"]
    assert len(skin["joints"]) == 5
    assert all(document["nodes"][joint]["name"] for joint in skin["joints"])
    assert ("meshes" in document) == meshes


def test_gltf_clip_of_nothing_gets_a_still_channel(tmp_path):
    project = making.with_clip(making.small(), {}, 1.5)
    back, _ = round_trip(project, tmp_path)
    assert back.clips[0].length == 1.5
    assert max(compared(project, back).values()) < SAME


def test_gltf_meshes_deform_alike(tmp_path):
    rng = np.random.default_rng(0)
    tracks = {Channel(f"b{b}", Property.ROTATE, WHOLE): making.turning(rng) for b in range(5)}
    project = making.with_clip(making.small(), tracks, 2.0)
    rigid = making.mesh(rng, project.rigs[0].id, ["b3"], "hat", influences=1)
    rigid = type(rigid)(**{f: getattr(rigid, f) for f in rigid.__slots__} | {"inverse_bind": np.eye(4)[None]})
    project = project.with_assets(rigid)
    back, _ = round_trip(project, tmp_path)
    assert len(back.rigs[0].skeleton) == 5
    for old in project.meshes_of(project.rigs[0].id):
        new = next(m for m in back.meshes_of(back.rigs[0].id) if m.name == old.name)
        weights = {"smile": 0.5, "frown": 1.0, "ü/y": -0.25}
        corners = []
        for p, mesh in ((project, old), (back, new)):
            local = sample_many(p.rigs[0], p.clips[0], [0.3]).local
            model = kinematics.model_matrices(p.rigs[0].skeleton, local)[0]
            deformed, _ = kinematics.skin(
                mesh, kinematics.skin_matrices(mesh, p.rigs[0].skeleton, model), weights
            )
            corners.append(deformed[mesh.triangles])
        assert np.abs(corners[0] - corners[1]).max() < 1e-5
        assert [m.default_weight for m in new.morphs] == [0.25, 0.25]
        assert new.materials[0] == old.materials[0]


def test_gltf_many_influences_of_one_bone_are_merged(tmp_path):
    project = making.small()
    rng = np.random.default_rng(0)
    body = making.mesh(rng, project.rigs[0].id, project.rigs[0].skeleton.names, influences=8)
    project = project.with_assets(body)
    save(project, tmp_path / "a.glb")
    back = load(tmp_path / "a.glb").project
    (mesh,) = back.meshes_of(back.rigs[0].id)
    for row, weights in zip(mesh.influences, mesh.weights, strict=True):
        used = row[weights > 0.0]
        assert len(set(used.tolist())) == len(used)
        assert abs(float(weights.astype(np.float64).sum()) - 1.0) < 1e-6


def test_gltf_several_roots_come_back_as_they_were(tmp_path):
    project = Project().with_assets(making.small().rigs[0])
    rig = project.rigs[0]
    skeleton = type(rig.skeleton)(rig.skeleton.names, np.full(5, -1), rig.skeleton.rest)
    back, _ = round_trip(project.with_assets(type(rig)(rig.id, rig.name, skeleton)), tmp_path)
    assert back.rigs[0].skeleton.parents.tolist() == [-1] * 5


@pytest.mark.parametrize("embed", [True, False])
def test_gltf_text_form_reads_back(tmp_path, embed):
    rng = np.random.default_rng(0)
    track = {Channel("b0", Property.ROTATE, WHOLE): making.turning(rng)}
    project = making.with_clip(making.small(), track, 1.0)
    back, _ = round_trip(project, tmp_path, "ä b.gltf", GltfWriteOptions(embed=embed))
    assert (tmp_path / "ä b.bin").exists() != embed
    assert max(compared(project, back).values()) < SAME
    assert len(back.meshes_of(back.rigs[0].id)) == 1


def test_gltf_bytes_depend_on_document_and_options_alone():
    rng = np.random.default_rng(0)
    project = making.with_clip(making.small(), {Channel("b0", Property.ROTATE, 0): making.scalar(rng)}, 1.0)
    options = GltfWriteOptions()
    first, second = (as_glb(*build(project, options, ExportReport(""), Progress())) for _ in range(2))
    assert first == second


def test_gltf_without_rig_is_refused(tmp_path):
    with pytest.raises(ValidationError, match="no rig"):
        save(Project(), tmp_path / "a.glb")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.vrm", "a.vrma", "a.txt"])
def test_save_other_suffixes_are_refused(tmp_path, name):
    with pytest.raises(FormatError, match="cannot write"):
        save(making.small(), tmp_path / name)
